package handle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// tick is how much older than the clock the time of a file may be: file systems go by the kernel's ticks.
const tick = 20 * time.Millisecond

// settles is how long after an edit a change of the same file is taken for that of a formatter, which another hook has run.
const settles = 3 * time.Second

// besideFor is how long ago another session may have been heard of whose command may still run.
const besideFor = time.Hour

// namedFiles is how many files of a command's change the journal names.
const namedFiles = 1000

// commandBegins keeps what a command that may write finds. It answers where what goes cannot be kept.
func (h *Handlers) commandBegins(ctx context.Context, e *hook.Event) (a hook.Answer) {
	call := callKey(e)
	switch {
	case h.stopped(e):
		return a
	case call == "": // an undo could not tell it from others
		return h.unkept(ctx, e, nil)
	}
	absent, there := h.ignoredTargets(e)
	taken := h.behindOf(e)
	if !h.mayWrite(e) && h.copied.Load() == nil && len(absent)+len(there)+len(taken) == 0 && !h.changedBehind(e) {
		return a
	}
	r := h.workTree(e)
	if r == nil {
		return h.unkept(ctx, e, nil)
	}
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if h.hasMoved(&open, r) {
		open = h.moves(ctx, e, &open, r)
	}
	var behind behind
	if len(taken) > 0 {
		behind = h.filesBehind(ctx, r, taken)
		there = together(there, behind.files)
	}
	along := h.alongBehind(ctx, e, r, &behind)
	there = together(there, along.files)
	files := together(h.withCopies(r, open.Secrets), there)
	at, words := h.now().UTC(), h.judgedToChange(e, r)
	st, err := (*checkpoint.Step)(nil), context.DeadlineExceeded
	if !open.TooLate(r.WorkTree) {
		st, _, err = h.keep(ctx, r, checkpoint.Step{Kind: checkpoint.StepBefore, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Were: open.Were(), Command: h.line(e), Call: call}, files, true)
	}
	h.open(e, func(o *undo.Open) bool {
		o.Secrets = h.followed(r, o.Secrets, there) // another call may have added some meanwhile
		o.Tried(errors.Is(err, context.DeadlineExceeded))
		if err != nil {
			o.Why = h.whyNone(err)
			o.Begin(undo.Call{ID: call, Agent: events.AgentID(e), Command: h.line(e), At: at, Words: words, Blind: true}, o.Start(), o.Were())
			return true
		}
		o.Begin(undo.Call{ID: call, Agent: events.AgentID(e), Command: h.line(e), At: at, Absent: absent, Words: words}, st.Snapshot, st.Vault)
		return true
	})
	a = h.uncopied(e, r, &behind, st, err)
	if err != nil {
		a.Merge(h.unkept(ctx, e, err))
		a.Merge(h.tellUnkept(e, r.WorkTree, err))
	} else {
		a.Merge(h.leftOut(e, r, st, &along))
	}
	return a
}

// copies are the files that Git ignores and of which a snapshot has copies, which was taken for this call.
type copies struct {
	files []string
	from  repo.Hash
}

// noteCopies keeps for the timeline which files that Git ignores a snapshot has copied for this call.
func (h *Handlers) noteCopies(saved []shot) {
	by := map[string]copies{}
	for i := range saved {
		if list := saved[i].Vaulted; len(list) > 0 {
			by[saved[i].root] = copies{list, saved[i].Commit}
		}
	}
	if len(by) > 0 {
		h.copied.Store(&by)
	}
}

// copiesFor are those of a work tree.
func (h *Handlers) copiesFor(r *repo.Repo) (c copies) {
	if by := h.copied.Load(); by != nil {
		c = (*by)[r.WorkTree]
	}
	return c
}

// withCopies are the files that Git ignores and that a step has copies of, with those that were just found to be in danger.
func (h *Handlers) withCopies(r *repo.Repo, known []string) []string {
	return together(known, h.copiesFor(r).files)
}

// followed are the files that Git ignores and that each step of a turn has copies of from now on.
func (h *Handlers) followed(r *repo.Repo, known, there []string) []string {
	more := h.copiesFor(r).files
	return together(together(known, more[:min(len(more), ignoredNames)]), there[:min(len(there), ignoredNames)])
}

