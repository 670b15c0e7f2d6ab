package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// A loop over words that are known runs its body for each of them, with the state
// that the round before has left: cd, appended variables and all. Other loops run
// their body once, as something that may happen.
//
// Loops that start background commands and never wait for them use up a machine
// as a fork bomb does, without calling themselves. They are recognised by form:
// a condition that is constant, and no way out of the body.

// loopBody follows the body of a loop once.
func (e *engine) loopBody(c *ctx, body []*syntax.Stmt, endless bool) output {
	n := *c
	n.endless = c.endless || endless
	n.looped = true
	return e.branch(&n, body)
}

const maxLoop = 64

// named puts the files that patterns stand for in their place, where they can be looked up. Where these are more than a loop follows, the pattern tells all
// of them.
func (e *engine) named(items []Word, c *ctx) (list []Word) {
	if e.opt.Fitting == nil {
		return items
	}
	for i := range items {
		files := e.fitting(&items[i], c)
		if len(list)+len(files)+len(items) > maxLoop {
			files = nil
		}
		for _, p := range files {
			list = append(list, lit(p, items[i].Span))
		}
		if len(files) == 0 {
			list = append(list, items[i])
		}
	}
	return list
}

// items are the words of a loop; without any they are those that the script or function was given.
func (e *engine) items(loop *syntax.WordIter, c *ctx) (items []Word) {
	switch {
	case loop.InPos.IsValid():
		for _, w := range loop.Items {
			items = e.fields(items, w, c)
		}
		return items
	case c.st.argsSet:
		return c.st.args
	}
	return []Word{{Text: "$@", Kind: Unknown, Many: true, Parts: []Part{{Text: "$@", Unknown: true}}}}
}

// forClause runs the body once for each item, as the shell would.
func (e *engine) forClause(n *syntax.ForClause, c *ctx) output {
	loop, ok := n.Loop.(*syntax.WordIter)
	if !ok {
		if cs, ok := n.Loop.(*syntax.CStyleLoop); ok {
			e.arithm(cs.Init, c)
			e.arithm(cs.Cond, c)
			e.arithm(cs.Post, c)
			return e.loopBody(c.step("for loop", c.src.at(int(n.ForPos.Offset()), int(n.DoPos.Offset()))), n.Do, endlessFor(cs, n.Do))
		}
		return output{}
	}
	items := e.named(e.items(loop, c), c)
	if n.Select || len(items) > maxLoop {
		name := "$" + loop.Name.Value
		cut := min(len(items), maxLoop)
		items = append(slices.Clip(items[:cut]), unknown(name, c.src.node(loop.Name)))
	}
	span := c.src.at(int(n.ForPos.Offset()), int(n.DoPos.Offset()))
	var out output
	b := c.step("for "+c.src.written(loop.Name), span)
	b.st = c.st.clone()
	old := e.dedupe
	if e.dedupe < 0 {
		e.dedupe = len(e.res.Commands)
	}
	broke := e.broke
	each := c.decides() // every round runs, and none ends early
	for i := range items {
		if !e.tick(c) {
			each = false
			break
		}
		item := items[i]
		item.Many = false
		if item.Glob && item.Kind == Literal {
			item = matching(&item) // "$f" is a name that the pattern found, though quoted
		}
		b.cond = c.cond || item.Kind != Literal
		each = each && item.Kind == Literal
		b.st.set(loop.Name.Value, value{list: []Word{item}})
		e.broke = false
		e.add(&out, e.stmts(n.Do, b))
		if c.st.over = b.st.over; c.st.over != runsOn {
			break
		}
		if e.broke {
			each, broke = false, true
			c.st.merge(b.st) // this round may have been the last
		}
	}
	e.dedupe, e.broke = old, broke
	switch {
	case len(items) == 0:
	case each:
		*c.st = *b.st
	default:
		c.st.merge(b.st)
	}
	return out
}

// endless reports whether a loop runs without end and starts background
// commands that it does not wait for: their number grows until the machine
// has no more processes.
func endless(cond []*syntax.Stmt, until bool, body []*syntax.Stmt) bool {
	if len(cond) != 1 || !constant(cond[0], !until) {
		return false
	}
	return spawns(body)
}

// endlessFor is endless for for ((;;)).
func endlessFor(loop *syntax.CStyleLoop, body []*syntax.Stmt) bool {
	return loop.Cond == nil && spawns(body)
}

// constant reports whether a condition always has the given outcome.
func constant(s *syntax.Stmt, want bool) bool {
	if s.Negated {
		want = !want
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return false
		}
		switch cmd.Args[0].Lit() {
		case "true", ":":
			return want
		case "false":
			return !want
		case "[", "test":
			return want && len(cmd.Args) > 1 && cmd.Args[1].Lit() != "" && (len(cmd.Args) == 2 || cmd.Args[2].Lit() == "]")
		}
	case *syntax.TestClause:
		w, ok := cmd.X.(*syntax.Word)
		return ok && want && w.Lit() != ""
	case *syntax.ArithmCmd:
		n, ok := number(cmd.X)
		return ok && (n != 0) == want
	}
	return false
}

// spawns reports whether a loop's body starts something in the background that
// it neither waits for nor leaves the loop after.
func spawns(body []*syntax.Stmt) bool {
	open, hidden := false, false
	for _, s := range body {
		switch name := callName(s); {
		case name == "wait" && !s.Background:
			open = false
		case name == "break" || name == "exit" || name == "return":
			return false
		case s.Background:
			open = true
		default:
			bg, leaves := inside(s)
			hidden = hidden || bg
			if leaves {
				return false
			}
		}
	}
	return open || hidden
}

// inside looks for background commands and ways out of the loop in a compound
// command; a branch that is never taken counts for nothing.
func inside(s *syntax.Stmt) (bg, leaves bool) {
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IfClause:
			if len(n.Cond) == 1 && constant(n.Cond[0], false) {
				return false
			}
		case *syntax.FuncDecl:
			return false
		case *syntax.Stmt:
			bg = bg || n.Background
			switch callName(n) {
			case "break", "exit", "return":
				leaves = true
			}
		}
		return true
	})
	return bg, leaves
}

// callName returns the literal name of a simple command.
func callName(s *syntax.Stmt) string {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		return call.Args[0].Lit()
	}
	return ""
}
