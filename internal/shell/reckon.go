package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// reckoned is $((…)): its value where all in it is known for sure, such as a number that the line counts on from.
func (e *engine) reckoned(p *syntax.ArithmExp, f *fielder, c *ctx) {
	e.arithm(p.X, c) // what it runs and sets
	if n, ok := e.reckon(p.X, c); ok {
		f.b.text(strconv.Itoa(n))
		return
	}
	f.b.unknown(c.src.written(p), nil)
}

// reckon is the value of sums and products of numbers and of variables with one. What could overflow, or sets something, has none.
func (e *engine) reckon(x syntax.ArithmExpr, c *ctx) (int, bool) {
	const most = 1 << 30
	switch n := x.(type) {
	case *syntax.Word:
		return e.counted(n, c)
	case *syntax.ParenArithm:
		return e.reckon(n.X, c)
	case *syntax.BinaryArithm:
		a, known := e.reckon(n.X, c)
		b, also := e.reckon(n.Y, c)
		if !known || !also {
			return 0, false
		}
		switch n.Op {
		case syntax.Add:
			a += b
		case syntax.Sub:
			a -= b
		case syntax.Mul:
			a *= b
		default:
			return 0, false
		}
		return a, a < most && a > -most
	}
	return 0, false
}

// counted is the number that a word of an arithmetic expression is, by itself or as the name of a variable.
func (e *engine) counted(w *syntax.Word, c *ctx) (int, bool) {
	if w == nil || len(w.Parts) != 1 {
		return 0, false
	}
	name := ""
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if n, ok := decimal(p.Value); ok {
			return n, true
		}
		name = p.Value
	case *syntax.ParamExp:
		if p.Param == nil || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Index != nil || p.Length || p.Excl || e.unsure(p, c) {
			return 0, false
		}
		name = p.Param.Value
	}
	v := c.st.find(name)
	if v == nil || !v.sure() || len(v.alts) != 1 {
		return 0, false
	}
	text, ok := one(v.alts[0].list)
	if !ok {
		return 0, false
	}
	return decimal(text)
}

// decimal is a number of few digits. One with a zero in front is octal.
func decimal(text string) (int, bool) {
	if len(text) > 9 || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
