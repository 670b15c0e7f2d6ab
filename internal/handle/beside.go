package handle

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/verify"
)

// lookBeside adds to the picture before a command line what its words say of other places, and pictures of work trees there.
func (h *Handlers) lookBeside(ctx context.Context, e *hook.Event, r *repo.Repo, p *verify.Picture) {
	if !h.Tables.Risks.RunsCommand(e.ToolName) {
		return
	}
	o := h.outlineOf(e)
	p.Call.Folders, p.Call.Below, p.Call.Trees = o.Folders, o.Below, o.Trees
	p.Call.Objects, p.Call.Stays, p.Call.Pushes = o.Objects, o.Stays, o.Pushes
	p.Look(ctx, verify.Beside(r, slices.Concat(o.Folders, o.Below)), h.StateDir, h.began(e))
}

// changedBeside notes what a call changed in work trees elsewhere that its words name, those that it made among them.
func (h *Handlers) changedBeside(ctx context.Context, e *hook.Event, r *repo.Repo, before *verify.Picture, may func(path string) bool) {
	for _, other := range before.Call.Places(r, before.At) {
		now, _, err := verify.Take(ctx, other, other.DirCacheIn(h.StateDir), false, h.began(e), nil)
		if err != nil {
			h.Log.Info("no picture", "err", err)
			continue
		}
		was := before.Of(other)
		files, _ := now.Since(was)
		made := now.Places(other, now.Committed(other, was))
		files = slices.DeleteFunc(append(now.Places(other, files), made...), func(path string) bool { return !may(path) })
		was.Call = before.Call
		h.wroteFiles(e, h.notOthers(e, files, was), was, func(s *verify.State, one *verify.Edit) {
			if s.Seq == 0 && s.Head == "" {
				s.Head = before.Head
			}
			one.Back = !slices.Contains(made, one.Path) && now.Back(other, s, h.began(e), one.Path)
			one.Lost = now.HadAtStart(other, s, was, one.Path)
			one.Hand = h.Tables.Verify.Marks(events.ToolInput(e).Get("command").Text(), one.Path)
		})
	}
}

// inAnother reports a file, outside of all that is the session's, in a clone from which the project may get it.
func (h *Handlers) inAnother(e *hook.Event, path string) bool {
	if _, inside := verify.Shown(h.homes(e), path); inside {
		return false
	}
	r, err := repo.Open(ground.Existing(filepath.Dir(path)))
	if err != nil {
		return false
	}
	own, err := repo.Open(root(e))
	return err == nil && own.CommonDir != r.CommonDir && verify.Related(own, r)
}

// cameBack are the files that hold, by another commit, what the session had Git keep without a file.
func (h *Handlers) cameBack(e *hook.Event, r *repo.Repo, now, before *verify.Picture) []string {
	if now.Head == before.Head {
		return nil
	}
	s := verify.Read(h.StateDir, e.SessionID)
	if s == nil {
		return nil
	}
	return now.Kept(r, before, s)
}

// goesOn keeps of a call what is to be looked at later: contents that Git has by it, and, where something of it still runs, how it left the
// work tree. At the end of the turn it is looked at again, as after a call without an end.
func (h *Handlers) goesOn(e *hook.Event, r *repo.Repo, now, before *verify.Picture) {
	if before.Call == nil || e.ToolName == "" {
		return
	}
	if before.Call.Objects {
		if sums := before.Objects(r); len(sums) > 0 {
			h.work(e, func(s *verify.State) bool { return s.KeepObjects(sums) })
		}
	}
	if before.Call.Stays || events.ToolInput(e).Get("run_in_background").Bool() || events.ToolResponse(e).Get("backgroundTaskId").Text() != "" {
		now.Call = before.Call
		now.Call.Ended = true
		if err := now.Put(h.StateDir, e.SessionID, events.ToolUseID(e)); err != nil {
			h.Log.Warn("picture not kept", "err", err)
		}
	}
}
