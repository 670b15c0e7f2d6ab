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

// loopBody follows the body of a loop once, where the line does not tell how often it runs. What the loop sets may hold a value from an earlier round.
func (e *engine) loopBody(c *ctx, changes *touched, body []*syntax.Stmt, endless bool) output {
	n := c.sub()
	n.endless = c.endless || endless
	n.cond = true
	n.st.unsettle(changes)
	out := e.round(n, body)
	c.st.merge(n.st)
	c.st.unsettle(changes)
	return out
}

// round follows the body of a loop, within which what comes first runs for sure.
func (e *engine) round(c *ctx, body []*syntax.Stmt) output {
	return e.alone(c, func(n *ctx) output {
		n.round = n.st
		return e.stmts(body, n)
	})
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

// rounded are the items of a loop, each for a round of it; exact is false where there may be other ones.
func (e *engine) rounded(n *syntax.ForClause, loop *syntax.WordIter, c *ctx) (items []Word, exact bool) {
	given := e.items(loop, c)
	exact = c.decides() && !n.Select && !slices.ContainsFunc(given, func(w Word) bool { return !w.sure() })
	items = e.named(given, c)
	if n.Select || len(items) > maxLoop {
		cut := min(len(items), maxLoop)
		return append(slices.Clip(items[:cut]), unknown("$"+loop.Name.Value, c.src.node(loop.Name))), false
	}
	return items, exact
}

// counting follows for ((i=0; i<3; i++)).
func (e *engine) counting(n *syntax.ForClause, c *ctx) output {
	loop, ok := n.Loop.(*syntax.CStyleLoop)
	if !ok {
		return output{}
	}
	e.arithm(loop.Init, c)
	e.arithm(loop.Cond, c)
	e.arithm(loop.Post, c)
	return e.loopBody(c.step("for loop", c.src.at(int(n.ForPos.Offset()), int(n.DoPos.Offset()))), e.touches(c, n), n.Do, loop.Cond == nil && e.spawns(n.Do))
}

// turn is the round of a loop for an item; known tells that there is one.
func (e *engine) turn(body []*syntax.Stmt, name string, item Word, b, c *ctx, out *output) (how over, known bool) {
	item.Many = false
	if item.Glob && item.Kind == Literal {
		item = matching(&item) // "$f" is a name that the pattern found, though quoted
	}
	b.cond = c.cond || item.Kind != Literal
	b.st.set(name, value{list: []Word{item}})
	e.broke = false
	e.add(out, e.round(b, body))
	how = b.st.over
	b.st.over = runsOn
	return how, item.Kind == Literal
}

// forClause runs the body once for each item, as the shell would.
func (e *engine) forClause(n *syntax.ForClause, c *ctx) output {
	loop, ok := n.Loop.(*syntax.WordIter)
	if !ok {
		return e.counting(n, c)
	}
	items, exact := e.rounded(n, loop, c)
	var changed *touched
	if !exact {
		changed = e.touches(c, n)
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
	left := false // a round may have ended early, or been the last
	each := exact // every round runs
	over := runsOn
	for i := range items {
		if !e.tick(c) {
			each = false
			break
		}
		b.st.unsettle(changed)
		var known bool
		over, known = e.turn(n.Do, loop.Name.Value, items[i], b, c, &out)
		each = each && known
		if e.broke {
			left, each = true, false
			changed = e.touches(c, n)
			c.st.merge(b.st) // this round may have been the last
		}
		if over > leavesRound && known {
			if c.cond || left {
				over = runsOn // not for sure
			}
			break
		}
		over = runsOn
	}
	e.dedupe, e.broke = old, broke || left
	switch {
	case len(items) == 0:
	case each:
		*c.st = *b.st
	default:
		c.st.merge(b.st)
		c.st.unsettle(changed)
	}
	if over > leavesLoop {
		c.st.over = over
	}
	return out
}

// endless reports whether a loop runs without end and starts background
// commands that it does not wait for: their number grows until the machine
// has no more processes.
func (e *engine) endless(cond []*syntax.Stmt, until bool, body []*syntax.Stmt) bool {
	if len(cond) != 1 || !constant(cond[0], !until) {
		return false
	}
	return e.spawns(body)
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
func (e *engine) spawns(body []*syntax.Stmt) bool {
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
			bg, leaves := e.inside(s)
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
func (e *engine) inside(s *syntax.Stmt) (bg, leaves bool) {
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
			name := callName(n)
			leaves = leaves || e.tables.Sh.Leaves.Has(name) && !e.tables.Sh.Again.Has(name)
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
