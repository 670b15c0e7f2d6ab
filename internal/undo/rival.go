package undo

import (
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
)

// rivals is what other sessions' commands did to references while one of a session's own ran: names of references, sums of stash entries, and
// HEAD, each with the session.
type rivals struct {
	did   map[string]string
	maybe map[string]string // of which nothing tells whose it is
	both  []string          // in did, and the session's own command moved them as well
}

// refsBeside finds it out.
func (v *views) refsBeside(w *window, beside []window) (*rivals, error) {
	o := &rivals{did: map[string]string{}, maybe: map[string]string{}}
	if len(beside) == 0 {
		return o, nil
	}
	own := map[string]bool{}
	for _, s := range w.segments(beside) {
		had, has, err := v.snapshots(s.from, s.to)
		if err != nil {
			return nil, err
		}
		for name, ref := range moved(had, has) {
			o.settle(w, &s, name, v.aboutRef(ref), own)
		}
	}
	near := slices.DeleteFunc(slices.Clone(beside), func(d window) bool { return !d.here })
	for _, s := range w.segments(near) {
		had, has, err := v.snapshots(s.from, s.to)
		if err != nil {
			return nil, err
		}
		if headMoved(had, has) {
			o.settle(w, &s, "HEAD", v.aboutRef(has.On), own)
		}
	}
	for name := range o.did {
		if delete(o.maybe, name); own[name] {
			o.both = append(o.both, name)
		}
	}
	slices.Sort(o.both)
	return o, nil
}

func (o *rivals) settle(w *window, s *segment, name string, tests []func(*window) bool, own map[string]bool) {
	switch is, session := s.of(w, tests); is {
	case mine:
		own[name] = true
	case unsure:
		o.maybe[name] = session
	case theirs:
		o.did[name] = session
	}
}

// moved are the references that differ between two snapshots, and by their sums the entries of the stash.
func moved(a, b *checkpoint.Checkpoint) map[string]string {
	list := map[string]string{}
	was, left := byName(a.Pins), byName(b.Pins)
	for ref := range union(was, left) {
		if !entry(ref) && was[ref] != left[ref] {
			list[ref] = ref
		}
	}
	had, has := entries(a.Pins), entries(b.Pins)
	for h, ref := range had {
		if _, still := has[h]; !still {
			list[h.String()] = ref
		}
	}
	for h, ref := range has {
		if _, before := had[h]; !before {
			list[h.String()] = ref
		}
	}
	return list
}

func headMoved(a, b *checkpoint.Checkpoint) bool {
	return a.On != b.On || b.On == "" && a.Head != b.Head
}

// movesOwn reports that references differ between two snapshots in what is not others' doing.
func movesOwn(before, after *checkpoint.Checkpoint, others *rivals) bool {
	for name := range moved(before, after) {
		if others.did[name] == "" {
			return true
		}
	}
	return before.On != after.On && others.did["HEAD"] == ""
}
