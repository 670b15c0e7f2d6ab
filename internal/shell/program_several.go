package shell

import "github.com/modu-ai/moai/internal/rule"

// In Go and Python several names may be set at once, and in Go a loop sets its names so: a, b := x, y; for _, f := range files.

// several follows such an assignment at the name at i, and returns where its values begin; ok is false where there is none.
func (p *interp) several(i int) (at int, ok bool) {
	colon := p.in.Blocks == rule.BlocksColon && p.begins(i)
	if !colon && p.in.Blocks != rule.BlocksBrace || p.mark(i-1, ".") || p.mark(i-1, ",") {
		return i, false
	}
	names := []string{p.at(i).text}
	k := i + 1
	for ; p.mark(k, ",") && p.at(k+1).kind == tokName; k += 2 {
		names = append(names, p.at(k+1).text)
	}
	if p.mark(k, ":") && !colon {
		k++
	}
	if !p.mark(k, "=") || k == i+1 {
		return i, false
	}
	k++
	if p.e.tables.Code.Ranges.Has(p.at(k).text) {
		a, _ := p.expr(k + 1)
		p.set(names[len(names)-1], a)
		return k, true
	}
	at = k
	for n := range names {
		a, next := p.expr(k)
		if v := p.flag(names[n]); v.kind == isText {
			a = arg{word: lit(v.text, p.span)}
		}
		p.set(names[n], a)
		if !p.mark(next, ",") {
			break // one call returns the others
		}
		k = next + 1
	}
	return at, true
}
