package undo

import (
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
	left          map[string]checkpoint.Side // what the second holds of the paths
}

// changeOf compares two snapshots of the timeline.
func changeOf(r *repo.Repo, since, left repo.Hash) (*Change, error) {
	before, err := checkpoint.SnapshotAt(r, since)
	if err != nil {
		return nil, err
	}
	after, err := checkpoint.SnapshotAt(r, left)
	if err != nil {
		return nil, err
	}
	files, _, err := checkpoint.Differences(r, before, after)
	if err != nil {
		return nil, err
	}
	c := &Change{before: before, after: after, left: map[string]checkpoint.Side{}}
	for i := range files {
		c.Paths = append(c.Paths, files[i].Path)
		c.left[files[i].Path] = files[i].New
	}
	if after.Head != before.Head {
		c.Head = after.Head
	}
	return c, nil
}

// maxAsked is of how many files it is asked who else has written them.
const maxAsked = 1000

// CommandChange is what a command of a session changed that has just ended, by the snapshots around it; nil where all of it was others' doing.
// others are asked for what their tools have written since the command began: nil where there were none, else what tells it of a path.
func CommandChange(r *repo.Repo, session string, since, left repo.Hash, others func(since time.Time) func(path string) bool) (*Change, error) {
	c, err := changeOf(r, since, left)
	if err != nil {
		return nil, err
	}
	written := others(c.before.Time)
	if written == nil {
		return c, nil
	}
	all := len(c.Paths)
	if all <= maxAsked {
		c.Paths = slices.DeleteFunc(c.Paths, func(p string) bool { return written(p) })
	}
	var beside []rival
	for i, list := range [...][]checkpoint.Step{checkpoint.StepsSince(r, c.before.Time), checkpoint.StepsElsewhere(r, c.before.Time)} {
		for _, st := range list {
			if st.Session != session && st.Changed() {
				beside = append(beside, rival{st.Session, st.Time, st.Since, st.Snapshot, i == 0})
			}
		}
	}
	if len(beside) == 0 && all == len(c.Paths) {
		return c, nil
	}
	now := time.Now()
	if err := c.without(r, now, beside); err != nil {
		return nil, err
	}
	moved, _, err := theirs(r, beside, now, c.before, c.after)
	if err != nil {
		return nil, err
	}
	if len(c.Paths) == 0 && c.Head.IsZero() && (all > 0 || len(moved) > 0) && !movesOwn(c.before, c.after, moved) {
		return nil, nil
	}
	return c, nil
}

// without takes out what commands of others that ended meanwhile have left as the second snapshot has it: theirs, though it was seen here.
func (c *Change) without(r *repo.Repo, until time.Time, beside []rival) error {
	for _, d := range beside {
		if !d.here || d.at.Before(c.before.Time) || d.at.After(until) || len(c.Paths) == 0 && c.Head.IsZero() {
			continue
		}
		theirs, err := changeOf(r, d.since, d.left)
		if err != nil {
			return err
		}
		c.Paths = slices.DeleteFunc(c.Paths, func(p string) bool {
			side, did := theirs.left[p]
			return did && side == c.left[p]
		})
		if !c.Head.IsZero() && theirs.Head == c.Head {
			c.Head = repo.Hash{}
		}
	}
	return nil
}

// changedBy are the files that commands changed, and when the first of each had done so. Those that are foreign as a command left them are not
// among them.
func changedBy(r *repo.Repo, list []Command, beside []rival, foreign func(path string, left checkpoint.Side) bool) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	for _, c := range list {
		ch, err := changeOf(r, c.Since, c.Left)
		if err != nil {
			return nil, err
		}
		if err := ch.without(r, c.At, beside); err != nil {
			return nil, err
		}
		for _, p := range ch.Paths {
			if foreign != nil && foreign(p, ch.left[p]) {
				continue
			}
			if at, known := out[p]; !known || c.At.Before(at) {
				out[p] = c.At
			}
		}
	}
	return out, nil
}
