package handle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/stack"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// timeline keeps what the work tree looks like when a turn begins and ends, and around commands that may write: what `moai undo` goes by.
// Nothing is held up for longer than a checkpoint may take, and nothing said, but where a script takes what cannot be kept.
func (h *Handlers) timeline(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if h.DryRun {
		return hook.Answer{}, nil
	}
	if p := h.pending.Load(); p != nil && p.event == e {
		defer p.kept.Store(true)
	}
	if e.SessionID == "" || !h.keepsTurns() {
		if e.Name == "PreToolUse" && !h.stopped(e) {
			return h.unkept(ctx, e, nil), nil
		}
		return hook.Answer{}, nil
	}
	switch e.Name {
	case "UserPromptSubmit":
		if h.prompted(e) {
			a := h.turnBegins(ctx, e)
			a.Context = append(a.Context, undo.Notes(h.StateDir, e.SessionID)...)
			return a, nil
		}
	case "Stop", "StopFailure":
		if events.AgentID(e) == "" {
			h.turnEnds(ctx, e)
		}
	case "PreToolUse":
		return h.commandBegins(ctx, e), nil
	case "PostToolUse", "PostToolUseFailure":
		h.commandEnds(ctx, e)
	}
	return hook.Answer{}, nil
}

func (h *Handlers) keepsTurns() bool { return h.Config.Bool("checkpoint.turns") }

// lookFor is how long a look at the work tree is good for a snapshot: a file that is first changed after it is missing there, and
// comes with the next step, as what is changed after a snapshot does. Mostly some milliseconds lie between the two.
const lookFor = time.Second / 4

// lookAt is what this event has just seen of a work tree, nil where that is nothing. It is good for one snapshot.
func (h *Handlers) lookAt(r *repo.Repo) *repo.Look {
	if l := h.seen.Swap(nil); l != nil && time.Since(l.At) < lookFor && l.Of(r) {
		return l
	}
	return nil
}

// turnBegins keeps what there is before the first tool runs.
func (h *Handlers) turnBegins(ctx context.Context, e *hook.Event) (a hook.Answer) {
	h.neverRan(e)
	r, err := h.beginIn(ctx, e)
	turn := h.who(e).Turn
	if err != nil {
		h.open(e, func(o *undo.Open) bool {
			o.Starts(turn.Number, turn.Prompt, repo.Hash{}, repo.Hash{}, h.now().UTC())
			o.Tree, o.Why = ground.Follow(e.CWD), h.whyNone(err)
			return true
		})
		a = h.tellUnkept(e, ground.Follow(e.CWD), err)
	}
	if r == nil {
		return a
	}
	old := undo.ReadOpen(h.StateDir, e.SessionID)
	step := checkpoint.Step{Kind: checkpoint.StepPrompt, Session: e.SessionID, Turn: turn.Number, Prompt: turn.Prompt}
	if old.Turn > 0 && !old.Closed { // it was stopped, or its client ended: this is how it left things
		step = checkpoint.Step{Kind: checkpoint.StepStop, Session: e.SessionID, Turn: old.Turn, Prompt: old.Prompt, From: old.Start(), Were: old.Were()}
	}
	here := func(p string) bool { _, err := os.Lstat(r.Path(p)); return !errors.Is(err, fs.ErrNotExist) }
	if old.Tree == r.WorkTree {
		old.Loses(here)
	}
	secrets, others, looked := old.Secrets, old.Ignored, old.Looked
	if now := h.now().UTC(); old.Tree != r.WorkTree || now.Sub(looked) > lookAgain {
		secrets, others = h.ignoredFiles(ctx, r)
		looked = now
	}
	st, _, err := h.keep(ctx, r, step, append([]string{}, secrets...), false) // none is an answer, too
	h.open(e, func(o *undo.Open) bool {
		var from, vault repo.Hash
		if st != nil {
			from, vault = st.Snapshot, st.Vault
		}
		if o.Tree == r.WorkTree {
			o.Loses(here)
		}
		o.Starts(turn.Number, turn.Prompt, from, vault, h.now().UTC())
		o.Tried(errors.Is(err, context.DeadlineExceeded))
		o.Secrets, o.Ignored, o.Tree, o.Looked, o.Linked = secrets, others, r.WorkTree, looked, linked(r)
		if err != nil {
			o.Why = h.whyNone(err)
		}
		return true
	})
	if err != nil {
		a = h.tellUnkept(e, r.WorkTree, err)
	}
	return a
}

