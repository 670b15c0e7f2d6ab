package handle

import (
	"errors"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/state"
)

// noted are the events of a type in the journal of a project.
func noted(t *testing.T, h *Handlers, dir, kind string) (list []journal.Event) {
	t.Helper()
	_, err := (&journal.Query{Types: []string{kind}}).Run(state.JournalPath(h.StateDir, dir), func(j *journal.Event) error {
		list = append(list, *j)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A call over its budget, and one that failed, are in the journal with what people need to know.
func TestSlowAndFailed(t *testing.T) {
	h, dir := testHandlers(t, nil)
	e := &hook.Event{Name: "Stop", Known: true, SessionID: "s", CWD: dir, ProjectDir: dir}
	h.Slow(e, 70*time.Millisecond, 50*time.Millisecond, "locks")
	h.Failed(e, errors.New("the disk\nis gone"))
	slow, failed := noted(t, h, dir, "hook_slow"), noted(t, h, dir, "hook_failed")
	if len(slow) != 1 || slow[0].Session != "s" || string(slow[0].Details) != `{"event":"Stop","duration_ms":70,"budget_ms":50,"slowest":"locks"}` {
		t.Errorf("slow: %+v", slow)
	}
	if len(failed) != 1 || failed[0].Summary != "Stop: the disk is gone" || failed[0].Severity != "error" {
		t.Errorf("failed: %+v", failed)
	}
}

// What runs since the user said so may take its time: a call with a formatter is slow where the formatter would have been stopped.
func TestSlowByWish(t *testing.T) {
	h, dir := testHandlers(t, map[string]string{"quality.format": "auto"})
	e := &hook.Event{Name: "Stop", Known: true, SessionID: "s", CWD: dir, ProjectDir: dir}
	h.Slow(e, 500*time.Millisecond, 50*time.Millisecond, "format")
	if slow := noted(t, h, dir, "hook_slow"); len(slow) != 0 {
		t.Errorf("within the time of a formatter: %+v", slow)
	}
	h.Slow(e, 20*time.Second, 50*time.Millisecond, "format")
	if slow := noted(t, h, dir, "hook_slow"); len(slow) != 1 {
		t.Errorf("beyond it: %+v", slow)
	}
}
