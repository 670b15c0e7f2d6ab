package undo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// moves takes back what commands did with Git: to branches, the stash, where HEAD stands, what is staged, and to an operation that waits. What
// was done beside the session's commands is somebody else's.
func (l *planner) moves(s *Span, from, to *checkpoint.Checkpoint) error {
	if s.All {
		if err := l.refsBack(from, to, nil, true); err != nil {
			return err
		}
		return l.indexBack(from, to, &beside{})
	}
	begun := l.underway().Underway // an operation of somebody else's
	if to.SameState(l.underway()) {
		begun = nil
	}
	slices.SortStableFunc(s.own, func(a, b window) int { return b.began.Compare(a.began) })
	for i := range s.own {
		w := &s.own[i]
		if w.unheard && w.words.Still {
			continue
		}
		before, after, err := l.views.snapshots(w.since, w.left)
		if err != nil {
			return err
		}
		if begun != nil && !l.o.Force {
			if !slices.Equal(before.Pins, after.Pins) || before.On != after.On || before.Head != after.Head || before.Index != after.Index {
				l.keep("HEAD", "somebody has begun "+begun.String()+" since", byForce)
			}
			continue
		}
		others, err := l.views.refsBeside(w, s.beside)
		if err != nil {
			return err
		}
		for _, ref := range others.both {
			l.keep(l.called(ref), "session "+others.did[ref]+" moved it too", firmly)
		}
		l.doubts(others)
		if w.unheard {
			maps.Copy(others.did, l.views.notMoved(w, before, after))
		}
		if err := l.refsBack(before, after, others.did, false); err != nil {
			return err
		}
		with, err := l.stagedBeside(w, s.beside)
		if err != nil {
			return err
		}
		if w.unheard {
			if with, err = l.views.notStaged(before, after, with); err != nil {
				return err
			}
		}
		if err := l.indexBack(before, after, with); err != nil {
			return err
		}
	}
	return nil
}

// called is the name for people of what rivals name.
func (l *planner) called(name string) string {
	if h, ok := repo.ParseHash(name); ok && !strings.Contains(name, "/") {
		if ref := l.stashed[h]; ref != "" {
			return ref
		}
		return "the stash"
	}
	return name
}

// doubts keeps what nothing tells whose it is, unless that is to go back as well.
func (l *planner) doubts(others *rivals) {
	if l.o.Force || l.o.Guess {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(others.maybe)) {
		l.keep(l.called(name), atOnce(others.maybe[name]), byWord)
		others.did[name] = others.maybe[name]
	}
}

// atOnce is why something stays of which nothing tells whose it is.
func atOnce(session string) string {
	return "a command of session " + session + " ran at the same time"
}

// refsBack takes back what lies between two snapshots, but for what others did in between, unless all of it is to go back.
func (l *planner) refsBack(from, to *checkpoint.Checkpoint, theirs map[string]string, all bool) error {
	was, left := byName(from.Pins), byName(to.Pins)
	for _, ref := range slices.Sorted(maps.Keys(union(was, left))) {
		if entry(ref) || was[ref] == left[ref] || theirs[ref] != "" {
			continue
		}
		switch now := l.refs[ref]; {
		case now == was[ref]:
		case now == left[ref] || l.o.Force:
			l.refs[ref] = was[ref]
		default:
			l.keep(ref, "it has moved since", byForce)
		}
	}
	head := l.head()
	if theirs["HEAD"] == "" && (from.On != to.On || from.On == "" && from.Head != to.Head) {
		if head.On == to.On && (to.On != "" || head.Head == to.Head) {
			l.p.Blend.Head = from
		} else if head.On != from.On {
			l.keep("HEAD", "it stands elsewhere since", firmly)
		}
	}
	return l.stashBack(from, to, theirs, all)
}

func (l *planner) head() *checkpoint.Checkpoint {
	if c := l.p.Blend.Head; c != nil {
		return c
	}
	return l.now
}

func byName(pins []checkpoint.Pin) map[string]repo.Hash {
	m := map[string]repo.Hash{}
	for _, p := range pins {
		m[p.Ref] = p.Hash
	}
	return m
}

func union(a, b map[string]repo.Hash) map[string]repo.Hash {
	m := maps.Clone(a)
	maps.Copy(m, b)
	return m
}

// settleRefs turns what was found of references into a blend.
func (l *planner) settleRefs() error {
	b := &l.p.Blend
	now := byName(l.now.Pins)
	for _, ref := range slices.Sorted(maps.Keys(union(now, l.refs))) {
		if entry(ref) {
			continue
		}
		was, to := now[ref], l.refs[ref]
		if was == to {
			continue
		}
		if l.r.Symbolic(ref) != "" { // what is written there would be written elsewhere
			l.keep(ref, "it is a symbolic reference", firmly)
			continue
		}
		if branch, is := strings.CutPrefix(ref, "refs/heads/"); is {
			if where, _, found := l.r.CheckedOutElsewhere(branch); found {
				l.keep(ref, "it is checked out in "+where, firmly)
				continue
			}
		}
		if in := l.inWay(ref, now); was.IsZero() && in != "" {
			l.keep(ref, in+" is in its place", firmly)
			continue
		}
		l.p.Moves = append(l.p.Moves, Move{ref, was, to})
		if to.IsZero() {
			b.Gone = append(b.Gone, checkpoint.Pin{Ref: ref, Hash: was})
		} else {
			b.Refs = append(b.Refs, checkpoint.Pin{Ref: ref, Hash: to})
		}
	}
	l.settleStash()
	slices.SortStableFunc(l.p.Moves, func(x, y Move) int {
		return cmp.Or(strings.Compare(x.Ref, y.Ref), slices.Compare(x.From[:], y.From[:]), slices.Compare(x.To[:], y.To[:]))
	})
	slices.SortStableFunc(b.Gone, func(x, y checkpoint.Pin) int {
		return cmp.Or(strings.Compare(x.Ref, y.Ref), slices.Compare(x.Hash[:], y.Hash[:]))
	})
	l.settleHead()
	return nil
}

// inWay is a branch that stays and with which a reference cannot be: a is in the place of a/b, and a/b in that of a.
func (l *planner) inWay(ref string, now map[string]repo.Hash) string {
	for other := range now {
		if (strings.HasPrefix(other, ref+"/") || strings.HasPrefix(ref, other+"/")) && !l.refs[other].IsZero() {
			return strings.TrimPrefix(other, "refs/heads/")
		}
	}
	return ""
}

// settleHead does the same with HEAD.
func (l *planner) settleHead() {
	b := &l.p.Blend
	if of := b.Head; of != nil && of.On != "" && !of.Head.IsZero() && l.refs["refs/heads/"+of.On].IsZero() {
		l.keep("HEAD", "it was on "+of.On+", which is no longer there", firmly)
		b.Head = nil
	}
	if of := b.Head; of != nil {
		if of.On == l.now.On && (of.On != "" || of.Head == l.now.Head) {
			b.Head = nil
		} else if l.p.Head = of.On; of.On == "" {
			l.p.Head = of.Head.String()[:10]
		}
	}
}
