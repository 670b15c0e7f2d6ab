package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/state"
)

// testEnv is an environment of its own: no home of the tester's, no state.
func testEnv(t *testing.T, in io.Reader, vars map[string]string) (*env, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"HOME": dir, "USERPROFILE": dir, "XDG_STATE_HOME": filepath.Join(dir, "state"), "XDG_CONFIG_HOME": filepath.Join(dir, "config")}
	maps.Copy(all, vars)
	var out, err bytes.Buffer
	return &env{
		in: in, out: &out, err: &err, dir: dir, getenv: func(k string) string { return all[k] }, exit: os.Exit,
		process: process{account: func(string) string { return dir }},
	}, &out, &err
}

func TestHookBoundsItsInput(t *testing.T) {
	huge := io.MultiReader(strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"`), io.LimitReader(zeros{}, 50<<20), strings.NewReader(`"}}`))
	e, out, errs := testEnv(t, huge, nil)
	if code := e.hookHere(nil); code != 2 || !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
		t.Errorf("50 MB of input: exit %d, stdout %q; want a refusal", code, out)
	}
	if lines := strings.Count(errs.String(), "\n"); lines != 1 || !strings.Contains(errs.String(), "MiB") {
		t.Errorf("stderr is %q, want one line that names the limit", errs)
	}
}

// What is too large is refused before a tool runs, and nothing but an error else; guard.on_failure has no part in it.
func TestHookRefusesWhatIsTooLarge(t *testing.T) {
	for _, tt := range []struct {
		args, head, mode string
		code             int
	}{
		{"hook pre-tool", `{"session_id":"s","tool_name":"Write","tool_input":{"file_path":"a","content":"`, "", 2},
		{"hook pre-tool", `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"`, "off", 1},
		{"hook pre-tool", `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"`, "warn", 1},
		{"hook", `{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"`, "", 1},
		{"hook post-tool", `{"tool_name":"Write","tool_input":{"file_path":"a","content":"`, "", 1},
		{"hook", `{"tool_input":{"content":"`, "", 2}, // nothing names the event
		{"hook pre-tool --dialect alfred", `{"eventType":"PreToolUse","payload":{"tool_input":{"content":"`, "", 2},
	} {
		e, out, errs := testEnv(t, io.MultiReader(strings.NewReader(tt.head), io.LimitReader(zeros{}, 17<<20), strings.NewReader(`"}}`)), nil)
		if tt.mode != "" {
			kit.Write(t, filepath.Join(e.dir, "config", "moai", "config.toml"), "guard.mode = \""+tt.mode+"\"\n")
		}
		if code := Run(strings.Fields(tt.args), e); code != tt.code {
			t.Errorf("%s %s in mode %q: exit %d, want %d; stdout %q, stderr %q", tt.args, tt.head, tt.mode, code, tt.code, out, errs)
		}
	}
}

// zeros yields the letter 0 for ever.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// never is an input that nobody ever writes to or closes.
type never struct{ done chan struct{} }

func (n never) Read([]byte) (int, error) { <-n.done; return 0, io.EOF }

// A slow client is waited for as long as its own timeout allows, and not longer: an
// error lets the call pass, and so does a hook that the client has to end.
func TestHookWaitsForItsInput(t *testing.T) {
	for _, tt := range []struct {
		verb    string
		setting string // guard.on_failure
		wait    time.Duration
		code    int
	}{
		{"stop", "open", 7500 * time.Millisecond, 1},
		{"session-end", "open", 3750 * time.Millisecond, 1},
		{"pre-tool", "open", 7500 * time.Millisecond, 1},
		{"pre-tool", "closed", 7500 * time.Millisecond, 2},
	} {
		t.Run(tt.verb+" "+tt.setting, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := make(chan struct{})
				e, out, errs := testEnv(t, never{done}, map[string]string{"MOAI_GUARD_ON_FAILURE": tt.setting})
				exited := make(chan int, 1)
				e.exit = func(code int) { exited <- code }
				start := time.Now()
				go Run([]string{"hook", tt.verb}, e)
				if code := <-exited; code != tt.code {
					t.Errorf("exit %d, want %d", code, tt.code)
				}
				if took := time.Since(start); took != tt.wait {
					t.Errorf("it waited %v, want %v", took, tt.wait)
				}
				if refused := strings.Contains(out.String(), `"permissionDecision":"deny"`); refused != (tt.code == 2) {
					t.Errorf("stdout is %q, stderr %q", out, errs)
				}
				if tt.code == 1 && !strings.Contains(errs.String(), "standard input did not end within "+tt.wait.String()) {
					t.Errorf("stderr is %q", errs)
				}
				close(done)
			})
		})
	}
}

