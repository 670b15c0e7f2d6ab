package handle

import (
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/verify"
)

// writesList reports a call of a tool that writes what says which files Git ignores.
func (h *Handlers) writesList(e *hook.Event) bool {
	return h.writes(e.ToolName) && slices.ContainsFunc(h.written(e), verify.IsList)
}

// hid are the files that the session has hidden from Git. Of most sessions there are none, which is known without a look.
func (h *Handlers) hid(e *hook.Event) []string {
	if !h.who(e).Hid {
		return nil
	}
	if s := verify.Read(h.StateDir, e.SessionID); s != nil {
		return s.Hid
	}
	return nil
}

// keepHid has what a call hid from Git go on to count, as far as somebody would have to look at it.
func (h *Handlers) keepHid(e *hook.Event, r *repo.Repo, now, before *verify.Picture) {
	files, dropped := now.Keep(r, before)
	if len(files) == 0 && !dropped {
		return
	}
	homes := h.homes(e)
	for i, path := range files {
		files[i] = inPlace(path)
	}
	files = slices.DeleteFunc(files, func(path string) bool {
		rel, _ := verify.Shown(homes, path)
		return !h.counts(e, path) || !h.Tables.Verify.MayWait(path, rel)
	})
	turn := h.who(e).Turn.Number
	h.work(e, func(s *verify.State) bool {
		if s.Seq == 0 && s.Head == "" {
			s.Head = headOf(root(e), before)
		}
		files = slices.DeleteFunc(files, func(path string) bool { return s.Made(r, path) })
		if !s.Hide(files) {
			s.Changed(verify.Edit{Path: now.Tree, Sum: "hid", Turn: turn, At: h.now().UTC(), Tool: e.ToolName, Command: true, Agent: events.AgentType(e), Untold: true})
		}
		return true
	})
	if len(files) > 0 {
		h.learn(e, func(s *session.Session) { s.Hid = true })
	}
}

// unhid notes files of the session that a tool has Git ignore no more: nothing told of them while it did.
func (h *Handlers) unhid(e *hook.Event, now, before *verify.Picture) {
	h.wroteFiles(e, h.notOthers(e, now.Shows(before, h.began(e)), before), before, nil)
}

// putAside notes what a command committed or stashed without leaving it in the work tree, and what came back of it by another commit.
func (h *Handlers) putAside(e *hook.Event, r *repo.Repo, now, before *verify.Picture) {
	files, sums := now.Staged(r, before)
	if now.Logs == before.Logs && len(files) == 0 {
		return
	}
	made, held := now.Aside(r, before, h.began(e))
	files, sums = append(files, made...), append(sums, held...)
	homes := h.homes(e)
	edit := verify.Edit{Turn: h.who(e).Turn.Number, At: h.now().UTC(), Tool: e.ToolName, Command: true, Agent: events.AgentType(e)}
	h.work(e, func(s *verify.State) (changed bool) {
		for i, path := range files {
			rel, _ := verify.Shown(homes, path)
			if path = inPlace(path); !h.counts(e, path) || !h.Tables.Verify.MayWait(path, rel) {
				continue
			}
			if s.Seq == 0 && s.Head == "" {
				s.Head = headOf(root(e), before)
			}
			if s.Restores(path, sums[i]) {
				continue
			}
			one := edit
			one.Path, one.Sum, one.Was = path, verify.Sum(path), before.Sum(path)
			one.Hand = h.Tables.Verify.Marks(events.ToolInput(e).Get("command").Text(), path)
			s.PutAside(one, sums[i])
			changed = true
		}
		return s.Returned(edit) || changed
	})
}

// inPlace is a path with the links of its folder followed.
func inPlace(path string) string {
	return filepath.Join(disk.Real(filepath.Dir(path)), filepath.Base(path))
}
