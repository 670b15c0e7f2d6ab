package verify

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/work"
)

// Tree is a work tree as it is now: by it, whoever asks which files of a session still differ from what was there before.
type Tree struct {
	r     *repo.Repo // nil where Git knows nothing
	shows map[string]bool
	asked bool // Git's status is known, whole
	more  bool // … but not of all repositories inside
	head  string
	seen  folders
	refs  []repo.Ref // read once, when they are first needed

	inside map[string]*Tree // repositories inside of which something was asked, nil for what is none

	Look *repo.Look // for the snapshot that is taken next; nil where none was asked for, or it will not do
}

// See looks at the work tree around a folder; snapshot and since as for [Take].
func See(ctx context.Context, dir, stateDir string, snapshot bool, since time.Time) *Tree {
	r, err := repo.Open(dir)
	if err != nil || r.Bare() {
		return &Tree{}
	}
	t := &Tree{r: r, shows: map[string]bool{}, seen: folders{}}
	if p, look, err := Take(ctx, r, r.DirCacheIn(stateDir), snapshot, since, nil); err == nil {
		t.Look = look
		if !p.Partial && p.Rest == 0 {
			t.asked, t.more, t.head = true, p.Beyond, p.Head
			for path := range p.Files {
				t.shows[path] = true
			}
		}
	}
	r.Charge(work.New(maxObjects))
	return t
}

// Counts says which files of a session count, and how people know them: what Git shows as changed, or what was committed
// since; not what is as it was before the session, and not what Git ignores.
func (t *Tree) Counts(s *State, homes []string) func(*File) (name string, counts bool) {
	return func(f *File) (string, bool) {
		rel, inside := Shown(homes, f.Path)
		if f.Of != "" {
			return t.onBranch(s, f, homes)
		}
		if f.Untold {
			return f.untold(), t.untoldLeft(s, f)
		}
		if f.TookBack() {
			return rel, false
		}
		if !inside || t.r == nil {
			return rel, !f.back()
		}
		if t.AsBefore(s, f) {
			return rel, false
		}
		in, local := Shown([]string{t.r.WorkTree}, f.Path)
		if !local || t.asked && t.shows[in] {
			return rel, true
		}
		if slices.Contains(s.Hid, f.Path) {
			return rel, true
		}
		if apart(t.r, in) {
			return rel, !t.r.Ignore().Match(in, false)
		}
		if t.tracked(in) && t.head != s.Head { // a list that ignores it is no matter any more
			return rel, true
		}
		if s.listed(f.Path) {
			return rel, true
		}
		if t.asked && t.head == s.Head {
			return rel, false
		}
		return rel, !t.r.Ignore().Match(in, false)
	}
}

// untoldLeft reports a folder in which files changed that could not be listed, and some of them may still be changed. Nothing is where
// all that Git shows is known, and each of it was written before the session or is told by its name.
func (t *Tree) untoldLeft(s *State, f *File) bool {
	if !t.asked || t.more || t.head != s.Head || len(s.Hid) > 0 || f.Path != t.r.WorkTree {
		return true
	}
	for path := range t.shows {
		full := t.r.Path(path)
		now, err := disk.At(full)
		if !s.Has(full) && (err != nil || max(now.ModifiedNano(), now.ChangedNano()) >= s.Began.Add(-coarse).UnixNano()) {
			return true
		}
	}
	return false
}

// tracked reports a file that the commit of now has.
func (t *Tree) tracked(path string) bool {
	_, is := t.seen.blob(t.r, t.head, path)
	return is
}

// listed reports a file above which the session itself has written a list of what Git ignores.
func (s *State) listed(path string) bool {
	return slices.ContainsFunc(s.Files, func(f File) bool {
		rel, err := filepath.Rel(filepath.Dir(f.Path), path)
		return IsList(f.Path) && err == nil && filepath.IsLocal(rel)
	})
}

// apart reports a path in a repository of its own, of which the status of the one around it says nothing.
func apart(r *repo.Repo, path string) bool {
	for i := range path {
		if path[i] == '/' && exists(r.Path(path[:i]+"/.git")) {
			return true
		}
	}
	return false
}

