package handle

import (
	"fmt"
	"slices"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/verify"
)

// committed notes the code in commits that a call made, on any branch. Such code has to be verified even if the work tree does not have it.
func (h *Handlers) committed(e *hook.Event, r *repo.Repo, now, before *verify.Picture) {
	if now.Tree != before.Tree {
		return
	}
	pushes := before.Call != nil && before.Call.Pushes
	known := verify.Read(h.StateDir, e.SessionID)
	if known == nil {
		known = &verify.State{}
	}
	puts := now.Puts(r, known, before, before.Call.Places(r, before.At), h.began(e))
	h.checkedOut(e, known, puts, now, before)
	h.put(e, r, puts, now, before)
	now.Inside(r, before, func(sub *repo.Repo, in, was *verify.Picture) {
		h.put(e, sub, in.Puts(sub, known, was, nil, h.began(e)), in, was)
	})
	if pushes {
		h.pushed(e, known.Seq)
	}
}

// put notes what a call put into commits of one repository.
func (h *Handlers) put(e *hook.Event, r *repo.Repo, puts []verify.Put, now, before *verify.Picture) {
	if len(puts) == 0 && !now.Points() {
		return
	}
	homes, line := h.homes(e), events.ToolInput(e).Get("command").Text()
	others := session.Lately(h.StateDir, e.SessionID, h.began(e), h.now())
	edit := verify.Edit{Turn: h.who(e).Turn.Number, At: h.now().UTC(), Tool: e.ToolName, Agent: events.AgentType(e)}
	h.work(e, func(s *verify.State) (changed bool) {
		dropped := s.Dropped
		for i := range puts {
			one := &puts[i]
			rel, _ := verify.Shown(homes, one.Path)
			one.Path = inPlace(one.Path)
			k := h.Tables.Verify.KindOf(one, rel, h.Tables.Verify.Marks(line, one.Path))
			if k == nil || k.Needs == "" || !h.counts(e, one.Path) {
				continue
			}
			by, _ := session.Wrote(others, one.Path, h.began(e))
			if s.Seq == 0 && s.Head == "" {
				s.Head = headOf(root(e), before)
			}
			changed = s.Commit(one, edit, k.Name, len(by) > 0 || before.Takes(one)) || changed
		}
		if s.Dropped > dropped {
			s.Changed(verify.Edit{Path: disk.Real(root(e)), Sum: fmt.Sprintf("dropped %d", s.Dropped), Turn: edit.Turn, At: edit.At, Tool: edit.Tool, Command: true, Untold: true})
		}
		return s.Pointed(r, now) || changed
	})
}

// checkedOut notes what the session has in commits, of this call or of earlier ones, and the work tree has since HEAD moved: a merge that was committed
// by hand, history that was written anew, and work on a branch that is merged.
func (h *Handlers) checkedOut(e *hook.Event, known *verify.State, puts []verify.Put, now, before *verify.Picture) {
	if now.Head == before.Head {
		return
	}
	var files []string
	for i := range puts {
		if one := &puts[i]; (one.Merged || !one.Old) && verify.Sum(one.Path) == one.Sum && !before.Takes(one) {
			files = append(files, one.Path)
		}
	}
	waits := known.Merged()
	if files = append(files, waits...); len(files) == 0 {
		return
	}
	h.wroteFiles(e, h.notOthers(e, files, before), before, func(_ *verify.State, one *verify.Edit) {
		one.Other = slices.Contains(waits, one.Path) // the session made it, also where another program brings it here
		one.Merged = !one.Other
	})
}

// pushed notes after a push which code went out by it that no branch here tells of; since is the last change before the call.
func (h *Handlers) pushed(e *hook.Event, since int) {
	s := verify.Read(h.StateDir, e.SessionID)
	if s == nil || len(s.Commits) == 0 {
		return
	}
	r, err := repo.Open(e.CWD)
	if err != nil || r.Bare() {
		return
	}
	h.work(e, func(s *verify.State) bool { return s.Pushed(verify.Branches(r), since) })
}
