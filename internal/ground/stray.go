package ground

import (
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// maxStray bounds the commits that are read to find out whether references hold what a work tree stands on.
const maxStray = 500

// Strays reports that a linked work tree of the repository around a folder stands, without a branch, on a commit that no reference leads
// to: it is lost when Git forgets the work tree. One of the words names it; without words it is one whose folder is gone. Where it
// cannot be told, it is so.
func (g *Facts) Strays(dir string, words []string) bool {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return true
	}
	r, err := repo.Open(Existing(g.links.Follow(dir)))
	if err != nil {
		return false // Git does nothing there
	}
	var tips []repo.Hash
	for _, t := range r.Linked() {
		if !g.looks.Take(2 * work.Path(t.Dir)) {
			return true
		}
		named := len(words) == 0 && t.Gone(r)
		for _, word := range words {
			named = named || t.Named(word)
		}
		if !named || !t.Head.Detached {
			continue
		}
		if tips == nil {
			refs, err := r.Refs("refs/")
			if err != nil || !g.looks.Take(len(refs)*work.Read(0)) {
				return true
			}
			for i := range refs {
				tips = append(tips, refs[i].Hash)
			}
			if h, err := r.Head(); err == nil && !h.Unborn {
				tips = append(tips, h.Hash)
			}
		}
		if found, _ := r.Leads(tips, t.Head.Hash, maxStray); !found {
			return true
		}
	}
	return false
}
