package verify

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// State.Commits has the files in commits that no verifier has looked at, each with its content. Such a file waits as long as a branch has it that is not
// merged into HEAD. It also waits once it was pushed, where no remote-tracking branch says so.

// keepCommits is how many such files are kept.
const keepCommits = 100

// All are the files of a session, those of commits last.
func (s *State) All() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for _, list := range [...][]File{s.Files, s.Commits} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// Commit notes a file that a commit of the session has; kind is what it is. Takes says that it was there before the call. It reports whether that is news.
func (s *State) Commit(one *Put, e Edit, kind string, takes bool) bool {
	if s.saw(one.Path, one.Sum) || s.commit(one.Path, one.Sum) != nil {
		return false
	}
	if (takes || one.Old || s.Restores(one.Path, one.Sum)) && !s.Keeps(one.Sum) && !s.wrote(one.Path, one.Sum, one.From) {
		return false
	}
	s.Seq++
	f := File{Path: one.Path, Seq: s.Seq, Sum: one.Sum, Turn: e.Turn, At: e.At, Tool: e.Tool, Command: true, Agent: e.Agent, Of: kind, Blob: one.Blob}
	s.Commits = append(s.Commits, f)
	s.trim(one.Path)
	return true
}

// trim drops files beyond keepCommits: of one path the oldest contents, then files that a verifier has looked at, then the oldest.
func (s *State) trim(path string) {
	same := 0
	for i := len(s.Commits) - 1; i >= 0; i-- {
		if s.Commits[i].Path != path {
			continue
		}
		if same++; same > keepStates {
			s.Commits = slices.Delete(s.Commits, i, i+1)
		}
	}
	if len(s.Commits) <= keepCommits {
		return
	}
	at := slices.IndexFunc(s.Commits, func(f File) bool { return len(f.Looks) > 0 })
	if at < 0 {
		at = 0
		s.Dropped++
	}
	s.Commits = slices.Delete(s.Commits, at, at+1)
}

// wrote reports that the session has left this content in a file of that name, or that the file has changes of the session that no verifier has looked at.
// The latter says nothing of what comes from elsewhere: a pull that ends in a conflict leaves the file with marks that nobody has looked at.
func (s *State) wrote(path, sum string, from bool) bool {
	return slices.ContainsFunc(s.Files, func(f File) bool {
		if filepath.Base(f.Path) != filepath.Base(path) {
			return false
		}
		last := f.Sum
		if f.Off || f.Sum == "" {
			last = f.Last
		}
		return last == sum || slices.Contains(f.Aside, sum) || !from && f.Path == path && last != "" && !s.saw(path, last)
	})
}

// saw reports that a verifier has looked at this content of the file, in any work tree.
func (s *State) saw(path, sum string) bool {
	looked := func(f File) bool {
		return filepath.Base(f.Path) == filepath.Base(path) && slices.ContainsFunc(f.Looks, func(l Look) bool { return l.Sum == sum })
	}
	return slices.ContainsFunc(s.Files, looked) || slices.ContainsFunc(s.Commits, looked)
}

// governed reports a file of a commit that the session has in a work tree as well: that one counts.
func (s *State) governed(c *File) bool {
	return slices.ContainsFunc(s.Files, func(f File) bool {
		return filepath.Base(f.Path) == filepath.Base(c.Path) && f.Sum == c.Sum && !f.Off && !f.Else && Sum(f.Path) == c.Sum
	})
}

// Merged lists files of commits that no verifier has looked at, and that a merge or the like has brought into a work tree.
func (s *State) Merged() (files []string) {
	for i := range s.Commits {
		c := &s.Commits[i]
		if f := s.file(c.Path); (f == nil || f.Sum != c.Sum) && !s.saw(c.Path, c.Sum) && Sum(c.Path) == c.Sum {
			files = append(files, c.Path)
		}
	}
	return files
}

// record is the file of a state for which one stands that was read before, nil for none.
func (s *State) record(path, of, sum string) *File {
	if of == "" {
		return s.file(path)
	}
	return s.commit(path, sum)
}

// commit is what a commit has with that content, nil for none.
func (s *State) commit(path, sum string) *File {
	if i := slices.IndexFunc(s.Commits, func(f File) bool { return f.Path == path && f.Sum == sum }); i >= 0 {
		return &s.Commits[i]
	}
	return nil
}

// Pushed notes that a call has pushed: what a branch has, and what the call itself committed since a change, is out. Where a branch of a remote tells of
// that, it need not be kept.
func (s *State) Pushed(t *Tree, since int) (changed bool) {
	outer := t
	for i := range s.Commits {
		f, t := &s.Commits[i], outer
		if sub, _ := outer.inner(f.Path); sub != nil {
			t = sub
		}
		told := t.branch(f, func(ref *repo.Ref) bool { return strings.HasPrefix(ref.Name, remotes) })
		if !f.Pushed && told == "" && (f.Seq > since || t.branch(f, func(*repo.Ref) bool { return true }) != "") {
			f.Pushed, changed = true, true
		}
	}
	return changed
}

