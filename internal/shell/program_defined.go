package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A function of the program itself does to its parameters what the call gives it: def clean(path): rmtree(path); clean(DATA). Each call is followed
// through the body with these values.

// defined is a function of the program.
type defined struct {
	params    []parameter
	from, end int  // its body
	method    bool // of a class
	makes     bool // it is what the class is called by to make an object
}

// parameter is one that a function has; rest takes all values from its place on.
type parameter struct {
	name string
	rest bool
}

// Functions are followed maxInto calls deep. Behind the first maxPlain of them, and where a function stands that nothing has called yet, a call counts once for
// all that give a function the same.
const (
	maxInto  = 400
	maxPlain = 2
)

// definitions finds the functions of the program by their names, and what makes an object by the name of its class.
func (p *interp) definitions() map[string]defined {
	list := map[string]defined{}
	class, until := "", 0
	for i := range p.toks {
		if i >= until {
			class = ""
		}
		if p.at(i).kind != tokName {
			continue
		}
		if p.e.tables.Code.Classes.Has(p.at(i).text) && p.at(i+1).kind == tokName {
			class, until = p.at(i+1).text, p.classEnd(i)
			p.classes = append(p.classes, class)
			continue
		}
		name, f, ok := p.definition(i, class != "")
		if !ok || f.from > f.end || !p.e.spend(f.end-f.from, p.c) { // the file may end within its brackets
			continue
		}
		if f.method && p.e.tables.Code.Makers.Has(name) {
			f.makes, name = true, class
		}
		if len(f.params) > 0 || f.method {
			list[name] = f
		}
	}
	return list
}

// classEnd is where the body of the class at i ends.
func (p *interp) classEnd(i int) int {
	open := i + 2
	for open < min(len(p.toks), i+maxLoop) && !p.mark(open, "{") && !p.lineEnd(open) {
		open++
	}
	return p.bodyEnd(i, open)
}

// definition reads the function that is defined at the name at i: def f(a), function f(a), const f = (a) => …, f = lambda a: …, and f(a) {…} in a class.
func (p *interp) definition(i int, inClass bool) (name string, f defined, ok bool) {
	code, t := &p.e.tables.Code, p.at(i)
	open, from := -1, 0
	switch {
	case (code.Defines.Has(t.text) || code.Functions.Has(t.text)) && p.at(i+1).kind == tokName && p.mark(i+2, "("):
		name, open = p.at(i+1).text, i+2
	case inClass && p.in.Blocks == rule.BlocksParen && p.begins(i) && p.mark(i+1, "(") && p.mark(p.closes(i+1)+1, "{") && !code.Modifiers.Has(t.text) && !code.Functions.Has(t.text) && !code.Switches.Has(t.text):
		name, open = t.text, i+1
	case p.mark(i+1, "=") && p.at(i+2).kind != tokLine:
		return p.assigned(i)
	default:
		return "", f, false
	}
	end := p.closes(open)
	f.params, from = p.parameters(open+1, end), end+1
	if in := p.until(from, func(k int) bool { return p.mark(k, "{") || p.lineEnd(k) }); p.mark(in, "{") && p.in.Blocks != rule.BlocksColon {
		from = in // behind the type of what it returns
	}
	f.from, f.end, f.method = from, p.bodyEnd(i, from), inClass
	if inClass && len(f.params) > 0 && code.Own.Has(f.params[0].name) {
		f.params = f.params[1:]
	}
	return name, f, end > open
}

// assigned reads a function without a name of its own that the name at i stands for.
func (p *interp) assigned(i int) (name string, f defined, ok bool) {
	k := i + 2
	for p.at(k).kind == tokName && p.e.tables.Code.Before.Has(p.at(k).text) {
		k++
	}
	switch {
	case p.mark(k, "(") && p.mark(p.closes(k)+1, "=>"):
		end := p.closes(k)
		f.params, f.from = p.parameters(k+1, end), end+2
	case p.at(k).kind == tokName && p.mark(k+1, "=>"):
		f.params, f.from = []parameter{{name: p.at(k).text}}, k+2
	case p.e.tables.Code.Functions.Has(p.at(k).text) && p.mark(k+1, "("):
		end := p.closes(k + 1)
		f.params, f.from = p.parameters(k+2, end), end+1
	case p.in.Blocks == rule.BlocksColon && p.e.tables.Code.Functions.Has(p.at(k).text):
		end := p.until(k, func(n int) bool { return p.mark(n, ":") || p.lineEnd(n) })
		f.params, f.from = p.parameters(k+1, end), end+1
	default:
		return "", f, false
	}
	if f.end = p.until(f.from, p.lineEnd); p.mark(f.from, "{") {
		f.end = p.closes(f.from)
	}
	return p.at(i).text, f, f.end > f.from
}

// anonymous is the name of what takes the rest without one: def run(*) = system(*).
const anonymous = "*"

