package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
)

// A timeline is what a work tree looked like when turns of agents began and ended, and around their commands. Its steps have one
// reference together, however many they are, so that nothing that lists references gets slower: each is a small commit with the
// step before it and its snapshot among the parents. The snapshot is a commit like that of a checkpoint, which also holds where branches
// and stash entries stood; steps between which nothing has changed share one.
const stepRefs = Hidden + "turns/"

// stepRef is the timeline of a work tree.
func stepRef(r *repo.Repo) string {
	if name := Worktree(r); name != "" {
		return stepRefs + "trees/" + name
	}
	return stepRefs + "main"
}

// marking is a step that is about to be added.
type marking struct {
	step   Step
	tip    repo.Hash   // what the reference says
	last   *Step       // the newest of the timeline; nil where there is none that can be read
	held   *Checkpoint // its snapshot
	always bool        // also where nothing has changed
	loose  bool        // in no timeline where that is locked
	fresh  bool        // it was added
}

// Mark adds a step with a snapshot of the work tree as it is now. Where that is what the last step holds, none is added unless
// always is set, and the last one is given back: fresh tells which. Ignored, where it is not nil, are all files that Git ignores and
// that are worth a copy; else those that the last step knows of count.
func Mark(ctx context.Context, r *repo.Repo, o CreateOptions, step Step, always bool) (_ *Step, fresh bool, err error) {
	return mark(ctx, r, o, marking{step: step, always: always})
}

// Look is Mark for who only asks what would be done: where the timeline is locked, the step is in none, and Git's next gc takes it.
func Look(ctx context.Context, r *repo.Repo, o CreateOptions, step Step) (*Step, error) {
	st, _, err := mark(ctx, r, o, marking{step: step, loose: true})
	return st, err
}

// TurnsLock is the lock of a work tree's timeline that somebody holds, or has left; nil without one.
func TurnsLock(r *repo.Repo) *repo.HeldLock { return r.LockOf(stepRef(r)) }

func mark(ctx context.Context, r *repo.Repo, o CreateOptions, want marking) (_ *Step, fresh bool, err error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	o.Operation, o.Session, o.NoLog, o.Branch, o.alone, o.remember = "turn", want.step.Session, true, false, true, manyFiles
	want.step.Time = o.Now.Truncate(time.Millisecond)
	st, fresh, again, err := markOnce(ctx, r, &o, want)
	if !again {
		return st, fresh, err
	}
	o.Look = nil
	locked := 0 // tries that met a lock and waited for it: a lock that outlives several of them was left behind
	tries := func(n int) error {
		for ; n > 0 && again && ctx.Err() == nil; n-- {
			if errors.Is(err, repo.ErrLocked) {
				if locked++; locked > 2 {
					break
				}
			}
			st, fresh, again, err = markOnce(ctx, r, &o, want)
		}
		return nil
	}
	patience := turnWait
	if end, ok := ctx.Deadline(); ok {
		patience = min(patience, time.Until(end))
	}
	if o.StateDir == "" || errors.Is(state.LockedWithin(state.LockPath(o.StateDir, r.Path(stepRef(r))), patience, func() error { return tries(mostMarks) }), state.ErrBusy) {
		_ = tries(2)
	}
	return st, fresh, err
}

// Where dozens of calls end at the same moment, those whose first try came too late wait for one another: each looks at the work tree again, and would
// find the timeline moved once more by the next.
const (
	turnWait  = 8 * time.Second // for who has no deadline
	mostMarks = 10              // tries of one whose turn it is, since others come in between with their first
)

// markOnce is one try; again says that another one may do.
func markOnce(ctx context.Context, r *repo.Repo, o *CreateOptions, want marking) (_ *Step, fresh, again bool, err error) {
	one, m := *o, want
	if m.tip, m.last, err = lastStep(r); isDamaged(err) && r.DropDamaged(stepRef(r)) == nil { // else nothing would ever be saved again
		m.tip, m.last, err = lastStep(r)
	}
	if err != nil {
		return nil, false, false, fmt.Errorf("timeline: %w", err)
	}
	if m.last != nil && !m.last.Snapshot.IsZero() {
		m.held, _ = SnapshotAt(r, m.last.Snapshot) // one that cannot be read is not used again
	}
	if err := m.here(r); err != nil {
		return nil, false, false, err
	}
	one.Ignored, m.step.Vault = ignoredNow(r, o, m.last)
	one.Ignored = slices.DeleteFunc(slices.Clone(one.Ignored), func(p string) bool { return inTheWay(r, p) != "" }) // moved, and a link left behind
	if m.last != nil {
		one.Shared = append(slices.Clone(o.Shared), m.last.Vault)
	}
	one.mark = &m
	_, err = create(ctx, r, one)
	switch {
	case err == nil:
		return &m.step, m.fresh, false, nil
	case errors.Is(err, errPruned):
		o.apart = true
	case errors.Is(err, repo.ErrLocked):
		r.GiveUpLocks(stepRef(r))
	case !errors.Is(err, repo.ErrRefMoved) && !errors.Is(err, repo.ErrRefExists): // else another session was faster
		return nil, false, false, err
	}
	return nil, false, true, err
}

