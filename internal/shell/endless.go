package shell

import "mvdan.cc/sh/v3/syntax"

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

func callName(s *syntax.Stmt) string {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		return call.Args[0].Lit()
	}
	return ""
}