// The bare program waits for its input as a hook does. Where none comes, nobody can tell
// a person from a client: only a guard that fails closed refuses.
func TestBareWaitsForItsInput(t *testing.T) {
	for setting, want := range map[string]int{"open": 0, "closed": 2} {
		t.Run(setting, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := make(chan struct{})
				e, out, _ := testEnv(t, never{done}, map[string]string{"MOAI_GUARD_ON_FAILURE": setting})
				start := time.Now()
				if code := Run(nil, e); code != want {
					t.Errorf("exit %d, want %d", code, want)
				}
				if took := time.Since(start); took != inputLimit("") {
					t.Errorf("it waited %v, want %v", took, inputLimit(""))
				}
				if want == 0 && !strings.Contains(out.String(), "Usage:") {
					t.Errorf("stdout is %q, want the help", out)
				}
				close(done)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		e, _, errs := testEnv(t, &late{7 * time.Second, strings.NewReader("\n{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /\"}}")}, nil)
		if code := Run(nil, e); code != 2 || !strings.Contains(errs.String(), "fs.delete-root") {
			t.Errorf("input after 7 s: exit %d, stderr %q; want 2 and the reason", code, errs)
		}
	})
}

// late is an input that comes after a while.
type late struct {
	wait time.Duration
	io.Reader
}

func (l *late) Read(p []byte) (int, error) {
	time.Sleep(l.wait)
	l.wait = 0
	return l.Reader.Read(p)
}

func TestHookJudgesLateInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &late{7 * time.Second, strings.NewReader(`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`)}
		e, out, errs := testEnv(t, in, nil)
		if code := e.hookHere([]string{"pre-tool"}); code != 2 || !strings.Contains(errs.String(), "fs.delete-root") {
			t.Errorf("input after 7 s: exit %d, stdout %q, stderr %q; want 2 and the reason", code, out, errs)
		}
	})
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed pipe") }

func TestHookWithClosedOutput(t *testing.T) {
	e, _, errs := testEnv(t, strings.NewReader(`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`), nil)
	e.out = closed{}
	if code := e.hookHere([]string{"pre-tool"}); code != 2 || !strings.Contains(errs.String(), "fs.delete-root") {
		t.Errorf("a refusal into a closed pipe: exit %d, stderr %q; want 2 and the reason", code, errs)
	}
	e, _, errs = testEnv(t, strings.NewReader(`{"tool_name":"Bash","tool_input":{"command":"git push --force"}}`), nil)
	e.out = closed{}
	if code := e.hookHere([]string{"pre-tool"}); code != 2 || !strings.Contains(errs.String(), "git.push-force") {
		t.Errorf("a question into a closed pipe: exit %d, stderr %q; want 2 and the reason", code, errs)
	}
	e, _, errs = testEnv(t, strings.NewReader(`{}`), nil)
	e.out = closed{}
	if code := e.hookHere([]string{"stop"}); code != 1 || errs.Len() == 0 {
		t.Errorf("an answer into a closed pipe: exit %d, stderr %q; want 1 and a line", code, errs)
	}
}

// Many hooks of one session run at once; none may be lost or fail.
func TestParallelHooks(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	vars := map[string]string{"XDG_STATE_HOME": kept}
	const n = 24
	codes := make(chan int, n)
	for range n {
		go func() {
			e, _, _ := testEnv(t, strings.NewReader(`{"session_id":"p","cwd":`+quoteJSON(dir)+`,"tool_name":"Edit","tool_input":{"file_path":"a.go"},"tool_response":{}}`), vars)
			codes <- e.hookHere([]string{"post-tool"})
		}()
	}
	for range n {
		if code := <-codes; code != 0 {
			t.Errorf("exit %d", code)
		}
	}
	edits := 0
	known, err := (&journal.Query{}).Run(state.JournalPath(filepath.Join(kept, "moai"), dir), func(e *journal.Event) error {
		if e.Type == "file_edit" {
			edits++
		}
		return nil
	})
	if err != nil || known.Skipped != 0 || edits != n {
		t.Errorf("journal holds %d edits, %d bad lines, %v; want %d", edits, known.Skipped, err, n)
	}
}

