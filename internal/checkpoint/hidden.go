package checkpoint

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// A tree holds, for an entry that is marked and whose file is not there, what the index has. So two trees can be equal though the
// files were there then and are not now, as after `git sparse-checkout set`: what is there is known by the marks alone.

// hiding tells which entries of an index are marked and have no file. The name of a folder in Marks stands for the entries of the index
// in it. Untracked files in that folder are files like all others.
type hiding struct {
	read  treeReader
	marks Marks
	index repo.Hash
}

// has says whether there is such an entry at a path. What is named as there is there, whatever is said of its folder.
func (h *hiding) has(path string) bool {
	if !marked(h.marks.Absent, path) || marked(h.marks.Skip, path) {
		return false
	}
	is, err := lookup(h.read, h.index, path)
	return err != nil || is.Mode != 0
}

// unhidden corrects the differences between now and then by the entries that are marked now and whose files are not there.
func (p *Plan) unhidden(r *repo.Repo, changes []Change) ([]Change, error) {
	if len(p.hidden.marks.Absent) == 0 && (len(p.hid.marks.Absent) == 0 || !p.Options.Index) {
		return changes, nil
	}
	listed := make(map[string]bool, len(changes))
	kept := changes[:0]
	for _, c := range changes {
		listed[c.Path] = true
		if p.hidden.has(c.Path) {
			c.Old = Side{}
		}
		if c.Old.Mode != 0 || c.New.Mode != 0 {
			kept = append(kept, c)
		}
	}
	left := maxFiles
	// each goes through the files of the checkpoint that have not changed, and that one hides and the other does not.
	each := func(one, other *hiding, f func(path string, s Side)) error {
		for _, name := range one.marks.Absent {
			if marked(other.marks.Absent, name) {
				continue
			}
			bare := strings.TrimSuffix(name, "/")
			was, err := lookup(r.Tree, p.Checkpoint.Tree, bare)
			if err != nil || was.Mode == 0 {
				continue // not in it
			}
			file := func(path string, s Side) {
				if !listed[path] && s.Mode != repo.ModeGitlink && one.has(path) && !other.has(path) {
					f(path, s)
				}
			}
			if was.Mode != repo.ModeDir {
				file(bare, was)
			} else if err := filesWithin(r, was.Hash, bare+"/", strings.Count(name, "/"), &left, file); err != nil {
				return err
			}
		}
		return nil
	}
	err := each(&p.hidden, &p.hid, func(path string, s Side) { kept = append(kept, Change{Path: path, New: s}) })
	if err == nil && p.Options.Index { // else its mark does not come back, and it would be missing
		err = each(&p.hid, &p.hidden, func(path string, s Side) { kept = append(kept, Change{Path: path, Old: s}) })
	}
	slices.SortFunc(kept, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return kept, err
}

// unmarked says whether an entry loses the mark that keeps its file from being checked out: the file was not there, and comes back or
// was no less deleted then than any other.
func (p *Plan) unmarked(path string) bool {
	return marked(p.hidden.marks.Absent, path) && p.Checkpoint.Marks.flags(path)&repo.SkipWorktree == 0 && within(path, p.Paths)
}

// unmarkedBy says whether a file is only there because Git wrote it, as the index of now has it or as an older commit does, over an entry
// that was marked then and had no file. Git takes the mark off an entry whose file is there, so that the mark comes back only if the file goes.
func (p *Plan) unmarkedBy(r *repo.Repo, c Change) bool {
	if !p.Options.Index || !p.hid.has(c.Path) {
		return false
	}
	now := p.index
	i, found := now.Find(c.Path)
	if !found {
		return false
	}
	if now.At(i).Stage != 0 {
		return true // a conflict, which ends with this: the safety checkpoint has what is in it
	}
	is := Side{now.At(i).Mode, now.At(i).Hash}
	if p.tree.IsZero() && r.HasObject(c.Old.Hash) { // later the safety checkpoint has put any content there
		p.held = append(p.held, c.Path)
	}
	return is.Hash == c.Old.Hash || p.stores(r, c, is) || slices.Contains(p.held, c.Path)
}

// unmarks says whether any does.
func (p *Plan) unmarks() bool {
	return slices.ContainsFunc(p.hidden.marks.Absent, func(name string) bool {
		bare := strings.TrimSuffix(name, "/")
		asked := within(bare, p.Paths) || slices.ContainsFunc(p.Paths, func(path string) bool { return within(path, []string{bare}) })
		return asked && !marked(p.hid.marks.Absent, name) && !marked(p.hid.marks.Skip, name)
	})
}