// here gives an error where what the step ends began in another folder.
func (m *marking) here(r *repo.Repo) error {
	if m.held != nil && m.held.elsewhere == "" { // nearly always
		return nil
	}
	for _, h := range [...]repo.Hash{m.step.From, m.step.Since} {
		if h.IsZero() {
			continue
		}
		if was, err := SnapshotAt(r, h); err == nil {
			if err := was.Here(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// MarkMissing adds a step that says why there is no snapshot. Its Vault may name one that was taken for something else and has copies of what Git
// ignores.
func MarkMissing(r *repo.Repo, step Step, now time.Time) error {
	step.Kind, step.Time = StepMissing, now.Truncate(time.Millisecond)
	tip, last, err := lastStep(r)
	if err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	if last != nil {
		step.before = last.Link
	}
	w := r.NewWriter(repo.WriteOptions{})
	defer w.Abort()
	s := &snapshot{r: r, w: w, opts: &CreateOptions{Now: now}}
	if err := s.link(&step, tip); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	return nil
}

// chain makes the snapshot a step. The checkpoint has no name and no reference of its own.
func (s *snapshot) chain(c *Checkpoint, v *vault) (err error) {
	m := s.opts.mark
	var known *Checkpoint
	if m.last != nil {
		known = m.held
	}
	pins, err := stepPins(s.r)
	if err != nil {
		return err
	}
	if c.refs, err = s.keepRefs(pins, known); err != nil {
		return err
	}
	same := m.held != nil && s.same(c, m.held, v) && (len(c.Vaulted) == 0 || slices.Equal(c.Vaulted, m.held.Vaulted)) // one that went is a change
	st := &m.step
	if same && len(c.Vaulted) > 0 {
		st.Vault = m.last.Snapshot
	}
	if same && !m.always && st.Vault == m.last.Vault && !st.tells(m.last) {
		m.step = *m.last
		return nil
	}
	if m.last != nil {
		st.before = m.last.Link
	}
	if same {
		st.Snapshot = m.last.Snapshot
	} else {
		if err := s.writeCommits(c, repo.Hash{}); err != nil {
			return err
		}
		st.Snapshot = c.Commit
		if err := v.keep(c.Commit); err != nil {
			return err
		}
		if len(c.Vaulted) > 0 {
			st.Vault = c.Commit
		}
	}
	if err := s.link(st, m.tip); err != nil {
		if !same {
			v.forget(c.Commit)
		}
		return err
	}
	if !same {
		v.note(s.r)
	}
	m.fresh = true
	return nil
}

// tells reports a step that is worth adding though the one before it holds the same: it is another session's, and would be taken for all that
// happened until then.
func (st *Step) tells(last *Step) bool {
	if last.Session == st.Session && last.Turn == st.Turn {
		return false
	}
	switch st.Kind {
	case StepStop:
		return st.From != last.Snapshot
	case StepAfter:
		return st.Since != last.Snapshot
	}
	return false
}

// link writes the commit of a step, waits for the disk, and moves the reference there.
func (s *snapshot) link(st *Step, old repo.Hash) (err error) {
	st.Settings = s.r.SettingsName()
	if st.Link, err = s.linkObject(st); err != nil {
		return err
	}
	return s.point(st.Link, old)
}

// point waits until all that was added is on disk, and moves the timeline there from where it was.
func (s *snapshot) point(to, old repo.Hash) error {
	ref := stepRef(s.r)
	p, err := s.r.PrepareMove(ref, old, to)
	if m := s.opts.mark; m != nil && m.loose && errors.Is(err, repo.ErrLocked) {
		return s.w.Flush()
	}
	if err != nil {
		return err
	}
	if err := s.w.Flush(p.Sync); err != nil {
		p.Rollback()
		return err
	}
	if err := p.Commit(); err != nil {
		return err
	}
	if s.settled() {
		return nil
	}
	// What a gc has taken away must not be named by what stays.
	if old.IsZero() {
		_, err = s.r.DeleteRefs([]repo.RefValue{{Name: ref, Hash: to}}, repo.PackedWait)
	} else {
		err = s.r.UpdateRef(ref, to, old)
	}
	return errors.Join(errPruned, err)
}

// linkObject adds the commit of a step. What it speaks of becomes its parents, so that nothing of that is collected. What a session remembers may
// be of a repository that stood here before this one, cloned anew, say: the step speaks of nothing that is not in this one, since Git's own gc
// fails where a parent is missing.
func (s *snapshot) linkObject(st *Step) (repo.Hash, error) {
	var parents []repo.Hash
	for _, h := range [...]*repo.Hash{&st.before, &st.Snapshot, &st.From, &st.Since, &st.Vault, &st.Were} {
		switch {
		case h.IsZero() || slices.Contains(parents, *h):
		case s.w.Added(*h) || s.r.HasObject(*h):
			parents = append(parents, *h)
		default:
			*h = repo.Hash{}
		}
	}
	tree, err := s.w.Add(repo.KindTree, nil)
	if err != nil {
		return tree, err
	}
	return s.commitObject(tree, parents, st.encode())
}
