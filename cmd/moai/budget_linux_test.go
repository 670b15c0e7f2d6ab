package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// TestBudgets holds whole calls of the real program to the times and peaks of memory that the sources ask for, on a small project: the
// best of five runs, since a busy machine says nothing about the program.
func TestBudgets(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir := t.TempDir()
	program := built(t)
	project := filepath.Join(dir, "project")
	kit.Tree(t, project, map[string]string{
		"main.py": "x = 1\n", "pyproject.toml": "[project]\nname = \"x\"\n", ".moai/specs/SPEC-A-001/spec.md": "---\nid: A-001\nstatus: completed\n---\n",
		".moai/memory/spec-metadata.md": "fields\n",
	})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "start"}} {
		git := exec.Command("git", args...)
		git.Dir = project
		if out, err := git.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
	// Of the peaks at a session's start and a checkpoint, 6.5 and 7.4 MB are pages that the process looked at: the kernel maps 16 at a
	// time of the program's file, which all processes share.
	for _, c := range []struct {
		event, more string
		most        time.Duration
		peak        int64 // MB
	}{
		{"SessionStart", `"source":"startup"`, 500 * time.Millisecond, 16},
		{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"git reset --hard"}`, 500 * time.Millisecond, 18},
		{"UserPromptSubmit", `"prompt":"/alfred:1-plan login"`, 100 * time.Millisecond, 30},
		{"PreCompact", `"trigger":"auto"`, 100 * time.Millisecond, 30},
		{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"git status && ls"}`, 50 * time.Millisecond, 20},
		{"PostToolUse", `"tool_name":"Write","tool_input":{"file_path":"main.py","content":"x = 1\n"}`, 50 * time.Millisecond, 20},
		{"Notification", `"message":"x"`, 50 * time.Millisecond, 20},
		{"Stop", `"stop_hook_active":false`, 50 * time.Millisecond, 20},
		{"SubagentStop", `"stop_hook_active":false`, 50 * time.Millisecond, 20},
		{"SessionEnd", `"reason":"other"`, 50 * time.Millisecond, 20},
	} {
		best, peak := time.Hour, int64(1)<<62
		for i := range 5 {
			if err := os.WriteFile(filepath.Join(project, "main.py"), fmt.Appendf(nil, "x = %d\n", i), 0o644); err != nil { // for a new checkpoint
				t.Fatal(err)
			}
			cmd := exec.Command(program, "hook", c.event)
			cmd.Dir = project
			cmd.Stdin = bytes.NewReader([]byte(`{"session_id":"s","hook_event_name":"` + c.event + `","cwd":"` + project + `",` + c.more + `}`))
			cmd.Env = []string{"HOME=" + filepath.Join(dir, "home"), "PATH=" + os.Getenv("PATH")}
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", c.event, err, out)
			}
			best = min(best, time.Since(start))
			peak = min(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
		}
		if best > c.most || peak > c.peak {
			t.Errorf("%s took %v and %d MB, want at most %v and %d MB", c.event, best, peak, c.most, c.peak)
		}
		t.Logf("%-16s %8v %3d MB", c.event, best.Round(10*time.Microsecond), peak)
	}
}

// built is the program as make builds it.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "moai")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// TestNothingBeforeMain: what a package of moai makes before main, it makes in each hook call, whether that needs it or not. Errors
// that are put together of others, tables that are parts of tables and values of functions are all made there. Package solo alone has a
// reason to, and comes before anything that asks for memory.
func TestNothingBeforeMain(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := built(t)
	run := exec.Command(program, "version")
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := run.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("init os @")) {
		t.Fatalf("moai version: %v\n%s", err, out)
	}
	solo, asked := false, false
	for line := range bytes.Lines(out) {
		switch {
		case bytes.HasPrefix(line, []byte("init github.com/modu-ai/moai/internal/solo ")):
			solo = !asked
		case bytes.HasPrefix(line, []byte("init github.com/modu-ai/moai/")):
			t.Errorf("%s", line)
		case bytes.HasPrefix(line, []byte("init ")) && !bytes.HasSuffix(line, []byte(" 0 bytes, 0 allocs\n")):
			asked = true
		}
	}
	if !solo {
		t.Errorf("solo is not made ready before memory is asked for:\n%s", out)
	}
	// Where methods are found by names that the linker cannot tell, it keeps every exported method of the program.
	text, err := os.ReadFile(program)
	if err != nil || bytes.Contains(text, []byte("reflect.Value.MethodByName")) {
		t.Errorf("%v, or something linked looks for methods by name: text/template does, and cobra's templates", err)
	}
}