// Arrived says where files of the session that lie in another work tree are in the project, as they are there: a merge has brought them. What
// the project has of the work is what counts.
func (s *State) Arrived(t *Tables, homes []string) map[string]string {
	moves := map[string]string{}
	for i := range s.Files {
		f := &s.Files[i]
		if _, inside := Shown(homes, f.Path); inside || f.Sum == "" || t.Plan(filepath.ToSlash(f.Path)) {
			continue
		}
		rest := filepath.ToSlash(f.Path)
		for found := true; found; _, rest, found = strings.Cut(rest, "/") {
			if to := filepath.Join(homes[len(homes)-1], filepath.FromSlash(rest)); rest != "" && to != f.Path && Sum(to) == f.Sum && since(to, f.At) {
				moves[f.Path] = to
				break
			}
		}
	}
	return moves
}

// AsBefore reports a file that holds what it held before the session: it was changed back, or brought back, as undo does.
func (t *Tree) AsBefore(s *State, f *File) bool {
	if f.back() || f.TookBack() {
		return true
	}
	if !t.asked {
		return false
	}
	in, local := Shown([]string{t.r.WorkTree}, f.Path)
	if !local || t.shows[in] {
		return false
	}
	was, there := t.seen.blob(t.r, s.Head, in)
	if !there {
		return false
	}
	if now, there := t.seen.blob(t.r, t.head, in); there {
		return now == was
	}
	return (&content{blob: was}).in(t.r, f.Path) && !byLink(f.Path)
}

// back reports a file that holds what the first command that changed it found.
func (f *File) back() bool { return f.Was != "" && Sum(f.Path) == f.Was }

// Waiting are the files of a session that somebody else has to look at, by how its work tree is now. They are sorted out by
// their names first: mostly none is left, and Git need not be asked.
func (s *State) Waiting(t *Tables, homes []string, look func() *Tree) []Pending {
	if len(s.Named(t, homes)) == 0 {
		return nil
	}
	return s.Unverified(t, look().Counts(s, homes))
}

// Named are those that have to be looked at by their names alone, whatever became of them.
func (s *State) Named(t *Tables, homes []string) []Pending {
	return s.Unverified(t, func(f *File) (string, bool) {
		rel, _ := Shown(homes, f.Path)
		return rel, true
	})
}

// Homes are the folders in which a session works, links followed: the innermost first, as a work tree may lie in the project.
func Homes(project string, s *session.Session) []string {
	list := []string{disk.Real(project)}
	if s == nil {
		return list
	}
	for _, p := range []*session.Place{&s.Now, &s.Start} {
		if tree := p.WorkTree; tree != "" && !slices.Contains(list, tree) {
			list = append(list, tree)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// Shown is how people know a file: relative to the folder in which the session works.
func Shown(homes []string, path string) (rel string, inside bool) {
	for _, dir := range homes {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return strings.TrimPrefix(filepath.ToSlash(path), "./"), false
}

// folders are Git's folders that were read, so that each is unpacked once.
type folders map[repo.Hash][]repo.TreeEntry

func (f folders) tree(r *repo.Repo, h repo.Hash) ([]repo.TreeEntry, error) {
	if list, known := f[h]; known {
		return list, nil
	}
	list, err := r.Tree(h)
	if err == nil {
		f[h] = list
	}
	return list, err
}

// blob is the content that a commit has at a path.
func (f folders) blob(r *repo.Repo, commit, path string) (h repo.Hash, ok bool) {
	at, ok := repo.ParseHash(commit)
	if !ok {
		return h, false
	}
	c, err := r.Commit(at)
	if err != nil {
		return h, false
	}
	return f.at(r, c.Tree, path)
}

// at is the content that one of Git's folders has at a path.
func (f folders) at(r *repo.Repo, h repo.Hash, path string) (repo.Hash, bool) {
	for name := range strings.SplitSeq(path, "/") {
		entries, err := f.tree(r, h)
		if err != nil {
			return h, false
		}
		i := slices.IndexFunc(entries, func(e repo.TreeEntry) bool { return e.Name == name })
		if i < 0 || entries[i].Mode == repo.ModeGitlink {
			return h, false
		}
		h = entries[i].Hash
	}
	return h, true
}
