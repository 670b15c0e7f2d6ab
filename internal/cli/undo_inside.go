package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// innerCopies are files that a repository inside the work tree ignores, that are gone, and of which a snapshot has copies that the guard took in
// that repository during the turns.
type innerCopies struct {
	r     *repo.Repo
	c     *checkpoint.Checkpoint
	paths []string // relative to that repository
}

// copiesInside adds them to what comes back. The first copy that has a file is nearest to what was there when the turns began.
func (e *env) copiesInside(u *undoing, ch *change, g *copiesPlan, paths []string) {
	if ch.mirrors || ch.only != "" || len(ch.turns) == 0 {
		return
	}
	for _, dir := range e.repositories(u, ch) {
		at, err := checkpoint.Relative(u.r, "", dir)
		if err != nil {
			continue
		}
		r, _ := e.insideAt(u, ch, dir)
		if r == nil || r.WorkTree != dir {
			continue
		}
		planned := map[string]bool{}
		for _, c := range slices.Backward(savedSince(r, ch.session, ch.began())) {
			one := innerCopies{r: r, c: &c}
			for _, name := range slices.Sorted(maps.Keys(checkpoint.CopiesOf(r, e.vaultDir(), c.Commit))) {
				path := at + "/" + name
				if planned[path] || checkpoint.CopyNow(u.r, path) != "" || !within(path, paths) || u.inLost(path) || slices.Contains(g.back, path) {
					continue
				}
				planned[path] = true
				one.paths, g.back = append(one.paths, name), append(g.back, path)
			}
			if len(one.paths) > 0 {
				g.inside = append(g.inside, one)
			}
		}
	}
}

// insideAt is the repository of a folder inside the work tree; emptied says that it is a submodule whose folder is no work tree any more, while Git has
// the repository itself. Nil where there is none.
func (e *env) insideAt(u *undoing, ch *change, dir string) (r *repo.Repo, emptied bool) {
	if r, err := repo.Open(dir); err == nil && r.WorkTree == dir {
		return r, false
	}
	at, err := checkpoint.Relative(u.r, "", dir)
	if err != nil {
		return nil, false
	}
	module := u.r.Module(at, e.modulesThen(u, ch))
	if module == "" {
		return nil, false
	}
	if r, err = repo.Open(module); err != nil {
		return nil, false
	}
	return r, true
}

// modulesThen is .gitmodules as it was when the turns began.
func (e *env) modulesThen(u *undoing, ch *change) []byte {
	from, err := checkpoint.SnapshotAt(u.r, ch.turns[len(ch.turns)-1].From)
	if err != nil {
		return nil
	}
	side, err := from.At(u.r, ".gitmodules")
	if err != nil || side.Mode == 0 {
		return nil
	}
	_, text, _ := u.r.Object(side.Hash)
	return slices.Clone(text)
}

// emptiedInside is a submodule that was emptied during the turns: what was changed in it is in a snapshot of its own. One whose folder is gone is
// told where files are kept.
func emptiedInside(r *repo.Repo, dir string, ch *change) (one placeJSON, ok bool) {
	c := savedIn(r, ch.session, ch.began())
	if c == nil { // nothing had changed in it since an older one
		c, _ = checkpoint.Newest(r)
	}
	fi, err := os.Lstat(r.GitDir)
	_, gone := os.Lstat(dir)
	if err != nil || gone != nil || c == nil || fi.ModTime().Before(ch.began()) {
		return one, false
	}
	back := checkpoint.Inner{Name: c.Name, Staged: c.Staged}.Back(filepath.ToSlash(dir), checkpoint.Empty, false)
	return placeJSON{Dir: dir, Command: back}, true
}

// replacedInside is a submodule in whose place another repository is: what was changed in it is in a snapshot of its own, in the repository around it.
func (e *env) replacedInside(u *undoing, ch *change, dir string) (one placeJSON, ok bool) {
	at, err := checkpoint.Relative(u.r, "", dir)
	if fi, bad := os.Lstat(filepath.Join(dir, ".git")); err != nil || bad != nil || !fi.IsDir() {
		return one, false
	}
	module := u.r.Module(at, e.modulesThen(u, ch))
	if module == "" {
		return one, false
	}
	r, err := repo.Open(module)
	if err != nil {
		return one, false
	}
	c := savedIn(r, ch.session, ch.began())
	if c == nil {
		return one, false
	}
	back := checkpoint.Inner{Name: c.Name, Staged: c.Staged}.Back(filepath.ToSlash(dir), checkpoint.Replaced, false)
	return placeJSON{Dir: dir, Command: back}, true
}

// copiesGone reports files of such a repository that are gone and of which there are such copies.
func (e *env) copiesGone(r *repo.Repo, ch *change) bool {
	for _, c := range savedSince(r, ch.session, ch.began()) {
		for path := range checkpoint.CopiesOf(r, e.vaultDir(), c.Commit) {
			if checkpoint.CopyNow(r, path) == "" {
				return true
			}
		}
	}
	return false
}

// innerBack brings those copies back, each in its own repository.
func (e *env) innerBack(u *undoing, ch *change, g *copiesPlan) (failed []checkpoint.Skip) {
	for _, one := range g.inside {
		if err := os.MkdirAll(one.r.WorkTree, 0o777); err != nil { // of a submodule whose folder is gone
			failed = append(failed, checkpoint.Skip{Path: one.r.WorkTree, Why: err.Error()})
			continue
		}
		o := e.restoring(one.r, ch.session)
		o.Vault, o.VaultDir = true, e.vaultDir()
		plan, err := checkpoint.MakePlan(u.ctx, one.r, one.c, one.paths, o)
		if err == nil {
			var res *checkpoint.RestoreResult
			if res, err = checkpoint.Restore(u.ctx, one.r, plan); err == nil {
				failed = append(failed, res.Failed...)
				continue
			}
		}
		failed = append(failed, checkpoint.Skip{Path: someOf(one.paths, shownUndone), Why: err.Error()})
	}
	return failed
}
