package handle

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
)

// What a session's end sweeps up: everything of moai's that can be found out again.
func TestSessionEndSweeps(t *testing.T) {
	h, dir := testHandlers(t, nil)
	past := time.Now().Add(-2 * sessionTTL)
	old := []string{"session/s.json", "phase/p/s/plan.json", "tags/p.idx", "cache/lang-x", "dircache/p"}
	for _, name := range append(old, "trusted.json", "journal/p.jsonl") {
		path := filepath.Join(h.StateDir, filepath.FromSlash(name))
		kit.Write(t, path, "{}")
		kit.Must(t, os.Chtimes(path, past, past))
	}
	end := func() {
		t.Helper()
		if _, err := h.sessionEnd(context.Background(), &hook.Event{Name: "SessionEnd", SessionID: "now", CWD: dir, ProjectDir: dir}); err != nil {
			t.Fatal(err)
		}
	}
	end()
	for _, name := range old {
		if _, err := os.Stat(filepath.Join(h.StateDir, filepath.FromSlash(name))); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range []string{"trusted.json", "journal/p.jsonl"} {
		if _, err := os.Stat(filepath.Join(h.StateDir, filepath.FromSlash(name))); err != nil {
			t.Errorf("%s is gone", name)
		}
	}

	// The next end of a session, a moment later, leaves the folders alone; an hour later it does not.
	late := filepath.Join(h.StateDir, "session", "late.json")
	kit.Write(t, late, "{}")
	kit.Must(t, os.Chtimes(late, past, past))
	end()
	if _, err := os.Stat(late); err != nil {
		t.Error("cleaned up twice within a moment")
	}
	hourAgo := time.Now().Add(-sweepEvery)
	kit.Must(t, os.Chtimes(filepath.Join(h.StateDir, swept), hourAgo, hourAgo))
	end()
	if _, err := os.Stat(late); err == nil {
		t.Error("not cleaned up after an hour")
	}
}