// keepLinked bounds how many work trees of a repository are known by their folders.
const keepLinked = 50

// linked are a repository's other work trees.
func linked(r *repo.Repo) (out []undo.Linked) {
	list := r.Linked()
	for i := range list[:min(len(list), keepLinked)] {
		if dir := list[i].Dir; dir != r.WorkTree {
			out = append(out, undo.Linked{Name: list[i].Name, Dir: dir})
		}
	}
	return out
}

// turnEnds keeps what the turn left.
func (h *Handlers) turnEnds(ctx context.Context, e *hook.Event) {
	h.neverRan(e)
	r := h.workTree(e)
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if r == nil || open.Turn == 0 || open.TooLate(r.WorkTree) {
		return
	}
	step := checkpoint.Step{Kind: checkpoint.StepStop, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Were: open.Were()}
	if step.From.IsZero() {
		step.Why = open.Why
	}
	if h.hasMoved(&open, r) { // it did nothing here that was seen
		if old := h.repositoryAt(ctx, open.Tree); old != nil {
			r = old
		}
	}
	st, fresh, err := h.keep(ctx, r, step, open.Secrets, true)
	h.open(e, func(o *undo.Open) bool {
		o.Closed = err == nil
		if tasks := events.BackgroundTasks(e); tasks.IsArray() && !hasItems(tasks) {
			o.Ends()
		}
		if err != nil {
			o.Why = h.whyNone(err)
		}
		return true
	})
	if fresh {
		h.thinOut(ctx, r, st)
		h.pack(ctx, r)
	}
}

// neverRan forgets calls that were refused, of which no event tells.
func (h *Handlers) neverRan(e *hook.Event) {
	if err := undo.NeverRan(h.StateDir, e.SessionID, NeverRan(events.TranscriptPath(e))); err != nil {
		h.Log.Warn("refused calls not forgotten", "err", err)
	}
}

func hasItems(list hook.Value) bool {
	for range list.Items() {
		return true
	}
	return false
}

// hasMoved reports a turn that goes on in another work tree than where it began, or was seen last.
func (h *Handlers) hasMoved(open *undo.Open, r *repo.Repo) bool {
	return open.Turn > 0 && !open.Closed && open.Tree != "" && open.Tree != r.WorkTree
}

// moves keeps what a turn left in a work tree that it goes out of, and what it finds where it goes on: each has a part of the turn.
func (h *Handlers) moves(ctx context.Context, e *hook.Event, open *undo.Open, to *repo.Repo) undo.Open {
	step := checkpoint.Step{Kind: checkpoint.StepStop, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Were: open.Were()}
	var left error
	if old := h.repositoryAt(ctx, open.Tree); old != nil && !step.From.IsZero() {
		_, _, left = h.keep(ctx, old, step, open.Secrets, true)
	}
	secrets, others := h.ignoredFiles(ctx, to)
	st, _, err := h.keep(ctx, to, checkpoint.Step{Kind: checkpoint.StepPrompt, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt}, append([]string{}, secrets...), false)
	h.open(e, func(o *undo.Open) bool {
		var from, vault repo.Hash
		if st != nil {
			from, vault = st.Snapshot, st.Vault
		}
		if left != nil {
			o.Why = h.whyNone(left)
		}
		o.Moves(to.WorkTree, from, vault)
		o.Secrets, o.Ignored, o.Looked = secrets, others, h.now().UTC()
		if err != nil {
			o.Why = h.whyNone(err)
		}
		return true
	})
	return undo.ReadOpen(h.StateDir, e.SessionID)
}

// repositoryAt is the repository of a work tree, or that moai keeps for a folder in none; nil without one.
func (h *Handlers) repositoryAt(ctx context.Context, tree string) *repo.Repo {
	r, err := repo.Open(tree)
	if errors.Is(err, repo.ErrNone) {
		r, err = h.outside(ctx, tree, false)
	}
	if err != nil || r.Bare() || r.WorkTree != tree {
		return nil
	}
	return r
}

