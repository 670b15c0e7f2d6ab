package undo

import (
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// rival is a command of another session, in this work tree or in another one of the repository, that changed something.
type rival struct {
	session     string
	at          time.Time // when it had ended
	since, left repo.Hash
	here        bool // in this work tree
}

// rivals are those that ended while a turn went on. References belong to all work trees together, so all of their timelines are asked.
func (t *Timeline) rivals(r *repo.Repo, one *Turn) (list []rival) {
	if len(one.Commands) == 0 {
		return nil // there is nothing that could be taken for theirs
	}
	began := one.Began
	if began.IsZero() { // its prompt left no step: the first of its commands is early enough
		if first, err := checkpoint.SnapshotAt(r, one.Commands[len(one.Commands)-1].Since); err == nil {
			began = first.Time
		}
	}
	until := one.Ended
	if until.IsZero() {
		until = time.Now()
	}
	beside := func(at time.Time) bool { return !at.Before(began) && !at.After(until) }
	for i := range t.Turns {
		o := &t.Turns[i]
		if o.Session == one.Session {
			continue
		}
		for _, c := range o.Commands {
			if beside(c.At) {
				list = append(list, rival{o.Session, c.At, c.Since, c.Left, true})
			}
		}
	}
	for _, st := range checkpoint.StepsElsewhere(r, began) {
		if st.Session != one.Session && st.Changed() && beside(st.Time) {
			list = append(list, rival{st.Session, st.Time, st.Since, st.Snapshot, false})
		}
	}
	return list
}

// theirs are the references that others' commands moved while one of the session's own ran: names of references, sums of stash entries, and
// HEAD, each with the session. Of commands that overlap in time, the one that ended first is taken for the one that did it, as with files.
// both are those that the session's own command moved as well.
func theirs(r *repo.Repo, beside []rival, until time.Time, before, after *checkpoint.Checkpoint) (list map[string]string, both []string, err error) {
	list = map[string]string{}
	was, left := byName(before.Pins), byName(after.Pins)
	for _, d := range beside {
		if d.at.Before(before.Time) || d.at.After(until) {
			continue
		}
		had, err := checkpoint.SnapshotAt(r, d.since)
		if err != nil {
			return nil, nil, err
		}
		has, err := checkpoint.SnapshotAt(r, d.left)
		if err != nil {
			return nil, nil, err
		}
		from, to := byName(had.Pins), byName(has.Pins)
		for ref := range union(from, to) {
			if entry(ref) || from[ref] == to[ref] || to[ref] == was[ref] {
				continue
			}
			if list[ref] = d.session; to[ref] != left[ref] {
				both = append(both, ref)
			}
		}
		own, kept := entries(had.Pins), entries(has.Pins)
		for h := range own {
			if _, still := kept[h]; !still {
				list[h.String()] = d.session
			}
		}
		for h := range kept {
			if _, before := own[h]; !before {
				list[h.String()] = d.session
			}
		}
		if d.here && (had.On != has.On || has.On == "" && had.Head != has.Head) {
			list["HEAD"] = d.session
		}
	}
	return list, both, nil
}

// movesOwn reports that references differ between two snapshots in what is not others' doing.
func movesOwn(before, after *checkpoint.Checkpoint, theirs map[string]string) bool {
	was, left := byName(before.Pins), byName(after.Pins)
	for ref := range union(was, left) {
		if !entry(ref) && was[ref] != left[ref] && theirs[ref] == "" {
			return true
		}
	}
	had, has := entries(before.Pins), entries(after.Pins)
	for h := range had {
		if _, still := has[h]; !still && theirs[h.String()] == "" {
			return true
		}
	}
	for h := range has {
		if _, was := had[h]; !was && theirs[h.String()] == "" {
			return true
		}
	}
	return before.On != after.On && theirs["HEAD"] == ""
}
