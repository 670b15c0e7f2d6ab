package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A module that the text of a line imports runs its top level, and of its functions those that this names, or the text of the line. The others are
// only defined.

// mentioned are the names in a program, and its texts.
func (p *interp) mentioned() map[string]bool {
	list := map[string]bool{}
	for k := range p.toks {
		switch t := &p.toks[k]; t.kind {
		case tokName:
			list[t.text] = true
		case tokText:
			list[t.word.Text] = true
		}
	}
	return list
}

// functionBody is one that a module defines, by its tokens.
type functionBody struct {
	name      string
	from, end int
	live      bool
}

// importsOnly skips the functions of an imported module that nothing names which runs.
func (p *interp) importsOnly() {
	asked := p.c.asked
	if asked == nil {
		return
	}
	n := *p.c
	n.asked = nil // what the module runs in its turn is a program of its own
	p.c = &n
	if p.in.Blocks != rule.BlocksColon || p.plain == 0 || !p.balanced() || !p.e.spend(1+len(p.toks)/4, p.c) {
		return
	}
	list, owner := p.functionBodies()
	names := map[string]bool{}
	for name := range asked {
		names[name] = true
	}
	byText := p.in.Attribute != "" && strings.Contains(p.text, p.in.Attribute+"(")
	take := func(of int) {
		for k := range p.plain {
			if owner[k] != of || p.e.tables.Code.Defines.Has(p.at(k-1).text) {
				continue
			}
			switch t := p.at(k); t.kind {
			case tokName:
				if !p.mark(k+1, "=") || p.mark(k+2, "=") { // what is given a value, or is a parameter's name
					names[t.text] = true
				}
			case tokText:
				if byText { // getattr(self, "wipe")
					names[t.word.Text] = true
				}
			}
		}
	}
	take(-1)
	for more := true; more && p.e.spend(1+len(list), p.c); {
		more = false
		for i := range list {
			if b := &list[i]; !b.live && (names[b.name] || strings.HasPrefix(b.name, "__")) {
				b.live, more = true, true
				take(i)
			}
		}
	}
	for i := range list {
		if !list[i].live {
			p.skips(list[i].from, list[i].end)
		}
	}
}

// functionBodies finds all functions, and for each token the innermost one that it is in, -1 for the top level. What is told of a function by a
// decorator may run it.
func (p *interp) functionBodies() (list []functionBody, owner []int) {
	owner = make([]int, p.plain)
	for k := range owner {
		owner[k] = -1
	}
	for k := 0; k < p.plain; k++ {
		if p.at(k).kind != tokName || !p.e.tables.Code.Defines.Has(p.at(k).text) || p.at(k+1).kind != tokName || !p.mark(k+2, "(") || p.decorated(k) {
			continue
		}
		begin := k
		if !p.begins(k) {
			begin-- // async def
		}
		from := p.closes(k + 2)
		b := functionBody{name: p.at(k + 1).text, from: from, end: min(p.bodyEnd(begin, from), p.plain)}
		if !p.e.spend(1+(b.end-b.from)/16, p.c) {
			return nil, owner
		}
		for i := b.from; i < b.end; i++ {
			owner[i] = len(list)
		}
		list = append(list, b)
	}
	return list, owner
}
