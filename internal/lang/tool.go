package lang

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// own says why a tool is named that no file speaks for.
const own = "comes with the language"

// tools says how a project in l is worked on.
func (f *folder) tools(l *rule.Language) Tools {
	var t Tools
	var run, script string
	if m, at, because := f.manager(l); m != nil {
		run, script = m.Run, m.Script
		if at != f {
			because = f.up(at) + because
			// A wrapper is where the sign of it was found.
			if wrapper, ok := strings.CutPrefix(run, "./"); ok {
				run = f.up(at) + wrapper
			}
		}
		t.Manager = &Tool{Name: m.Name, Command: m.Add, Because: because}
		if wrapper, ok := strings.CutPrefix(m.Add, "./"); ok && at != f {
			t.Manager.Command = f.up(at) + wrapper
		}
	}
	if script == "" {
		script = f.script()
	}
	// Commands are to be pasted: what the manager runs them with is filled in.
	fill := strings.NewReplacer("{run} ", pad(run), "{script}", script)
	pick := func(list []rule.Tool) *Tool {
		for i := range list {
			if len(list[i].When) == 0 && !list[i].Anywhere && !f.hasManifest(l) {
				continue
			}
			if because, ok := f.any(list[i].When); ok {
				if because == "" {
					because = own
				}
				return &Tool{Name: list[i].Name, Command: fill.Replace(list[i].Command), File: fill.Replace(list[i].File), Lines: fill.Replace(list[i].Lines), Because: because}
			}
		}
		return nil
	}
	t.Formatter, t.Linter, t.Test, t.Build, t.Typecheck = pick(l.Formatters), pick(l.Linters), pick(l.Tests), pick(l.Builds), pick(l.Typechecks)
	f.named(&t, script)
	// Not nil: JSON readers expect a list.
	t.Frameworks = []Named{}
	for i := range l.Frameworks {
		if because, ok := f.any(l.Frameworks[i].When); ok {
			t.Frameworks = append(t.Frameworks, Named{l.Frameworks[i].Name, because})
		}
	}
	return t
}

// hasManifest reports that the commands of a language find its manifest: here, or in a project around this one.
func (f *folder) hasManifest(l *rule.Language) bool {
	if len(l.Manifests) == 0 {
		return true
	}
	for at := f; at != nil; at = at.above {
		if at.manifest(l).weight > 1 {
			return true
		}
	}
	return false
}

// script is how tasks of another language's manifest are run that is at the root of the project, "" for none.
func (f *folder) script() string {
	for i := range f.t.Languages {
		l := &f.t.Languages[i]
		runs := func(m rule.Manager) bool { return m.Script != "" }
		if !slices.ContainsFunc(l.Managers, runs) || f.manifest(l).weight < 2 {
			continue
		}
		if m, _, _ := f.manager(l); m != nil && m.Script != "" {
			return m.Script
		}
	}
	return ""
}

// named puts the project's own words for its work before what the language brings. How one file is tested or formatted only the
// language's tool knows.
func (f *folder) named(t *Tools, script string) {
	tasks := f.tasks(script)
	for purpose, task := range tasks {
		tool := t.of(purpose)
		if *tool != nil {
			task.File = (*tool).File
		}
		*tool = task
	}
}

// of is where the command for a purpose stands; rule.TaskName has the purposes.
func (t *Tools) of(purpose string) **Tool {
	switch purpose {
	case "test":
		return &t.Test
	case "build":
		return &t.Build
	case "lint":
		return &t.Linter
	case "format":
		return &t.Formatter
	case "typecheck":
		return &t.Typecheck
	case "start":
		return &t.Start
	case "dev":
		return &t.Dev
	case "install":
		return &t.Install
	case "clean":
		return &t.Clean
	case "coverage":
		return &t.Coverage
	}
	return &t.Migrate
}

// manager finds the package manager of l, and the folder that says so. A member of
// a workspace has a manifest alone; the lock file lies above it.
func (f *folder) manager(l *rule.Language) (m *rule.Manager, at *folder, because string) {
	for at = f; at != nil; at = at.above {
		for i := range l.Managers {
			found := &l.Managers[i]
			if m != nil && found.Weak {
				continue // no stronger than what is known
			}
			if why, ok := at.any(found.When); ok {
				if !found.Weak {
					return found, at, why
				}
				m, because = found, why
				break
			}
		}
		if m == nil {
			return nil, nil, "" // a folder above is another project's
		}
	}
	return m, f, because
}

// pad keeps "{run} " from leaving a blank where there is nothing to run with.
func pad(s string) string {
	if s == "" {
		return ""
	}
	return s + " "
}

// manifest is the strongest manifest of l in the folder; the zero value for none.
func (f *folder) manifest(l *rule.Language) (best found) {
	for i := range l.Manifests {
		m := &l.Manifests[i]
		if m.Weight <= best.weight {
			continue
		}
		names := f.find(m.File)
		if len(names) == 0 {
			continue
		}
		// Conditions open files, so they come after all that a listing can say.
		if len(m.When) > 0 {
			if _, ok := f.any(m.When); !ok {
				continue
			}
		}
		if len(m.Unless) > 0 {
			if _, ok := f.any(m.Unless); ok {
				continue
			}
		}
		best = found{m.Weight, names[0], i, m.Alone}
	}
	return best
}
