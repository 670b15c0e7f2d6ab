package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A script that is run with words may end early for these words: "if [ "$1" = --help ]; then usage; exit; fi". What stands behind that does not run.

// over says what of a script is left behind.
type over uint8

const (
	runsOn      over = iota
	leavesRound      // continue: the round of a loop
	leavesLoop       // break
	leavesCall       // return: the function, or the file that is sourced
	leavesFile       // exit: the shell
)

// leave takes in a builtin behind which what follows does not run, where it runs for sure; else it may not, so that values from before stay possible.
func (e *engine) leave(name string, args []Word, c *ctx) {
	if !e.tables.Sh.Leaves.Has(name) {
		return
	}
	sure := !c.cond && c.decides()
	switch sh := &e.tables.Sh; {
	case sh.Ends.Has(name):
		if sure {
			c.st.over = leavesFile
		}
	case sh.Returns.Has(name):
		if sure && c.returns {
			c.st.over = leavesCall
		} else {
			e.returned = true
		}
	case sure && c.round == c.st && (len(args) == 0 || args[0].Is("1")): // a shell within the loop's has none to leave
		if c.st.over = leavesLoop; sh.Again.Has(name) {
			c.st.over = leavesRound
		}
	default:
		e.broke = true
	}
}

// shift takes words from the front of those that a script is given. Beyond the last one it fails and changes nothing.
func (s *state) shift(args []Word) {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0].Text); args[0].Kind != Literal || err != nil {
			n = -1
		}
		if n < 0 && strings.Contains(args[0].Text, "OPTIND") && (len(s.args) == 0 || s.args[0].Kind == Literal && !strings.HasPrefix(s.args[0].Text, "-")) {
			n = 0 // getopts has found no option
		}
	}
	switch {
	case n < 0:
		s.args, s.argsSet, s.argsOpen = nil, false, false // how many are gone is not known
	case n <= len(s.args):
		s.args = s.args[n:]
	}
}

// alone follows what a script, or a function, does if it runs at all: within it what comes first runs for sure.
func (e *engine) alone(c *ctx, follow func(n *ctx) output) output {
	at, n := len(e.res.Commands), *c
	n.cond = false
	out := follow(&n)
	for i := at; c.cond && i < len(e.res.Commands); i++ {
		e.res.Commands[i].Conditional = true
	}
	return out
}

// takenChain follows a && b || c as far as it is known how each part ends. It returns what is left of it: the part that comes next, and what waits
// for how that ends; done is true where nothing is.
func (e *engine) takenChain(first *syntax.Stmt, list []*syntax.BinaryCmd, out *output, c *ctx) (*syntax.Stmt, []*syntax.BinaryCmd, bool) {
	yes, known := e.decided(first, c)
	for known {
		next := len(list) - 1
		for next >= 0 && (list[next].Op == syntax.AndStmt) != yes {
			next--
		}
		if next < 0 {
			return nil, nil, true
		}
		first, list = list[next].Y, list[:next]
		yes, known = e.decided(first, c)
	}
	return first, list, false
}

// rounds follows a loop round by round as long as it is known that there is another one: while [ $# -gt 0 ]; do case $1 in …; shift; done. What
// is not known after that is followed as the rest of any loop.
func (e *engine) rounds(n *syntax.WhileClause, c *ctx) (ended bool) {
	if !c.decides() || len(n.Cond) != 1 {
		return false
	}
	old := e.dedupe
	if e.dedupe < 0 {
		e.dedupe = len(e.res.Commands)
	}
	broke := e.broke
	defer func() { e.dedupe, e.broke = old, e.broke || broke }()
	m := *c
	m.round, e.broke = c.st, false
	for range maxLoop {
		yes, known := e.decided(n.Cond[0], c)
		if !known || !e.tick(c) {
			return false
		}
		if yes == n.Until {
			return true
		}
		e.stmts(n.Do, &m)
		over := c.st.over
		if over < leavesCall || e.broke {
			c.st.over = runsOn
		}
		if e.broke {
			return false
		}
		if over > leavesRound {
			return true
		}
	}
	return false
}
