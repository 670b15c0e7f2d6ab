package undo

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// movedHere reports a file that a span made, by the snapshots, and that is older than the span: it was somewhere else before, where it is no
// more, so that this is the only one. A file that had another name in the work tree comes back by that.
func (l *planner) movedHere(s *Span, from *checkpoint.Checkpoint, ch *checkpoint.Change) (bool, error) {
	if s.All || l.o.Force || !disk.Older(l.r.Path(ch.Path), from.Time) || l.o.Returns != nil && l.o.Returns(ch.Path) {
		return false, nil
	}
	if l.names[path.Base(ch.Path)] { // its folder was moved, or it was to another one
		return false, nil
	}
	hashes := []repo.Hash{ch.Old.Hash}
	for _, p := range s.pieces(ch.Path) {
		left, err := l.views.snapshot(p[1])
		if err != nil {
			return false, err
		}
		side, err := l.trees.At(left, ch.Path)
		if err != nil {
			return false, err
		}
		hashes = append(hashes, side.Hash)
	}
	if slices.ContainsFunc(hashes, func(h repo.Hash) bool { return l.returns[h] }) {
		return false, nil
	}
	alike, err := l.alike(ch.Old.Hash)
	return !alike, err
}

// Bounds of a look for the file that another one was.
const (
	maxAlike     = 50       // names
	maxAlikeText = 64 << 10 // bytes of each
)

// alike reports a file that has half of the lines of one that the span took away: it is that, by another name and changed since. With more names
// and longer texts than are looked at, it is none, and stays.
func (l *planner) alike(h repo.Hash) (bool, error) {
	short := func(h repo.Hash) ([]byte, error) {
		if n, err := l.r.BlobSize(h); err != nil || n > maxAlikeText {
			return nil, nil // no text that could be compared
		}
		return l.text(h)
	}
	text, err := short(h)
	if err != nil || len(text) == 0 {
		return false, err
	}
	for _, h := range l.taken[:min(len(l.taken), maxAlike)] {
		was, err := short(h)
		if err != nil {
			return false, err
		}
		lines := bytes.Count(was, []byte("\n"))
		if _, removed := diff.Count(was, text); lines > 0 && 2*removed <= lines {
			return true, nil
		}
	}
	return false, nil
}

// committed reports a file that was as in HEAD at both ends of a span, and is now, where somebody has gone to another branch since: which branch
// is checked out says what is in it.
func (l *planner) committed(s *Span, from, to *checkpoint.Checkpoint, ch checkpoint.Change, cur checkpoint.Side) (bool, error) {
	now := l.head()
	if s.All || l.o.Force || now.On == to.On {
		return false, nil
	}
	for _, at := range [...]struct {
		head repo.Hash
		side checkpoint.Side
	}{{from.Head, ch.New}, {to.Head, ch.Old}, {now.Head, cur}} {
		tree, err := l.commit(at.head)
		if err != nil {
			return false, err
		}
		if side, err := l.trees.At(tree, ch.Path); err != nil || side != at.side {
			return false, err
		}
	}
	return true, nil
}

// Bounds of what is looked at before a reference goes. Where there is more, it stays.
const (
	maxUnsaved = 500  // files that were not committed, and are not to be as they were then
	maxWalked  = 1000 // commits of the history
	maxLeft    = 50   // of those, to which nothing leads any more
)

// holdOnly leaves references where they were before a span was taken back whose commits alone hold a file as somebody had it, uncommitted, when
// the span began. That is asked with the files as this span leaves them: what older ones take back of them further is their own doing.
func (l *planner) holdOnly(were map[string]repo.Hash, from *checkpoint.Checkpoint) error {
	maps.DeleteFunc(were, func(ref string, h repo.Hash) bool { return h.IsZero() || h == l.refs[ref] })
	if l.o.Force || len(were) == 0 {
		return nil
	}
	missing, err := l.missing(from)
	missing = append(missing, l.alone...)
	if err != nil || len(missing) == 0 {
		return err
	}
	for _, ref := range slices.Sorted(maps.Keys(were)) {
		only, err := l.onlyIn(were[ref], missing)
		if err != nil {
			return err
		}
		if only != "" {
			l.keep(ref, "nothing else has "+only+" as it was before the turn", byForce)
			l.refs[ref] = were[ref]
		}
	}
	return nil
}

