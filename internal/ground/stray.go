package ground

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
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
	r, err := g.open(dir)
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

// Adrift reports that HEAD is on no branch in the repository around a folder, and that it stands on a commit which no reference leads to.
// Where that cannot be told for certain, one does: most commits that people look at for a while are old ones.
func (g *Facts) Adrift(dir string) (detached, lost bool) {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return false, false
	}
	r, err := repo.Open(Existing(g.links.Follow(dir)))
	if err != nil {
		return false, false
	}
	head, err := r.Head()
	if err != nil || !head.Detached || head.Operation != "" {
		return false, false // a rebase knows where it goes on
	}
	refs, err := r.Refs("refs/")
	if err != nil || !g.looks.Take(len(refs)*work.Read(0)) {
		return true, false
	}
	var tips []repo.Hash
	for i := range refs {
		tips = append(tips, refs[i].Hash)
	}
	found, sure := r.Leads(tips, head.Hash, maxStray)
	return true, sure && !found
}

// maxModules bounds the submodules that are asked where they stand.
const maxModules = 32

// AdriftInside reports that one of the submodules of the repository around a folder is Adrift, on a commit that the index of that one does not name.
func (g *Facts) AdriftInside(dir string) bool {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return false
	}
	r, err := repo.Open(Existing(g.links.Follow(dir)))
	if err != nil {
		return false
	}
	ix, err := r.Index()
	if err != nil {
		return false
	}
	defer ix.Close()
	asked := 0
	for _, i := range ix.Trusted() {
		e := ix.At(i)
		if e.Mode != repo.ModeGitlink || asked == maxModules || !g.Exists(r.Path(e.Path)+"/.git") {
			continue
		}
		asked++
		sub, err := repo.Open(r.Path(e.Path))
		if err != nil {
			continue
		}
		if head, err := sub.Head(); err != nil || head.Hash == e.Hash {
			continue
		}
		if _, lost := g.Adrift(sub.WorkTree); lost {
			return true
		}
	}
	return false
}

// shareOf is what may be asked about each other project: what is not answered for it is taken to be in danger there, and here nothing is.
const shareOf = work.Disk / 2

// As has an input ask about another project, for an account of its own.
func (g *Facts) As(in *risk.Input, root string) {
	one := g.others[root]
	if one == nil {
		one = New(root, work.New(shareOf))
		if g.others == nil {
			g.others = map[string]*Facts{}
		}
		g.others[root] = one
	}
	in.Root = root
	one.Answer(in)
}

// Beside lists the folders, as far as they are there, of the other work trees of the repository around a folder. The main one comes first.
func (g *Facts) Beside(dir string) (list []string) {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return nil
	}
	r, err := g.open(dir)
	if err != nil {
		return nil
	}
	if main, under := strings.CutSuffix(r.CommonDir, string(filepath.Separator)+".git"); under {
		list = append(list, main)
	}
	for _, t := range r.Linked() {
		list = append(list, t.Dir)
	}
	return slices.DeleteFunc(list, func(p string) bool { return p == r.WorkTree || !g.looks.Take(2*work.Path(p)) || !g.Exists(p) })
}

// Worktrees lists the folders, as far as they are there, of the linked work trees that words mean: by the path that leads to one from dir, else by
// what their names end in.
func (g *Facts) Worktrees(dir string, words []string) (list []string) {
	if !g.looks.Take(costOpen + work.Path(dir)) {
		return []string{dir}
	}
	r, err := g.open(dir)
	if err != nil {
		return nil // Git does nothing there
	}
	trees := slices.DeleteFunc(r.Linked(), func(t repo.LinkedTree) bool { return !g.looks.Take(2*work.Path(t.Dir)) || !g.Exists(t.Dir) })
	for _, word := range words {
		at := word
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		exact := slices.IndexFunc(trees, func(t repo.LinkedTree) bool { return word != "" && t.Dir == g.links.Follow(at) })
		for i := range trees {
			if exact == i || exact < 0 && trees[i].Named(word) {
				list = append(list, trees[i].Dir)
			}
		}
	}
	return list
}
