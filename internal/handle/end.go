package handle

import (
	"context"
	"os"
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

// sweepEvery parts two clean-ups: where thousands of sessions are kept, one looks at thousands of files, and what
// is too old stays so for an hour longer at no cost.
const sweepEvery = time.Hour

// swept is the file whose time says when the last clean-up came to its end.
const swept = "swept"

// sessionEnd writes the journal entry first, then removes what is too old to be
// asked for again. The session's own memory stays: sessions are resumed.
func (h *Handlers) sessionEnd(_ context.Context, e *hook.Event) (hook.Answer, error) {
	reason := orText(events.Reason(e), "unknown reason")
	p := h.progress(e)
	h.note(e, "session ended: "+reason, types.SessionEnd{
		Reason: reason, Seconds: p.Seconds, Edits: p.Edits, Files: p.Files, OpenTasks: p.OpenTasks, Documents: p.Documents, Checkpoints: p.Checkpoints,
	})
	removed := 0
	if !h.DryRun {
		h.loopEnds(e)
		removed = h.sweep(time.Now())
		if _, err := h.journal(e).Prune(h.now()); err != nil {
			h.Log.Warn("journal not pruned", "err", err)
		}
	}
	return hook.Answer{Data: map[string]any{"reason": reason, "removed": removed}}, nil
}

// sweep cleans up, unless the last clean-up is not long ago. One that ran out of time is gone on with at the next end of a session.
func (h *Handlers) sweep(now time.Time) (removed int) {
	stamp := filepath.Join(h.StateDir, swept)
	if info, err := os.Lstat(stamp); err == nil && now.Sub(info.ModTime()).Abs() < sweepEvery {
		return 0
	}
	deadline := now.Add(sweepTime)
	removed = Sweep(h.StateDir, deadline)
	if time.Now().Before(deadline) {
		_ = state.Replace(stamp, nil) // else the next end of a session cleans up
	}
	return removed
}

// Sweep removes what is too old in the state folder to be asked for again, and returns how many files went.
func Sweep(stateDir string, deadline time.Time) (removed int) {
	for _, dir := range []string{"session", "identity", "phase", "tags", "cache", "told", "announced", windows, formats, brings, repo.DirCaches, repo.KeptStatuses, line.Folder, verify.Folder, loop.Folder, receipt.Folder} {
		removed += state.Sweep(filepath.Join(stateDir, dir), sessionTTL, deadline)
	}
	return removed + state.Sweep(filepath.Join(stateDir, calls), callsKept, deadline)
}
