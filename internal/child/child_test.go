//go:build unix

package child_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/kit"
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

// One that leaves something behind outside its group, in a session of its own or forked twice, is ended with it: at once where it
// ends by itself, and where its time is over though all of them ignore it.
func TestLeavesGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere what leaves the group is not found again")
	}
	const leaves = `trap '' TERM INT HUP
one() { setsid sh -c 'trap "" TERM INT HUP; echo $$ >>pids; sleep 1000'; }
two() { (setsid sh -c '(trap "" TERM; echo $$ >>pids; setsid sh -c "echo \$\$ >>pids; sleep 1000" & sleep 1000) &' &); }
one & two
until test "$(wc -l <pids 2>/dev/null)" = 3; do sleep 0.01; done
echo ready
`
	for name, line := range map[string]string{"ends": leaves + "exit 4", "hangs": leaves + "sleep 1000"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			out := &ready{cancel: func() {
				if name == "hangs" {
					cancel()
				}
			}}
			began := time.Now()
			ended, err := (&child.Command{Path: "/bin/sh", Args: []string{"sh", "-c", line}, Dir: dir, In: strings.NewReader(""), Out: out, Err: out, Apart: true}).Run(ctx)
			cancel()
			if want := name == "ends"; err != nil || (ended.Exit == 4) != want || (ended.Cause == nil) != want {
				t.Fatalf("%+v %v", ended, err)
			}
			pids, err := os.ReadFile(filepath.Join(dir, "pids"))
			if err != nil || bytes.Count(pids, []byte("\n")) != 3 {
				t.Fatalf("%q %v", pids, err)
			}
			for line := range strings.Lines(string(pids)) {
				pid, err := strconv.Atoi(strings.TrimSpace(line))
				kit.Must(t, err)
				if syscall.Kill(pid, 0) == nil {
					t.Errorf("%d lives on after %v", pid, time.Since(began))
				}
			}
		})
	}
}

// Of two programs at once, the first one's end is not that of what the other one needs.
func TestTwoAtOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere what leaves the group is not found again")
	}
	dir := t.TempDir()
	done := make(chan string)
	go func() {
		var out bytes.Buffer
		c := shell("(setsid sh -c 'until test -e go; do sleep 0.01; done; echo served >answer' &) ; touch begun; until test -e answer; do sleep 0.01; done; cat answer", &out)
		c.Dir = dir
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := c.Run(ctx)
		done <- fmt.Sprint(out.String(), err)
	}()
	for _, err := os.Stat(filepath.Join(dir, "begun")); err != nil; _, err = os.Stat(filepath.Join(dir, "begun")) {
		time.Sleep(time.Millisecond)
	}
	var out bytes.Buffer
	if _, err := shell("true", &out).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	kit.Must(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o600))
	if got := <-done; got != "served\n<nil>" {
		t.Error(got)
	}
}

// A child that this process started in another way is none of what a program left behind.
func TestOwnChild(t *testing.T) {
	own, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "sleep 0.3; exit 7"}, &os.ProcAttr{Files: []*os.File{nil, nil, nil}})
	kit.Must(t, err)
	var out bytes.Buffer
	if _, err := shell("true", &out).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if state, err := own.Wait(); err != nil || state.ExitCode() != 7 {
		t.Errorf("%v %v", state, err)
	}
}

// ready does something when it is told that all is there.
type ready struct{ cancel func() }

func (r *ready) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("ready")) {
		r.cancel()
	}
	return len(b), nil
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
		kit.Must(t, os.MkdirAll(d, 0o755))
	}
	put := func(path string, mode os.FileMode) {
		kit.Must(t, os.WriteFile(path, nil, mode))
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