// parameters reads the names between two tokens, with what takes the rest: *args, ...args, args ...string.
func (p *interp) parameters(from, end int) (list []parameter) {
	for _, part := range p.split(from, end, func(k int) bool { return p.mark(k, ",") }) {
		one := parameter{}
		stars := 0
		for k := part[0]; k < part[1] && !p.mark(k, "=") && !p.mark(k, ":"); k++ {
			switch t := p.at(k); {
			case t.kind == tokName && (one.name == "" || p.in.Sigils):
				one.name = t.text // the type stands behind it, or in front of what has a sign
			case p.mark(k, "*"):
				stars++
			case p.mark(k, "."), p.at(k).text == "...":
				one.rest = true
			case p.mark(k, "{"), p.mark(k, "["), p.mark(k, "<"), p.mark(k, "("):
				k = part[1]
			}
		}
		if one.rest = one.rest || stars == 1 && p.in.Spreads != ""; one.rest && one.name == "" {
			one.name = anonymous
		}
		if one.name != "" && stars < 2 {
			list = append(list, one)
		}
	}
	return list
}

// bodyEnd is where the body of the function at i ends: at the bracket that closes it, or before the first line that is indented no more than it is.
func (p *interp) bodyEnd(i, from int) int {
	if p.mark(from, "{") {
		depth := 0
		for k := from; k < len(p.toks); k++ {
			if p.mark(k, "{") {
				depth++
			} else if p.mark(k, "}") {
				if depth--; depth == 0 {
					return k
				}
			}
		}
		return len(p.toks)
	}
	own := p.indent(i)
	for k := from; k+1 < len(p.toks); k++ {
		if p.at(k).kind == tokLine && p.at(k).text == "\n" && p.at(k+1).kind != tokLine && p.indent(k+1) <= own {
			return k
		}
	}
	return len(p.toks)
}

// indent is how far the token at i, the first of its line, stands from the left edge.
func (p *interp) indent(i int) int {
	if i == 0 {
		return p.at(0).start
	}
	return p.at(i).start - p.at(i-1).start - 1
}

// into follows a call of such a function, whose arguments begin behind open, or at it.
func (p *interp) into(name string, i, open int) {
	f, ok := p.funcs[name]
	if !ok || i >= f.from && i < f.end || p.e.tables.Code.Defines.Has(p.at(i-1).text) || i+1 < f.from && f.from-i < maxLoop && p.closes(open)+1 == f.from {
		return
	}
	var args []arg
	if p.mark(open, "(") {
		args, _ = p.args(open+1, ")")
	} else {
		args, _ = p.args(open, "")
	}
	if len(args) == 0 && len(p.kept) == 0 || !p.e.spend(4*(f.end-f.from), p.c) {
		return // it is followed where it stands
	}
	if p.within == 0 {
		p.standing = p.inBody(i)
	}
	if !p.enters(name, args) {
		return
	}
	known := len(p.vars)
	for k, a := range args {
		switch {
		case a.name != "":
			p.set(a.name, a)
		case k < len(f.params) && f.params[k].rest:
			p.set(f.params[k].name, p.names(flat(args[k:])...))
		case k < len(f.params):
			p.set(f.params[k].name, a)
		}
		if k < len(f.params) && f.params[k].rest {
			break
		}
	}
	kept := len(p.kept)
	p.within++
	p.stack = append(p.stack, name)
	clear(p.seen[f.from:f.end])
	p.walkIn(f.from, f.end)
	p.stack = p.stack[:len(p.stack)-1]
	p.within--
	p.vars = append(p.vars[:known], p.kept[min(kept, len(p.kept)):]...)
}

// enters reports that a call is to be followed. A function that calls itself, by others too, is followed once more: what it does then it does with every
// further call. What lies deeper than anybody writes is doubted.
func (p *interp) enters(name string, args []arg) bool {
	again := 0
	for _, one := range p.stack {
		if one == name {
			again++
		}
	}
	switch {
	case again > 1:
		return false
	case p.within >= maxInto:
		p.e.doubt(TooDeep, "", p.span)
		return false
	case p.within < maxPlain && !p.standing:
		return true
	}
	var key strings.Builder
	key.WriteString(name + strconv.Itoa(len(p.kept)))
	for i := range args {
		for _, w := range flat(args[i : i+1]) {
			key.WriteString("\x00" + strconv.Itoa(int(w.Kind)) + w.Text)
		}
		key.WriteString("\x01")
	}
	if p.entered[key.String()] || !p.e.spend(1+key.Len()/copyBytes, p.c) {
		return false
	}
	if p.entered == nil {
		p.entered = map[string]bool{}
	}
	p.entered[key.String()] = true
	return true
}

// inBody reports a token in a function of the program.
func (p *interp) inBody(i int) bool {
	p.e.work.Take(len(p.funcs) / copyWords)
	for _, f := range p.funcs {
		if i >= f.from && i < f.end {
			return true
		}
	}
	return false
}

// own is the function of the program that a call means, "" if there is none: f(x), self.f(x), and a method of anything that it has made.
func (p *interp) own(name string, method bool) string {
	if _, ok := p.funcs[name]; ok && !method {
		return name
	}
	of, member, dotted := strings.Cut(name, ".")
	if method {
		of, member = "", name
	}
	if f, ok := p.funcs[member]; ok && f.method && (method || dotted) && (p.e.tables.Code.Own.Has(of) || method || p.made(of)) {
		return member
	}
	return ""
}

// made reports a variable that holds an object which the program has made by a class of its own.
func (p *interp) made(name string) bool {
	b := p.binding(name)
	if b < 0 || !p.mark(b+1, "=") {
		return false
	}
	of := p.at(b + 2)
	if p.e.tables.Code.Before.Has(of.text) {
		of = p.at(b + 3) // new
	}
	return of.kind == tokName && (p.funcs[of.text].makes || slices.Contains(p.classes, of.text))
}
