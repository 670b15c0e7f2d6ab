package handle

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// A snapshot that hangs, as on a share whose server is gone, does not hold the
// answer up: the verdict was known before it began.
func TestHangingSnapshot(t *testing.T) {
	h, dir := testHandlers(t, map[string]string{"checkpoint.timeout": "50ms"})
	e := bash(dir, "rm -rf src")
	if _, err := h.guard(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	release := make(chan struct{})
	defer close(release)
	h.Now = func() time.Time {
		if asked.Add(1) == 1 { // the first one is the snapshot's
			<-release
		}
		return time.Now()
	}
	started := time.Now()
	a, err := h.protect(context.Background(), e)
	if err != nil || a.Decision != hook.Ask || !strings.Contains(a.Reason, "took longer than checkpoint.timeout") {
		t.Errorf("protect = %+v, %v; want a question that says why", a, err)
	}
	if took := time.Since(started); took > time.Second {
		t.Errorf("answered after %v", took)
	}
}

// The line that brings work back names the folder where the session is elsewhere.
func TestWayBackNamesTheFolder(t *testing.T) {
	h, dir := testHandlers(t, nil)
	other := filepath.Join(dir, "other app")
	kit.Write(t, filepath.Join(other, "src", "a"), "a day's work")
	if out, err := exec.Command("git", "init", "-q", other).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	a, err := judge(h, bash(dir, "rm -rf 'other app/src'"))
	if err != nil || !strings.Contains(a.System, "bring it back: cd '"+other+"' && moai checkpoint restore ") {
		t.Errorf("the way back from another repository: %v\n%s", err, a.System)
	}
	a, err = judge(h, bash(filepath.Join(dir, "src"), "rm -rf ../src"))
	if err != nil || !strings.Contains(a.System, "bring it back: moai checkpoint restore ") {
		t.Errorf("the way back from a subfolder: %v\n%s", err, a.System)
	}
}

// The first .env is no loss, and an existing one is.
func TestDestroys(t *testing.T) {
	dir := t.TempDir()
	kit.Write(t, filepath.Join(dir, "there"), "x")
	asks := rule.Risk{}
	clean := rule.Risk{Operation: "clean"}
	reads := rule.Risk{When: rule.When{Effect: rule.Read}}
	about := func(name string, r *rule.Risk) risk.Verdict {
		path := filepath.Join(dir, name)
		return risk.Verdict{Targets: []string{path}, Hits: []risk.Hit{{Rule: r, Action: risk.Ask, Targets: []risk.Target{{Path: path}}}}}
	}
	for _, row := range []struct {
		name string
		v    risk.Verdict
		want bool
	}{
		{"a new file", about("new", &asks), false},
		{"a file that is there", about("there", &asks), true},
		{"beside it, another part of the call", about("there", &rule.Risk{Operation: "push-force", Keeps: "x"}), false},
		{"the work tree", risk.Verdict{Hits: []risk.Hit{{Rule: &clean, Action: risk.Ask}}}, true},
		{"a checkpoint beside it", risk.Verdict{Hits: []risk.Hit{{Rule: &asks, Action: risk.Ask}, {Rule: &asks, Action: risk.Checkpoint}}}, true},
		{"a file that is read", about("there", &reads), false},
		{"another machine's work tree", risk.Verdict{Hits: []risk.Hit{{Rule: &clean, Action: risk.Ask, Away: true}}}, false},
		{"nothing here", risk.Verdict{Hits: []risk.Hit{{Rule: &asks, Action: risk.Ask}}}, false},
	} {
		if got := destroys(&row.v); got != row.want {
			t.Errorf("%s: destroys = %v, want %v", row.name, got, row.want)
		}
	}
}

// A snapshot that leaves out what the call would destroy is no way back: the call is
// asked about. What is left out elsewhere is none of its business.
func TestLeftOutAndInDanger(t *testing.T) {
	h, dir := testHandlers(t, nil)
	kit.Write(t, filepath.Join(dir, "src", "a"), "x")
	kit.Write(t, filepath.Join(dir, "data", "big.bin"), strings.Repeat("x", 11<<20))
	for command, want := range map[string]hook.Decision{
		"rm -rf data":      hook.Ask,
		"rm -rf src data":  hook.Ask,
		"rm -rf src":       hook.None,
		"git reset --hard": hook.None,
	} {
		a, err := judge(h, bash(dir, command))
		if err != nil || a.Decision != want {
			t.Errorf("%s: %v, %v, want %v\n%s%s", command, a.Decision, err, want, a.Reason, a.System)
		}
		if want == hook.Ask && !strings.Contains(a.Reason, "does not hold data/big.bin (11 MiB, over the limit of 10 MiB)") {
			t.Errorf("%s: the reason is %q", command, a.Reason)
		}
	}
}
