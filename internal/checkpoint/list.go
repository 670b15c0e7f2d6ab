package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/when"
)

// Unread is a checkpoint of which no more than the name can be read: a disk was full, or its objects are gone. Which work tree it is of
// stands in what cannot be read.
type Unread struct {
	Checkpoint
	Err error
}

func (u *Unread) Error() string { return u.Name + " cannot be read: " + u.Err.Error() }

func (u *Unread) Unwrap() error { return u.Err }

// List gives all checkpoints that can be read, the newest first.
func List(r *repo.Repo) ([]Checkpoint, error) {
	list, _, err := ListAll(r)
	return list, err
}

// ListAll is List, and those that cannot be read.
func ListAll(r *repo.Repo) ([]Checkpoint, []Unread, error) {
	names, err := names(r)
	if err != nil {
		return nil, nil, err
	}
	list, unread := loadAll(r, names)
	return list, unread, nil
}

// loadAll reads the checkpoints that can be read.
func loadAll(r *repo.Repo, refs []repo.Ref) ([]Checkpoint, []Unread) {
	out := make([]Checkpoint, 0, len(refs))
	var unread []Unread
	for _, ref := range refs {
		c, err := load(r, ref)
		var u *Unread
		if errors.As(err, &u) {
			unread = append(unread, *u)
		} else if err == nil {
			out = append(out, *c)
		}
	}
	return out, unread
}

// mostLooked bounds how many are read where those of other work trees come first.
const mostLooked = 200

// Last gives up to n newest checkpoints of this work tree that can be read, as far as they are among the newest of all; others are not read.
func Last(r *repo.Repo, n int) ([]Checkpoint, error) {
	names, err := names(r)
	if err != nil {
		return nil, err
	}
	var out []Checkpoint
	for c, err := range own(r, names[:min(len(names), mostLooked)]) {
		if err == nil {
			out = append(out, *c)
		}
		if len(out) == n {
			break
		}
	}
	return out, nil
}

// names lists the references, the newest first, by the time in the name: no commit is read.
func names(r *repo.Repo) ([]repo.Ref, error) {
	refs, damaged, err := r.RefsOrDamaged(hiddenRefs)
	if err != nil {
		return nil, fmt.Errorf("list checkpoints: %w", err)
	}
	for _, name := range damaged {
		refs = append(refs, repo.Ref{Name: name})
	}
	type aged struct {
		repo.Ref
		t   time.Time
		seq int
	}
	// The time stands in the name, so sorting thousands opens no object.
	list := make([]aged, len(refs))
	for i, ref := range refs {
		_, t, seq := nameTime(strings.TrimPrefix(ref.Name, hiddenRefs))
		list[i] = aged{ref, t, seq}
	}
	slices.SortStableFunc(list, func(a, b aged) int {
		return cmp.Or(b.t.Compare(a.t), cmp.Compare(b.seq, a.seq), cmp.Compare(b.Name, a.Name))
	})
	out := make([]repo.Ref, len(list))
	for i := range list {
		out[i] = list[i].Ref
	}
	return out, nil
}

var errDamagedRef = errors.New("its reference is damaged")

// load reads one checkpoint from its commit. The error is an Unread.
func load(r *repo.Repo, ref repo.Ref) (*Checkpoint, error) {
	short := strings.TrimPrefix(ref.Name, hiddenRefs)
	c := &Checkpoint{Name: "checkpoint/" + short, Ref: ref.Name, Commit: ref.Hash}
	k, err := r.Commit(ref.Hash)
	if ref.Hash.IsZero() {
		err = errDamagedRef
	}
	if err == nil {
		c.Tree, c.Time = k.Tree, k.Time
		c.decode(k.Message)
	}
	// A commit's time has whole seconds only.
	if _, t, _ := nameTime(short); !t.IsZero() {
		c.Time = t
	}
	// People delete the branch, or switch branches off later: the hidden reference is what counts.
	if _, err := r.Resolve(branchRefs + short); err == nil {
		c.Branch = branchRefs + short
	}
	if err != nil {
		return nil, &Unread{*c, err}
	}
	return c, nil
}

// Worktree names a linked work tree; the main one has no name. All share the references, and yet a restore into one of what was
// saved in another would be a mess.
func Worktree(r *repo.Repo) string {
	if r.GitDir == r.CommonDir {
		return ""
	}
	return filepath.Base(r.GitDir)
}

// own yields the checkpoints of this work tree, the newest first. One that cannot be read comes as its error: it may be of this work tree.
func own(r *repo.Repo, refs []repo.Ref) iter.Seq2[*Checkpoint, error] {
	return func(yield func(*Checkpoint, error) bool) {
		here := Worktree(r)
		for _, ref := range refs {
			// Read one by one: mostly the first is the one that is wanted.
			if c, err := load(r, ref); (err != nil || c.Worktree == here) && !yield(c, err) {
				return
			}
		}
	}
}

