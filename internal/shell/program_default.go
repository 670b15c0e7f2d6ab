package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/modu-ai/moai/internal/rule"
)

// What nothing gives a script has the value that the script itself falls back to: ${D:-/srv}, environ.get("D", "/srv"), process.env.D || "/srv",
// add_argument("--dir", default="/srv").

// noOptions reports a loop over options, "while getopts …", of a script that is given none.
func noOptions(cond []*syntax.Stmt, c *ctx) bool {
	if len(cond) != 1 || !c.st.argsOpen {
		return false
	}
	call, ok := cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 3 || call.Args[0].Lit() != "getopts" {
		return false
	}
	return len(c.st.args) == 0 || c.st.args[0].Kind == Literal && !c.st.args[0].Many && !strings.HasPrefix(c.st.args[0].Text, "-")
}

// inherited is a variable of the environment, of which the program says in or what it is where nothing sets it.
func (p *interp) inherited(key string, or []arg) arg {
	a := arg{word: p.environ(key), inherited: true, of: key}
	if a.word.Kind != Unknown || p.setsVariable(key) {
		return a
	}
	if len(or) > 0 && or[0].word.Kind != Unknown {
		return or[0]
	}
	a.unset = true
	return a
}

// orElse reads an operator at i that stands between a value and what counts where there is none, and returns what is behind it.
func (p *interp) orElse(i int) (next int, ok bool) {
	for _, op := range p.e.tables.Code.Otherwise {
		k := i
		for part := range strings.FieldsSeq(op) {
			if p.at(k).text != part || p.at(k).kind != tokMark && p.at(k).kind != tokName {
				k = -1
				break
			}
			k++
		}
		if k > i {
			return k, true
		}
	}
	return i, false
}

// chosenFor is the value of "a or b", whose operator stands at i, where a is of the environment or an option.
func (p *interp) chosenFor(a arg, i int) (v arg, end int, ok bool) {
	if !a.inherited {
		return a, i, false
	}
	next, is := p.orElse(i)
	switch {
	case !is:
		return a, i, false
	case a.unset:
		v, end = p.expr(next)
		return v, end, true
	case a.word.Kind == Literal && a.word.Text != "":
		return a, p.skip(i), true
	}
	return a, i, false
}

// eitherOf is the value of "a if c else b" and "c ? a : b", whose first part begins at from and whose operator stands at i: one of both where the
// line does not decide it.
func (p *interp) eitherOf(a arg, from, i int) (v arg, end int, ok bool) {
	end = p.skip(i)
	if p.at(i).text == "if" && p.in.Blocks == rule.BlocksColon {
		other := p.until(i, func(k int) bool { return p.word(k, "else") || k >= end })
		if !p.word(other, "else") {
			return a, i, false
		}
		b, next := p.expr(other + 1)
		return p.decidedBy(p.known(i+1, other), a, b), next, true
	}
	mark := p.until(i, func(k int) bool { return p.mark(k, "?") || k >= end })
	if p.in.Blocks != rule.BlocksParen || !p.mark(mark, "?") || p.mark(mark+1, "?") || p.mark(mark+1, ".") || p.mark(mark-1, "?") {
		return a, i, false
	}
	a, next := p.expr(mark + 1)
	if !p.mark(next, ":") {
		return a, i, false
	}
	b, next := p.expr(next + 1)
	return p.decidedBy(p.known(from, mark), a, b), next, true
}

// decidedBy is one of two values by a condition.
func (p *interp) decidedBy(v known, a, b arg) arg {
	switch v.truth(p) {
	case yes:
		return a
	case no:
		return b
	}
	if a.word.Kind == Unknown && !a.many {
		return b
	}
	if b.word.Kind == Unknown && !b.many {
		return a
	}
	return p.anyOf([]arg{a, b})
}

// given is the value of an option that a library has read for the program: args.dir, or the parameter that it hands it on by.
func (p *interp) given(name string, i int) (a arg, ok bool) {
	of, member, dotted := strings.Cut(name, ".")
	if p.c.script == "" || p.within > 0 && !dotted { // a parameter that a call gives another value
		return a, false
	}
	toks := p.toks
	defer func() { p.toks = toks }()
	p.toks = toks[:max(len(toks), p.plain)] // it is declared anywhere
	v := known{}
	switch {
	case dotted && p.mentions(&p.parses, p.in.Parses) && !strings.Contains(member, "."):
		if p.in.Blocks == rule.BlocksColon && p.parsed(of, 0) {
			if a, ok = p.operandGiven(member, p.in.Declares); ok {
				return a, true
			}
		}
		if v = p.option(of, member); v.kind == isOpen {
			return p.fallsTo(of, member)
		}
	case !dotted && p.in.Blocks == rule.BlocksParen && p.e.tables.Code.Operands.Has(name) && p.mentions(&p.parses, p.in.Parses) && p.parsed(name, 0):
		words, _ := p.plainWords(nil)
		if a = p.names(words...); len(words) < len(p.c.given) {
			a = oneOf(words, p.span)
		}
		return a, len(words) > 0
	case !dotted && p.mentions(&p.hands, p.in.Hands) && p.handed(name):
		if a, ok = p.operandGiven(name, p.in.Hands); ok {
			return a, true
		}
		o, is := p.declared(name, p.in.Hands)
		if given, value := p.optionGiven(o); is && given == no && o.or != [2]int{} {
			v = p.known(o.or[0], o.or[1])
		} else if is && given == yes && value != nil {
			v = known{kind: isText, text: *value}
		}
	}
	switch {
	case v.kind == isNone, v.kind == isText && v.text == "": // args.out or OUT
		return arg{word: unknown(name, p.span), inherited: true, unset: true}, dotted
	case v.kind != isText:
		return a, false
	}
	return arg{word: lit(v.text, p.span), inherited: true}, true
}

// fallsTo is what an option is where the line does not give it, as the program says in more than one word: default=ROOT / "data".
func (p *interp) fallsTo(of, member string) (a arg, ok bool) {
	o, is := p.declared(member, p.in.Declares)
	if !is || o.or == [2]int{} || !p.parsed(of, 0) || p.setsMember(of, member) {
		return a, false
	}
	if given, _ := p.optionGiven(o); given != no {
		return a, false
	}
	a, _ = p.expr(o.or[0])
	return a, a.word.Kind != Unknown
}

// mentions reports that the program has one of some names at all; is keeps that.
func (p *interp) mentions(is *truth, words []string) bool {
	if *is == maybe {
		*is = truthOf(len(words) > 0 && p.e.spend(1+len(p.toks)/16, p.c) && slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == tokName && slices.Contains(words, t.text) }))
	}
	return *is == yes
}

// handed reports a parameter of a function in front of which an option is declared: @click.option("--dir").
func (p *interp) handed(name string) bool {
	b := p.binding(name)
	open := p.bracket(b)
	if b < 0 || !p.mark(open, "(") || !p.e.tables.Code.Defines.Has(p.at(open-2).text) {
		return false
	}
	k := open - 3
	for k > 0 && !p.lineEnd(k-1) {
		k--
	}
	return p.mark(k-2, ")")
}
