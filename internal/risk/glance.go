package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// General is a rule that names no program, and what tells most calls from it without a look at the rule.
type General struct {
	Rule   uint16 // its place in Set.Rules
	Effect rule.Kind
	Tools  []string
	Env    bool // it is about variables
	Named  bool // … a line that names something of the guard's
	Code   bool // … the text of a program
	Args   bool // … the arguments of a tool and nothing else
	Data   bool // … where programs keep their data
	Others bool // … what programs write, and not the shell
}

// generalOf takes from a rule what General says of it.
func generalOf(i int, r *rule.Risk) General {
	w := &r.When
	alone := func(family string) bool { return len(w.Is) == 1 && strings.HasPrefix(w.Is[0], family) }
	return General{
		Rule: uint16(i), Effect: w.Effect, Tools: r.Tools, Env: len(w.Env) > 0, Named: alone("named-"), Code: alone("code-"),
		Args: len(r.Tools) > 0 && w.Effect == 0 && len(w.Is) == 0, Data: slices.Contains(w.Is, "data-target"), Others: slices.Contains(w.Not, "by-redirect"),
	}
}

// passes reports a call that the rule has nothing to say about.
func (c *checker) passes(set *Set, g *General, call *call) bool {
	switch {
	case g.Effect != 0 && g.Effect&call.kinds == 0, g.Env && len(call.cmd.Assigns) == 0:
		return true
	case g.Named && !c.couldName(call): // most lines name nothing of the guard's
		return true
	case g.Code && call.programText() == "":
		return true
	case g.Others && call.onlyRedirects(g.Effect), g.Data && set.In("writes-over-by-name", call.name): // the shell writes all, or it is a copy
		return true
	}
	// A rule for tools of servers is told apart by its first letters.
	return len(g.Tools) > 0 && !c.ofProject && !c.isFor(g.Tools)
}