func quoteJSON(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }

func TestGuardFailure(t *testing.T) {
	for setting, want := range map[string]string{"open": "none", "closed": "deny"} {
		e, _, _ := testEnv(t, nil, map[string]string{"MOAI_GUARD_ON_FAILURE": setting})
		a := guardFailed(errors.New("boom"), e.cfg(""))
		if a.Decision.String() != want {
			t.Errorf("guard.on_failure=%s gives %v, want %s", setting, a.Decision, want)
		}
		if a.Reason+a.System == "" {
			t.Errorf("guard.on_failure=%s tells nobody", setting)
		}
	}
}

func TestLogLevel(t *testing.T) {
	tests := []struct {
		vars map[string]string
		want string
	}{
		{nil, "WARN"},
		{map[string]string{"MOAI_DEBUG": "1"}, "DEBUG"},
		{map[string]string{"DEBUG": "express,moai"}, "DEBUG"},
		{map[string]string{"DEBUG": "1"}, "DEBUG"},
		{map[string]string{"DEBUG": "true"}, "DEBUG"},
		{map[string]string{"DEBUG": "*"}, "WARN"}, // names of other programs are not ours
		{map[string]string{"DEBUG": "1,express"}, "WARN"},
		{map[string]string{"DEBUG": "TRUE"}, "WARN"},
		{map[string]string{"DEBUG": "release"}, "WARN"},
		{map[string]string{"MOAI_LOG": "error"}, "ERROR"},
		{map[string]string{"MOAI_LOG": "nonsense"}, "WARN"},
	}
	for _, tt := range tests {
		if got := logLevel(func(k string) string { return tt.vars[k] }).String(); got != tt.want {
			t.Errorf("logLevel(%v) = %s, want %s", tt.vars, got, tt.want)
		}
	}
}

func TestFindRoot(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{".git", "work/app/.git", "work/app/src/deep", "plain/x"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string]string{"work/app/src/deep": "work/app", "work/app": "work/app", "plain/x": "plain/x", "": ""} {
		if got := findRoot(filepath.Join(home, in), home); got != filepath.Join(home, want) {
			t.Errorf("findRoot(~/%s) = %s, want ~/%s", in, got, want)
		}
	}
}

// A disk that hangs before the handlers are asked must not let a call pass in silence: what
// the words of it come to is said in time. The settings did not come either, so where the words come to nothing the client
// goes by its own registration, which is what exit code 1 stands for.
func TestHookAnswersWithoutADisk(t *testing.T) {
	for _, tt := range []struct {
		line, setting, want string
		code                int
	}{
		{"rm -rf ~", "", "fs.delete-home", 2},
		{"rm -rf 1", "", `"permissionDecision":"ask"`, 0},
		{"ls -la", "", "the disk did not answer", 1},
		{"ls -la", "closed", "guard.on_failure is closed", 2},
		{"rm -rf 1", "closed", "guard.on_failure is closed", 2},
		{"> main.go", "", `"permissionDecision":"ask"`, 0},
	} {
		t.Run(tt.line+" "+tt.setting, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				payload, err := json.Marshal(map[string]any{"tool_name": "Bash", "cwd": "/srv/app", "tool_input": map[string]any{"command": tt.line}})
				if err != nil {
					t.Fatal(err)
				}
				e, out, errs := testEnv(t, bytes.NewReader(payload), map[string]string{"MOAI_GUARD_ON_FAILURE": tt.setting})
				dead, exited := make(chan struct{}), make(chan int, 1)
				e.exit = func(code int) { exited <- code }
				inner := e.getenv
				var hung atomic.Bool // the timer asks for variables, too, and must not hang
				e.getenv = func(name string) string {
					if name == "XDG_STATE_HOME" && hung.CompareAndSwap(false, true) { // asked for when folders are looked for
						<-dead
					}
					return inner(name)
				}
				go Run([]string{"hook", "pre-tool"}, e)
				code := <-exited
				if said := out.String() + errs.String(); !strings.Contains(said, tt.want) || code != tt.code {
					t.Errorf("exit %d, %s; want %d, %s", code, said, tt.code, tt.want)
				}
				close(dead)
				synctest.Wait()
			})
		})
	}
}
