package undo

import (
	"fmt"
	"maps"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// beside is what commands of others did to the index, and to an operation that waits, while one of the session's own ran.
type beside struct {
	staged              map[string]string // files, and the session
	maybe               map[string]string // of which nothing tells whose it is
	conflicts, underway bool
}

// stagedBeside finds it out. Of an operation that both may have begun, nothing goes back.
func (l *planner) stagedBeside(w *window, list []window) (*beside, error) {
	with := &beside{staged: map[string]string{}, maybe: map[string]string{}}
	near := slices.DeleteFunc(slices.Clone(list), func(d window) bool { return !d.here })
	if len(near) == 0 {
		return with, nil
	}
	own := map[string]bool{}
	for _, s := range w.segments(near) {
		if len(s.beside) == 0 {
			continue
		}
		had, has, err := l.views.snapshots(s.from, s.to)
		if err != nil {
			return nil, err
		}
		_, index, err := checkpoint.Differences(l.r, had, has)
		if err != nil {
			return nil, err
		}
		for _, ch := range index {
			switch is, session := s.of(w, aboutStaged(ch.Path)); is {
			case mine:
				own[ch.Path] = true
			case unsure:
				with.maybe[ch.Path] = session
			case theirs:
				with.staged[ch.Path] = session
			}
		}
		is, _ := s.of(w, []func(*window) bool{moves})
		with.conflicts = with.conflicts || is != mine && !sameConflicts(had, has)
		with.underway = with.underway || is != mine && !had.SameState(has)
	}
	for path := range own {
		delete(with.maybe, path)
	}
	return with, nil
}

// indexBack takes back what was staged between two snapshots, conflicts, and an operation that was begun or ended, but for what others did.
func (l *planner) indexBack(from, to *checkpoint.Checkpoint, with *beside) error {
	_, index, err := checkpoint.Differences(l.r, to, from)
	if err != nil {
		return err
	}
	changed := false
	for _, ch := range index {
		if with.staged[ch.Path] != "" {
			continue
		}
		if session := with.maybe[ch.Path]; session != "" && !l.o.Force && !l.o.Guess {
			l.keep(ch.Path, atOnce(session), byWord)
			continue
		}
		cur, err := l.stagedNow(ch.Path)
		if err != nil {
			return err
		}
		if cur == ch.Old || l.o.Force {
			l.staged[ch.Path], changed = ch.New, true
			if ch.New.Mode != 0 {
				l.marked(from, ch.Path)
			}
		} else if cur != ch.New {
			l.keep(ch.Path, "what is staged of it has changed since", byForce)
		}
	}
	if !with.conflicts && !sameConflicts(from, to) && sameConflicts(to, l.conflicts()) {
		l.p.Blend.Conflicts, changed = from, true
	}
	if !with.underway && !from.SameState(to) && to.SameState(l.underway()) {
		l.p.Blend.Underway, l.begun, changed = from, to.Unmerged, true
	}
	switch {
	case changed:
		l.stood = []repo.Hash{from.Head}
	case len(l.stood) > 0 && slices.Contains(l.stood, to.Head): // HEAD alone moved, and what is staged stayed so
		l.stood = append(l.stood, from.Head)
	}
	return nil
}

// marked has an entry that comes back told what it was told then: not to be looked at.
func (l *planner) marked(from *checkpoint.Checkpoint, path string) {
	b := &l.p.Blend
	if from.Marks.Assumed(path) {
		b.Assume = append(b.Assume, path)
	}
	if from.Marks.Skipped(path) {
		b.Skip = append(b.Skip, path)
	}
}

// settleIndex turns what was found of the index into a blend. Where HEAD does not go back to the commit of then, what was not staged is not
// staged on the one that stays, either; what was staged then would take back what that has.
func (l *planner) settleIndex() error {
	b := &l.p.Blend
	if head := l.headAfter(); len(l.stood) > 0 && !slices.Contains(l.stood, head) {
		then, err := l.commit(l.stood[len(l.stood)-1])
		if err != nil {
			return err
		}
		after, err := l.commit(head)
		if err != nil {
			return err
		}
		for _, path := range slices.Sorted(maps.Keys(l.staged)) {
			had, err := l.trees.At(then, path)
			if err != nil {
				return err
			}
			if l.staged[path] != had {
				l.keep(path, "what was staged of it was on another commit", firmly)
				delete(l.staged, path)
			} else if l.staged[path], err = l.trees.At(after, path); err != nil {
				return err
			}
		}
		if b.Conflicts != nil || b.Underway != nil {
			l.keep("HEAD", "what waited to be finished was on another commit", firmly)
			b.Conflicts, b.Underway = nil, nil
		}
	}
	if err := l.stillResolved(); err != nil {
		return err
	}
	unmerged := l.conflicts().Unmerged
	for _, path := range slices.Sorted(maps.Keys(l.staged)) {
		side := l.staged[path]
		waits, err := l.waits(unmerged, path)
		if err != nil {
			return err
		}
		if waits && side.Mode != 0 { // one path has one of these states
			l.keep(path, "it waits to be merged", firmly)
			continue
		}
		was, err := l.trees.StagedAt(l.now, path)
		if err != nil {
			return err
		}
		if was != side {
			b.Index = append(b.Index, checkpoint.Change{Path: path, Old: was, New: side})
		}
	}
	l.p.Index = len(b.Index) > 0
	switch of := b.Underway; {
	case of == nil:
	case of.Underway != nil:
		l.p.Underway = of.Underway.String() + " waits to be finished again"
	case l.now.Underway != nil:
		l.p.Underway = l.now.Underway.String() + " is given up"
	}
	return nil
}

// stillResolved leaves an operation under way where somebody is about to resolve a conflict of it.
func (l *planner) stillResolved() error {
	b := &l.p.Blend
	if b.Underway == nil {
		return nil
	}
	for _, k := range l.p.Kept {
		waits, err := l.waits(l.begun, k.Path)
		if err != nil {
			return err
		}
		if waits {
			l.keep("HEAD", "what waits to be finished is about "+k.Path+", which stays", byForce)
			b.Conflicts, b.Underway = nil, nil
			return nil
		}
	}
	return nil
}

// waits says whether a path is among those that wait to be merged.
func (l *planner) waits(unmerged repo.Hash, path string) (bool, error) {
	if unmerged.IsZero() {
		return false, nil
	}
	for stage := 1; stage <= 3; stage++ {
		side, err := l.trees.At(&checkpoint.Checkpoint{Tree: unmerged}, fmt.Sprintf("%d/%s", stage, path))
		if err != nil || side.Mode != 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// headAfter is the commit on which the work tree will stand.
func (l *planner) headAfter() repo.Hash {
	head := l.head()
	if head.On == "" {
		return head.Head
	}
	for _, m := range l.p.Moves {
		if m.Ref == "refs/heads/"+head.On {
			return m.To
		}
	}
	for _, p := range l.now.Pins {
		if p.Ref == "refs/heads/"+head.On {
			return p.Hash
		}
	}
	return head.Head // unborn, or one of too many branches
}

// commit is the tree of a commit, as that of a snapshot; an empty one for none.
func (l *planner) commit(h repo.Hash) (*checkpoint.Checkpoint, error) {
	if h.IsZero() {
		return &checkpoint.Checkpoint{}, nil
	}
	k, err := l.r.Commit(h)
	if err != nil {
		return nil, err
	}
	return &checkpoint.Checkpoint{Tree: k.Tree}, nil
}

func sameConflicts(a, b *checkpoint.Checkpoint) bool {
	return a.Unmerged == b.Unmerged && slices.Equal(a.Intent, b.Intent) && slices.Equal(a.IntentModes, b.IntentModes)
}
