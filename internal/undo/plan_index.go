package undo

import (
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// beside is what commands of others did to the index, and to an operation that waits, while one of the session's own ran.
type beside struct {
	staged              map[string]checkpoint.Side // as they left it
	conflicts, underway bool
}

// staged asks the commands that ended in this work tree between a snapshot and a time.
func staged(r *repo.Repo, list []rival, until time.Time, before *checkpoint.Checkpoint) (*beside, error) {
	with := &beside{staged: map[string]checkpoint.Side{}}
	for _, d := range list {
		if !d.here || d.at.Before(before.Time) || d.at.After(until) {
			continue
		}
		had, err := checkpoint.SnapshotAt(r, d.since)
		if err != nil {
			return nil, err
		}
		has, err := checkpoint.SnapshotAt(r, d.left)
		if err != nil {
			return nil, err
		}
		_, index, err := checkpoint.Differences(r, had, has)
		if err != nil {
			return nil, err
		}
		for _, ch := range index {
			with.staged[ch.Path] = ch.New
		}
		with.conflicts = with.conflicts || !sameConflicts(had, has)
		with.underway = with.underway || !had.SameState(has)
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
		if side, did := with.staged[ch.Path]; did && side == ch.Old {
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
