package shell

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// Programs of several commands often keep them in a table: {"list": list, "drop": drop}[sys.argv[1]](). Where the line decides which one is called,
// the others are not followed, unless the program names them elsewhere, too.

// dispatches finds what a call at the token i of a member of such a table does not reach.
func (p *interp) dispatches(i int) {
	from, open := i, -1
	switch {
	case p.mark(i, "{"):
		open = p.closes(i) + 1
	case p.at(i).kind == tokName && p.mark(i+1, "[") && !p.mark(i-1, "."):
		b, end, ok := p.bound(p.at(i).text, i)
		if !ok || !p.mark(b, "{") || p.closes(b) != end-1 || p.named(p.at(i).text) != 2 {
			return // or it is called by other ways, too
		}
		from, open = b, i+1
	}
	if open < 0 || !p.mark(open, "[") {
		return
	}
	end := p.closes(open)
	if !p.mark(end+1, "(") {
		return
	}
	v := p.known(open+1, end)
	if v.kind != isText || v.weak || p.text == "" {
		return
	}
	table, ok := p.functionTable(from)
	if !ok {
		return
	}
	for key, name := range table {
		if key != v.text && name != table[v.text] && p.e.spend(1+len(p.toks)/16, p.c) {
			if from, end, ok := p.onlyIn(name); ok {
				p.skips(from, end)
			}
		}
	}
}

// named is how often the program has a name.
func (p *interp) named(name string) (n int) {
	for k := range p.toks {
		if p.toks[k].kind == tokName && p.toks[k].text == name {
			n++
		}
	}
	return n
}

// decorated reports that something else is told of the function that is defined at k: @atexit.register.
func (p *interp) decorated(k int) bool {
	for k--; k >= 0 && p.lineEnd(k); k-- {
	}
	for ; k > 0 && !p.lineEnd(k-1); k-- {
	}
	return p.mark(k, "@")
}

// onlyIn is the body of a function that the program names twice alone: where it is defined, and in a table.
func (p *interp) onlyIn(name string) (from, end int, ok bool) {
	if p.reaches(p.e.tables.Code.Reaches, name) {
		return 0, 0, false
	}
	uses := 0
	for k := range p.toks {
		t := &p.toks[k]
		if t.kind == tokText && slices.Contains(p.in.Adds, p.at(k-2).text) && p.mark(k-1, "(") {
			continue // sub.add_parser("drop"), of the function drop
		}
		given := p.mark(k-1, "(") || p.mark(k-1, "[") || p.mark(k-1, ",") // getattr(x, "drop"), globals()["drop"]
		if t.text == name && t.kind == tokName || t.kind == tokText && t.word.Text == name && given && !p.mark(k+1, ":") {
			uses++
		}
		if t.text == name && t.kind == tokName && p.e.tables.Code.Defines.Has(p.at(k-1).text) && p.mark(k+1, "(") {
			from = p.closes(k+1) + 1
			end, ok = p.bodyEnd(k-1, from), !p.decorated(k-1)
		}
	}
	return from, end, ok && uses == 2
}

// functionTable reads a table of names of functions by texts that begins at i.
func (p *interp) functionTable(i int) (table map[string]string, ok bool) {
	end := p.closes(i)
	table = map[string]string{}
	for k := i + 1; k < end; k++ {
		for p.lineEnd(k) {
			k++
		}
		if k == end {
			break
		}
		if key := p.at(k); key.kind != tokText || key.word.Kind != Literal || !p.mark(k+1, ":") || p.at(k+2).kind != tokName || !p.mark(k+3, ",") && k+3 != end && !p.lineEnd(k+3) {
			return nil, false
		}
		table[p.at(k).word.Text] = p.at(k + 2).text
		if k += 3; k < end && p.lineEnd(k) {
			k--
		}
	}
	return table, len(table) > 0
}

// mayDispatch spares most tokens the look.
func (p *interp) mayDispatch(i int) bool {
	return p.in.Blocks != rule.BlocksEnd && (p.mark(i, "{") || p.mark(i+1, "[") && p.at(i).kind == tokName)
}