// Branches is a tree of which nothing but its branches is asked.
func Branches(r *repo.Repo) *Tree { return &Tree{r: r, seen: folders{}} }

// onBranch says where a file of a commit is, as Git knows it, and whether it counts.
func (t *Tree) onBranch(s *State, f *File, homes []string) (name string, counts bool) {
	rel, _ := Shown(homes, f.Path)
	if t.r == nil || s.governed(f) || s.saw(f.Path, f.Sum) {
		return rel, false
	}
	in, show := rel, "git show "
	if sub, dir := t.inner(f.Path); sub != nil {
		t, in, show = sub, strings.TrimPrefix(rel, dir+"/"), "git -C "+dir+" show "
	}
	if on := t.branch(f, func(ref *repo.Ref) bool { return f.Named || !t.part(ref.Hash) }); on != "" {
		return rel + " (" + show + shortRef(on) + ":" + in + ")", true
	}
	return rel + " (" + show + f.Blob + ")", f.Pushed && !s.later(f)
}

// inner is a repository inside, such as a submodule, in which a file lies, nil for none; dir is relative to the work tree.
func (t *Tree) inner(path string) (sub *Tree, dir string) {
	in, local := Shown([]string{t.r.WorkTree}, path)
	if !local {
		return nil, ""
	}
	for i := range in {
		if in[i] != '/' || !exists(t.r.Path(in[:i]+"/.git")) {
			continue
		}
		dir = in[:i]
		if known, is := t.inside[dir]; is {
			return known, dir
		}
		if r, err := repo.Open(t.r.Path(dir)); err == nil && !r.Bare() && r.CommonDir != t.r.CommonDir {
			sub = Branches(r)
		}
		if t.inside == nil {
			t.inside = map[string]*Tree{}
		}
		t.inside[dir] = sub
		return sub, dir
	}
	return nil, ""
}

// Points reports that references moved since the picture before; see Puts.
func (p *Picture) Points() bool { return len(p.moved) > 0 }

// Pointed notes files of commits that references were put on while the branch that is checked out had them no more: it is wanted there, merged or not.
func (s *State) Pointed(r *repo.Repo, now *Picture) (changed bool) {
	seen, head := folders{}, commitTree(r, now.Head)
	for i := range s.Commits {
		f := &s.Commits[i]
		in, local := Shown([]string{r.WorkTree}, f.Path)
		if f.Named || !local {
			continue
		}
		for _, ref := range now.moved {
			is, there := seen.at(r, commitTree(r, ref.Hash.String()), in)
			if left, has := seen.at(r, head, in); there && is.String() == f.Blob && (!has || left != is) {
				f.Named, changed = true, true
			}
		}
	}
	return changed
}

// later reports that a verifier has looked at a later content of the file.
func (s *State) later(c *File) bool {
	f := s.file(c.Path)
	return f != nil && slices.ContainsFunc(f.Looks, func(l Look) bool { return l.Seq > c.Seq })
}

// branch is the first of some branches, HEAD among them, that has a file of a commit; "" for none.
func (t *Tree) branch(f *File, of func(*repo.Ref) bool) (name string) {
	in, local := Shown([]string{t.r.WorkTree}, f.Path)
	if !local {
		return ""
	}
	if t.refs == nil {
		t.refs, _ = t.r.Refs("refs/")
		t.refs = slices.DeleteFunc(t.refs[:min(len(t.refs), maxRefs)], func(ref repo.Ref) bool { return !people(t.r, &ref) })
		if h, err := t.r.Head(); err == nil {
			t.refs = append(t.refs, repo.Ref{Name: "HEAD", Hash: h.Hash})
		}
	}
	for i := range t.refs {
		ref := &t.refs[i]
		if blob, has := t.seen.at(t.r, commitTree(t.r, ref.Hash.String()), in); has && blob.String() == f.Blob && of(ref) {
			return ref.Name
		}
	}
	return ""
}

// part reports a commit that HEAD has: HEAD itself or one before it.
func (t *Tree) part(h repo.Hash) bool {
	head := t.refs[len(t.refs)-1].Hash
	return h == head || ancestor(t.r, h, head)
}

// remotes begins the names of branches of other repositories.
const remotes = "refs/remotes/"

// shortRef is a reference as people write it.
func shortRef(name string) string {
	for _, prefix := range []string{"refs/heads/", remotes, "refs/tags/"} {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			return short
		}
	}
	return name
}

// sawCommitted reports that a verifier has looked at the same content of the file in a commit.
func (s *State) sawCommitted(f *File) bool {
	c := s.commit(f.Path, f.Left())
	return c != nil && len(c.Looks) > 0
}
