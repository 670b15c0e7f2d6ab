package handle

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/hook"
)

// TestHeldInARow: an agent that goes on as often as it is told to is let go after some times, whether it says that a hook has it go on or stays in one turn; the next turn begins anew.
func TestHeldInARow(t *testing.T) {
	h, _ := testHandlers(t, nil)
	held := func(session string, active bool) bool {
		e := &hook.Event{Name: "Stop", SessionID: session}
		e.SetFields([]hook.Member{{Name: "stop_hook_active", Value: hook.Value(fmt.Sprint(active))}})
		a := hook.Answer{Decision: hook.Block, Reason: "moai: look at it\nand more", System: "tidied"}
		h.letGo(e, &a)
		if !a.Decision.Refuses() && (!strings.Contains(a.System, "look at it") || !strings.Contains(a.System, "tidied")) {
			t.Errorf("the user is told %q", a.System)
		}
		return a.Decision.Refuses()
	}
	for _, active := range []bool{true, false} {
		session := fmt.Sprint("s-", active)
		for i := range 3 * mostHeld {
			if got := held(session, active && i > 0); got != (i < mostHeld) {
				t.Fatalf("active %v, block %d: held %v", active, i, got)
			}
		}
	}
	h.StateDir = filepath.Join(h.StateDir, "none\x00")
	if held("s", false) {
		t.Error("held up without a count")
	}
}