// together are the names of two lists; the first list where the second has none.
func together(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// commandEnds keeps what a command left, if that is not what it found.
func (h *Handlers) commandEnds(ctx context.Context, e *hook.Event) {
	open := undo.ReadOpen(h.StateDir, e.SessionID)
	if call := callKey(e); slices.Contains(open.Asked, call) {
		line := h.line(e)
		h.note(e, "ran after a question: "+line, types.AskedRan{Call: call, Command: line})
	}
	runs := h.Tables.Risks.RunsCommand(e.ToolName)
	if !runs && !h.writes(e.ToolName) {
		return
	}
	begun, since, were, known := open.Done(callKey(e))
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
	made := madeOf(r, begun.Absent)
	files := slices.DeleteFunc(slices.Clone(made), func(p string) bool {
		fi, err := os.Lstat(r.Path(p))
		return strings.HasSuffix(p, "/") || err != nil || fi.Size() > madeBytes
	})
	files = files[:min(len(files), max(0, ignoredNames-len(open.Secrets)))]
	st, _, err := h.keep(ctx, r, checkpoint.Step{
		Kind: checkpoint.StepAfter, Session: e.SessionID, Turn: open.Turn, Prompt: open.Prompt, From: open.Start(), Since: since, Were: were, Command: h.line(e), Call: callKey(e), Words: words, Made: made,
	}, together(open.Secrets, files), true)
	h.open(e, func(o *undo.Open) bool {
		_, _, _, known := o.Done(callKey(e))
		if known && runs && st != nil && inBackground(e) { // it goes on, and no event tells of its end
			begun.Behind = true
			o.Begin(begun, st.Snapshot, st.Vault)
		}
		o.Secrets = together(o.Secrets, files) // from now on, the vault follows them
		if err != nil {
			o.Why, begun.Blind = h.whyNone(err), true
			o.Begin(begun, since, were)
		}
		return known || err != nil
	})
	if runs && st != nil && !since.IsZero() && (st.Snapshot != since || st.Vault != were) {
		h.commandChanged(e, r, undo.Ended{Session: e.SessionID, Command: h.line(e), Words: words, Since: since, Left: st.Snapshot})
	}
}

// madeBytes is the size up to which a new file that Git ignores is copied, so that an undo may take it away: each later command has it copied again
// where something changes. Of larger ones the name is kept.
const madeBytes = 1 << 20

// madeOf are those of the files that were not there which are there now, and which Git ignores.
func madeOf(r *repo.Repo, absent []string) []string {
	if len(absent) == 0 {
		return nil
	}
	match := r.Ignore()
	return slices.DeleteFunc(absent, func(p string) bool {
		_, err := os.Lstat(r.Path(p))
		return err != nil || !strings.HasSuffix(p, "/") && !match.Match(p, false)
	})
}

// alters is what an event's command changes by its own words. That is asked for where another session may have done something at the same time.
func (h *Handlers) alters(e *hook.Event, r *repo.Repo) (w checkpoint.Words) {
	if session.Alone(h.StateDir, e.SessionID, h.now().Add(-besideFor)) {
		return w
	}
	return h.byWords(e, r)
}

// byWords is what an event's call changes by its own words.
func (h *Handlers) byWords(e *hook.Event, r *repo.Repo) (w checkpoint.Words) {
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

// judgedToChange is what a call changes as it was judged, or by its own words where there was nothing to judge. An undo goes by it where no
// event told of the call's end.
func (h *Handlers) judgedToChange(e *hook.Event, r *repo.Repo) (w checkpoint.Words) {
	p := h.pending.Load()
	if p == nil || p.event != e || p.verdict.Action < risk.Checkpoint || !h.Tables.Risks.RunsCommand(e.ToolName) {
		w = h.byWords(e, r)
	} else {
		v := &p.verdict
		if v.Whole || len(v.Targets)+len(v.Touched)+len(v.Changed) == 0 {
			w.Files = []string{"."}
		}
		paths := slices.Concat(v.Targets, v.Touched)
		for i := range v.Changed {
			if paths = append(paths, v.Changed[i].Path); v.Changed[i].Pattern != "" { // in its folder; what is still there is looked at one by one
				paths = append(paths, filepath.Dir(v.Changed[i].Pattern))
			}
		}
		for _, abs := range paths[:min(len(paths), checkpoint.MaxWords)] {
			if p, err := checkpoint.Relative(r, "", abs); err == nil && !slices.Contains(w.Files, p) {
				w.Files = append(w.Files, p)
			}
		}
		w.Only, w.Still = !v.Untold, v.Pins == 0 && !v.Untold
	}
	w.Files = w.Files[:min(len(w.Files), checkpoint.MaxWords)]
	return w
}

// inBackground reports a command that goes on behind the answer of its call.
func inBackground(e *hook.Event) bool {
	return events.ToolInput(e).Get("run_in_background").Bool() || events.ToolResponse(e).Get("backgroundTaskId").Present()
}

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
			by, _ := session.Wrote(list, h.hidePath(disk.Real(r.Path(path))), since)
			return len(by) > 0
		}, undo.Running(h.StateDir, r.WorkTree, e.SessionID)
	}
}

