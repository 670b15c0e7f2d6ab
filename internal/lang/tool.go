package lang

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// own says why a tool is named that no file speaks for.
const own = "comes with the language"

// tools says how a project in l is worked on; l is nil for one without a language.
func (f *folder) tools(l *rule.Language) Tools {
	at := f.base(l)
	t := at.brought(l)
	starts, by := t.Start, t.Build
	at.named(&t, l)
	if starts != nil && starts == t.Start && by != nil && by.Name == starts.Name && t.Build.Name != by.Name && at.missing(starts.Command) {
		t.Start = nil // it is what another build would have left there
	}
	at.evident(&t, l)
	if at != f {
		f.movedAll(&t, at)
	}
	return t
}

// missing reports a command whose program is a file of the project that is not there yet.
func (f *folder) missing(command string) bool {
	program, _, _ := strings.Cut(command, " ")
	rest, ok := strings.CutPrefix(program, "./")
	return ok && !f.exists(rest)
}

// demands reports a script of the project's own that stops when a variable or an argument is missing: ${TAG?not set}.
func (f *folder) demands(command string) bool {
	script, ok := strings.CutPrefix(command, "./")
	if !ok || strings.Contains(script, " ") {
		return false
	}
	rest := f.data(script)
	for found := true; found; {
		if _, rest, found = bytes.Cut(rest, []byte("${")); found {
			name := bytes.IndexFunc(rest, func(r rune) bool {
				return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
			})
			if name > 0 && bytes.HasPrefix(bytes.TrimPrefix(rest[name:], []byte(":")), []byte("?")) {
				return true
			}
		}
	}
	return false
}

// brought is what the language and the ecosystems that hold here bring, without the project's own words.
func (f *folder) brought(l *rule.Language) Tools {
	// Not nil: JSON readers expect a list.
	t := Tools{Frameworks: []Named{}}
	sets := f.toolsets(l)
	sole := len(sets) == 1 && sets[0].sole
	if l != nil && !sole {
		if m, at, because := f.manager(l); m != nil {
			t.Manager = f.managed(m, at, because)
		}
	}
	fill, also := f.fill(l), map[string]Tool{}
	for _, found := range sets {
		set := found.Toolset
		for i := range set.Managers {
			if because, ok := f.both(set.Managers[i].When, set.Managers[i].With, set.Managers[i].Unless); ok && t.Manager == nil {
				t.Manager = f.managed(&set.Managers[i], f, because)
			}
		}
		for _, group := range set.Purposes() {
			if to := t.of(group.Purpose); *to == nil {
				var purpose string
				if *to, purpose = f.pick(group.Tools, found, l, fill); purpose != "" {
					also[purpose] = **to
				}
			}
		}
		for i := range set.Frameworks {
			if because, ok := f.both(set.Frameworks[i].When, nil, set.Frameworks[i].Unless); ok {
				t.Frameworks = append(t.Frameworks, Named{set.Frameworks[i].Name, because})
			}
		}
	}
	for purpose, tool := range also {
		if to := t.of(purpose); *to == nil {
			*to = &tool
		}
	}
	if sole {
		return t
	}
	f.inherit(&t, l, fill)
	if t.Manager == nil && l != nil && len(l.Managers) == 0 {
		// A language without a manager of its own takes what it needs from that of the manifest whose tasks it runs.
		if m, at, because := f.scripted(nil); m != nil {
			t.Manager = f.managed(m, at, because)
			if _, needs := at.any(m.Lends); len(m.Lends) > 0 && !needs && t.Manager != nil {
				t.Manager.Command = ""
			}
		}
	}
	return t
}

// fill puts into commands what the package manager runs them with: they are to be pasted.
func (f *folder) fill(l *rule.Language) *strings.Replacer {
	run, build := "", ""
	var apart []string
	if l != nil {
		if m, at, because := f.manager(l); m != nil {
			run, build, apart = at.runBy(m, because), m.Build, at.apart(m)
			if wrapper, ok := strings.CutPrefix(run, "./"); ok && at != f {
				run = f.up(at) + wrapper // a wrapper is where the sign of it was found
			}
		}
	}
	return strings.NewReplacer(append(apart, "{run} ", pad(run), "{build}", build)...)
}

// runBy is what a manager runs programs with: by the file that speaks for it, where that has a name that it does not look for.
func (f *folder) runBy(m *rule.Manager, because string) string {
	run, found := m.Run, because
	if strings.Contains(run, "{found}") {
		if found, _, _ = strings.Cut(found, " names "); !plainTask(found) {
			return ""
		}
	}
	return strings.ReplaceAll(run, "{found}", found)
}

