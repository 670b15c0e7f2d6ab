package shell

import "github.com/modu-ai/moai/internal/rule"

// A condition may stand in an expression: dry ? console.log(cmd) : execSync(cmd).

// either leaves out what of an expression does not run, whose question mark stands at i.
func (p *interp) either(i int) {
	for _, after := range [...]string{"?", ".", ":"} { // a ?? b, a?.b, (a?: string)
		if p.in.Blocks != rule.BlocksParen || p.mark(i+1, after) || p.mark(i-1, "?") {
			return
		}
	}
	from := p.testBefore(i)
	other := p.until(i+1, func(k int) bool { return p.mark(k, ":") || p.mark(k, "?") })
	if !p.mark(other, ":") || from == i {
		return
	}
	switch p.known(from, i).truth(p) {
	case yes:
		p.skips(other+1, min(p.skip(other+1), p.plain))
	case no:
		p.skips(i+1, other)
	}
}

// testBefore is where the expression begins that ends in front of i, and i where that cannot be told.
func (p *interp) testBefore(i int) int {
	for k := i - 1; k >= 0; k-- {
		t := p.at(k)
		switch {
		case t.kind == tokLine, t.kind == tokName && (p.e.tables.Code.Returns.Has(t.text) || p.e.tables.Code.Before.Has(t.text)):
			return k + 1
		case t.kind != tokMark:
		case t.text == ")" || t.text == "]":
			open := p.bracket(k)
			if open < 0 {
				return i
			}
			k = open
		case t.text == "}", t.text == ":", t.text == "?":
			return i
		case t.text == "(", t.text == "[", t.text == "{", t.text == ",", t.text == "=>":
			return k + 1
		case t.text == "=" && !compares(p.at(k-1)):
			return k + 1
		}
	}
	return 0
}

// compares reports the first sign of a === b, a !== b, a <= b and a >= b.
func compares(t *token) bool {
	return t.kind == tokMark && (t.text == "==" || t.text == "!=" || t.text == "<" || t.text == ">")
}
