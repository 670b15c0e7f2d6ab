package cli

import (
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/undo"
)

// A call may put a file where a folder was that Git ignores, or a folder where a file was. What stands there now has to go before the other comes back.

// ofCopies has a plan know what becomes of files that Git ignores.
func (e *env) ofCopies(u *undoing, ch *change, o *undo.Options) {
	if !ch.again {
		u.lost = e.lostTrees(u, ch)
		want, _ := e.copiesThen(u, ch)
		o.Returns, o.Copied = returning(u, want)
		o.NotThen = notThen(want)
		made := ch.made()
		o.Made = func(path string) bool { return made[path] }
		for _, k := range e.unsavedGone(u, ch, leftOut(u, ch), slices.Collect(maps.Keys(want))) {
			o.Gone = append(o.Gone, k.Path)
		}
	}
	if ch.mirrors {
		o.Goes = e.leaving(u.r, ch)
	}
}

// notThen reports paths at which no file can have been while the copied ones were there: folders above them, and what is below them.
func notThen(want checkpoint.Copies) func(path string) bool {
	above := map[string]bool{}
	for path := range want {
		for d := range foldersAbove(path) {
			above[d] = true
		}
	}
	return func(path string) bool {
		if above[path] {
			return true
		}
		for d := range foldersAbove(path) {
			if want[d] != "" {
				return true
			}
		}
		return false
	}
}

// leaving reports files that go when an undo or a redo is taken back: they came with it, and are as the vault has them.
func (e *env) leaving(r *repo.Repo, ch *change) func(path string) bool {
	want, end := checkpoint.CopiesOf(r, e.vaultDir(), ch.vault), checkpoint.CopiesOf(r, e.vaultDir(), ch.copies)
	return func(path string) bool {
		return want[path] == "" && end[path] != "" && checkpoint.CopyNow(r, path) == end[path]
	}
}

// roomFor has those copies stay in the vault in whose place something stands that a plan does not take away, and names that.
func (g *copiesPlan) roomFor(r *repo.Repo, plan *undo.Plan) {
	goes := map[string]bool{}
	for _, p := range plan.Paths {
		goes[p.Path] = goes[p.Path] || p.Does == undo.Deletes
	}
	for _, p := range g.gone {
		goes[p] = true
	}
	g.back = slices.DeleteFunc(g.back, func(path string) bool {
		in := inPlaceOf(r, path, goes)
		why := in + " is in the way"
		if in == path {
			why = "a repository of its own is in the way"
		}
		if in != "" {
			g.kept = append(g.kept, undo.Kept{Path: path, Why: why, InWay: true})
		}
		return in != ""
	})
}

// inPlaceLooked bounds the names of a folder that are looked at.
const inPlaceLooked = 20_000

// inPlaceOf is what stands in the place of a file, or of a folder above it, and does not go; "" for nothing. Another file at the very path is none of these.
func inPlaceOf(r *repo.Repo, path string, goes map[string]bool) (in string) {
	for d := range foldersAbove(path) {
		if fi, err := os.Lstat(r.Path(d)); err == nil && !fi.IsDir() {
			if goes[d] {
				return ""
			}
			return d
		}
	}
	if fi, err := os.Lstat(r.Path(path)); err != nil || !fi.IsDir() {
		return ""
	}
	left := inPlaceLooked
	_ = filepath.WalkDir(r.Path(path), func(name string, d fs.DirEntry, err error) error {
		rel, bad := filepath.Rel(r.WorkTree, name)
		rel = filepath.ToSlash(rel)
		left--
		switch {
		case err == nil && bad == nil && left > 0 && (goes[rel] || d.IsDir() && d.Name() != ".git"):
			return nil
		case d != nil && d.Name() == ".git":
			in = path // of a repository it is the whole that has to be moved
		default:
			in = rel
		}
		return filepath.SkipAll
	})
	return in
}

// dropFirst deletes those of the files that go which stand where the plan puts others, with the folders that this empties.
func (e *env) dropFirst(u *undoing, plan *undo.Plan, g *copiesPlan) (failed []checkpoint.Skip) {
	files, dirs := map[string]bool{}, map[string]bool{}
	for _, p := range plan.Paths {
		if p.Does == undo.Deletes {
			continue
		}
		files[p.Path] = true
		for d := range foldersAbove(p.Path) {
			dirs[d] = true
		}
	}
	var emptied []string
	for _, path := range g.gone {
		in := dirs[path]
		var folders []string
		for d := range foldersAbove(path) {
			if in = in || files[d]; in {
				folders = append(folders, d)
			}
		}
		if !in {
			continue
		}
		if err := e.dropCopied(u.r, path, g.marks[path]); err != nil {
			failed = append(failed, checkpoint.Skip{Path: path, Why: err.Error()})
			continue
		}
		g.first, emptied = append(g.first, path), append(emptied, folders...)
	}
	removeEmpty(u.r, emptied)
	return failed
}

// foldersAbove are the folders above a path, the highest first.
func foldersAbove(path string) iter.Seq[string] {
	return func(yield func(dir string) bool) {
		for i := range path {
			if path[i] == '/' && !yield(path[:i]) {
				return
			}
		}
	}
}
