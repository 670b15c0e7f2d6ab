package handle

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// Of many hooks at once that let something through by one exception, one tells it.
func TestAnExceptionIsToldOnce(t *testing.T) {
	h, _ := testHandlers(t, nil)
	e := &rule.Allowed{Rule: "fs.x", Reason: "why", File: "/f", Line: 1}
	v := &risk.Verdict{Hits: []risk.Hit{{Rule: &rule.Risk{ID: "fs.x"}, Allowed: e}, {Rule: &rule.Risk{ID: "fs.y"}, Allowed: e}}}
	var lines atomic.Int32
	var group sync.WaitGroup
	for range 24 {
		group.Go(func() { lines.Add(int32(len(h.usedExceptions(h.places("/p"), v)))) })
	}
	group.Wait()
	if n := lines.Load(); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// What was told is kept within a bound, the newest first.
func TestToldIsBounded(t *testing.T) {
	h, _ := testHandlers(t, nil)
	start := time.Now()
	h.Now = func() time.Time { return start }
	for round := range 3 {
		start = start.Add(time.Minute)
		var list []news
		for i := range keepTold/2 + 100 {
			list = append(list, news{&rule.Allowed{Rule: "fs.x", Reason: fmt.Sprint(round, i)}, "x", seen})
		}
		if n := len(h.tell(list)); n != tellAtOnce+1 {
			t.Fatalf("%d lines at once", n)
		}
	}
	known := map[string]told{}
	if !state.Read(filepath.Join(h.StateDir, "exceptions-told.json"), 0, &known) || len(known) != keepTold {
		t.Errorf("%d are kept, want %d", len(known), keepTold)
	}
	last := news{&rule.Allowed{Rule: "fs.x", Reason: fmt.Sprint(2, 0)}, "x", seen}
	if n := len(h.tell([]news{last})); n != 0 {
		t.Errorf("the newest was told again")
	}
}

// A state that cannot be written makes the user hear it again, and never less.
func TestToldWithoutState(t *testing.T) {
	h, dir := testHandlers(t, nil)
	kit.Write(t, filepath.Join(dir, "file"), "")
	h.StateDir = filepath.Join(dir, "file", "none")
	one := []news{{&rule.Allowed{Rule: "fs.x\x1b[2K", Reason: "x"}, exceptionText(&rule.Allowed{Rule: "fs.x\x1b[2K", Reason: strings.Repeat("가", 1000)}), used}}
	for range 2 {
		lines := h.tell(one)
		if len(lines) != 1 || strings.Contains(lines[0], "\x1b") || len([]rune(lines[0])) > 301 {
			t.Errorf("told %q", lines)
		}
	}
}
