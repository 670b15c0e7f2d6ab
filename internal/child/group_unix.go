//go:build unix

package child

import (
	"os"
	"syscall"
)

// apart has a program begin a group of its own.
func apart(own bool) *syscall.SysProcAttr {
	if !own {
		return nil
	}
	return &syscall.SysProcAttr{Setpgid: true}
}

// group is a program with what it started.
type group struct {
	process *os.Process
	own     bool
}

func groupOf(p *os.Process, own bool) group { return group{p, own} }

// kill ends all of it. The number of a group is not given away as long as somebody is in it.
func (g group) kill() {
	if g.own {
		_ = syscall.Kill(-g.process.Pid, syscall.SIGKILL)
		return
	}
	_ = g.process.Kill()
}

func (g group) close() {}
