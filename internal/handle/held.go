package handle

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// GitFacts answers the guard's questions about files of one project. The repository
// and its index are read for the first question only: most calls ask none. It is for
// one call, since it does not see what changes later.
type GitFacts struct {
	dir    string
	opened bool
	repo   *repo.Repo // nil: no repository with a work tree
	broken string     // the work tree of one that cannot be read
	keeper repo.Keeper
	status *repo.Status // nil before Dirty was asked, and where it cannot be told
}

// Facts are the facts of the project in dir.
func Facts(dir string) *GitFacts { return &GitFacts{dir: dir} }

// relative opens the repository; ok is false when path is not in its work tree.
func (g *GitFacts) relative(path string) (rel string, ok bool) {
	if !g.opened {
		g.opened = true
		r, err := repo.Open(existing(Follow(g.dir)))
		if d, declined := asDeclined(err); declined {
			g.broken = d.Dir
		} else if err == nil && !r.Bare() {
			g.repo = r
		}
	}
	if g.repo == nil {
		return "", false
	}
	for _, top := range [...]string{g.repo.WorkTree, g.dir} { // one of them may be the other by way of a link
		rel, err := filepath.Rel(top, path)
		if err == nil && filepath.IsLocal(rel) && rel != "." && (top == g.repo.WorkTree || Follow(top) == Follow(g.repo.WorkTree)) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Ignored reports whether Git ignores a path; such files are in no checkpoint. A
// tracked file that matches an ignore rule is in every checkpoint all the same.
func (g *GitFacts) Ignored(path string) bool {
	rel, ok := g.relative(path)
	if !ok {
		return false
	}
	info, err := os.Lstat(path)
	if !g.repo.Ignore().Match(rel, err == nil && info.IsDir()) {
		return false
	}
	ix, err := g.repo.Index()
	if err != nil {
		return true // whether it is tracked all the same cannot be told, so no snapshot can be counted on
	}
	defer ix.Close()
	_, tracked := ix.Find(rel)
	return !tracked
}

// Regular reports whether a path is a plain file.
func Regular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// Unsaved reports whether a file holds something that Git does not: it was changed or
// never added. A pattern is unsaved when one file that it fits is. Folders, ignored
// files and projects without Git are not: no snapshot would hold more of them. Every file
// of a repository that cannot be read is: nobody can tell what Git holds of it.
func (g *GitFacts) Unsaved(path string) bool {
	if !strings.ContainsAny(path, "*?[") {
		return g.unsaved(path)
	}
	dir := filepath.Dir(path)
	if strings.ContainsAny(dir, "*?[") {
		g.relative(dir)
		return g.repo != nil || g.broken != "" // files of several folders: not looked into
	}
	found := false
	err := fitting(path, func(name string) bool {
		found = g.unsaved(filepath.Join(dir, name))
		return !found
	})
	return found || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// Mounted reports whether a folder of the project is on another file system than the
// project: a disk, a share or a volume that was mounted there.
func (g *GitFacts) Mounted(path string) bool { return otherDevice(g.dir, path) }

func (g *GitFacts) unsaved(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.IsDir() {
		return false
	}
	unsaved, err := g.keeper.Unsaved(context.Background(), path)
	switch {
	case err == nil:
		return unsaved && !g.Ignored(path)
	case errors.Is(err, repo.ErrNone):
		return false // no repository
	}
	if _, declined := asDeclined(err); declined {
		_, err := repo.Open(filepath.Dir(path))
		return err != nil // else path is inside of Git's own folder
	}
	return true
}
