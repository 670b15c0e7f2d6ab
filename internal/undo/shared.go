package undo

import (
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// shared are the pieces of a turn in which its session's tools wrote a file that tools of others wrote meanwhile, too, the newest first. Where a tool
// finds that somebody else has changed its file there are snapshots around it, and these part what each has written. It is nil where they do
// not, or where a command changed the file as well.
func (v *views) shared(one *Turn, edits []Edit, own, beside []window, path string, end time.Time) ([]piece, error) {
	windows := slices.Clone(own)
	for i := range beside {
		if d := &beside[i]; d.here && !d.left.IsZero() && !d.at.After(end) {
			windows = append(windows, *d)
		}
	}
	slices.SortStableFunc(windows, func(a, b window) int { return a.began.Compare(b.began) })
	var wrote []*Edit
	for i := range edits {
		e := &edits[i]
		here := e.Session == one.Session && e.Turn == one.Number
		if e.Path == path && (here || e.Session != one.Session && e.At.After(one.Since()) && e.At.Before(end)) {
			wrote = append(wrote, e)
		}
	}
	slices.SortStableFunc(wrote, func(a, b *Edit) int { return a.At.Compare(b.At) })
	around := func(e *Edit) int {
		return slices.IndexFunc(windows, func(w window) bool {
			return w.session == e.Session && !e.At.Before(w.began) && !e.At.After(w.at)
		})
	}
	if other, err := v.otherwise(windows, wrote, path); other || err != nil {
		return nil, err
	}
	var pieces []piece
	last := one.From
	for i := 0; i < len(wrote); i++ {
		e := wrote[i]
		mine := e.Session == one.Session
		found := piece{last, repo.Hash{}}
		if at := around(e); at >= 0 {
			found = piece{windows[at].since, windows[at].left}
		} else {
			// Of writes of one side that nothing parts, the last one is seen.
			for i+1 < len(wrote) && (wrote[i+1].Session == one.Session) == mine && around(wrote[i+1]) < 0 {
				i++
			}
			left, err := v.leftBefore(wrote[i], windows, one.To)
			if err != nil || left.IsZero() {
				return nil, err
			}
			found[1] = left
		}
		if last = found[1]; mine {
			pieces = append([]piece{found}, pieces...)
		}
	}
	return pieces, nil
}

// otherwise reports a file that something else than one of the writes has changed: a command.
func (v *views) otherwise(windows []window, wrote []*Edit, path string) (bool, error) {
	for i := range windows {
		w := &windows[i]
		if slices.ContainsFunc(wrote, func(e *Edit) bool { return w.session == e.Session && !e.At.Before(w.began) && !e.At.After(w.at) }) {
			continue
		}
		ch, err := v.change(w.since, w.left)
		if err != nil || slices.Contains(ch.Paths, path) {
			return true, err
		}
	}
	return false, nil
}

// leftBefore is the first snapshot behind a write, before a call or at the end of the turn, that has the file as the tool left it.
func (v *views) leftBefore(e *Edit, windows []window, end repo.Hash) (repo.Hash, error) {
	var snapshots []repo.Hash
	for i := range windows {
		if windows[i].began.After(e.At) {
			snapshots = append(snapshots, windows[i].since)
		}
	}
	for _, h := range append(snapshots, end) {
		if h.IsZero() {
			continue
		}
		if is, err := v.leftAs(h, e.Path, e.Sum); is || err != nil {
			return h, err
		}
	}
	return repo.Hash{}, nil
}
