//go:build unix

package child_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/child"
)

func shell(line string, out *bytes.Buffer) *child.Command {
	return &child.Command{Path: "/bin/sh", Args: []string{"sh", "-c", line}, In: strings.NewReader("in"), Out: out, Err: out, Apart: true}
}

func TestRun(t *testing.T) {
	var out bytes.Buffer
	ended, err := shell("cat; echo out; echo err >&2; exit 3", &out).Run(context.Background())
	if err != nil || ended.Exit != 3 || ended.Cause != nil || out.String() != "inout\nerr\n" {
		t.Errorf("%+v %v %q", ended, err, out.String())
	}
	if _, err := (&child.Command{Path: "/no/such", Args: []string{"x"}, Out: &out, Err: &out}).Run(context.Background()); err == nil {
		t.Error("a program that is not there was run")
	}
}

// A program that forks and does not end when it is asked to is ended with what it started.
func TestGroupEnds(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			if b, _ := os.ReadFile(pids); bytes.Count(b, []byte("\n")) == 2 {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out bytes.Buffer
	ended, err := shell(`trap '' TERM INT HUP; (trap '' TERM INT HUP; echo $$ >>'`+pids+`'; sleep 1000) & echo $! >>'`+pids+`'; sleep 1000`, &out).Run(ctx)
	if err != nil || !errors.Is(ended.Cause, context.Canceled) || ended.Exit >= 0 {
		t.Fatalf("%+v %v", ended, err)
	}
	b, _ := os.ReadFile(pids)
	for line := range strings.Lines(string(b)) {
		pid, _ := strconv.Atoi(strings.TrimSpace(line))
		for syscall.Kill(pid, 0) == nil && !zombie(pid) { // its parent is gone: somebody else reaps it
			time.Sleep(time.Millisecond)
		}
	}
}

func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || bytes.Contains(b, []byte(") Z "))
}

// One that leaves something behind in its group is not waited for.
func TestLeftBehind(t *testing.T) {
	var out bytes.Buffer
	ended, err := shell("sleep 1000 & echo done", &out).Run(context.Background())
	if err != nil || ended.Exit != 0 || out.String() != "done\n" {
		t.Errorf("%+v %v %q", ended, err, out.String())
	}
}

type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// One that floods is ended.
func TestFlood(t *testing.T) {
	ended, err := (&child.Command{Path: "/bin/sh", Args: []string{"sh", "-c", "while :; do echo 0123456789; done"}, Out: &full{1 << 20}, Err: &full{}, Apart: true}).Run(context.Background())
	if err != nil || !errors.Is(ended.Cause, errFull) {
		t.Errorf("%+v %v", ended, err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	near, far := filepath.Join(dir, "near"), filepath.Join(dir, "far")
	for _, d := range []string{near, far} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put := func(path string, mode os.FileMode) {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(far, "tool"), 0o755)
	put(filepath.Join(near, "plain"), 0o644)
	env := func(string) string { return "bin:" + far }
	if path, ok := child.Find("tool", []string{near}, env); !ok || path != filepath.Join(far, "tool") {
		t.Error(path, ok)
	}
	if _, ok := child.Find("plain", []string{near}, env); ok {
		t.Error("a file that is no program was found")
	}
	put(filepath.Join(near, "tool"), 0o755)
	if path, _ := child.Find("tool", []string{near}, env); path != filepath.Join(near, "tool") {
		t.Error(path)
	}
}
