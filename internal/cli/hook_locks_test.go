//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// A program that keeps the locks of what each call looks after makes no call slow.
func TestHookWaitsForNoLock(t *testing.T) {
	e, _, _ := testEnv(t, strings.NewReader(""), nil)
	call := func(in string, args ...string) time.Duration {
		one := &env{in: strings.NewReader(in), out: e.out, err: e.err, dir: e.dir, getenv: e.getenv, exit: os.Exit, process: e.process}
		start := time.Now()
		one.hookHere(args)
		return time.Since(start)
	}
	call(`{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`)
	state := e.stateDir()
	for _, name := range []string{"settings-known.json.lock", filepath.Join("identity", "s.json.lock")} {
		f, err := os.OpenFile(filepath.Join(state, name), os.O_CREATE|os.O_RDWR, 0o600)
		kit.Must(t, err)
		defer f.Close()
		kit.Must(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	}
	kit.Write(t, filepath.Join(e.dir, "config", "moai", "config.toml"), "guard.mode = \"off\"\n") // so that there is something to keep
	for _, in := range []string{
		`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`,
		`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"x"}`,
		`{"hook_event_name":"SessionStart","session_id":"s","source":"resume"}`,
	} {
		if took := call(in); took > 1900*time.Millisecond {
			t.Errorf("%s took %v", in, took)
		} else {
			t.Log(took)
		}
	}
}
