package lang

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// base is the folder whose manifest speaks for l here: this one, or, where it has none, the nearest around it.
func (f *folder) base(l *rule.Language) *folder {
	if l == nil || len(l.Manifests) == 0 {
		return f
	}
	for at := f; at != nil; at = at.above {
		if at.manifest(l).weight > 1 {
			return at
		}
	}
	return f
}

// shared are the purposes that files around a project settle for all in them: how its tests run is its own affair.
var shared = [...]func(*Tools, *rule.Toolset) (**Tool, []rule.Tool){
	func(t *Tools, s *rule.Toolset) (**Tool, []rule.Tool) { return &t.Formatter, s.Formatters },
	func(t *Tools, s *rule.Toolset) (**Tool, []rule.Tool) { return &t.Linter, s.Linters },
	func(t *Tools, s *rule.Toolset) (**Tool, []rule.Tool) { return &t.Typecheck, s.Typechecks },
}

// inherit fills in what a project of a workspace does not say itself, and the folders around it do.
func (f *folder) inherit(t *Tools, l *rule.Language, fill *strings.Replacer) {
	for at := f.above; l != nil && at != nil; at = at.above {
		for _, part := range shared {
			to, list := part(t, &l.Toolset)
			stated := statedAround(list)
			if *to != nil && (*to).Because != own {
				continue
			}
			if found, _ := at.pick(stated, toolset{Toolset: &l.Toolset, because: own}, l, fill); found != nil {
				*to = f.moved(found, at)
			}
		}
	}
}

// statedAround are the tools that the files of a folder state for what is below it: neither those that the language brings, which were asked for there, nor
// those by a file of another part of the project.
func statedAround(list []rule.Tool) (stated []rule.Tool) {
	for i := range list {
		r := list[i]
		r.When = slices.DeleteFunc(slices.Clone(r.When), func(file string) bool { return strings.HasPrefix(file, "*/") })
		if len(r.When) > 0 {
			stated = append(stated, r)
		}
	}
	return stated
}

// moved is a tool of a folder around as it is called from here.
func (f *folder) moved(t *Tool, at *folder) *Tool {
	if t == nil || at == f {
		return t
	}
	out := *t
	if out.Because != own {
		out.Because = f.up(at) + out.Because
	}
	called := out.Command
	for _, words := range f.t.Projects.Launchers {
		called = strings.TrimPrefix(called, words+" ")
	}
	if word, _, _ := strings.Cut(called, " "); out.Command != "" && !strings.HasPrefix(word, "../") && !slices.Contains(f.t.Projects.Upward, word) {
		out.Command = "cd " + strings.TrimSuffix(f.up(at), "/") + " && " + out.Command
	}
	return &out
}

// movedAll is moved for all tools of a folder around.
func (f *folder) movedAll(t *Tools, at *folder) {
	for _, tool := range t.all() {
		*tool = f.moved(*tool, at)
	}
	for i := range t.Frameworks {
		t.Frameworks[i].Because = f.up(at) + t.Frameworks[i].Because
	}
}
