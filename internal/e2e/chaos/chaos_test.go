//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fake is a guard with one answer to everything.
func fake(t *testing.T, script string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "moai")
	if err := os.WriteFile(p, []byte("#!/bin/sh\ncat >/dev/null\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

func chaos(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var b bytes.Buffer
	code = run(append([]string{"-payloads", "../../../testdata/payload/claude"}, args...), &b, &b)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return code, b.String()
}

const deny = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'`

// Each kind sees a guard that lets everything pass, one that says nothing useful, and one that lies.
func TestBadGuards(t *testing.T) {
	lie := `printf '%s\n' '{"systemMessage":"moai: snapshot x (1 changed) before: y\n  bring it back: moai checkpoint restore x"}'`
	for _, row := range []struct{ kind, n, script, want string }{
		{"time", "0", "echo '{}'", "it was allowed"},
		{"time", "1", "exit 1", "exit code 1"},
		{"time", "2", "echo no", "the answer is text"},
		{"time", "3", deny + "; echo '{}'", "two answers"},
		{"time", "4", "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"Stop\"}}'", "names another event"},
		{"time", "5", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; " + deny, "of processor time"},
		{"clone", "0", "echo '{}'", "silent: nothing"},
		{"clone", "0", deny, "no answer: nothing"}, // every event gets the answer of one
		{"clone", "0", lie, "broken promise: nothing"},
		{"clone", "1", `echo x >> ../home/.bashrc; echo '{}'`, "changed: "},
		{"kill", "0", "echo '{}'", "next hook: hook, reset"},
		{"kill", "1", "rm -f u; echo '{}'", "work lost: hook, rm"},
		{"kill", "3", "echo x > new; echo '{}'", "status changed: create"},
		{"kill", "3", "touch .git/index.lock; echo '{}'", "git is held up: create"},
		{"crowd", "0", "echo '{}'", "crowd: silent"},
		{"crowd", "0", lie, "0 lines about hook 0"},
		{"crowd", "1", lie, "crowd: broken promise"},
	} {
		t.Run(fmt.Sprintf("%s%s", row.kind, row.n), func(t *testing.T) {
			code, out := chaos(t, "-moai", fake(t, row.script), "-seed", "1", "-cpu", "20ms", "-spare", "-only", row.kind, "-case", row.n)
			if code != 1 || !strings.Contains(out, row.want) || !strings.Contains(out, "-only "+row.kind+" -case "+row.n) {
				t.Errorf("exit code %d, want 1 and %q in\n%s", code, row.want, out)
			}
		})
	}
}

// A guard that refuses everything has no failures where only lines are judged.
func TestGoodGuard(t *testing.T) {
	if code, out := chaos(t, "-moai", fake(t, deny), "-seed", "1", "-cpu", "10s", "-only", "time", "-case", "3"); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// An interrupt ends it, and what it had made goes all the same.
func TestInterrupt(t *testing.T) {
	timer := time.AfterFunc(700*time.Millisecond, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGINT) })
	defer timer.Stop()
	began := time.Now()
	code, out := chaos(t, "-moai", fake(t, "sleep 60"), "-seed", "1", "-only", "crowd", "-minutes", "1")
	if code != 130 || time.Since(began) > 20*time.Second {
		t.Errorf("exit code %d after %v\n%s", code, time.Since(began), out)
	}
}

// Lines are shell: what is no command at all would prove nothing. And the same seed makes the same lines.
func TestLines(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	for i, f := range fillers {
		t.Run(f.name, func(t *testing.T) {
			for seed := range uint64(4) {
				text := f.make(rand.New(rand.NewPCG(seed, 1)), 400*int(seed+1))
				c := exec.Command(bash, "-n", "-O", "extglob")
				c.Stdin = strings.NewReader(text + "\n" + destruction(rand.New(rand.NewPCG(seed, 2))))
				if out, err := c.CombinedOutput(); err != nil {
					t.Errorf("%v: %s\n%s", err, out, text)
				}
			}
			one, two := line(rand.New(rand.NewPCG(1, uint64(i))), f), line(rand.New(rand.NewPCG(1, uint64(i))), f)
			if one != two {
				t.Error("the same seed made two lines")
			}
			if len(one) > maxLine {
				t.Errorf("%d bytes, more than %d", len(one), maxLine)
			}
		})
	}
}
