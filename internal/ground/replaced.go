package ground

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// maxReplaced bounds the files that one commit is said to replace.
const maxReplaced = 1000

// Replaced lists what stands where a commit has files that HEAD has not: Git writes over it where it ignores it, without a word. Only
// folders in which the two trees differ, and that are there, are looked into. So it is with what was taken out of the index, and is
// out of HEAD once that is committed, which the same line may do.
func (g *Facts) Replaced(dir, revision string) (paths []string) {
	r, tree := g.treeAt(dir, revision)
	if tree.IsZero() {
		return nil
	}
	_, head := g.treeAt(dir, "HEAD")
	return g.unstaged(g.replaced(nil, r, head, tree, r.WorkTree), r, tree)
}

// unstaged adds files that are there and that HEAD and the commit have, but not the index.
func (g *Facts) unstaged(paths []string, r *repo.Repo, tree repo.Hash) []string {
	ix := g.readIndex()
	if ix == nil || g.repo == nil || r.WorkTree != g.repo.WorkTree {
		return paths
	}
	_, _ = g.repo.StagedAny(ix, func(p string) bool {
		if _, tracked := ix.Find(p); tracked || len(paths) >= maxReplaced {
			return false
		}
		full := r.Path(p)
		if info, looked := g.lstat(full); info == nil || !looked || info.IsDir() || slices.Contains(paths, full) {
			return false
		}
		if g.has(r, tree, p) {
			paths = append(paths, full)
		}
		return false
	}, g.looks)
	return paths
}

// has reports that a tree has a file at a path.
func (g *Facts) has(r *repo.Repo, tree repo.Hash, p string) bool {
	for {
		name, below, deeper := strings.Cut(p, "/")
		list := g.entries(r, tree)
		i := slices.IndexFunc(list, func(one repo.TreeEntry) bool { return one.Name == name })
		if i < 0 {
			return false
		}
		one := list[i]
		if !deeper {
			return one.Mode != repo.ModeDir && one.Mode != repo.ModeGitlink
		}
		tree, p = one.Hash, below
		if one.Mode != repo.ModeDir {
			return false
		}
	}
}

// replaced is Replaced for one folder; was is zero where HEAD has none.
func (g *Facts) replaced(paths []string, r *repo.Repo, was, tree repo.Hash, dir string) []string {
	if was == tree || len(paths) >= maxReplaced {
		return paths
	}
	had := map[string]repo.TreeEntry{}
	for _, one := range g.entries(r, was) {
		had[one.Name] = one
	}
	for _, one := range g.entries(r, tree) {
		old, known := had[one.Name]
		if strings.ContainsAny(one.Name, `/\`) || !filepath.IsLocal(one.Name) || known && old.Hash == one.Hash && old.Mode == one.Mode || one.Mode == repo.ModeGitlink {
			continue
		}
		p := filepath.Join(dir, one.Name)
		folder := one.Mode == repo.ModeDir
		if known && old.Mode != repo.ModeDir && (!folder || old.Mode != repo.ModeGitlink) {
			continue // Git knows what is there
		}
		info, looked := g.lstat(p)
		switch {
		case info == nil || !looked:
		case folder && info.IsDir():
			below := repo.Hash{}
			if known && old.Mode == repo.ModeDir {
				below = old.Hash
			}
			paths = g.replaced(paths, r, below, one.Hash, p)
		case len(paths) < maxReplaced:
			paths = append(paths, p)
		}
	}
	return paths
}

// entries are what a tree holds; none where it cannot be read.
func (g *Facts) entries(r *repo.Repo, tree repo.Hash) []repo.TreeEntry {
	if tree.IsZero() {
		return nil
	}
	_, b, ok := g.object(r, tree)
	if !ok {
		return nil
	}
	list, err := repo.ParseTree(tree.Size(), b)
	if err != nil || !g.looks.Take(len(list)) {
		return nil
	}
	return list
}
