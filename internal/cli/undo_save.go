package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/undo"
)

// here refuses where a snapshot is of another folder than the work tree of now: nothing of that must be saved or touched.
func (u *undoing) here(h repo.Hash) error {
	if h.IsZero() {
		return nil
	}
	c, err := checkpoint.SnapshotAt(u.r, h)
	if err != nil {
		return nil // what reads it says so
	}
	return c.Here(u.r)
}

// presently saves what there is now. A turn that goes on is saved as it stands: what it has done until now is what is taken back.
func (e *env) presently(u *undoing, turns []undo.Turn, session string) (*checkpoint.Step, error) {
	step := checkpoint.Step{Kind: checkpoint.StepNow}
	if len(turns) > 0 && turns[0].Ended.IsZero() {
		step = checkpoint.Step{Kind: checkpoint.StepStop, Session: turns[0].Session, Turn: turns[0].Number, Prompt: turns[0].Prompt, From: turns[0].From, Were: turns[0].Vault}
	}
	at, err := e.saveNow(u, session, step)
	if err != nil {
		return nil, fmt.Errorf("nothing was changed: %w", err)
	}
	if len(turns) > 0 && turns[0].Ended.IsZero() {
		turns[0].To, turns[0].Copies, turns[0].Ended = at.Snapshot, at.Vault, at.Time
		if !u.dry {
			e.close(turns[0].Session, turns[0].Number)
		}
	}
	return at, u.line.Hear(u.r, turns, at.Snapshot)
}

// withHidden saves what there is now once more, with files that Git ignores by now: what an undo overwrites is kept before.
func (e *env) withHidden(u *undoing, ch *change, hidden []string) (*checkpoint.Checkpoint, error) {
	o := e.saving(u.r, ch.session)
	o.Also = hidden
	mark := func() (*checkpoint.Step, error) {
		step := checkpoint.Step{Kind: checkpoint.StepNow}
		if u.dry {
			return checkpoint.Look(u.ctx, u.r, o, step)
		}
		at, _, err := checkpoint.Mark(u.ctx, u.r, o, step, false)
		return at, err
	}
	at, err := mark()
	if err != nil {
		return nil, fmt.Errorf("nothing was changed: %w", err)
	}
	ch.now = at
	return checkpoint.SnapshotAt(u.r, at.Snapshot)
}

// leftHidden reports those of such files that were written last before the turns ended. What commands did to them there is in no snapshot.
func (e *env) leftHidden(u *undoing, ch *change, hidden []string) func(path string) bool {
	var until time.Time
	for i := range ch.turns {
		t := &ch.turns[i]
		if until.Before(t.Ended) {
			until = t.Ended
		}
		q := journal.Query{Types: []string{"turn_end"}, Session: t.Session, Turn: t.Number}
		_, _ = q.Run(state.JournalPath(e.stateDir(), e.projectRoot()), func(one *journal.Event) error {
			if until.Before(one.Created) {
				until = one.Created
			}
			return nil
		})
	}
	redone := slices.IndexFunc(u.line.Undos, func(one undo.Undo) bool { return one.Done })
	return func(path string) bool {
		if redone >= 0 && slices.Contains(hidden, path) && u.line.Undos[redone].Wrote(u.r, path) { // it came with a redo
			return true
		}
		fi, err := os.Lstat(u.r.Path(path))
		return err == nil && ch.only == "" && slices.Contains(hidden, path) && !fi.ModTime().After(until)
	}
}

// saveNow adds a step to the timeline. For a dry run it need not be in there, so that a lock of somebody else's stops none.
func (e *env) saveNow(u *undoing, session string, step checkpoint.Step) (*checkpoint.Step, error) {
	if u.dry {
		return checkpoint.Look(u.ctx, u.r, e.saving(u.r, session), step)
	}
	at, _, err := checkpoint.Mark(u.ctx, u.r, e.saving(u.r, session), step, step.Turn > 0)
	var held *repo.HeldLock
	if errors.As(err, &held) {
		return nil, nof("%w", held)
	}
	return at, err
}

// close notes that the timeline has the end of a turn.
func (e *env) close(session string, turn int) {
	err := undo.ChangeOpen(e.stateDir(), session, func(o *undo.Open) bool {
		o.Closed = o.Closed || o.Turn == turn
		return o.Turn == turn
	})
	if err != nil {
		fmt.Fprintf(e.err, "moai: warning: %s\n", oneLine(err.Error()))
	}
}

// saving are the options with which the timeline gets a step.
func (e *env) saving(r *repo.Repo, session string) checkpoint.CreateOptions {
	return checkpoint.CreateOptions{Ignored: undo.ReadOpen(e.stateDir(), session).Secrets, Recheck: true, VaultDir: e.vaultDir(), StateDir: e.stateDir(), Limits: handle.Limits(e.cfg(r.WorkTree), r)}
}

// restoring are the options with which an undo is carried out.
func (e *env) restoring(r *repo.Repo, session string) checkpoint.RestoreOptions {
	rules := e.risks(r.WorkTree)
	return checkpoint.RestoreOptions{Session: session, StateDir: e.stateDir(), Settings: rules.Settings, Now: time.Now(), NoLog: true}
}

// removeEmpty removes empty folders that the session made.
func removeEmpty(r *repo.Repo, list []string) (gone []string) {
	root, err := os.OpenRoot(r.WorkTree)
	if err != nil {
		return nil
	}
	defer root.Close()
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	for _, d := range list {
		if root.Remove(filepath.FromSlash(d)) == nil { // refused while something is in it
			gone = append(gone, d)
		}
	}
	return gone
}

// running names the session whose turn goes on in a work tree; "" for none.
func (e *env) running(r *repo.Repo) string {
	for _, s := range session.Open(e.stateDir(), time.Now().Add(-time.Hour)) {
		if s.Turn.Runs() && s.Now.In(disk.Real(r.WorkTree)) && s.Standing(time.Now()) != session.Gone {
			return s.ID
		}
	}
	return ""
}
