package handle

import (
	"context"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/line"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/verify"
)

// sweepTime bounds the clean-up at a session's end: the client gives all of
// SessionEnd 1.5 s (measured), and another hook may want some of it.
const sweepTime = 300 * time.Millisecond

// sessionEnd writes the journal entry first, then removes what is too old to be
// asked for again. The session's own memory stays: sessions are resumed.
func (h *Handlers) sessionEnd(_ context.Context, e *hook.Event) (hook.Answer, error) {
	reason := orText(events.Reason(e), "unknown reason")
	p := h.recallSession(e.SessionID).progress(h.now())
	h.note(e, "session ended: "+reason, types.SessionEnd{
		Reason: reason, Seconds: p.Seconds, Edits: p.Edits, Files: p.Files, OpenTasks: p.OpenTasks, Documents: p.Documents, Checkpoints: p.Checkpoints,
	})
	removed := 0
	if !h.DryRun {
		h.loopEnds(e)
		removed = Sweep(h.StateDir, time.Now().Add(sweepTime))
		if _, err := h.journal(e).Prune(h.now()); err != nil {
			h.Log.Warn("journal not pruned", "err", err)
		}
	}
	return hook.Answer{Data: map[string]any{"reason": reason, "removed": removed}}, nil
}

// Sweep removes what is too old in the state folder to be asked for again, and returns how many files went.
func Sweep(stateDir string, deadline time.Time) (removed int) {
	for _, dir := range []string{"session", "identity", "phase", "tags", "cache", "told", "announced", windows, formats, repo.DirCaches, repo.KeptStatuses, line.Folder, verify.Folder, loop.Folder, receipt.Folder} {
		removed += state.Sweep(filepath.Join(stateDir, dir), sessionTTL, deadline)
	}
	return removed + state.Sweep(filepath.Join(stateDir, calls), callsKept, deadline)
}