// mayWrite reports a call of a command that is not known to only read.
func (h *Handlers) mayWrite(e *hook.Event) bool {
	return h.Tables.Risks.RunsCommand(e.ToolName) && !h.outlineOf(e).OnlyReads
}

// outlineOf is risk.Set.Outline of an event's command, asked once a call.
func (h *Handlers) outlineOf(e *hook.Event) *risk.Outline {
	if known := h.outline.Load(); known != nil {
		return known
	}
	o := h.Tables.Risks.Outline(events.ToolInput(e).Get("command").Text(), e.CWD, h.Home)
	h.outline.Store(&o)
	return &o
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
		real := h.hidePath(disk.Real(path))
		at := slices.IndexFunc(self.Wrote, func(w session.Write) bool { return w.Path == real })
		if at < 0 {
			return true
		}
		own := &self.Wrote[at]
		until := own.At.Add(tick)
		if !own.Ran {
			until = own.At.Add(settles)
		}
		return until.Before(fi.ModTime()) || h.othersWrote(e, real, own.At)
	})
}

// othersWrote reports that another session has written a file since a time.
func (h *Handlers) othersWrote(e *hook.Event, path string, since time.Time) bool {
	if session.Alone(h.StateDir, e.SessionID, since) {
		return false
	}
	by, _ := session.Wrote(session.Lately(h.StateDir, e.SessionID, since, h.now().UTC()), path, since)
	return len(by) > 0
}

// ignoredTargets are files that Git ignores and that a call is about to write, relative to the work tree: those of a tool, those that a line makes by its words, and what
// the guard has something to say about. An undo takes away what was absent, with the folders on the way there ("dir/"). What is there was copied by the
// guard, but in a folder without Git: there it is copied with the step.
func (h *Handlers) ignoredTargets(e *hook.Event) (absent, there []string) {
	var paths []string
	if h.writes(e.ToolName) {
		paths = h.written(e)
	} else if p := h.pending.Load(); p != nil && p.event == e {
		for i := range p.verdict.Hits {
			for _, t := range p.verdict.Hits[i].Targets {
				paths = append(paths, filepath.FromSlash(t.Path))
			}
		}
		for _, path := range p.verdict.Makes {
			paths = append(paths, filepath.FromSlash(path))
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	_, err := repo.Open(e.CWD)
	outside := errors.Is(err, repo.ErrNone)
	paths = slices.DeleteFunc(paths, func(p string) bool {
		fi, err := os.Lstat(p)
		is := errors.Is(err, fs.ErrNotExist) || outside && err == nil && fi.Mode().IsRegular()
		return !filepath.IsAbs(p) || !is
	})
	if len(paths) == 0 {
		return nil, nil
	}
	r := h.workTree(e)
	if r == nil {
		return nil, nil
	}
	match := r.Ignore()
	for _, abs := range paths[:min(len(paths), ignoredNames)] {
		p, err := checkpoint.Relative(r, "", abs)
		ignored := err == nil && match.Match(p, false)
		if err != nil || !ignored && !h.Tables.Risks.Sensitive(p) { // the same line may have Git ignore one with credentials
			continue
		}
		if _, err := os.Lstat(abs); err == nil {
			there = append(there, p)
			continue
		}
		absent = append(absent, p)
		had := len(disk.Present(r.Path(p))) - len(r.WorkTree)
		for dir := path.Dir(p); dir != "." && len(dir) >= had && !slices.Contains(absent, dir+"/"); dir = path.Dir(dir) { // it makes these, too
			absent = append(absent, dir+"/")
		}
	}
	return absent, there
}

// callKey tells the calls of a session apart. The client's own id is free text, so it is kept as a sum: nothing of it can be a secret.
func callKey(e *hook.Event) string {
	if id := events.ToolUseID(e); id != "" {
		return keyOf(id)
	}
	return ""
}

func keyOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}
