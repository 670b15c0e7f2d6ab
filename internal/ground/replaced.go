package ground

import (
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// maxReplaced bounds the files that one commit is said to replace.
const maxReplaced = 1000

// Replaced lists what stands where a commit has files that HEAD has not: Git writes over it where it ignores it, without a word. Only
// folders in which the two trees differ, and that are there, are looked into.
func (g *Facts) Replaced(dir, revision string) (paths []string) {
	r, tree := g.treeAt(dir, revision)
	if tree.IsZero() {
		return nil
	}
	_, head := g.treeAt(dir, "HEAD")
	return g.replaced(nil, r, head, tree, r.WorkTree)
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
