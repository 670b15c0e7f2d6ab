//go:build linux || darwin

package seat

import (
	"os"

	"golang.org/x/sys/unix"
)

// Look looks around this process.
func Look() Seat {
	s := Seat{Above: up(os.Getppid(), process)}
	// The controlling terminal, whatever the standard streams are: `x=$(moai …)` has it as well.
	fd, err := unix.Open("/dev/tty", unix.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return s
	}
	defer unix.Close(fd)
	s.Terminal = true
	if group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err == nil {
		s.Behind = group != unix.Getpgrp()
	}
	if leader, err := unix.Getsid(0); err == nil {
		if p, ok := process(leader); ok && p.Parent > 0 {
			if lender, ok := process(p.Parent); ok {
				s.Lender = &lender
			}
		}
	}
	return s
}
