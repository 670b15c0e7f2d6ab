package shell

// A function of the program itself does to its parameters what the call gives it: def clean(path): rmtree(path); clean(DATA). Each call is followed
// through the body with these values.

// defined is a function of the program.
type defined struct {
	params    []string
	from, end int // its body
}

// maxInto is how many calls deep functions are followed.
const maxInto = 3

// definitions finds the functions of the program by their names.
func (p *interp) definitions() map[string]defined {
	var list map[string]defined
	for i := range p.toks {
		if p.toks[i].kind != tokName || !p.e.tables.Code.Defines.Has(p.toks[i].text) || p.at(i+1).kind != tokName || !p.mark(i+2, "(") {
			continue
		}
		var f defined
		k := i + 3
		for depth := 1; k < min(len(p.toks), i+maxLoop); k++ {
			if p.mark(k, "(") {
				depth++
			} else if p.mark(k, ")") {
				if depth--; depth == 0 {
					break
				}
			}
			if p.at(k).kind == tokName && (p.mark(k-1, "(") || p.mark(k-1, ",")) {
				f.params = append(f.params, p.at(k).text)
			}
		}
		if f.from, f.end = k+1, p.bodyEnd(i, k+1); len(f.params) == 0 || !p.e.spend(f.end-f.from, p.c) {
			continue
		}
		if list == nil {
			list = map[string]defined{}
		}
		list[p.at(i+1).text] = f
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

// into follows a call of such a function, whose arguments begin behind open.
func (p *interp) into(name string, i, open int) {
	f, ok := p.funcs[name]
	if !ok || p.within == maxInto || i >= f.from && i < f.end || p.e.tables.Code.Defines.Has(p.at(i-1).text) || !p.e.spend(f.end-f.from, p.c) {
		return
	}
	args, _ := p.args(open+1, ")")
	known := len(p.vars)
	for k, a := range args {
		switch {
		case a.name != "":
			p.set(a.name, a)
		case k < len(f.params):
			p.set(f.params[k], a)
		}
	}
	p.within++
	clear(p.seen[f.from:f.end])
	p.walkIn(f.from, f.end)
	p.within--
	p.vars = p.vars[:known]
}
