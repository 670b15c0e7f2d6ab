package cli

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// fewMoved is how many files are told one by one though they all get the same folder's other name back.
const fewMoved = 3

// movedFolder is a folder that gets its name back, with the files that only move.
type movedFolder struct {
	from, to string
	files    []string // under both names
	n        int
}

// movedFolders finds them in a plan: files that go and come with one content, under names that differ in front alone.
func movedFolders(plan *undo.Plan) (list []movedFolder) {
	goes := map[repo.Hash][]string{}
	for i := range plan.Blend.Files {
		if ch := &plan.Blend.Files[i]; ch.New.Mode == 0 {
			goes[ch.Old.Hash] = append(goes[ch.Old.Hash], ch.Path)
		}
	}
	for i := range plan.Blend.Files {
		ch := &plan.Blend.Files[i]
		if ch.Old.Mode != 0 || ch.New.Mode == 0 {
			continue
		}
		names := goes[ch.New.Hash]
		at := slices.IndexFunc(names, func(name string) bool { return path.Base(name) == path.Base(ch.Path) })
		if at < 0 {
			continue
		}
		from, to := apartIn(names[at], ch.Path)
		k := slices.IndexFunc(list, func(m movedFolder) bool { return m.from == from && m.to == to })
		if k < 0 {
			k, list = len(list), append(list, movedFolder{from: from, to: to})
		}
		list[k].files, list[k].n = append(list[k].files, names[at], ch.Path), list[k].n+1
		goes[ch.New.Hash] = slices.Delete(names, at, at+1)
	}
	return slices.DeleteFunc(list, func(m movedFolder) bool { return m.n <= fewMoved })
}

// apartIn are two names without the folders and the file at their ends that are the same.
func apartIn(a, b string) (from, to string) {
	for path.Base(a) == path.Base(b) && a != "." && b != "." {
		a, b = path.Dir(a), path.Dir(b)
	}
	return a, b
}

// showMoved prints them and returns the other files.
func (e *env) showMoved(plan *undo.Plan, rest []undo.Path) []undo.Path {
	for _, m := range movedFolders(plan) {
		name := func(dir string) string { return term.Name(strings.TrimSuffix(dir, "/")) }
		e.row("  > %s → %s (%s)", name(m.from), name(m.to), term.Count(m.n, "file"))
		rest = slices.DeleteFunc(rest, func(p undo.Path) bool { return slices.Contains(m.files, p.Path) })
	}
	return rest
}
