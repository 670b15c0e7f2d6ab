//go:build linux || darwin

package seat

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Here looks around this process.
func Here() Sight {
	return Sight{Look, func() *upward { return &upward{next: os.Getppid(), look: stat, args: arguments, environ: environ} }}
}

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

// looker finds processes, each when it is asked for.
func looker() func(id int) (Process, bool) {
	since := boot()
	return func(id int) (Process, bool) {
		p, ok := brief(id)
		p.Began = when(p.Began, since)
		return p, ok
	}
}

// when is a beginning that no process of another start of the machine has.
func when(began, since string) string {
	if since == "" {
		return began
	}
	return began + "@" + since
}

// Start is when a process began, by its [Process.Began]; false where that does not tell.
func Start(began string) (t time.Time, ok bool) {
	began, since, _ := strings.Cut(began, "@")
	if since != boot() {
		return time.Time{}, false
	}
	return start(began)
}

// Runs reports that a process of that id and that beginning runs; any of the id where the beginning is not known.
func Runs(id int, began string) bool {
	p, ok := stat(id)
	return ok && !p.over && (began == "" || when(p.Began, boot()) == began)
}

// input is the terminal that standard input is, "" for anything else.
func input() string {
	if _, err := unix.IoctlGetWinsize(0, unix.TIOCGWINSZ); err != nil {
		return ""
	}
	var st unix.Stat_t
	if err := unix.Fstat(0, &st); err != nil {
		return ""
	}
	return named(&st)
}
