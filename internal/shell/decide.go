package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A script that is run with words does what is in it for these words: of "case $1 in start) … stop) …" one branch. So in a file whose
// words the line gives, tests of known texts are decided. On the line itself both sides are followed, as ever: there is no reason to write a
// test there that is known to fail.

// decides reports a place in which that is done.
func (c *ctx) decides() bool { return c.files != nil }

// defaulted reports a variable with something of its own for where it is not given: ${1:-all}.
func defaulted(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.DblQuoted:
			if defaulted(p.Parts) {
				return true
			}
		case *syntax.ParamExp:
			if p.Exp != nil {
				return true
			}
		}
	}
	return false
}

// fixed is the text of a word that is made of nothing but known text and values.
func (e *engine) fixed(w *syntax.Word, c *ctx) (text string, ok bool) {
	if name := variableOf(w); !defaulted(w.Parts) && c.st.argsOpen && !c.st.argsUnsure && len(name) == 1 && name[0] >= '1' && name[0] <= '9' && int(name[0]-'0') > len(c.st.args) {
		return "", true // it was not given
	}
	if !plainParts(w.Parts) {
		return "", false
	}
	picks := len(e.picks)
	v := e.quoted(w, c)
	if len(e.picks) > picks {
		e.picks = e.picks[:picks]
		return "", false // one of several values
	}
	return v.Text, v.Kind == Literal && !v.Many && !v.Unsure && strings.IndexByte(v.Text, 0xF3) < 0
}

// oneWord is fixed for an operand of [: what is not in quotes is no operand, or several, where its text is empty or is split.
func (e *engine) oneWord(w *syntax.Word, c *ctx) (text string, ok bool) {
	text, ok = e.fixed(w, c)
	for _, p := range w.Parts {
		if _, open := p.(*syntax.ParamExp); open && (text == "" || strings.ContainsAny(text, " \t\n*?[")) {
			return "", false
		}
	}
	return text, ok
}

// pattern is fixed for one: a star in quotes stands for itself.
func (e *engine) pattern(w *syntax.Word, c *ctx) (text string, ok bool) {
	text, ok = e.fixed(w, c)
	if !strings.ContainsAny(text, "*?[\\") {
		return text, ok
	}
	for _, p := range w.Parts {
		if l, plain := p.(*syntax.Lit); !plain || strings.Contains(l.Value, "\\") {
			return "", false
		}
	}
	return text, ok
}

