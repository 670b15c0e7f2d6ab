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

// up follows the parents of a process. A process that is its own parent's parent, as ids
// that are used again can be, ends it.
func up(id int, look func(id int) (Process, bool)) []Process {
	var list []Process
	for len(list) < most && id > 0 {
		p, ok := look(id)
		if !ok {
			break
		}
		list = append(list, p)
		if p.Parent == id {
			break
		}
		id = p.Parent
	}
	return list
}

// Agent names the agent that a process above is, or that started it, "" for none.
func (s *Seat) Agent(known []rule.Client, hosts []string) string {
	for i := range s.Above {
		for j := range known {
			if s.Above[i].is(known[j].Processes, hosts) || s.Above[i].has(known[j].Variables) {
				return known[j].Name
			}
		}
	}
	return ""
}

// Began is the value that a variable had when a client above began, before it read any settings. It is not known where the
// system does not tell, or where the client was started by another agent, whose variables are no person's word.
func (s *Seat) Began(client int, known []rule.Client, hosts []string, variable string) (value string, told bool) {
	i := slices.IndexFunc(s.Above, func(p Process) bool { return client != 0 && p.ID == client })
	if i < 0 || s.Above[i].Environ == nil {
		return "", false
	}
	above := Seat{Above: s.Above[i+1:]}
	if above.Agent(known, hosts) != "" {
		return "", false
	}
	for j := range known {
		if s.Above[i].has(known[j].Variables) {
			return "", false // an agent above it is gone
		}
	}
	for _, kv := range s.Above[i].Environ {
		if name, v, ok := strings.Cut(kv, "="); ok && name == variable {
			return v, true
		}
	}
	return "", true
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

func fits(names []string, name string) bool {
	for _, n := range names {
		if ok, err := doublestar.Match(n, name); err == nil && ok {
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

// has reports that one of some variables was set, and not empty, when the process began.
func (p *Process) has(variables []string) bool {
	for _, kv := range p.Environ {
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
