package ground

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

const (
	// maxInner bounds the folders that are asked whether they are work trees of their own: a look each.
	maxInner = 1500
	// maxFetched bounds the commits that are read to find out whether a remote has them.
	maxFetched = 100
)

// Inner lists work trees with work of their own, at or below a folder, that go, most of them at most. enter says which folders are gone
// into, as for [Treasures], which has the same bounds.
func (g *Facts) Inner(dir string, most int, enter, goes func(dir string) bool) (found []string) {
	left := maxInner
	spare := func(units int) bool { return len(found) < most && g.spare(units) }
	look := func(p string) {
		if left--; left >= 0 && spare(work.Path(p)) && HasGit(p) && goes(p) && g.worked(p) {
			found = append(found, p)
		}
	}
	look(filepath.Clean(dir))
	below(dir, MaxTreasures, enter, spare, func(p string, e fs.DirEntry) {
		if e.IsDir() {
			look(p)
		}
	})
	return found
}

// worked reports whether a work tree holds what nothing else does: commits that no remote has, or changes. What a build fetched has
// neither. Most of that stands on a commit without a branch, as only programs leave it: it is not looked through for changes, which would
// take as long as all else. Where nobody can tell, it does.
func (g *Facts) worked(dir string) bool {
	if !g.looks.Take(costOpen) {
		return true
	}
	r, err := g.open(dir)
	if err != nil || r.WorkTree != g.links.Follow(dir) {
		return err != nil && HasGit(dir)
	}
	refs, err := r.Refs("refs/")
	head, bad := r.Head()
	if err != nil || bad != nil || !g.looks.Take(len(refs)*work.Read(0)) {
		return true
	}
	whole := IsRepository(dir) // it goes with its history
	var own, elsewhere, tags []repo.Hash
	if head.Detached {
		own = append(own, head.Hash)
	}
	for _, ref := range refs {
		switch {
		case !whole, strings.HasPrefix(ref.Name, "refs/remotes/"):
			elsewhere = append(elsewhere, ref.Hash)
		case strings.HasPrefix(ref.Name, "refs/tags/"):
			tags = append(tags, ref.Hash)
		case !strings.HasPrefix(ref.Name, "refs/moai/"):
			own = append(own, ref.Hash)
		}
	}
	if len(elsewhere) > 0 {
		elsewhere = append(elsewhere, tags...)
	} else {
		own = append(own, tags...)
	}
	for _, h := range own {
		if slices.Contains(elsewhere, h) {
			continue
		}
		if !g.looks.Take(maxFetched * work.Read(0)) {
			return true
		}
		if list, more, err := r.Unreached(h, elsewhere, maxFetched); err != nil || more || len(list) > 0 {
			return true
		}
	}
	if whole && head.Detached {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), dirtyTime)
	defer cancel()
	st, err := r.Status(ctx, repo.StatusOptions{NoRenames: true, NoSubmodules: true, Work: work.New(work.Disk / 4)})
	return err != nil || st.Partial || st.Unjudged || len(st.Changes) > 0
}
