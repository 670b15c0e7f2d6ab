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

	up *upward
}

// Above are the processes above this one, the nearest first.
func (f *Finder) Above() []Process { return f.upward().all() }

func (f *Finder) upward() *upward {
	if f.up == nil {
		f.up = &upward{next: os.Getppid(), look: looker()}
	}
	return f.up
}

// Client is the process of the agent, and the agent's name; the zero Process where it cannot be found. A variable is
// anybody's word, so the process that it names must be one above; where none is, the nearest above that is an agent's
// program, and last the one that was named, if it runs: processes may be cut loose from what started them.
func (f *Finder) Client() (p Process, name string) {
	if i, name := f.client(); i >= 0 {
		if p := f.up.at(i); p != nil {
			return *p, name
		}
	}
	for _, n := range f.named() {
		if p, ok := looker()(n.id); ok {
			return p, n.name
		}
	}
	return Process{}, ""
}

// client is how far above this process the client is, and its name; -1 where it is not there.
func (f *Finder) client() (at int, name string) {
	above, named := f.upward(), f.named()
	for i := 0; len(named) > 0 && above.id(i) > 0; i++ {
		for _, n := range named {
			if n.id == above.id(i) {
				return i, n.name
			}
		}
	}
	for i := 0; above.at(i) != nil; i++ {
		for j := range f.Clients {
			if above.is(i, f.Clients[j].Processes, f.Hosts) {
				return i, f.Clients[j].Name
			}
		}
	}
	return -1, ""
}

// claim is a process that a variable of a client names.
type claim struct {
	id   int
	name string // of the client
}

func (f *Finder) named() (list []claim) {
	for i := range f.Clients {
		for _, v := range f.Clients[i].PIDs {
			if id, err := strconv.Atoi(f.Getenv(v)); err == nil && id > 1 {
				list = append(list, claim{id, f.Clients[i].Name})
			}
		}
	}
	return list
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