// apart replaces what a manager would start by what finds it all the same: programs that work alone, and that the project does not need.
func (f *folder) apart(m *rule.Manager) (pairs []string) {
	for _, program := range m.Loose {
		listed := slices.Clone(m.Listed)
		for i := range listed {
			listed[i] = strings.ReplaceAll(listed[i], "{}", program)
		}
		if _, ok := f.any(listed); !ok {
			pairs = append(pairs, "{run} "+program, pad(m.Apart)+program)
		}
	}
	return pairs
}

// toolset is one with what speaks for those of its tools that state no conditions.
type toolset struct {
	*rule.Toolset
	because string
	sole    bool // no other one counts here
}

// toolsets are those of the ecosystems that come first, of the language, and of those that come last.
func (f *folder) toolsets(l *rule.Language) (sets []toolset) {
	var last []toolset
	for i := range f.t.Systems.List {
		e := &f.t.Systems.List[i]
		switch {
		case l == nil && len(e.Languages) > 0, l != nil && len(e.Languages) > 0 && !slices.Contains(e.Languages, l.ID):
			continue
		case l != nil && len(e.Languages) == 0 && e.Kind != "":
			continue // a chart beside a program is not the program's
		}
		because, ok := f.any(e.When)
		switch {
		case !ok:
		case e.Sole:
			return []toolset{{Toolset: &e.Toolset, because: because, sole: true}}
		case e.Last:
			last = append(last, toolset{Toolset: &e.Toolset, because: because})
		default:
			sets = append(sets, toolset{Toolset: &e.Toolset, because: because})
		}
	}
	if l != nil {
		sets = append(sets, toolset{Toolset: &l.Toolset, because: own})
	}
	return append(sets, last...)
}

// sole reports that what is known of l does not work here.
func (f *folder) sole(l *rule.Language) bool {
	sets := f.toolsets(l)
	return len(sets) == 1 && sets[0].sole
}

// pick is the first tool of a list whose conditions hold, and for which other purpose it serves, "" for none.
func (f *folder) pick(list []rule.Tool, set toolset, l *rule.Language, fill *strings.Replacer) (tool *Tool, also string) {
	for i := range list {
		if (list[i].Bound || len(list[i].When) == 0 && !list[i].Anywhere) && l != nil && set.Toolset == &l.Toolset && !f.hasManifest(l) {
			continue
		}
		because, ok := f.both(list[i].When, list[i].With, list[i].Unless)
		if !ok {
			continue
		}
		p, ok := f.startOf(&list[i])
		if !ok {
			continue
		}
		if p.found != "" {
			because = p.because
		}
		at, _, _ := strings.Cut(because, " ")
		command, ok := f.aimed(p.in(fill.Replace(list[i].Command)), at)
		if command == "" || !ok || f.demands(command) {
			continue // the manager has no such command, or the script does nothing by itself
		}
		one, _ := f.aimed(p.in(fill.Replace(list[i].One)), at)
		if because == "" {
			because = set.because
		}
		tool = &Tool{
			Name: list[i].Name, Command: command, File: fill.Replace(list[i].File), One: one,
			Lines: fill.Replace(list[i].Lines), Because: because,
		}
		if len(list[i].Keeps) > 0 {
			f.keep(tool, testsRun{keeps: list[i].Keeps})
		}
		return tool, list[i].Also
	}
	return nil, ""
}

// aimed is a command with the file that spoke for it, {found}, or what that is called, {stem}; not ok where such a name cannot be typed as it stands.
func (f *folder) aimed(command, found string) (string, bool) {
	if !strings.Contains(command, "{found}") && !strings.Contains(command, "{stem}") {
		return command, true
	}
	if found == "" || !plainTask(found) || !f.exists(found) {
		return "", false
	}
	return strings.NewReplacer("{found}", found, "{stem}", stem(found)).Replace(command), true
}

// stem is the name of a file or folder without its folders and its extension.
func stem(name string) string {
	name = path.Base(name)
	return strings.TrimSuffix(name, path.Ext(name))
}

