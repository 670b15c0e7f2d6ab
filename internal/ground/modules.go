package ground

import (
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// maxListed bounds the submodules that are listed of one folder, with those in them.
const maxListed = 64

// Submodules lists the folders of the submodules that the repository around a folder has checked out, each before those in it; with deep these are listed as well.
func (g *Facts) Submodules(dir string, deep bool) (list []string) {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return nil
	}
	r, err := g.open(dir)
	if err != nil {
		return nil
	}
	g.submodules(r, deep, &list)
	return list
}

func (g *Facts) submodules(r *repo.Repo, deep bool, list *[]string) {
	if !g.Exists(r.Path(".gitmodules")) { // before an index is read, which may be large
		return
	}
	ix, err := r.Index()
	if err != nil {
		return
	}
	defer ix.Close()
	for _, i := range ix.Trusted() {
		e := ix.At(i)
		if e.Mode != repo.ModeGitlink || len(*list) == maxListed || !g.looks.Take(costOpen) || !g.Exists(r.Path(e.Path)+"/.git") {
			continue
		}
		*list = append(*list, r.Path(e.Path))
		if sub, err := repo.Open(r.Path(e.Path)); deep && err == nil && sub.WorkTree == r.Path(e.Path) {
			g.submodules(sub, deep, list)
		}
	}
}
