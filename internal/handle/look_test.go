package handle

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/verify"
)

// The timeline goes by the look at the work tree that verification has just taken: a file that comes between the two is not in its step
// yet, and is in the next. What was seen as changed is kept as it is, and a look is taken anew when it is old, or the index was written.
func TestOneLookForVerificationAndTimeline(t *testing.T) {
	cases := map[string]struct {
		between func(h *Handlers, dir string)
		want    []string // what the step has of "late" and "src/a.go"
	}{
		"one look": {func(*Handlers, string) {}, []string{"", "package b\n"}},
		"an old look": {func(h *Handlers, _ string) {
			h.seen.Load().At = time.Now().Add(-lookFor)
		}, []string{"late\n", "package b\n"}},
		"another index": {func(_ *Handlers, dir string) {
			if out, err := exec.Command("git", "-C", dir, "add", "late").CombinedOutput(); err != nil {
				t.Fatalf("git add: %v\n%s", err, out)
			}
		}, []string{"late\n", "package b\n"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h, dir := testHandlers(t, nil)
			h.Tables.Verify = verify.Tables{Agents: &agents.All}
			e := bash(dir, "touch src/b")
			e.SetFields([]hook.Member{{Name: "tool_use_id", Value: quote("c1")}, {Name: "tool_input", Value: `{"command":"touch src/b"}`}})
			if _, err := h.track(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if h.seen.Load() == nil {
				t.Fatal("verification has handed on no look")
			}
			h.seen.Load().At = time.Now() // however slow the machine was
			kit.Write(t, filepath.Join(dir, "late"), "late\n")
			kit.Write(t, filepath.Join(dir, "src", "a.go"), "package b\n")
			c.between(h, dir)
			if _, err := h.timeline(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if got := lastStep(t, dir, "late", "src/a.go"); !slices.Equal(got, c.want) {
				t.Errorf("the step holds %q, want %q", got, c.want)
			}
			if h.seen.Load() != nil {
				t.Error("a look is used twice")
			}
			// The same handlers again, as the next event has them.
			e = bash(dir, "touch src/c")
			e.SetFields([]hook.Member{{Name: "tool_use_id", Value: quote("c2")}, {Name: "tool_input", Value: `{"command":"touch src/c"}`}})
			if _, err := h.timeline(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if got := lastStep(t, dir, "late", "src/a.go"); !slices.Equal(got, []string{"late\n", "package b\n"}) {
				t.Errorf("the next step holds %q", got)
			}
		})
	}
}

// The end of a turn that is let go hands on the look by which it was decided, and nothing where the user keeps no turns.
func TestStopHandsItsLookOn(t *testing.T) {
	for turns, want := range map[string]bool{"true": true, "false": false} {
		h, dir := testHandlers(t, map[string]string{"checkpoint.turns": turns, "verify.stop": verify.ModeWarn})
		h.Tables.Verify = verify.Tables{Agents: &agents.All, Languages: func() *lang.Table { return &languages.Table }}
		file := filepath.Join(dir, "src", "a.go")
		e := bash(dir, "")
		e.Name, e.ToolName = "Stop", ""
		e.SetFields(nil)
		h.work(e, func(s *verify.State) bool {
			return s.Changed(verify.Edit{Path: file, Sum: verify.Sum(file), At: time.Now(), Tool: "Write"})
		})
		a, err := h.stop(t.Context(), e)
		if err != nil || !strings.Contains(a.System, "UNVERIFIED: 1 file: src/a.go") {
			t.Fatalf("stop = %+v, %v", a, err)
		}
		if got := h.seen.Load() != nil; got != want {
			t.Errorf("checkpoint.turns = %s: a look was handed on: %t", turns, got)
		}
	}
}

// lastStep is what the newest step of the timeline has at some paths, "" for nothing.
func lastStep(t *testing.T, dir string, paths ...string) (texts []string) {
	t.Helper()
	r, err := repo.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := checkpoint.Steps(r)
	if err != nil || len(steps) == 0 {
		t.Fatalf("steps = %v, %v", steps, err)
	}
	c, err := checkpoint.SnapshotAt(r, steps[0].Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		side, err := c.At(r, p)
		if err != nil || side.Mode == 0 {
			texts = append(texts, "")
			continue
		}
		_, text, err := r.Object(side.Hash)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}
