package handle

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
)

// repository makes one with a commit, and a change on top.
func repository(t *testing.T, dir string) {
	t.Helper()
	kit.Write(t, filepath.Join(dir, "src", "a"), "committed\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	kit.Write(t, filepath.Join(dir, "src", "a"), "a day's work\n")
}

// When the time is over before the last repository is saved, the user is told of those that are, beside the question.
func TestFirstOfTwoSnapshotsIsTold(t *testing.T) {
	h, dir := testHandlers(t, map[string]string{"checkpoint.timeout": "60s"})
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	repository(t, one)
	repository(t, two)
	e := bash(dir, "rm -rf one/src two/src")
	if _, err := h.guard(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	ctx, over := context.WithCancel(context.Background()) // as when the event's time is over
	defer over()
	var asked atomic.Int32
	release := make(chan struct{})
	defer close(release)
	h.Now = func() time.Time {
		if asked.Add(1) == 2 { // the second snapshot
			over()
			<-release
		}
		return time.Now()
	}
	a, err := h.protect(ctx, e)
	if err != nil || a.Decision != hook.Ask || !strings.Contains(a.Reason, "could not take a snapshot first") {
		t.Errorf("protect = %+v, %v; want a question that says why", a, err)
	}
	if !strings.Contains(a.System, "bring it back: cd "+one+" && moai checkpoint restore ") || strings.Contains(a.System, "cd "+two) {
		t.Errorf("the user is told %q; want the snapshot of %s alone", a.System, one)
	}
}

// A repository inside is saved before the one around it, which may fail.
func TestSnapshotInsideIsTold(t *testing.T) {
	h, dir := testHandlers(t, nil)
	outer := filepath.Join(dir, "outer")
	repository(t, outer)
	repository(t, filepath.Join(outer, "in side"))
	// No reference can be made below a file.
	kit.Must(t, os.WriteFile(filepath.Join(outer, ".git", "refs", "moai"), []byte("x"), 0o600))
	a, err := judge(h, bash(outer, "rm -rf src"))
	if err != nil || a.Decision != hook.Ask || !strings.Contains(a.Reason, "could not take a snapshot first") {
		t.Errorf("judged %+v, %v; want a question that says why", a, err)
	}
	if !strings.Contains(a.System, "(cd 'in side' && moai checkpoint restore before-rm-") {
		t.Errorf("the user is told %q; want the snapshot inside and its way back", a.System)
	}
}
