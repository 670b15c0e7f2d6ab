package seat

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Finder finds the client of the hook that this process is. A hook has no controlling terminal and pipes for streams, so
// nothing about its own process tells whose it is; its client's does.
type Finder struct {
	Clients   []rule.Client
	Hosts     []string        // programs that run the text that their first argument names
	Terminals []rule.Terminal // variables that name a terminal
	Getenv    func(string) string

	above []Process
}

// Above are the processes above this one, the nearest first.
func (f *Finder) Above() []Process {
	if f.above == nil {
		f.above = up(os.Getppid(), looker())
	}
	return f.above
}

// Seen has it go by the processes above that somebody has looked at already.
func (f *Finder) Seen(above []Process) { f.above = above }

// Client is the process of the agent, and the agent's name; the zero Process where it cannot be found. A variable is
// anybody's word, so the process that it names must be one above; where none is, the nearest above that is an agent's
// program, and last the one that was named, if it runs: processes may be cut loose from what started them.
func (f *Finder) Client() (p Process, name string) {
	loose := 0
	for _, p := range f.Above() {
		for i := range f.Clients {
			c := &f.Clients[i]
			for _, v := range c.PIDs {
				if id, err := strconv.Atoi(f.Getenv(v)); err == nil && id > 1 {
					if id == p.ID {
						return p, c.Name
					}
					loose, name = id, c.Name
				}
			}
		}
	}
	for _, p := range f.Above() {
		for i := range f.Clients {
			if p.is(f.Clients[i].Processes, f.Hosts) {
				return p, f.Clients[i].Name
			}
		}
	}
	if p, ok := looker()(loose); ok && loose > 0 {
		return p, name
	}
	return Process{}, ""
}

// Session is the session that the client's variables name, "" for none.
func (f *Finder) Session() string {
	for i := range f.Clients {
		for _, v := range f.Clients[i].Sessions {
			if id := f.Getenv(v); id != "" {
				return id
			}
		}
	}
	return ""
}

// TTY names the terminal in front of a client: its controlling one, else what variables say, the own one, or standard
// input. It is "" for a client that runs without any.
func (f *Finder) TTY(client Process) string {
	if client.TTY != "" {
		return client.TTY
	}
	if name := f.said(true); name != "" {
		return name
	}
	if p, ok := f.Self(); ok && p.TTY != "" {
		return p.TTY
	}
	if name := f.said(false); name != "" {
		return name
	}
	return input()
}

// said is the first terminal that the variables of a row name. Devices are paths; others are names that a program gave.
func (f *Finder) said(devices bool) string {
rows:
	for _, t := range f.Terminals {
		if t.Device != devices {
			continue
		}
		var parts []string
		for _, v := range t.Variables {
			value := f.Getenv(v)
			// `export GPG_TTY=$(tty)` says "not a tty" where there is none.
			if value == "" || devices && !filepath.IsAbs(value) {
				continue rows
			}
			parts = append(parts, value)
		}
		return strings.Join(parts, " ")
	}
	return ""
}

// Self is this process; false where the system tells nothing of processes.
func (f *Finder) Self() (Process, bool) { return looker()(os.Getpid()) }
