package undo

import (
	"cmp"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// Change is what lies between two snapshots.
type Change struct {
	Paths []string  // of files, relative to the work tree
	Head  repo.Hash // where HEAD stands in the second, if not where it stood in the first

	before, after *checkpoint.Checkpoint
	was, left     map[string]checkpoint.Side // what the two hold of the paths
	pieces        map[string][]piece         // where a command changed a path, the newest first, if not all through
	aside         []string                   // files with other permissions alone, and folders that came, went or have others
}

// views are snapshots of a repository and what lies between them, each read once.
type views struct {
	r       *repo.Repo
	read    map[repo.Hash]*checkpoint.Checkpoint
	changes map[[2]repo.Hash]*Change
}

func look(r *repo.Repo) *views {
	return &views{r, map[repo.Hash]*checkpoint.Checkpoint{}, map[[2]repo.Hash]*Change{}}
}

func (v *views) snapshot(h repo.Hash) (*checkpoint.Checkpoint, error) {
	if c := v.read[h]; c != nil {
		return c, nil
	}
	c, err := checkpoint.SnapshotAt(v.r, h)
	if err == nil {
		v.read[h] = c
	}
	return c, err
}

func (v *views) snapshots(since, left repo.Hash) (before, after *checkpoint.Checkpoint, err error) {
	if before, err = v.snapshot(since); err == nil {
		after, err = v.snapshot(left)
	}
	return before, after, err
}

// change compares two snapshots of the timeline. What it gives is not to be altered.
func (v *views) change(since, left repo.Hash) (*Change, error) {
	if c := v.changes[[2]repo.Hash{since, left}]; c != nil {
		return c, nil
	}
	before, after, err := v.snapshots(since, left)
	if err != nil {
		return nil, err
	}
	c := &Change{before: before, after: after, was: map[string]checkpoint.Side{}, left: map[string]checkpoint.Side{}}
	if since != left {
		files, _, err := checkpoint.Differences(v.r, before, after)
		if err != nil {
			return nil, err
		}
		for i := range files {
			c.Paths = append(c.Paths, files[i].Path)
			c.was[files[i].Path], c.left[files[i].Path] = files[i].Old, files[i].New
		}
	}
	if since != left {
		if c.aside, err = v.asideOf(before, after); err != nil {
			return nil, err
		}
	}
	if after.Head != before.Head {
		c.Head = after.Head
	}
	v.changes[[2]repo.Hash{since, left}] = c
	return c, nil
}

// Took are the files that were there before a command and not behind it.
func (c *Command) Took(r *repo.Repo) (list []string, err error) {
	ch, err := look(r).change(c.Since, c.Left)
	if err != nil {
		return nil, err
	}
	for _, p := range ch.Paths {
		if ch.left[p].Mode == 0 {
			list = append(list, p)
		}
	}
	return list, nil
}

// Changed are the files that a command changed.
func (c *Command) Changed(r *repo.Repo) ([]string, error) {
	ch, err := look(r).change(c.Since, c.Left)
	if err != nil {
		return nil, err
	}
	return slices.Clone(ch.Paths), nil
}

// asideOf compares what is no content.
func (v *views) asideOf(a, b *checkpoint.Checkpoint) (list []string, err error) {
	if list, err = checkpoint.OtherPermissions(v.r, a, b); err != nil {
		return nil, err
	}
	folders, err := checkpoint.OtherFolders(v.r, a, b)
	if err != nil {
		return nil, err
	}
	list = append(list, folders...)
	for _, d := range slices.Concat(a.Folders.Empty, b.Folders.Empty) {
		if slices.Contains(a.Folders.Empty, d) != slices.Contains(b.Folders.Empty, d) {
			list = append(list, d)
		}
	}
	return list, nil
}

// own is what a command changed, but for what others' commands did while it ran; maybe are the files of which nothing tells whose doing they are,
// with the other session.
func (v *views) own(w *window, beside []window) (c *Change, maybe map[string]string, err error) {
	all, err := v.change(w.since, w.left)
	if err != nil {
		return nil, nil, err
	}
	c, maybe = &Change{}, map[string]string{}
	*c = *all
	if w.unheard {
		if err := v.onlyDid(w, c); err != nil {
			return nil, nil, err
		}
		all = c
	}
	near := slices.DeleteFunc(slices.Clone(beside), func(d window) bool { return !d.here })
	if len(near) == 0 {
		return c, nil, nil
	}
	c = &Change{}
	*c = *all
	did, moved := map[string]bool{}, false
	c.pieces = map[string][]piece{}
	for _, s := range w.segments(near) {
		part, err := v.change(s.from, s.to)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range slices.Concat(part.Paths, part.aside) {
			switch is, session := s.of(w, aboutFile(p)); is {
			case theirs:
				continue
			case mine:
				did[p] = true
			case unsure:
				maybe[p] = session
			}
			c.pieces[p] = append([]piece{{s.from, s.to}}, c.pieces[p]...)
		}
		if !part.Head.IsZero() {
			is, _ := s.of(w, v.aboutRef("refs/heads/"+part.after.On))
			moved = moved || is != theirs
		}
	}
	others := func(p string) bool { return !did[p] && maybe[p] == "" }
	c.Paths = slices.DeleteFunc(slices.Clone(all.Paths), others)
	c.aside = slices.DeleteFunc(slices.Clone(all.aside), others)
	if !moved {
		c.Head = repo.Hash{}
	}
	return c, maybe, nil
}

// maxAsked is of how many files it is asked who else has written them.
const maxAsked = 1000

// Ended is a command that has just ended, with the snapshots around it.
type Ended struct {
	Session, Command string
	Words            checkpoint.Words
	Since, Left      repo.Hash
}

// CommandChange is what that command changed; nil where all of it was others' doing. others are asked for what their tools have written since it
// began, and for their commands that go on: nil where there were none.
func CommandChange(r *repo.Repo, e Ended, others func(since time.Time) (wrote func(path string) bool, run []Open)) (*Change, error) {
	v := look(r)
	c, err := v.change(e.Since, e.Left)
	if err != nil {
		return nil, err
	}
	written, run := others(c.before.Time)
	if written == nil {
		return c, nil
	}
	steps, elsewhere := checkpoint.StepsSince(r, c.before.Time), checkpoint.StepsElsewhere(r, c.before.Time)
	first := appeared(steps)
	w := windowOf(&checkpoint.Step{Session: e.Session, Command: e.Command, Words: e.Words, Since: e.Since, Snapshot: e.Left}, first, true)
	var beside []window
	for i := range steps {
		if st := &steps[i]; st.Session != e.Session && st.Changed() {
			beside = append(beside, windowOf(st, first, true))
		}
	}
	for i := range run {
		beside = append(beside, run[i].windows(r.HasObject, first)...)
	}
	first = appeared(elsewhere)
	for i := range elsewhere {
		if st := &elsewhere[i]; st.Session != e.Session && st.Changed() {
			beside = append(beside, windowOf(st, first, false))
		}
	}
	all := len(c.Paths)
	if c, _, err = v.own(&w, beside); err != nil {
		return nil, err
	}
	if all <= maxAsked {
		c.Paths = slices.DeleteFunc(c.Paths, func(p string) bool { return written(p) })
	}
	if len(beside) == 0 && all == len(c.Paths) {
		return c, nil
	}
	refs, err := v.refsBeside(&w, beside)
	if err != nil {
		return nil, err
	}
	if len(c.Paths)+len(c.aside) == 0 && c.Head.IsZero() && (all > 0 || len(refs.did) > 0) && !movesOwn(c.before, c.after, refs) {
		return nil, nil
	}
	return c, nil
}

// written is when the first of a session's commands that changed a file had done so, and the session that may have done it instead.
type written struct {
	at     time.Time
	maybe  string
	pieces []piece   // the newest first
	began  time.Time // of the oldest of the commands
	whole  bool      // the pieces are all of it, one behind another
}

// changedBy are the files that commands changed. Those that are foreign as a command left them are not among them.
func (v *views) changedBy(list, beside []window, foreign func(path string, left checkpoint.Side) bool) (map[string]written, error) {
	out := map[string]written{}
	slices.SortStableFunc(list, func(a, b window) int { return b.began.Compare(a.began) })
	for i := range list {
		w := &list[i]
		c, maybe, err := v.own(w, beside)
		if err != nil {
			return nil, err
		}
		for _, p := range slices.Concat(c.Paths, c.aside) {
			if foreign != nil && foreign(p, c.left[p]) {
				continue
			}
			one, known := out[p]
			if one.whole = !known || one.whole && !w.ended.After(one.began); !known || w.at.Before(one.at) {
				one.at = w.at
			}
			one.began, one.maybe = w.began, cmp.Or(maybe[p], one.maybe) // one piece of which nothing tells is enough to ask
			if c.pieces == nil {
				one.pieces = append(one.pieces, piece{w.since, w.left})
			} else {
				one.pieces = append(one.pieces, c.pieces[p]...)
			}
			out[p] = one
		}
	}
	return out, nil
}
