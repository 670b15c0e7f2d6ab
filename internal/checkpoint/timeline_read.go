package checkpoint

import (
	"errors"
	"fmt"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// maxSteps bounds how many steps one question reads.
const maxSteps = 20_000

// lastStep is the newest step of a work tree, and its name. One that cannot be read is named and no more: what comes next begins a timeline
// anew, since nothing would ever be saved again otherwise.
func lastStep(r *repo.Repo) (tip repo.Hash, st *Step, err error) {
	tip, err = r.Resolve(stepRef(r))
	if errors.Is(err, repo.ErrNoRef) {
		return tip, nil, nil
	}
	if err != nil {
		return tip, nil, err
	}
	if st, err = readStep(r, tip); err != nil {
		return tip, nil, nil
	}
	return tip, st, nil
}

// Steps lists the timeline of a work tree, the newest first. Where a step cannot be read, those before it are not known.
func Steps(r *repo.Repo) ([]Step, error) {
	_, st, err := lastStep(r)
	var out []Step
	for st != nil && err == nil && len(out) < maxSteps {
		out = append(out, *st)
		if st.before.IsZero() {
			break
		}
		st, err = readStep(r, st.before)
	}
	if err != nil {
		return out, fmt.Errorf("timeline: %w", err)
	}
	return out, nil
}

// StepsSince lists the steps of the work tree's timeline since a time, the newest first, as far as they can be read.
func StepsSince(r *repo.Repo, since time.Time) []Step {
	tip, err := r.Resolve(stepRef(r))
	if err != nil {
		return nil
	}
	return stepsSince(r, tip, since, nil)
}

func stepsSince(r *repo.Repo, h repo.Hash, since time.Time, out []Step) []Step {
	for !h.IsZero() && len(out) < maxSteps {
		st, err := readStep(r, h)
		if err != nil || st.Time.Before(since) {
			break
		}
		out, h = append(out, *st), st.before
	}
	return out
}

// StepsElsewhere lists the steps of the repository's other work trees since a time, the newest of each first, as far as they can be read.
func StepsElsewhere(r *repo.Repo, since time.Time) (out []Step) {
	refs, err := r.Refs(stepRefs)
	if err != nil {
		return nil
	}
	for _, ref := range refs {
		if ref.Name == stepRef(r) {
			continue
		}
		out = stepsSince(r, ref.Hash, since, out)
	}
	return out
}

// SnapshotAt reads the snapshot of a step by its commit. It has no name among checkpoints; its pins are where references stood.
func SnapshotAt(r *repo.Repo, h repo.Hash) (*Checkpoint, error) {
	k, err := r.Commit(h)
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	c := &Checkpoint{Name: h.String()[:10], Commit: h, Tree: k.Tree, Time: k.Time}
	c.decode(k.Message)
	if err := c.readReferences(r); err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	return c, nil
}
