// Package seat tells who sits in front of this process: a person at a terminal, or an agent
// somewhere above it.
//
// It looks at processes and terminals and starts none. Which programs are agents is said by
// tables that it is given. Its invariant: what cannot be looked at is taken for nothing found,
// so that nobody is locked out by a system that tells less.
package seat

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/rule"
)

// most bounds how many processes above this one are looked at: a person's terminal is some
// ten below the first process of the system.
const most = 64

// Process is a running program.
type Process struct {
	ID, Parent int
	Name       string   // as the system has it, perhaps cut
	Began      string   // as the system has it; with ID, no other process has the same
	TTY        string   // its controlling terminal, "" without one and where the system does not tell
	Args       []string // the first ones; nil where the system does not tell
	Environ    []string // nil where the system does not tell

	over bool // it has ended, and only its name is there still
}

// Seat is what is above and in front of a process.
type Seat struct {
	Above    []Process // the nearest first
	Terminal bool      // it has a controlling terminal, or the system has no such thing
	Behind   bool      // the terminal is in the hands of another job
	Lender   *Process  // the program that made the terminal, if it is known
}

// Sight is how a process looks around itself.
type Sight struct {
	Look  func() Seat
	above func() *upward // one process after the other; nil where Look tells what is there
}

// up follows the parents of a process.
func up(id int, look func(id int) (Process, bool)) []Process {
	return (&upward{next: id, look: look}).all()
}

// Agent names the agent that a process above is, or that started it, "" for none.
func (s *Seat) Agent(known []rule.Client, hosts []string) string {
	for i := range s.Above {
		for j := range known {
			if s.Above[i].is(known[j].Processes, hosts) || has(s.Above[i].Environ, known[j].Variables) {
				return known[j].Name
			}
		}
	}
	return ""
}

// Lent names the program that made the terminal if it is one of those that make terminals for
// programs, not for persons.
func (s *Seat) Lent(programs []string) string {
	if s.Lender != nil && s.Lender.is(programs, nil) {
		return s.Lender.Name
	}
	return ""
}

// is reports that a process is one of some programs. A name with a slash is part of the path
// of the program or, for a program that runs others' text, of that text.
func (p *Process) is(names, hosts []string) bool {
	paths := [3]string{p.Name}
	if len(p.Args) > 0 {
		paths[1] = p.Args[0]
		if len(p.Args) > 1 && (fits(hosts, base(p.Args[0])) || fits(hosts, base(p.Name))) {
			paths[2] = p.Args[1]
		}
	}
	for _, text := range paths {
		if text == "" {
			continue
		}
		slashed := strings.ReplaceAll(text, `\`, "/")
		for _, name := range names {
			if strings.Contains(name, "/") && strings.Contains(slashed, name) {
				return true
			}
		}
		if fits(names, base(text)) {
			return true
		}
	}
	return false
}

// fits reports that one of the names, few of which are patterns, is that of a program. A hook call whose client does not say which
// process it is asks it of each process above.
func fits(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
		if pattern(n) {
			if ok, err := doublestar.Match(n, name); err == nil && ok {
				return true
			}
		}
	}
	return false
}

// pattern reports a name that stands for others as well.
func pattern(name string) bool {
	for i := range len(name) {
		switch name[i] {
		case '*', '?', '[', '{', '\\':
			return true
		}
	}
	return false
}

// base is the name of a program without its folder, a login shell's dash and ".exe".
func base(program string) string {
	program = strings.ReplaceAll(program, `\`, "/")
	name := strings.TrimPrefix(program[strings.LastIndexByte(program, '/')+1:], "-")
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], ".exe") {
		name = name[:len(name)-4]
	}
	return name
}

// has reports that one of some variables is set in an environment, and not empty.
func has(environ, variables []string) bool {
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || value == "" {
			continue
		}
		if slices.Contains(variables, name) {
			return true
		}
	}
	return false
}
