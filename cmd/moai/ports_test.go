package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// Twelve sessions take from one list what is ready, each in a process of its own: no port twice, and none is left.
func TestClaimsOfManySessions(t *testing.T) {
	self, err := os.Executable()
	kit.Must(t, err)
	base := kit.Dir(t)
	dir := filepath.Join(base, "app")
	kit.Must(t, os.MkdirAll(filepath.Join(dir, ".moai"), 0o755))
	moai := func(stdin string, words ...string) (string, int) {
		c := exec.Command(self, words...)
		c.Dir = dir
		c.Env = []string{
			asMoai + "=1", "HOME=" + base, "USERPROFILE=" + base, "XDG_STATE_HOME=" + filepath.Join(base, "state"), "XDG_CONFIG_HOME=" + filepath.Join(base, "config"),
			"PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot"), "CLAUDE_PROJECT_DIR=",
		}
		c.Stdin = strings.NewReader(stdin)
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		_ = c.Run()
		return out.String(), c.ProcessState.ExitCode()
	}
	const sessions, ports = 12, 8
	for i := range ports {
		if out, code := moai("", "port", "create", fmt.Sprintf("port-%d", i)); code != 0 {
			t.Fatal(out)
		}
	}
	for i := range sessions {
		moai(fmt.Sprintf(`{"session_id":"s%02d","cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":"x"}`, i, dir), "hook")
	}
	var mu sync.Mutex
	var got []string
	refused := 0
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			out, code := moai("", "port", "start", "--next", "--session", fmt.Sprintf("s%02d", i))
			mu.Lock()
			defer mu.Unlock()
			switch code {
			case 0:
				got = append(got, strings.TrimSpace(strings.TrimPrefix(out, "started ")))
			case 1:
				refused++
			default:
				t.Errorf("%d: %s", code, out)
			}
		})
	}
	all.Wait()
	slices.Sort(got)
	if once := slices.Compact(slices.Clone(got)); len(once) != ports || len(got) != ports || refused != sessions-ports {
		t.Errorf("started %q, and %d were refused", got, refused)
	}
}