// Newest is what a restore brings back when nothing else is said: the newest checkpoint of this work tree that was not itself put
// aside by a restore. So a restore that was killed is finished, and one that is run twice does nothing. Where there is no other,
// one that was put aside is given.
func Newest(r *repo.Repo) (*Checkpoint, error) {
	refs, err := names(r)
	if err != nil {
		return nil, err
	}
	for c, err := range own(r, refs) {
		if err != nil {
			return nil, fmt.Errorf("nobody can tell which one is the newest: %w", err)
		}
		if !c.putAside() {
			return c, nil
		}
	}
	return Find(r, "")
}

// putAside reports whether a checkpoint holds what a restore has put aside.
func (c *Checkpoint) putAside() bool {
	return c.Operation == "restore" && strings.HasPrefix(c.Command, restoreWords)
}

// minPart is the shortest part of a name or commit that is taken for an id: "a" is more likely a file.
const minPart = 3

// Find resolves an id: "@1" is the newest of this work tree and "@2" the one before it, "before 14:00" the newest that is older,
// and anything else a name, a part of names that only one checkpoint has, or the start of its commit. An empty id is "@1". Errors:
// ErrNone, or ErrSeveral, which lists the candidates, or an Unread: what cannot be read is passed over for no older one.
func Find(r *repo.Repo, id string) (*Checkpoint, error) { return find(r, id, time.Now()) }

func find(r *repo.Repo, id string, now time.Time) (*Checkpoint, error) {
	refs, err := names(r)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		return nil, fmt.Errorf("%w: there are none here", ErrNone)
	}
	if id == "" {
		id = "@1"
	}
	if num, ok := strings.CutPrefix(id, "@"); ok {
		// The work tree's own only: what @1 brings back must not depend on what others do.
		n, _ := strconv.Atoi(num) // no number is like 0, which there is none of
		i := 0
		for c, err := range own(r, refs) {
			if i++; err != nil && i <= n {
				return nil, fmt.Errorf("nobody can tell which one is %s: %w", id, err)
			} else if i == n {
				return c, nil
			}
		}
		// Others of the repository may have some: checkpoints of linked work trees share a list.
		if i == 0 {
			return nil, fmt.Errorf("%w: there are none of this work tree", ErrNone)
		}
		return nil, fmt.Errorf("%w: %s, there are @1 to @%d", ErrNone, id, i)
	}
	if text, ok := strings.CutPrefix(id, "before "); ok {
		t, err := when.Past(text, now)
		if err != nil {
			return nil, fmt.Errorf("%w, such as \"before 14:00\" or \"before 5 minutes ago\"", err)
		}
		for _, ref := range refs {
			_, made, _ := nameTime(strings.TrimPrefix(ref.Name, hiddenRefs))
			if made.IsZero() || !made.Before(t.Time) {
				continue
			}
			if c, err := load(r, ref); err != nil {
				return nil, fmt.Errorf("nobody can tell which one is the newest %s: %w", id, err)
			} else if c.Worktree == Worktree(r) {
				return c, nil
			}
		}
		return nil, fmt.Errorf("%w: none is older than %s", ErrNone, t.Format("2006-01-02 15:04"))
	}
	want := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(id, hiddenRefs), "refs/heads/"), "checkpoint/")
	var hits []repo.Ref
	for _, ref := range refs {
		short := strings.TrimPrefix(ref.Name, hiddenRefs)
		// A whole name is meant even where it is a part of others, as -02 makes it.
		if short == want {
			return load(r, ref)
		}
		if len(want) < minPart {
			continue
		}
		if strings.Contains(short, want) || strings.HasPrefix(ref.Hash.String(), id) {
			hits = append(hits, ref)
		}
	}
	// The time of day at the end of a name, as [Checkpoint.Brief] has it, is that name's alone: -02 behind it makes another.
	if ends := slices.DeleteFunc(slices.Clone(hits), func(ref repo.Ref) bool { return !strings.HasSuffix(ref.Name, "T"+want) }); len(ends) == 1 {
		hits = ends
	}
	switch len(hits) {
	case 0:
		return nil, fmt.Errorf("%w: %q", ErrNone, id)
	case 1:
		return load(r, hits[0])
	}
	var list []string
	// As many as fit into a line or two.
	for _, h := range hits[:min(len(hits), 5)] {
		list = append(list, strings.TrimPrefix(h.Name, hiddenRefs))
	}
	return nil, fmt.Errorf("%w: %q fits %d, among them %s", ErrSeveral, id, len(hits), strings.Join(list, ", "))
}