// plainParts reports text and variables by their names alone.
func plainParts(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if !plainParts(p.Parts) {
				return false
			}
		case *syntax.ParamExp:
			if p.Param == nil || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Excl || p.Length || p.Exp != nil && p.Exp.Op != syntax.DefaultUnset && p.Exp.Op != syntax.DefaultUnsetOrNull {
				return false
			}
			if p.Exp != nil && p.Exp.Word != nil && !plainParts(p.Exp.Word.Parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// decided tells how a test ends that compares known texts: [ a = b ], [[ -z $x ]], and both joined.
func (e *engine) decided(s *syntax.Stmt, c *ctx) (yes, known bool) {
	if len(s.Redirs) > 0 || s.Background {
		return false, false
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		if yes, known = e.decidedPlain(cmd, c); !known {
			yes, known = e.decidedWords(cmd, c)
		}
	case *syntax.TestClause:
		yes, known = e.decidedTest(cmd.X, c)
	case *syntax.BinaryCmd:
		a, aKnown := e.decided(cmd.X, c)
		b, bKnown := e.decided(cmd.Y, c)
		switch cmd.Op {
		case syntax.AndStmt:
			yes, known = a && b, aKnown && bKnown || aKnown && !a || bKnown && !b
		case syntax.OrStmt:
			yes, known = a && aKnown || b && bKnown, aKnown && bKnown || aKnown && a || bKnown && b
		}
	}
	return yes != s.Negated, known
}

// decidedWords is decided for [ … ] and test.
func (e *engine) decidedWords(cmd *syntax.CallExpr, c *ctx) (yes, known bool) {
	args := cmd.Args
	if len(cmd.Assigns) > 0 || len(args) < 3 {
		return false, false
	}
	switch name := args[0].Lit(); {
	case name == "[" && args[len(args)-1].Lit() == "]":
		args = args[1 : len(args)-1]
	case e.tables.Sh.Tests.Has(name):
		args = args[1:]
	default:
		return false, false
	}
	not := len(args) > 1 && args[0].Lit() == "!"
	if not {
		args = args[1:]
	}
	switch len(args) {
	case 1:
		text, ok := e.fixed(args[0], c)
		return (text != "") != not, ok
	case 2:
		op := args[0].Lit()
		text, ok := e.oneWord(args[1], c)
		return ((op == "-z") == (text == "")) != not, ok && (op == "-z" || op == "-n")
	case 3:
		op := args[1].Lit()
		a, ok := e.oneWord(args[0], c)
		b, also := e.oneWord(args[2], c)
		yes, known = compared(a, op, b)
		return yes != not, known && ok && also
	}
	return false, false
}

// decidedPlain is decided for a word that is a command which ends well, or ill, whatever happens: $DRY, where that is true.
func (e *engine) decidedPlain(cmd *syntax.CallExpr, c *ctx) (yes, known bool) {
	if len(cmd.Args) != 1 || len(cmd.Assigns) > 0 {
		return false, false
	}
	name, ok := e.fixed(cmd.Args[0], c)
	if !ok || name == "" || c.st.function(name) != nil || c.st.alias(name) != nil {
		return false, false
	}
	yes = e.tables.Sh.Succeeds.Has(name)
	return yes, yes || e.tables.Sh.Fails.Has(name)
}

// compared is how [ a op b ] ends.
func compared(a, op, b string) (yes, known bool) {
	switch op {
	case "=", "==":
		return a == b, true
	case "!=":
		return a != b, true
	}
	x, err := strconv.Atoi(a)
	y, other := strconv.Atoi(b)
	if err != nil || other != nil || strconv.Itoa(x) != a || strconv.Itoa(y) != b { // 010 is 8 in [[ ]]
		return false, false
	}
	switch op {
	case "-eq":
		return x == y, true
	case "-ne":
		return x != y, true
	case "-lt":
		return x < y, true
	case "-le":
		return x <= y, true
	case "-gt":
		return x > y, true
	case "-ge":
		return x >= y, true
	}
	return false, false
}

// decidedTest is decided for [[ … ]].
func (e *engine) decidedTest(x syntax.TestExpr, c *ctx) (yes, known bool) {
	switch n := x.(type) {
	case *syntax.ParenTest:
		return e.decidedTest(n.X, c)
	case *syntax.UnaryTest:
		w, ok := n.X.(*syntax.Word)
		if n.Op == syntax.TsNot {
			yes, known = e.decidedTest(n.X, c)
			return !yes, known
		}
		if !ok || n.Op != syntax.TsEmpStr && n.Op != syntax.TsNempStr {
			return false, false
		}
		text, ok := e.fixed(w, c)
		return (n.Op == syntax.TsEmpStr) == (text == ""), ok
	case *syntax.Word:
		text, ok := e.fixed(n, c)
		return text != "", ok
	case *syntax.BinaryTest:
		if n.Op == syntax.AndTest || n.Op == syntax.OrTest {
			return e.decidedBoth(n, c)
		}
		a, aWord := n.X.(*syntax.Word)
		b, bWord := n.Y.(*syntax.Word)
		if !aWord || !bWord {
			return false, false
		}
		text, ok := e.fixed(a, c)
		pattern, also := e.pattern(b, c)
		if n.Op != syntax.TsMatch && n.Op != syntax.TsMatchShort && n.Op != syntax.TsNoMatch {
			yes, known = compared(text, n.Op.String(), pattern)
			return yes, known && ok && also
		}
		return (n.Op != syntax.TsNoMatch) == match(pattern, text), ok && also && strings.IndexByte(pattern, '(') < 0
	}
	return false, false
}

// decidedBoth is decided for two tests that are joined.
func (e *engine) decidedBoth(n *syntax.BinaryTest, c *ctx) (yes, known bool) {
	a, aKnown := e.decidedTest(n.X, c)
	b, bKnown := e.decidedTest(n.Y, c)
	if n.Op == syntax.AndTest {
		return a && b, aKnown && bKnown || aKnown && !a || bKnown && !b
	}
	return a && aKnown || b && bKnown, aKnown && bKnown || aKnown && a || bKnown && b
}

// taken follows the one branch of an if that runs; ok is false where that is not known.
func (e *engine) taken(n *syntax.IfClause, c *ctx) (out output, ok bool) {
	for b := n; b != nil; b = b.Else {
		if len(b.Cond) == 0 {
			return e.stmts(b.Then, c), true
		}
		if len(b.Cond) != 1 {
			return out, false
		}
		yes, known := e.decided(b.Cond[0], c)
		switch {
		case !known && b == n:
			return out, false
		case !known:
			return e.ifClause(b, c), true
		case yes:
			return e.stmts(b.Then, c), true
		}
	}
	return out, true
}

// takenCase is taken for case.
func (e *engine) takenCase(n *syntax.CaseClause, c *ctx) (out output, ok bool) {
	text, ok := e.fixed(n.Word, c)
	if !ok {
		return out, false
	}
	for _, item := range n.Items {
		for _, p := range item.Patterns {
			pattern, known := e.pattern(p, c)
			if !known || strings.IndexByte(pattern, '(') >= 0 || item.Op != syntax.Break {
				return out, false
			}
			if match(pattern, text) {
				return e.stmts(item.Stmts, c), true
			}
		}
	}
	return out, true
}
