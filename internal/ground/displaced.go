package ground

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Displaced reports that something which Git does not hold stands where the index of the repository around a folder has a file, or a folder
// of files, or is in a file that Git was told not to look at: it goes when Git writes these. Where it cannot be told, it does.
func (g *Facts) Displaced(dir string) bool {
	known, asked := g.displaceds[dir]
	if !asked {
		if g.displaceds == nil {
			g.displaceds = map[string]bool{}
		}
		known = g.lookDisplaced(dir)
		g.displaceds[dir] = known
	}
	return known
}

func (g *Facts) lookDisplaced(dir string) bool {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return true
	}
	r, err := g.open(dir)
	if err != nil || r.Bare() {
		return false // Git does nothing there
	}
	ctx, cancel := context.WithTimeout(context.Background(), dirtyTime)
	defer cancel()
	ix, err := r.Index()
	if err != nil || g.unseenChange(r, ix) {
		return true
	}
	st, err := r.Status(ctx, repo.StatusOptions{Untracked: repo.UntrackedNo, NoStaged: true, NoRenames: true, NoSubmodules: true, Index: ix, Work: g.looks})
	if err != nil || st.Partial {
		return true
	}
	for i := range st.Changes {
		c := &st.Changes[i]
		if c.Y != 'D' {
			continue
		}
		p := r.Path(c.Path)
		if !g.looks.Take(work.Path(p)) {
			return true
		}
		info, err := os.Lstat(p)
		switch {
		case errors.Is(err, syscall.ENOTDIR): // a file, or a link, where a folder was
			return true
		case err == nil && info.IsDir() && holdsFile(p):
			return true
		case errors.Is(err, fs.ErrNotExist) && throughLink(r.WorkTree, filepath.Dir(p)):
			return true
		}
	}
	return false
}

// unseenChange reports a changed file that the user told Git not to look at (assume-unchanged, skip-worktree): the stash does not take the
// change, and the file is written anew.
func (g *Facts) unseenChange(r *repo.Repo, ix *repo.Index) bool {
	for _, i := range ix.Trusted() {
		en := ix.At(i)
		if en.Mode == repo.ModeGitlink {
			continue // the stash leaves submodules alone
		}
		p := r.Path(strings.TrimSuffix(en.Path, "/"))
		if !g.looks.Take(work.Path(p)) {
			return true
		}
		if info, err := os.Lstat(p); err == nil && (info.IsDir() != (en.Mode == repo.ModeDir) || !info.IsDir() && (uint32(info.Size()) != en.Size || !info.ModTime().Equal(en.Mtime))) {
			return true
		}
	}
	return false
}

// holdsFile reports a folder that is not empty.
func holdsFile(dir string) bool {
	entries, err := list(dir, 1)
	return err != nil || len(entries) > 0
}

// throughLink reports a link, or what is no folder, on the way from a folder down to another.
func throughLink(from, dir string) bool {
	for ; len(dir) > len(from); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}