// workTree is the repository in which a session works, or that moai keeps for a folder in none; nil without one.
func (h *Handlers) workTree(e *hook.Event) *repo.Repo {
	r, err := repo.Open(e.CWD)
	if errors.Is(err, repo.ErrNone) {
		r, err = h.outside(context.Background(), e.CWD, false)
	}
	if err != nil || r.Bare() {
		return nil
	}
	return r
}

// beginIn is workTree that makes what is not there yet. The error says why a folder outside Git has none; it is nil where nobody would expect one.
func (h *Handlers) beginIn(ctx context.Context, e *hook.Event) (*repo.Repo, error) {
	if r := h.workTree(e); r != nil {
		return r, nil
	}
	if _, err := repo.Open(e.CWD); !errors.Is(err, repo.ErrNone) {
		return nil, nil
	}
	if old := undo.ReadOpen(h.StateDir, e.SessionID); old.Why != "" && old.Tree == ground.Follow(e.CWD) && h.now().Sub(old.Began) < lookAgain {
		return nil, errors.New(old.Why)
	}
	r, err := h.outside(ctx, e.CWD, true)
	if errors.Is(err, repo.ErrNone) {
		err = nil
	}
	return r, err
}

// keep adds a step to the timeline, within the time that a checkpoint may take. Where that is over, the timeline says so.
func (h *Handlers) keep(ctx context.Context, r *repo.Repo, step checkpoint.Step, ignored []string, recheck bool) (st *checkpoint.Step, fresh bool, err error) {
	NoCollection()
	limit := h.Config.Duration("checkpoint.timeout")
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-spare)
	}
	until, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type result struct {
		st    *checkpoint.Step
		fresh bool
		err   error
	}
	look, from := h.lookAt(r), h.copiesFor(r).from
	done := make(chan result, 1) // beside this goroutine: a disk that hangs must not hold the answer up
	go func() {
		stack.Grow()
		var res result
		defer func() {
			if p := recover(); p != nil {
				res.err = fmt.Errorf("panic: %v", p)
			}
			done <- res
		}()
		res.st, res.fresh, res.err = checkpoint.Mark(until, r, checkpoint.CreateOptions{
			Limits: Limits(h.Config, r), Ignored: ignored, Recheck: recheck, VaultDir: filepath.Join(h.StateDir, "vault"), StateDir: h.StateDir, Now: h.now(), Look: look, Shared: []repo.Hash{from},
		}, step, false)
	}()
	select {
	case res := <-done:
		if res.err == nil {
			return res.st, res.fresh, nil
		}
		err = res.err
	case <-until.Done():
		err = until.Err()
	}
	h.Log.Warn("turn not kept", "err", err)
	step.Why, step.Vault = h.whyNone(err), from
	missed := make(chan struct{})
	go func() {
		defer close(missed)
		defer func() { _ = recover() }()
		if err := checkpoint.MarkMissing(r, step, h.now()); err != nil {
			h.Log.Info("missing snapshot not marked", "err", err)
		}
	}()
	select {
	case <-missed:
	case <-time.After(spare / 3):
	}
	return nil, false, err
}

// whyNone is why there is no snapshot, in a line for people.
func (h *Handlers) whyNone(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "there was no time left (checkpoint.timeout)"
	}
	var held *repo.HeldLock
	if errors.As(err, &held) { // the rest of the words does not help, and what to do stands at the end of these
		return term.OneLine(h.mask(held.Error()), 2*promptRunes)
	}
	text := err.Error()
	var at *fs.PathError
	if errors.As(err, &at) { // the cause first: there is little room in a status line
		text = at.Err.Error() + ": " + at.Path
	}
	return term.OneLine(h.mask(text), promptRunes)
}

// open edits what is known of the session's turn.
func (h *Handlers) open(e *hook.Event, change func(*undo.Open) bool) {
	if err := undo.ChangeOpen(h.StateDir, e.SessionID, change); err != nil {
		h.Log.Warn("turn not kept", "err", err)
	}
}
