package undo

import (
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// window is the piece of a timeline in which a command ran: from the snapshot before it to the one behind it. What changed in it may be the
// command's, or that of another one whose window overlaps with it.
type window struct {
	session string
	command string // masked
	words   checkpoint.Words

	since, left  repo.Hash // left is zero while it runs
	began, ended time.Time // when these two were first seen; ended is zero while it runs
	at           time.Time // when its end was told
	here         bool      // in this work tree, else in another one of the repository

	// unheard says that nobody told of its end, so that only what it was judged to change counts; called is when it began, and key is the command's.
	unheard bool
	called  time.Time
	key     string
}

// appeared tells when each snapshot of a list of steps, the newest first, was first seen. Of others, that is long ago.
func appeared(steps []checkpoint.Step) map[repo.Hash]time.Time {
	first := map[repo.Hash]time.Time{}
	for i := range slices.Backward(steps) {
		if _, known := first[steps[i].Snapshot]; !known {
			first[steps[i].Snapshot] = steps[i].Time
		}
	}
	return first
}

func windowOf(st *checkpoint.Step, first map[repo.Hash]time.Time, here bool) window {
	return window{
		session: st.Session, command: st.Command, words: st.Words, since: st.Since, left: st.Snapshot,
		began: first[st.Since], ended: first[st.Snapshot], at: st.Time, here: here,
	}
}

// windows are those of the commands that run.
func (o *Open) windows(has func(repo.Hash) bool, first map[repo.Hash]time.Time) (list []window) {
	if o.Closed {
		return nil
	}
	for i := range o.Calls {
		if h, ok := repo.ParseHash(o.Calls[i].Since); ok && has(h) {
			list = append(list, window{session: o.Session, command: o.Calls[i].Command, since: h, began: first[h], here: true})
		}
	}
	return list
}

// beside are the commands of other sessions that ran while a turn went on. References belong to all work trees together, so all of their
// timelines are asked.
func (t *Timeline) beside(r *repo.Repo, one *Turn) (list []window) {
	if len(one.Commands) == 0 && one.Since().IsZero() {
		return nil
	}
	began := one.Since()
	if began.IsZero() { // the timeline does not reach back to it
		began = one.Commands[len(one.Commands)-1].began
	}
	meanwhile := func(w *window) bool {
		return w.session != one.Session && (one.Ended.IsZero() || !w.began.After(one.Ended)) && (w.at.IsZero() || w.at.After(began))
	}
	for i := range t.Turns {
		for _, c := range t.Turns[i].Commands {
			if !c.unheard && meanwhile(&c.window) {
				list = append(list, c.window)
			}
		}
	}
	for i := range t.Undos { // what an undo of other turns changed is none of this one's
		u := &t.Undos[i]
		w := window{session: u.Session, since: u.Before, left: u.Left, began: t.first[u.Before], ended: t.first[u.Left], at: u.At, here: true}
		own := slices.ContainsFunc(u.Keys, func(key string) bool { return strings.HasPrefix(key+"#", one.Key+"#") })
		if u.Done && !own && (one.Ended.IsZero() || !w.began.After(one.Ended)) && w.at.After(began) {
			list = append(list, w)
		}
	}
	for i := range t.running {
		if meanwhile(&t.running[i]) {
			list = append(list, t.running[i])
		}
	}
	elsewhere := checkpoint.StepsElsewhere(r, began)
	first := appeared(elsewhere)
	for i := range elsewhere {
		if w := windowOf(&elsewhere[i], first, false); elsewhere[i].Changed() && meanwhile(&w) {
			list = append(list, w)
		}
	}
	return list
}

// share is whose something is that changed while two commands ran.
type share int

const (
	mine   share = iota
	unsure       // nothing tells
	theirs
)

// segment is a piece of a window, and the others' commands that ran all through it.
type segment struct {
	from, to repo.Hash
	beside   []*window
}

// segments cut a window where others begin or end in it.
func (w *window) segments(beside []window) (list []segment) {
	type point struct {
		h  repo.Hash
		at time.Time
	}
	points := []point{{w.since, w.began}, {w.left, w.ended}}
	for i := range beside {
		d := &beside[i]
		for _, p := range [...]point{{d.since, d.began}, {d.left, d.ended}} {
			if p.at.After(w.began) && p.at.Before(w.ended) {
				points = append(points, p)
			}
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return a.at.Compare(b.at) })
	points = slices.CompactFunc(points, func(a, b point) bool { return a.h == b.h })
	for i := range points[1:] {
		s := segment{from: points[i].h, to: points[i+1].h}
		for j := range beside {
			if d := &beside[j]; !d.began.After(points[i].at) && (d.ended.IsZero() || !d.ended.Before(points[i+1].at)) {
				s.beside = append(s.beside, d)
			}
		}
		list = append(list, s)
	}
	return list
}

// of says whose something is that changed in a segment of a window, and the other session where it may not be the window's.
func (s *segment) of(w *window, tests []func(*window) bool) (is share, session string) {
	for _, d := range s.beside {
		if one := w.against(d, tests...); one > is {
			is, session = one, d.session
		}
	}
	return is, session
}

// against says whose something is that changed while both ran. The tests come first: what holds for one of the two alone tells that it is the
// writer. Else it is the one that ran inside the time of the other.
func (w *window) against(d *window, tests ...func(*window) bool) share {
	for i, holds := range tests {
		one, other := holds(w), holds(d)
		switch {
		case w.unheard && i > 0 && one && !other: // the other one is known to have run to its end
			return unsure
		case one != other:
			return oneOf(one)
		}
	}
	within := !w.began.Before(d.began) && (d.ended.IsZero() || !w.ended.IsZero() && !w.ended.After(d.ended))
	around := !d.began.Before(w.began) && (w.ended.IsZero() || !d.ended.IsZero() && !d.ended.After(w.ended))
	if within == around {
		return unsure
	}
	return oneOf(within)
}

func oneOf(first bool) share {
	if first {
		return mine
	}
	return theirs
}

// aboutFile asks of commands whether they can have changed a file, and whether they name it.
func aboutFile(path string) []func(*window) bool {
	names := func(w *window) bool { return w.names(path) }
	return []func(*window) bool{func(w *window) bool { return !w.words.Only || names(w) }, names}
}

// aboutRef asks of commands whether they can have moved a reference, or HEAD on its way there; whether they name it; and whether they ran where
// it is checked out.
func (v *views) aboutRef(ref string) []func(*window) bool {
	short := strings.TrimPrefix(ref, "refs/heads/")
	if entry(ref) {
		short = "stash"
	}
	return []func(*window) bool{
		moves,
		func(w *window) bool { return moves(w) && says(w.command, short) },
		func(w *window) bool {
			return moves(w) && slices.ContainsFunc([]repo.Hash{w.since, w.left}, func(h repo.Hash) bool {
				c, err := v.snapshot(h)
				return err == nil && c.On == short
			})
		},
	}
}

// aboutStaged asks of commands whether they can have staged a file, and whether they name it.
func aboutStaged(path string) []func(*window) bool {
	return []func(*window) bool{moves, func(w *window) bool { return moves(w) && says(w.command, path) }}
}

// moves reports a command that may move references, or stage.
func moves(w *window) bool { return !w.words.Still }

// says reports a line with that word, alone or beside a colon.
func says(line, word string) bool {
	return slices.ContainsFunc(words(line), func(w string) bool { return strings.TrimPrefix(w, "./") == word || w == "refs/heads/"+word })
}

func words(line string) []string {
	return strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t;&|()<>\"'=:", c) })
}
