// Package child starts programs: the tests that a person or an agent asks for, and formatters, linters and tests of a project whose user had them run.
// Nothing else in moai starts a process.
//
// Its invariant: a program with a group of its own has ended when Run returns, with all that it started: on Linux also what
// has left the group, by a session of its own or by forking twice, on Windows by a job. On other systems what leaves the
// group lives on. What a service has started for it (systemd-run, docker) is the service's on all of them.
package child

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/argv"
)

// Command is a program to run, without a shell.
type Command struct {
	Path string   // the file
	Args []string // its name first
	Dir  string
	Env  []string // nil: this process's own
	// In is what it reads, through a pipe; nil: Stdin itself, or what this process reads.
	In    io.Reader
	Stdin *os.File
	// Out and Err take what it prints, one at a time. A write that fails ends it.
	Out, Err io.Writer
	// Apart gives it a group of its own, which is ended as a whole when the context ends.
	Apart bool
}

// Line is a command line as people type it, for the system's shell, with arguments behind it.
func Line(dir, line string, args []string, getenv func(string) string) (*Command, error) {
	shell, words := "sh", append([]string{"sh", "-c", line + ` "$@"`, "moai"}, args...)
	if runtime.GOOS == "windows" {
		shell, words = "cmd", []string{"cmd", "/c", strings.TrimSpace(line + " " + argv.Quote(args...))}
	}
	path, found := Find(shell, nil, getenv)
	if !found {
		return nil, fmt.Errorf("no %s is on PATH", shell)
	}
	return &Command{Path: path, Args: words, Dir: dir}, nil
}

// Ended says how a program ended.
type Ended struct {
	Exit  int   // -1: by a signal
	Cause error // why it was ended: of the context, or of a writer
}

// Run runs a program to its end. The error says that it could not be started.
func (c *Command) Run(ctx context.Context) (Ended, error) {
	var p pipes
	defer p.close()
	stdin := cmp.Or(c.Stdin, os.Stdin)
	if c.In != nil {
		r, w, err := p.pair()
		if err != nil {
			return Ended{}, err
		}
		stdin = r
		p.feed(r, w, c.In)
	}
	failed := make(chan error, 2)
	var turns sync.Mutex
	stdout, err := p.drain(inTurn{c.Out, &turns}, failed)
	if err != nil {
		return Ended{}, err
	}
	stderr := stdout
	if !same(c.Out, c.Err) { // of one pipe what is written comes in its order
		if stderr, err = p.drain(inTurn{c.Err, &turns}, failed); err != nil {
			return Ended{}, err
		}
	}
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	if c.Apart {
		adopt()
	}
	process, err := os.StartProcess(c.Path, c.Args, &os.ProcAttr{Dir: c.Dir, Env: env, Files: []*os.File{stdin, stdout, stderr}, Sys: apart(c.Apart)})
	if err != nil {
		if c.Apart {
			disown()
		}
		return Ended{}, fmt.Errorf("start %s: %w", filepath.Base(c.Path), err)
	}
	g := groupOf(process, c.Apart)
	defer g.close()
	p.started()
	out, err := await(ctx, process, &g, failed)
	if c.Apart {
		g.kill() // what it left behind holds the pipes open
		disown()
	}
	left, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p.wait(left)
	if err != nil {
		return out, fmt.Errorf("wait for %s: %w", filepath.Base(c.Path), err)
	}
	return out, nil
}

// same reports one writer. Such as cannot be compared are taken for two.
func same(a, b io.Writer) bool {
	defer func() { _ = recover() }()
	return a == b
}

// await waits for the end of a program, and brings it about where the time is over or nobody takes what it prints.
func await(ctx context.Context, process *os.Process, g *group, failed <-chan error) (out Ended, err error) {
	over := make(chan *os.ProcessState, 1)
	go func() {
		state, waited := process.Wait()
		err = waited
		over <- state
	}()
	var state *os.ProcessState
	select {
	case state = <-over:
	case <-ctx.Done():
		out.Cause = context.Cause(ctx)
	case out.Cause = <-failed:
	}
	if out.Cause != nil {
		g.kill()
		state = <-over
	}
	if err == nil {
		out.Exit = state.ExitCode()
	}
	return out, err
}

// patience is how long what a program left behind may go on writing.
const patience = 2 * time.Second

// inTurn is a writer that shares its turns with another one.
type inTurn struct {
	io.Writer
	turns *sync.Mutex
}

func (w inTurn) Write(b []byte) (int, error) {
	w.turns.Lock()
	defer w.turns.Unlock()
	return w.Writer.Write(b)
}

// pipes are those between this process and a program.
type pipes struct {
	theirs, ours []*os.File
	ready        []func()
	busy         sync.WaitGroup
}

func (p *pipes) pair() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err != nil {
		return nil, nil, fmt.Errorf("make pipe: %w", err)
	}
	return r, w, nil
}

// feed writes what the program is to read. One that does not read it is none of our business.
func (p *pipes) feed(r, w *os.File, from io.Reader) {
	p.theirs = append(p.theirs, r)
	p.ready = append(p.ready, func() {
		go func() {
			_, _ = io.Copy(w, from)
			_ = w.Close()
		}()
	})
	p.ours = append(p.ours, w)
}

// drain is where a program writes to, so that a writer gets it.
func (p *pipes) drain(to io.Writer, failed chan<- error) (*os.File, error) {
	r, w, err := p.pair()
	if err != nil {
		return nil, err
	}
	p.theirs, p.ours = append(p.theirs, w), append(p.ours, r)
	p.busy.Add(1)
	p.ready = append(p.ready, func() {
		go func() {
			defer p.busy.Done()
			if _, err := io.Copy(to, r); err != nil && !errors.Is(err, os.ErrClosed) {
				failed <- err
			}
		}()
	})
	return w, nil
}

// started lets go of the ends that the program has now, and begins to copy.
func (p *pipes) started() {
	for _, f := range p.theirs {
		_ = f.Close()
	}
	p.theirs = nil
	for _, f := range p.ready {
		f()
	}
	p.ready = nil
}

// wait waits till all was copied. A program that has left the group may hold a pipe open for as long as it likes.
func (p *pipes) wait(ctx context.Context) {
	done := make(chan struct{})
	go func() { p.busy.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

func (p *pipes) close() {
	for _, f := range p.theirs {
		_ = f.Close()
	}
	for _, f := range p.ours {
		_ = f.Close()
	}
}

// Find looks for a program by its name: in folders, the first that has it, then on PATH, of which relative folders do not count.
func Find(name string, folders []string, getenv func(string) string) (path string, ok bool) {
	list := folders
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if filepath.IsAbs(dir) {
			list = append(list[:len(list):len(list)], dir)
		}
	}
	for _, dir := range list {
		for _, end := range endings(getenv) {
			file := filepath.Join(dir, name+end)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return file, true
			}
		}
	}
	return "", false
}

// endings are those that programs have here.
func endings(getenv func(string) string) []string {
	if runtime.GOOS != "windows" {
		return []string{""}
	}
	list := filepath.SplitList(strings.ToLower(getenv("PATHEXT")))
	if len(list) == 0 {
		list = []string{".exe", ".cmd", ".bat"}
	}
	return list
}
