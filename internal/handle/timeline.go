package handle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/walk"
)

// timeline keeps what the work tree looks like when a turn begins and ends, and around commands that may write: what `moai undo` goes by.
// Nothing is said, and nothing is held up for longer than a checkpoint may take.
func (h *Handlers) timeline(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun || !h.Config.Bool("checkpoint.turns") {
		return hook.Answer{}, nil
	}
	switch e.Name {
	case "UserPromptSubmit":
		if h.prompted(e) {
			h.turnBegins(ctx, e)
			return hook.Answer{Context: undo.Notes(h.StateDir, e.SessionID)}, nil
		}
	case "Stop", "StopFailure":
		if events.AgentID(e) == "" {
			h.turnEnds(ctx, e)
		}
	case "PreToolUse":
		h.commandBegins(ctx, e)
	case "PostToolUse", "PostToolUseFailure":
		h.commandEnds(ctx, e)
	}
	return hook.Answer{}, nil
}

// turnBegins keeps what there is before the first tool runs.
func (h *Handlers) turnBegins(ctx context.Context, e *hook.Event) {
	r, err := h.beginIn(ctx, e)
	turn := h.who(e).Turn
	if err != nil {
		h.open(e, func(o *undo.Open) bool {
			o.Starts(turn.Number, turn.Prompt, repo.Hash{}, repo.Hash{}, h.now().UTC())
			o.Tree, o.Why = ground.Follow(e.CWD), h.whyNone(err)
			return true
		})
	}
	if r == nil {
		return
	}
	old := undo.ReadOpen(h.StateDir, e.SessionID)
	step := checkpoint.Step{Kind: checkpoint.StepPrompt, Session: e.SessionID, Turn: turn.Number, Prompt: turn.Prompt}
	if old.Turn > 0 && !old.Closed { // it was stopped, or its client ended: this is how it left things
		step = checkpoint.Step{Kind: checkpoint.StepStop, Session: e.SessionID, Turn: old.Turn, Prompt: old.Prompt, From: old.Start(), Were: old.Were()}
	}
	secrets, others, looked := old.Secrets, old.Ignored, old.Looked
	if now := h.now().UTC(); old.Tree != r.WorkTree || now.Sub(looked) > lookAgain {
		secrets, others = h.ignoredFiles(ctx, r)
		looked = now
	}
	st, _, err := h.keep(ctx, r, step, append([]string{}, secrets...), false) // none is an answer, too
	h.open(e, func(o *undo.Open) bool {
		o.Secrets, o.Ignored, o.Tree, o.Looked = secrets, others, r.WorkTree, looked
		var from, vault repo.Hash
		if st != nil {
			from, vault = st.Snapshot, st.Vault
		}
		o.Starts(turn.Number, turn.Prompt, from, vault, h.now().UTC())
		if err != nil {
			o.Why = h.whyNone(err)
		}
		return true
	})
}

// turnEnds keeps what the turn left.
func (h *Handlers) turnEnds(ctx context.Context, e *hook.Event) {
	r := h.workTree(e)
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if r == nil || open.Turn == 0 {
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

// commandBegins keeps what a command that may write finds.
func (h *Handlers) commandBegins(ctx context.Context, e *hook.Event) {
	call := callKey(e)
	if call == "" || h.stopped(e) || !h.mayWrite(e) && h.copied.Load() == nil && !h.changedBehind(e) {
		return
	}
	r := h.workTree(e)
	if r == nil {
		return
	}
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if h.hasMoved(&open, r) {
		open = h.moves(ctx, e, &open, r)
	}
	files := h.withCopies(r, open.Secrets)
	st, _, err := h.keep(ctx, r, checkpoint.Step{Kind: checkpoint.StepBefore, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Were: open.Were(), Command: h.line(e), Call: call}, files, true)
	h.open(e, func(o *undo.Open) bool {
		o.Secrets = h.withCopies(r, o.Secrets) // another call may have added some meanwhile
		if err != nil {
			o.Why = h.whyNone(err)
			return true
		}
		o.Begin(call, h.line(e), h.now().UTC(), st.Snapshot, st.Vault)
		return true
	})
}

// noteCopies keeps for the timeline which files that Git ignores a snapshot has copied for this call.
func (h *Handlers) noteCopies(saved []shot) {
	by := map[string][]string{}
	for i := range saved {
		if list := saved[i].Vaulted; len(list) > 0 {
			by[saved[i].root] = append(by[saved[i].root], list[:min(len(list), ignoredNames)]...)
		}
	}
	if len(by) > 0 {
		h.copied.Store(&by)
	}
}

// withCopies are the files that Git ignores and that a step has copies of, with those that were just found to be in danger.
func (h *Handlers) withCopies(r *repo.Repo, known []string) []string {
	by := h.copied.Load()
	if by == nil || len((*by)[r.WorkTree]) == 0 {
		return known
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(known, (*by)[r.WorkTree]))))
}