// managed is a package manager as it is shown, without a command where none only installs; nil where the command cannot be typed.
func (f *folder) managed(m *rule.Manager, at *folder, because string) *Tool {
	found, _, _ := strings.Cut(because, " names ")
	if strings.Contains(m.Add, "{found}") && !plainTask(found) { // a stranger's name that cannot be typed as it stands
		return nil
	}
	t := &Tool{Name: m.Name, Command: strings.ReplaceAll(m.Add, "{found}", found), Because: because}
	if at != f {
		t.Because = f.up(at) + because
		if wrapper, ok := strings.CutPrefix(m.Add, "./"); ok {
			t.Command = f.up(at) + wrapper
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

// script is how tasks of a runner's file are run: by the manager of the language l, where the file is its manifest, or by that of another
// language's manifest at the root of the project; "" for none.
func (f *folder) script(r *rule.Runner, l *rule.Language) string {
	if l != nil && owns(r, l) {
		if m, _, _ := f.manager(l); m != nil && m.Script != "" {
			return m.Script
		}
	}
	if m, _, _ := f.scripted(r); m != nil {
		return m.Script
	}
	return ""
}

// scripted is the package manager, of whatever language, that runs tasks of a manifest at the root of the project, of that one which r reads
// if r is not nil; nil for none.
func (f *folder) scripted(r *rule.Runner) (m *rule.Manager, at *folder, because string) {
	for i := range f.t.Languages {
		l := &f.t.Languages[i]
		runs := func(m rule.Manager) bool { return m.Script != "" }
		if !slices.ContainsFunc(l.Managers, runs) || r != nil && !owns(r, l) || f.manifest(l).weight < 2 {
			continue
		}
		if m, at, because = f.manager(l); m != nil && m.Script != "" {
			return m, at, because
		}
	}
	return nil, nil, ""
}

// named puts the project's own words for its work before what the language brings. How one file is tested or formatted only the
// language's tool knows.
func (f *folder) named(t *Tools, l *rule.Language) {
	every := func(r *rule.Runner) bool { return true }
	own := func(r *rule.Runner) bool { return !f.foreign(r, l) && !f.yields(r, t) }
	if l != nil { // the front end's manifest may name what is done for this language
		for purpose, task := range f.tasks(l, ":"+l.ID, func(r *rule.Runner) bool { return !own(r) }) {
			f.put(t, purpose, task)
		}
	}
	named := map[string]bool{}
	for purpose, task := range f.tasks(l, "", own) {
		named[purpose] = true
		f.put(t, purpose, task)
	}
	f.told(t, l, named)
	for purpose, task := range f.tasks(l, "", every) {
		if *t.of(purpose) == nil {
			f.put(t, purpose, task)
		}
	}
	f.ownScripts(t, l)
}

// put takes a task for a purpose.
func (f *folder) put(t *Tools, purpose string, task *Tool) {
	tool := t.of(purpose)
	if *tool != nil {
		script, keeps := f.tested[task].script, f.tested[*tool].keeps
		task.File, task.One = f.keptBy(script, (*tool).File, keeps), f.keptBy(script, (*tool).One, keeps)
		if task.Fixes != "" && (*tool).Fixes == "" && (*tool).Because != own { // which only looks
			task.Lines = cmp.Or((*tool).Lines, (*tool).Command)
		}
	}
	*tool = task
}

// foreign reports a runner whose file is the manifest of other languages than l: what a package.json beside a go.mod calls "build" is the
// front end. It is the project's own where l takes what it needs from the same manager, as ClojureScript does from npm.
func (f *folder) foreign(r *rule.Runner, l *rule.Language) bool {
	weighs := func(m rule.Manifest) bool { return m.Weight > 1 }
	if l == nil || r.Common || owns(r, l) || !slices.ContainsFunc(l.Manifests, weighs) { // one without manifests borrows
		return false
	}
	m, _, _ := f.manager(l)
	foreign := false
	for i := range f.t.Languages {
		if of := &f.t.Languages[i]; owns(r, of) {
			if m != nil && slices.ContainsFunc(of.Managers, func(o rule.Manager) bool { return o.Name == m.Name && o.Script != "" }) {
				return false
			}
			foreign = true
		}
	}
	return foreign
}

// owns reports that a runner's file is a manifest of the language.
func owns(r *rule.Runner, l *rule.Language) bool {
	return slices.ContainsFunc(l.Manifests, func(m rule.Manifest) bool { return m.Weight > 1 && slices.Contains(r.Files, m.File) })
}

// of is where the command for a purpose stands; rule.TaskName has the purposes.
func (t *Tools) of(purpose string) **Tool {
	switch purpose {
	case "test":
		return &t.Test
	case "build":
		return &t.Build
	case "lint", "linter":
		return &t.Linter
	case "format", "formatter":
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
		found := at.managerHere(l, m != nil)
		switch {
		case found.m != nil && !found.m.Weak:
			return found.m, at, found.because
		case found.m != nil:
			m, because = found.m, found.because
		case m == nil:
			return nil, nil, "" // a folder above is another project's
		}
	}
	return m, f, because
}

// manager is a package manager that a folder shows by itself, nil for none.
type manager struct {
	m       *rule.Manager
	because string
}

// managing is a question about one: strong leaves out those that a folder above may know better.
type managing struct {
	language string
	strong   bool
}

// managerHere is asked for each tool of a project, and of each project below it.
func (f *folder) managerHere(l *rule.Language, strong bool) (found manager) {
	question := managing{l.ID, strong}
	if found, ok := f.managers[question]; ok {
		return found
	}
	for i := range l.Managers {
		m := &l.Managers[i]
		if strong && m.Weak {
			continue
		}
		if why, ok := f.both(m.When, m.With, m.Unless); ok {
			found = manager{m, why}
			break
		}
	}
	if f.managers == nil {
		f.managers = map[managing]manager{}
	}
	f.managers[question] = found
	return found
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
