package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Where a line may go one way or another, both are followed, each from a copy of the
// state, and what they leave behind is kept side by side.

// branch follows statements that may not run and merges what they change.
func (e *engine) branch(c *ctx, list ...[]*syntax.Stmt) output {
	n := c.sub()
	n.cond = true
	var out output
	for _, l := range list {
		e.add(&out, e.stmts(l, n))
	}
	c.st.merge(n.st)
	return out
}

// ifClause follows all branches, each from the state after the condition. Which
// one runs is not known, so what they set is kept side by side; a branch that
// leaves the script sets nothing for those behind it.
func (e *engine) ifClause(n *syntax.IfClause, c *ctx) output {
	if c.decides() {
		if out, ok := e.taken(n, c); ok {
			return out
		}
	}
	out := e.stmts(n.Cond, c)
	before := c.st
	merged := before.clone()
	rest := c // of the branches that are reached because the tests before them failed
	for b := n; b != nil; b = b.Else {
		arm := *rest
		arm.st = before.clone()
		arm.cond = true
		if b != n {
			e.add(&out, e.stmts(b.Cond, &arm))
		}
		then := &arm
		if len(b.Cond) == 1 {
			then = arm.where(b.Cond[0], true)
			rest = rest.where(b.Cond[0], false)
		}
		e.add(&out, e.stmts(b.Then, then))
		if !leaves(b.Then) {
			merged.merge(arm.st)
		}
	}
	*c.st = *merged
	return out
}

// leaves reports whether statements end by leaving the script, so that what
// they changed does not matter afterwards.
func leaves(list []*syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	s := list[len(list)-1]
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return false
		}
		switch cmd.Args[0].Lit() {
		case "exit", "return", "exec":
			return true
		}
	case *syntax.Block:
		return leaves(cmd.Stmts)
	}
	return false
}

// links are the parts of a chain, the first one last.
func links(n *syntax.BinaryCmd) []*syntax.BinaryCmd {
	list := []*syntax.BinaryCmd{n}
	for {
		x := list[len(list)-1].X
		b, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || len(x.Redirs) > 0 {
			return list
		}
		list = append(list, b)
	}
}

// chain follows a && b || c without recursion: agents write long ones.
func (e *engine) chain(n *syntax.BinaryCmd, c *ctx) output {
	list := links(n)
	var out output
	first := list[len(list)-1].X
	if c.decides() {
		var done bool
		if first, list, done = e.takenChain(first, list, &out, c); done {
			return out
		}
	}
	if len(list) == 0 {
		e.add(&out, e.stmt(first, c))
		return out
	}
	e.add(&out, e.stmt(first, c))
	if first.Negated {
		c.st.fork()
	}
	stayed := c.st.left()
	tail := c.sub() // the state if everything so far succeeded
	tail.cond = true
	tail.absent = c.where(first, true).absent
	for _, b := range slices.Backward(list) {
		if !e.tick(c) {
			break
		}
		if b.Op == syntax.AndStmt {
			e.add(&out, e.stmt(b.Y, tail))
			stayed = append(stayed, tail.st.left()...)
			c.st.merge(tail.st) // the next one may fail: a && x=1 && b && x=2
			continue
		}
		other := tail.sub()
		other.st.stayed = stayed
		other.st.fork()
		tail.absent, other.absent = c.absent, c.absent // it may have been reached either way
		if b.X == first {
			other.absent = c.where(first, false).absent
		}
		if o := e.stmt(b.Y, other); !e.printed(first, &out) {
			e.add(&out, o)
		}
		if stayed = nil; !leaves([]*syntax.Stmt{b.Y}) {
			// cd a || cd b: the directories of both sides are possible.
			other.st.fork()
			tail.st.merge(other.st)
		}
	}
	c.st.merge(tail.st)
	if len(list) > 0 && onlyChdir(first) {
		c.st.dirs = tail.st.dirs
	}
	c.st.stayed = stayed
	return out
}

// printed reports that one command has printed text that is known, which it does where it succeeds: what "||" has behind it prints nothing then.
func (e *engine) printed(s *syntax.Stmt, out *output) bool {
	_, call := s.Cmd.(*syntax.CallExpr)
	return call && out.known && out.text.Kind == Literal && strings.TrimSpace(out.text.Text) != ""
}

// onlyChdir tells chains such as "cd x && …", "cd x || exit": what follows them
// runs in x, unless that is missing.
func onlyChdir(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	name := call.Args[0].Lit()
	return name == "cd" || name == "pushd"
}

// caseClause follows all branches of a case.
func (e *engine) caseClause(n *syntax.CaseClause, c *ctx) output {
	if c.decides() {
		if out, ok := e.takenCase(n, c); ok {
			return out
		}
	}
	e.quoted(n.Word, c)
	before := c.st.clone()
	var out output
	for _, item := range n.Items {
		arm := *c
		arm.st = before.clone()
		arm.cond = true
		for _, p := range item.Patterns {
			e.quoted(p, &arm)
		}
		e.add(&out, e.stmts(item.Stmts, &arm))
		if !leaves(item.Stmts) {
			c.st.merge(arm.st)
		}
	}
	return out
}