// hasMoved reports a turn that goes on in another work tree than where it began, or was seen last.
func (h *Handlers) hasMoved(open *undo.Open, r *repo.Repo) bool {
	return open.Turn > 0 && !open.Closed && open.Tree != "" && open.Tree != r.WorkTree
}

// moves keeps what a turn left in a work tree that it goes out of, and what it finds where it goes on: each has a part of the turn.
func (h *Handlers) moves(ctx context.Context, e *hook.Event, open *undo.Open, to *repo.Repo) undo.Open {
	step := checkpoint.Step{Kind: checkpoint.StepStop, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Were: open.Were()}
	if old := h.repositoryAt(ctx, open.Tree); old != nil && !step.From.IsZero() {
		_, _, _ = h.keep(ctx, old, step, open.Secrets, true) // what failed is written down there
	}
	secrets, others := h.ignoredFiles(ctx, to)
	st, _, err := h.keep(ctx, to, checkpoint.Step{Kind: checkpoint.StepPrompt, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt}, append([]string{}, secrets...), false)
	h.open(e, func(o *undo.Open) bool {
		var from, vault repo.Hash
		if st != nil {
			from, vault = st.Snapshot, st.Vault
		}
		o.Moves(to.WorkTree, from, vault)
		o.Secrets, o.Ignored, o.Looked, o.Why = secrets, others, h.now().UTC(), ""
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

// commandEnds keeps what a command left, if that is not what it found.
func (h *Handlers) commandEnds(ctx context.Context, e *hook.Event) {
	runs := h.Tables.Risks.RunsCommand(e.ToolName)
	if !runs && !h.writes(e.ToolName) {
		return
	}
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if call := callKey(e); runs && slices.Contains(open.Asked, call) { // what a tool wrote is in the timeline, or named
		line := h.line(e)
		h.note(e, "ran after a question: "+line, types.AskedRan{Call: call, Command: line})
	}
	since, were, known := open.Done(callKey(e))
	if !known {
		return
	}
	r := h.workTree(e)
	if r == nil {
		return
	}
	if !since.IsZero() && !r.HasObject(since) { // it went elsewhere, or a repository began with it: it is told where what was before it is
		if r = h.repositoryAt(ctx, open.Tree); r == nil || !r.HasObject(since) {
			if r, _ = h.outside(ctx, e.CWD, false); r == nil || !r.HasObject(since) {
				return
			}
		}
	}
	words := h.alters(e, r)
	st, _, err := h.keep(ctx, r, checkpoint.Step{
		Kind: checkpoint.StepAfter, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Since: since, Were: were, Command: h.line(e), Call: callKey(e), Words: words,
	}, open.Secrets, true)
	h.open(e, func(o *undo.Open) bool {
		_, _, known := o.Done(callKey(e))
		if err != nil {
			o.Why = h.whyNone(err)
		}
		return known || err != nil
	})
	if runs && st != nil && !since.IsZero() && (st.Snapshot != since || st.Vault != were) {
		h.commandChanged(e, r, undo.Ended{Session: e.SessionID, Command: h.line(e), Words: words, Since: since, Left: st.Snapshot})
	}
}

// besideFor is how long ago another session may have been heard of whose command may still run.
const besideFor = time.Hour

// alters is what an event's command changes by its own words. That is asked for where another session may have done something at the same time.
func (h *Handlers) alters(e *hook.Event, r *repo.Repo) (w checkpoint.Words) {
	if session.Alone(h.StateDir, e.SessionID, h.now().Add(-besideFor)) {
		return w
	}
	if !h.Tables.Risks.RunsCommand(e.ToolName) {
		for _, abs := range h.written(e) {
			if p, err := checkpoint.Relative(r, "", abs); err == nil {
				w.Files = append(w.Files, p)
			}
		}
		w.Only, w.Still = true, true
		return w
	}
	a := h.Tables.Risks.Alters(events.ToolInput(e).Get("command").Text(), e.CWD, h.Home)
	w.Only, w.Still = a.Only, a.Still
	for _, abs := range a.Files {
		if p, err := checkpoint.Relative(r, "", abs); err == nil {
			w.Files = append(w.Files, p)
		}
	}
	return w
}

// namedFiles is how many files of a command's change the journal names.
const namedFiles = 1000

// commandChanged writes down that a command changed something. Numbers of files and commands in every report are sums of these entries and of
// edits, so that all reports say the same.
func (h *Handlers) commandChanged(e *hook.Event, r *repo.Repo, ended undo.Ended) {
	c, err := undo.CommandChange(r, ended, h.byOthers(e, r))
	if err != nil {
		h.Log.Warn("change of a command not told", "err", err)
		return
	}
	if c == nil {
		return
	}
	line, top := h.line(e), root(e)
	entry := types.CommandChange{Command: line, Files: len(c.Paths)}
	for _, p := range c.Paths[:min(len(c.Paths), namedFiles)] {
		entry.Paths = append(entry.Paths, relative(top, filepath.Join(r.WorkTree, filepath.FromSlash(p))))
	}
	if !c.Head.IsZero() {
		entry.Commit = c.Head.String()
	}
	h.note(e, line, entry)
}

// byOthers asks what tools of other sessions have written in a work tree since a time, and which of their commands run; nil where no other
// session was seen.
func (h *Handlers) byOthers(e *hook.Event, r *repo.Repo) func(since time.Time) (func(path string) bool, []undo.Open) {
	return func(since time.Time) (wrote func(path string) bool, run []undo.Open) {
		if session.Alone(h.StateDir, e.SessionID, h.now().Add(-besideFor)) && session.Alone(h.StateDir, e.SessionID, since) {
			return nil, nil
		}
		list := session.Lately(h.StateDir, e.SessionID, since, h.now().UTC())
		return func(path string) bool {
			by, _ := session.Wrote(list, h.hidePath(session.Real(r.Path(path))), since)
			return len(by) > 0
		}, undo.Running(h.StateDir, r.WorkTree, e.SessionID)
	}
}

// mayWrite reports a call of a command that is not known to only read.
func (h *Handlers) mayWrite(e *hook.Event) bool {
	return h.Tables.Risks.RunsCommand(e.ToolName) && !h.onlyReads(e)
}

// onlyReads is risk.Set.OnlyReads of an event's command, asked once a call.
func (h *Handlers) onlyReads(e *hook.Event) bool {
	if known := h.reads.Load(); known != nil {
		return *known
	}
	reads := h.Tables.Risks.OnlyReads(events.ToolInput(e).Get("command").Text(), e.CWD, h.Home)
	h.reads.Store(&reads)
	return reads
}

// stopped reports a call that the guard has refused: it changes nothing.
func (h *Handlers) stopped(e *hook.Event) bool {
	p := h.pending.Load()
	return p != nil && p.event == e && p.verdict.Action == risk.Deny
}

// line is the command of an event as it may be kept.
func (h *Handlers) line(e *hook.Event) string {
	if !h.Tables.Risks.RunsCommand(e.ToolName) {
		names := []string{e.ToolName}
		for _, p := range h.written(e) {
			names = append(names, relative(root(e), p))
		}
		return term.OneLine(h.mask(strings.Join(names, " ")), promptRunes)
	}
	return term.OneLine(h.mask(events.ToolInput(e).Get("command").Text()), promptRunes)
}

// tick is how much older than the clock the time of a file may be: file systems go by the kernel's ticks.
const tick = 20 * time.Millisecond

// settles is how long after an edit a change of the same file is taken for that of a formatter, which another hook has run.
const settles = 3 * time.Second

// changedBehind reports a call of a tool that writes a file which somebody has changed since the turn began, and not a tool of this session:
// what is there is kept as it is found, so that it does not go with what the call does.
func (h *Handlers) changedBehind(e *hook.Event) bool {
	if !h.writes(e.ToolName) {
		return false
	}
	self := h.who(e)
	if self == nil || self.Turn.Began.IsZero() {
		return false
	}
	return slices.ContainsFunc(h.written(e), func(path string) bool {
		fi, err := os.Lstat(path)
		if err != nil || !fi.Mode().IsRegular() || !fi.ModTime().Add(tick).After(self.Turn.Began) {
			return false
		}
		real := h.hidePath(session.Real(path))
		return !slices.ContainsFunc(self.Wrote, func(w session.Write) bool { return w.Path == real && !w.At.Add(settles).Before(fi.ModTime()) })
	})
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
	done := make(chan result, 1) // beside this goroutine: a disk that hangs must not hold the answer up
	go func() {
		var res result
		defer func() {
			if p := recover(); p != nil {
				res.err = fmt.Errorf("panic: %v", p)
			}
			done <- res
		}()
		res.st, res.fresh, res.err = checkpoint.Mark(until, r, checkpoint.CreateOptions{
			Limits: Limits(h.Config, r), Ignored: ignored, Recheck: recheck, VaultDir: filepath.Join(h.StateDir, "vault"), StateDir: h.StateDir, Now: h.now(),
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
	step.Why = h.whyNone(err)
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
	return term.OneLine(h.mask(err.Error()), promptRunes)
}

// open edits what is known of the session's turn.
func (h *Handlers) open(e *hook.Event, change func(*undo.Open) bool) {
	if err := undo.ChangeOpen(h.StateDir, e.SessionID, change); err != nil {
		h.Log.Warn("turn not kept", "err", err)
	}
}

// thinOut takes old steps out of the timeline, with the first turn that ends in an hour, and what killed processes have left.
func (h *Handlers) thinOut(ctx context.Context, r *repo.Repo, st *checkpoint.Step) {
	if before := st.Before(r); before.IsZero() || before.Truncate(time.Hour).Equal(st.Time.Truncate(time.Hour)) {
		return
	}
	o := checkpoint.PruneOptions{Limits: Retention(h.Config), VaultDir: filepath.Join(h.StateDir, "vault"), Now: h.now()}
	gone, err := checkpoint.ThinOut(r, o)
	if err != nil {
		h.Log.Warn("timeline not thinned out", "err", err)
	}
	checkpoint.Sweep(r, o.VaultDir, o.Now)
	if gone > 0 {
		h.spareTime(ctx, func(ctx context.Context) error { _, err := checkpoint.Tidy(ctx, r, o.Now); return err })
	}
}

// pack puts the many small files of snapshots into one, before Git's own gc finds that there are too many.
func (h *Handlers) pack(ctx context.Context, r *repo.Repo) {
	h.spareTime(ctx, func(ctx context.Context) error { _, err := checkpoint.Pack(ctx, r, true); return err })
}

// spareTime does what can wait, in what is left of the time of an event whose answer nobody waits for.
func (h *Handlers) spareTime(ctx context.Context, work func(context.Context) error) {
	limit := h.Config.Duration("checkpoint.timeout")
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-spare)
	}
	if limit <= 0 {
		return
	}
	until, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := work(until); err != nil && until.Err() == nil {
		h.Log.Warn("snapshots not tidied up", "err", err)
	}
}

// lookAgain is how long the files with credentials that were found are those that there are: what is in them is looked at each time.
const lookAgain = 10 * time.Minute

// ignoredNames is how many files that Git ignores are known by their names, and ignoredLooks how many others are asked about.
const (
	ignoredNames = 200
	ignoredLooks = 5000
)

// ignoredFiles are the files that Git ignores in the top levels of the work tree, where people have them: those that hold secrets by their
// names, and others that no build makes again. Files of the index need no look.
func (h *Handlers) ignoredFiles(ctx context.Context, r *repo.Repo) (secrets, others []string) {
	var list []string
	rules := h.Tables.Risks
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	var mu sync.Mutex
	options := walk.Options{Skip: rules.Rebuilt, Links: true, Files: doomedFiles, Depth: unseenLevels}
	_, _ = walk.Files(ctx, r.WorkTree, options, func(f walk.File) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, f.Path)
	})
	match := r.Ignore()
	dirs := map[string]*ignore.Dir{}
	looks := 0
	list = slices.DeleteFunc(list, func(p string) bool {
		at := strings.LastIndexByte(p, '/') + 1
		if looks++; looks > ignoredLooks && !rules.Sensitive(p) {
			return true
		}
		dir := dirs[p[:at]]
		if dir == nil {
			dir = match.Dir(p[:at])
			dirs[p[:at]] = dir
		}
		return !dir.Ignored() && !dir.Match(p[at:], false)
	})
	if len(list) == 0 {
		return nil, nil
	}
	ix, err := r.IndexAbout(nil, list...)
	if err != nil {
		return nil, nil
	}
	slices.Sort(list)
	for _, p := range list {
		_, tracked := ix.Find(p)
		switch {
		case tracked:
		case rules.Sensitive(p):
			secrets = append(secrets, p)
		case len(others) < ignoredNames && !rules.Rebuilt(p) && !strings.HasPrefix(p, ".moai/"):
			others = append(others, p)
		}
	}
	return secrets, others
}

// callKey tells the calls of a session apart. The client's own id is free text, so it is kept as a sum: nothing of it can be a secret.
func callKey(e *hook.Event) string {
	id := events.ToolUseID(e)
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}
