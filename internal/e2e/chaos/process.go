//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// patience is the time that a client gives a hook (the timeout in its registration); after it the client goes on without an answer.
const patience = 10 * time.Second

// A reply is what a process said and what it cost.
type reply struct {
	exit      int // -1: killed
	out, err  string
	cpu, wall time.Duration
	hung      bool
}

// command starts a program in a group of its own, so that nothing of it outlives the case. What is given no input is a
// person's: it has a terminal, as some verbs demand. leave closes that.
func (w *world) command(ctx context.Context, stdin []byte, name string, args ...string) (c *exec.Cmd, leave func()) {
	c = exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = w.repo, w.environ()
	if stdin != nil {
		c.Stdin = bytes.NewReader(stdin)
	}
	c.SysProcAttr, leave = &syscall.SysProcAttr{Setpgid: true}, func() {}
	if stdin == nil {
		leave = seat(c)
	}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	return c, leave
}

// seat gives a command a terminal of its own, in a session of its own. Its streams stay as they are.
func seat(c *exec.Cmd) (leave func()) {
	master := must1(os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0))
	must(unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n := must1(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))
	slave := must1(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))
	c.ExtraFiles = append(c.ExtraFiles, slave)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2 + len(c.ExtraFiles)}
	return func() { slave.Close(); master.Close() }
}

// start runs a program to its end.
func (w *world) start(ctx context.Context, stdin []byte, name string, args ...string) reply {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, leave := w.command(limited, stdin, name, args...)
	defer leave()
	var out, talk bytes.Buffer
	c.Stdout, c.Stderr = &out, &talk
	began := time.Now()
	err := c.Run()
	r := reply{out: out.String(), err: talk.String(), wall: time.Since(began)}
	r.hung = limited.Err() != nil && ctx.Err() == nil
	var ended *exec.ExitError
	switch {
	case c.ProcessState == nil:
		if ctx.Err() == nil {
			must(err)
		}
		r.exit = -1
	case err != nil && !errors.As(err, &ended) && !errors.Is(err, exec.ErrWaitDelay) && limited.Err() == nil:
		must(err)
	}
	if s := c.ProcessState; s != nil {
		r.exit, r.cpu = s.ExitCode(), s.UserTime()+s.SystemTime()
	}
	return r
}

// verb runs one of moai's verbs, as a person does.
func (t *trial) verb(w *world, args ...string) reply { return w.start(t.ctx, nil, t.moai, args...) }

// hook asks moai about one payload, as the client does.
func (t *trial) hook(w *world, payload map[string]any) reply {
	data := must1(json.Marshal(payload))
	if t.keep {
		must(os.WriteFile(filepath.Join(t.dir, "payload.json"), data, 0o600)) // who keeps the folder wants to ask again
	}
	return w.start(t.ctx, data, t.moai, "hook")
}

// bash asks about one command line.
func (t *trial) bash(w *world, line string) reply {
	return t.hook(w, w.call("Bash", map[string]any{"command": line}))
}

// call is the payload of a tool call.
func (w *world) call(tool string, input map[string]any) map[string]any {
	p := w.event("PreToolUse")
	p["tool_name"], p["tool_input"], p["tool_use_id"] = tool, input, "toolu_chaos"
	return p
}

// event is the payload of an event, as far as all have it.
func (w *world) event(name string) map[string]any {
	p := map[string]any{"hook_event_name": name, "cwd": w.repo, "session_id": w.session}
	p["transcript_path"], p["permission_mode"] = w.dir+"/transcript.jsonl", "default"
	return p
}

// git runs git, which is right by definition.
func (t *trial) git(w *world, args ...string) string {
	r := t.tryGit(w, args...)
	if r.exit != 0 && t.ctx.Err() == nil {
		panic(trouble{errors.New("git " + strings.Join(args, " ") + ": " + r.out + r.err)})
	}
	return r.out
}

func (t *trial) tryGit(w *world, args ...string) reply {
	limit := *w
	limit.env = nil // what a clone sets is for the hook
	return limit.start(t.ctx, nil, "git", args...)
}

// buildEmpty makes the program that tells how busy the machine is.
func (r *rig) buildEmpty() {
	source := filepath.Join(r.dir, "empty.go")
	must(os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600))
	bin := strings.TrimSuffix(source, ".go")
	c := exec.CommandContext(r.ctx, "go", "build", "-o", bin, source)
	c.Dir, c.Env = r.dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GO111MODULE=off")
	if c.Run() == nil {
		r.empty = bin
	}
}

// nothing is what an empty program takes at this moment.
func (r *rig) nothing() time.Duration {
	if r.emptyOnce.Do(r.buildEmpty); r.empty == "" {
		return 0
	}
	c := exec.CommandContext(r.ctx, r.empty)
	if c.Run() != nil {
		return 0
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}
