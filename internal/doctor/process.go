package doctor

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/modu-ai/moai/internal/wire"
)

// errTimeout means that a process was ended because it took too long.
var errTimeout = errors.New("took too long")

// maxOutput bounds what is kept of a process's output, in bytes. One that writes more is
// not read to its end, stands still, and counts as too slow.
const maxOutput = 1 << 20

// ended is what a process left behind.
type ended struct {
	wire.Output
	took time.Duration
}

// start runs a program to its end. It uses package os alone: os/exec is kept
// out of the binary, where the hook path has no use for it.
func start(argv, environ []string, dir string, stdin []byte, limit time.Duration) (ended, error) {
	var pipes [3][2]*os.File // read end, write end
	defer func() {
		for _, p := range pipes {
			for _, f := range p {
				if f != nil {
					_ = f.Close()
				}
			}
		}
	}()
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			return ended{}, err
		}
		pipes[i] = [2]*os.File{r, w}
	}
	begun := time.Now()
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Dir: dir, Env: environ, Files: []*os.File{pipes[0][0], pipes[1][1], pipes[2][1]},
	})
	if err != nil {
		return ended{}, err
	}
	// Our copies of the child's ends: while they are open, reading its output
	// would never come to an end.
	for _, f := range []*os.File{pipes[0][0], pipes[1][1], pipes[2][1]} {
		_ = f.Close()
	}
	go func() {
		_, _ = pipes[0][1].Write(stdin) // a program need not read it
		_ = pipes[0][1].Close()
	}()
	read := func(r *os.File) <-chan []byte {
		done := make(chan []byte, 1)
		go func() {
			data, _ := io.ReadAll(io.LimitReader(r, maxOutput))
			done <- data
		}()
		return done
	}
	stdout, stderr := read(pipes[1][0]), read(pipes[2][0])

	type exit struct {
		state *os.ProcessState
		err   error
	}
	exited := make(chan exit, 1)
	go func() {
		state, err := p.Wait()
		exited <- exit{state, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-timer.C:
		_ = p.Kill()
		<-exited // else it would stay as a zombie for as long as moai runs
		return ended{}, errTimeout
	case x := <-exited:
		if x.err != nil {
			return ended{}, x.err
		}
		out := ended{took: time.Since(begun)}
		out.Exit = x.state.ExitCode()
		for _, from := range []struct {
			done <-chan []byte
			into *[]byte
		}{{stdout, &out.Stdout}, {stderr, &out.Stderr}} {
			select {
			case *from.into = <-from.done:
			case <-timer.C: // a child of its own still holds the pipe
				return ended{}, errTimeout
			}
		}
		return out, nil
	}
}