// onlyIn is a missing file that only a commit holds to which nothing would lead any more; "" for none.
func (l *planner) onlyIn(from repo.Hash, missing []checkpoint.Change) (string, error) {
	if len(missing) == 0 {
		return "", nil
	}
	stay := slices.Clone(l.remotes())
	for _, h := range l.refs {
		if !h.IsZero() {
			stay = append(stay, h)
		}
	}
	tips, more, err := l.r.Unreached(from, stay, maxWalked)
	if err != nil || more || len(tips) > maxLeft || len(missing) > maxUnsaved {
		return missing[0].Path, nil
	}
	for _, h := range tips {
		tree, err := l.commit(h)
		if err != nil {
			return missing[0].Path, nil
		}
		for _, ch := range missing {
			if side, err := l.trees.At(tree, ch.Path); err != nil || side.Hash == ch.New.Hash {
				return ch.Path, nil
			}
		}
	}
	return "", nil
}

// missing are files that were not committed when a span began, and that are not to be as they were then: more than maxUnsaved are not told.
func (l *planner) missing(from *checkpoint.Checkpoint) (out []checkpoint.Change, err error) {
	list, err := l.uncommitted(from)
	if err != nil {
		return nil, err
	}
	for _, ch := range list {
		is, err := l.fileNow(ch.Path)
		if err != nil {
			return nil, err
		}
		if ch.New.Mode != 0 && is != ch.New {
			out = append(out, ch)
		}
		if len(out) > maxUnsaved {
			return out, nil
		}
	}
	return out, nil
}

// uncommitted are the files of a snapshot that its HEAD does not have so.
func (l *planner) uncommitted(c *checkpoint.Checkpoint) ([]checkpoint.Change, error) {
	head, err := l.commit(c.Head)
	if err != nil {
		return nil, nil // it is not here any more: nothing tells
	}
	list, _, err := checkpoint.Differences(l.r, head, c)
	return list, err
}

// stashedHere reports an entry of the stash that was made of this work tree: of its branch, which no other can have checked out, as Git writes
// into the entry; else each file in it was so before the command, or was another after it. Work trees of a repository have one stash.
func (l *planner) stashedHere(h repo.Hash, before, after *checkpoint.Checkpoint) bool {
	k, err := l.r.Commit(h)
	if err != nil || len(k.Parents) == 0 {
		return true // it is no entry that Git made: there are no files in it
	}
	_, of, _ := strings.Cut(k.Message, "n ") // WIP on main: …, On main: …
	if branch, _, found := strings.Cut(of, ":"); found && branch != "" && (branch == before.On || branch == after.On) {
		return true
	}
	base, err := l.r.Commit(k.Parents[0])
	if err != nil {
		return false // nothing tells
	}
	files, _, err := checkpoint.Differences(l.r, &checkpoint.Checkpoint{Tree: base.Tree}, &checkpoint.Checkpoint{Tree: k.Tree})
	if err != nil {
		return false
	}
	if len(k.Parents) > 2 { // files that were not tracked
		if more, err := l.r.Commit(k.Parents[2]); err == nil {
			untracked, _, err := checkpoint.Differences(l.r, &checkpoint.Checkpoint{}, &checkpoint.Checkpoint{Tree: more.Tree})
			if err != nil {
				return false
			}
			files = append(files, untracked...)
		}
	}
	for _, ch := range files {
		was, err := l.trees.At(before, ch.Path)
		if err != nil {
			return false
		}
		is, err := l.trees.At(after, ch.Path)
		if err != nil {
			return false
		}
		if was == is && was.Hash != ch.New.Hash {
			return false
		}
	}
	return true
}
