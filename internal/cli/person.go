package cli

import (
	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/term"
)

// person refuses what only a person may do where no person sits in front of moai. The guard
// denies these verbs to agents before they run; this is for a copy or a link of moai under
// another name, and for a script, in which the guard does not see them.
//
// Variables are the first sign of an agent and the easiest to take away, so the processes above
// count as well. What has cut itself loose from those (setsid, at, a service) has no
// terminal, or one that a program made for it. A line is what the person is to run there, whole; without one it is what was run.
func (e *env) person(may string, line ...string) error {
	return e.personIn("", may, line...)
}

// personIn is person for a setting of a file, which counts as well where the user changes it in an editor.
func (e *env) personIn(file, may string, line ...string) error {
	own, then := "run it in a terminal of your own", ""
	if len(line) > 0 {
		own, then = "in a terminal of your own", ": cd "+argv.Quote(e.dir)+" && "+line[0]
	}
	if e.byAgent() {
		return hint(nof("an agent runs this, and only a person may %s", may), own+then)
	}
	if e.process.seat.Look == nil {
		return nil
	}
	s := e.process.seat.Look()
	if agent := s.Agent(events.Clients, events.Hosts); agent != "" {
		return hint(nof("an agent (%s) started what runs this, and only a person may %s", agent, may), own+then)
	}
	if !s.Terminal {
		return hint(nof("this has no terminal, and only a person at one may %s", may),
			own+" (ssh -t, docker exec -it)"+then+inEditor(file))
	}
	if s.Behind {
		return hint(nof("this is not in the foreground of its terminal, and only a person there may %s", may), own+", without &"+then)
	}
	if by := s.Lent(events.Lenders); by != "" {
		return hint(nof("%s made this terminal, and only a person at one may %s", by, may), own+then)
	}
	return nil
}

// inEditor says where a person without a terminal finds what can be changed in an editor.
func inEditor(file string) string {
	if file == "" {
		return ""
	}
	return "; what you change in an editor, in " + term.Name(file) + ", counts from the next session, or once you have confirmed it: moai config confirm"
}
