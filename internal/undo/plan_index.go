package undo

import (
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
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
	for _, ch := range index {
		if with.staged[ch.Path] != "" {
			continue
		}
		if session := with.maybe[ch.Path]; session != "" && !l.o.Force && !l.o.Guess {
			l.keep(ch.Path, atOnce(session), true)
			continue
		}
		cur, err := l.stagedNow(ch.Path)
		if err != nil {
			return err
		}
		if cur == ch.Old || l.o.Force {
			l.staged[ch.Path] = ch.New
		} else if cur != ch.New {
			l.keep(ch.Path, "what is staged of it has changed since", false)
		}
	}
	if !with.conflicts && !sameConflicts(from, to) && sameConflicts(to, l.conflicts()) {
		l.p.Blend.Conflicts = from
	}
	if !with.underway && !from.SameState(to) && to.SameState(l.underway()) {
		l.p.Blend.Underway = from
	}
	return nil
}

func sameConflicts(a, b *checkpoint.Checkpoint) bool {
	return a.Unmerged == b.Unmerged && slices.Equal(a.Intent, b.Intent) && slices.Equal(a.IntentModes, b.IntentModes)
}
