package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Where a name of a program gets its value, and whether that is the only place.

// bound is what the one assignment to a name gives it; ok is false where it may have another value at the token at.
func (p *interp) bound(name string, at int) (from, end int, ok bool) {
	b := p.binding(name)
	if b < 0 || b >= at || !p.e.spend(1, p.c) {
		return 0, 0, false
	}
	if from = b + 2; p.typed(b) > b {
		from = p.typed(b)
	} else if p.mark(b+1, ":") {
		from++
	}
	free := p.in.Blocks == rule.BlocksColon || p.margin(b) == 0 || p.e.tables.Code.Declared.Has(p.at(b-1).text) || p.mark(b+1, ":")
	if !free || !p.mark(from-1, "=") || !p.begins(b) && !p.e.tables.Code.Declared.Has(p.at(b-1).text) {
		return 0, 0, false
	}
	return from, p.until(from, p.lineEnd), true
}

// binding is the place where a name gets its value, -1 if there is none, or more than one.
func (p *interp) binding(name string) int {
	if at, known := p.bindings[name]; known {
		return at
	}
	if !p.e.spend(1+len(p.toks)/16, p.c) {
		return -1
	}
	if p.bindings == nil {
		p.bindings = map[string]int{}
	}
	at := p.onlyBinding(name)
	p.bindings[name] = at
	return at
}

func (p *interp) onlyBinding(name string) int {
	found := -1
	for k := range p.toks {
		if t := &p.toks[k]; t.kind != tokName || t.text != name || p.mark(k-1, ".") {
			continue
		}
		if p.binds(k) {
			if found >= 0 {
				return -1
			}
			found = k
		}
	}
	return found
}

// introduces reports a word that begins a function. A member may be called so: args.func(args).
func (p *interp) introduces(k int) bool {
	code := &p.e.tables.Code
	return (code.Defines.Has(p.at(k).text) || code.Functions.Has(p.at(k).text)) && !p.mark(k-1, ".")
}

// binds reports that the name at k gets a value there.
func (p *interp) binds(k int) bool {
	open := p.bracket(k)
	param := p.mark(open, "(") && (p.introduces(open-2) || p.introduces(open-1) || p.mark(p.closes(open)+1, "=>"))
	next := p.at(k + 1)
	switch before := p.at(k - 1); {
	case param, before.text == "&" && before.kind == tokMark, before.kind == tokName && p.e.tables.Code.Names.Has(before.text):
		return true
	case p.mark(k+1, "=>"), p.typed(k) > k:
		return true
	case p.mark(k+1, "="):
		return p.in.Blocks != rule.BlocksColon || !p.mark(open, "(") // f(dry=dry)
	case next.kind == tokMark && (p.mark(k+2, "=") || next.text == p.at(k+2).text && strings.Contains("+-", next.text)):
		return next.text != "==" && next.text != "!=" && next.text != "<" && next.text != ">" // += := ++
	case p.mark(k+1, ",") || p.mark(k-1, ","):
		if p.mark(open, "(") {
			return false
		}
		fallthrough // a, b = c and {a, b} = c
	case p.mark(open, "{") && p.mark(k+1, "}"), p.mark(open, "[") && p.mark(k+1, "]"):
		end := p.until(k, p.lineEnd)
		return p.mark(end+1, "=") || open < 0 && p.hasAssignment(k, end)
	}
	return false
}

func (p *interp) hasAssignment(k, end int) bool {
	return p.until(k, func(i int) bool { return p.mark(i, "=") || p.lineEnd(i) || p.word(i, "in") }) < end
}
