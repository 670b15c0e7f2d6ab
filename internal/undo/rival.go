package undo

import (
	"maps"
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
	until := one.Ended
	if until.IsZero() {
		until = time.Now()
	}
	beside := func(at time.Time) bool { return !at.Before(one.Began) && !at.After(until) }
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
	for _, st := range checkpoint.StepsElsewhere(r, one.Began) {
		if st.Kind == checkpoint.StepAfter && st.Session != one.Session && beside(st.Time) && !st.Since.IsZero() && st.Since != st.Snapshot {
			list = append(list, rival{st.Session, st.Time, st.Since, st.Snapshot, false})
		}
	}
	return list
}

// theirs are the references that others' commands moved while one of the session's own ran: names of references, sums of stash entries, and
// HEAD. Of commands that overlap in time, the one that ended first is taken for the one that did it, as with files.
func (l *planner) theirs(s *Span, c *Command, before, after *checkpoint.Checkpoint) (map[string]string, error) {
	out := map[string]string{}
	was, left := byName(before.Pins), byName(after.Pins)
	for _, d := range s.beside {
		if d.at.Before(before.Time) || d.at.After(c.At) {
			continue
		}
		had, err := checkpoint.SnapshotAt(l.r, d.since)
		if err != nil {
			return nil, err
		}
		has, err := checkpoint.SnapshotAt(l.r, d.left)
		if err != nil {
			return nil, err
		}
		from, to := byName(had.Pins), byName(has.Pins)
		for ref := range union(from, to) {
			if !entry(ref) && from[ref] != to[ref] && to[ref] != was[ref] {
				if out[ref] = d.session; to[ref] != left[ref] {
					l.keep(ref, "session "+d.session+" moved it too", false)
				}
			}
		}
		own, kept := entries(had.Pins), entries(has.Pins)
		for h := range maps.Keys(own) {
			if _, still := kept[h]; !still {
				out[h.String()] = d.session
			}
		}
		for h := range maps.Keys(kept) {
			if _, before := own[h]; !before {
				out[h.String()] = d.session
			}
		}
		if d.here && (had.On != has.On || has.On == "" && had.Head != has.Head) {
			out["HEAD"] = d.session
		}
	}
	return out, nil
}
