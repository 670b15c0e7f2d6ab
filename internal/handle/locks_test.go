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

// A killed prune leaves the lock of the packed references, and `git gc` fails until it is gone. Git's own locks are
// left alone, and so are those that a moai may still hold.
func TestLocksOfKilledProcesses(t *testing.T) {
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"} {
		t.Run(event, func(t *testing.T) {
			h, dir := testHandlers(t, nil)
			past := time.Now().Add(-time.Hour)
			locks := []struct {
				name, text string
				at         time.Time
				gone       bool
			}{
				{"packed-refs.lock", "# moai\n", past, true},
				{"refs/stash.lock", "# moai\n", past, true},
				{"HEAD.lock", "# moai\n", time.Now(), false},
				{"index.lock", "", past, false},
			}
			for _, l := range locks {
				path := filepath.Join(dir, ".git", filepath.FromSlash(l.name))
				kit.Write(t, path, l.text)
				kit.Must(t, os.Chtimes(path, l.at, l.at))
			}
			var r hook.Registry
			h.Register(&r, event)
			e := &hook.Event{Name: event, Known: true, CWD: dir, ProjectDir: dir}
			if event == "PreToolUse" {
				e.ToolName = "Bash"
				e.SetFields([]hook.Member{{Name: "tool_input", Value: hook.Value(`{"command":"git gc"}`)}})
			}
			if _, err := r.Dispatch(context.Background(), e, hook.Budget{Hard: time.Minute}, nil); err != nil {
				t.Fatal(err)
			}
			for _, l := range locks {
				_, err := os.Lstat(filepath.Join(dir, ".git", filepath.FromSlash(l.name)))
				if gone := os.IsNotExist(err); gone != l.gone {
					t.Errorf("%s: gone %v, want %v", l.name, gone, l.gone)
				}
			}
		})
	}
}
