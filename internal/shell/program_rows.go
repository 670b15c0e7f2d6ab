package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Programs keep what they work with in tables and in lists of lists: CFG = {"out": "build"}, CMDS = [["npm", "test"], ["npm", "publish"]]. Their
// items are values of their own, which a name, a number or a loop picks.

// rowsOf are the items of a list, where its words alone do not tell them.
func rowsOf(list []arg) (rows []arg) {
	if !slices.ContainsFunc(list, func(a arg) bool { return a.name != "" || a.many && !a.one && !a.flat }) {
		return nil
	}
	for _, a := range list {
		switch {
		case !a.flat:
			rows = append(rows, a)
		case a.rows != nil:
			rows = append(rows, a.rows...)
		default:
			for _, w := range a.list {
				rows = append(rows, arg{word: w})
			}
		}
		if len(rows) > maxLoop {
			return nil
		}
	}
	return rows
}

// keyed is the name of an argument or of an item at i, and where its value begins.
func (p *interp) keyed(i int, end string) (name string, at int) {
	t := p.at(i)
	table := end == "}" || end == "]" && p.in.Sigils
	switch {
	case t.kind == tokName && (p.mark(i+1, "=") || p.mark(i+1, ":")):
		return t.text, i + 2
	case table && t.kind == tokText && t.word.Kind == Literal && (p.mark(i+1, ":") || p.mark(i+1, "=>")):
		return t.word.Text, i + 2
	case table && p.mark(i, ":") && p.at(i+1).kind == tokName && p.mark(i+2, "=>"):
		return p.at(i + 1).text, i + 3
	}
	return "", i
}

// pick is the item of a list that a key names; where nobody knows the key, it is whichever.
func (p *interp) pick(a arg, key *arg) arg {
	items := a.each()
	named := slices.ContainsFunc(items, func(row arg) bool { return row.name != "" })
	text := strings.TrimPrefix(key.word.Text, ":")
	switch known := key.word.Kind == Literal && !key.many; {
	case known && named:
		for _, row := range slices.Backward(items) {
			if row.name == text {
				row.name = ""
				return row
			}
		}
		return arg{word: unknown("…", p.span)}
	case known:
		n, err := strconv.Atoi(text)
		if n < 0 {
			n += len(items)
		}
		if err == nil && n >= 0 && n < len(items) {
			return items[n]
		}
		if err != nil {
			return a // a part of it
		}
		return arg{word: unknown("…", p.span)}
	}
	return p.anyOf(items)
}

// each are the items of a list as values.
func (a *arg) each() []arg {
	if a.rows != nil {
		return a.rows
	}
	items := make([]arg, 0, len(a.list)+1)
	for _, w := range a.items() {
		items = append(items, arg{word: w})
	}
	return items
}

// anyOf is whichever of some values.
func (p *interp) anyOf(items []arg) arg {
	out := arg{many: true, one: true}
	lists := false
	for i := range items {
		one := items[i]
		one.name = ""
		lists = lists || one.many && !one.one
		if out.rows = append(out.rows, one); len(out.rows) > maxLoop {
			break
		}
		out.list = append(out.list, one.items()...)
	}
	out.word = join(out.list, " ", p.span)
	if !lists {
		out.rows = nil
		return oneOf(out.list, p.span)
	}
	if len(out.rows) == 1 {
		return out.rows[0]
	}
	return out
}

// entry is the value of a dotted name whose first part is such a table: CFG.out.dir, CFG.get("out").
func (p *interp) entry(name string, next int) (a arg, end int, ok bool) {
	head, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return a, next, false
	}
	if a, ok = p.lookup(head); !ok || a.rows == nil || a.one {
		return a, next, false
	}
	for part := range strings.SplitSeq(rest, ".") {
		if a.rows == nil || a.one || !slices.ContainsFunc(a.rows, func(row arg) bool { return row.name != "" }) {
			return a, next, false
		}
		if i := slices.IndexFunc(a.rows, func(row arg) bool { return row.name == part }); i >= 0 {
			a = a.rows[i]
			a.name = ""
			continue
		}
		return p.entries(a, part, next)
	}
	return a, next, !p.mark(next, "(")
}

// entries are what a method of a table returns: its values, pairs of names and values, or one of them.
func (p *interp) entries(a arg, method string, open int) (arg, int, bool) {
	tables := &p.e.tables.Methods
	if !tables.Pairs.Has(method) && !tables.Values.Has(method) && !tables.Gets.Has(method) || !p.mark(open, "(") {
		return a, open, false
	}
	args, end := p.args(open+1, ")")
	switch {
	case !tables.Gets.Has(method):
		return p.told(a, tables.Pairs.Has(method)), end, true
	case len(args) == 0:
		return a, open, false
	}
	if v := p.pick(a, &args[0]); v.word.Kind != Unknown || v.many || len(args) < 2 {
		return v, end, true
	}
	return args[1], end, true
}

// told are the values of a table, with pairs those with their names.
func (p *interp) told(a arg, pairs bool) arg {
	out := arg{many: true}
	for _, row := range a.rows {
		key := arg{word: lit(row.name, p.span)}
		if row.name = ""; pairs {
			row = arg{many: true, rows: []arg{key, row}, list: append([]Word{key.word}, row.items()...)}
		}
		out.rows = append(out.rows, row)
	}
	out.list = flat(out.rows)
	out.word = join(out.list, " ", p.span)
	return out
}

// eachOf is what the variable of a loop stands for at its place among those of the head, which are so many.
func (p *interp) eachOf(a arg, place, of int) arg {
	if a.rows == nil || a.one {
		return oneOf(a.items(), p.span)
	}
	named := slices.ContainsFunc(a.rows, func(row arg) bool { return row.name != "" })
	switch {
	case named && p.in.Blocks == rule.BlocksColon:
		list := []Word{}
		for _, row := range a.rows {
			list = append(list, lit(row.name, p.span))
		}
		return oneOf(list, p.span)
	case named && of == 2:
		a = p.told(a, true)
	}
	if of < 2 {
		return p.anyOf(a.rows)
	}
	var items []arg
	for i := range a.rows {
		if list := a.rows[i].each(); place < len(list) {
			items = append(items, list[place])
		}
	}
	return p.anyOf(items)
}

// place is where a name stands among the variables of the loop whose head is the token at i, and how many these are. What counts its items
// has one in front.
func (p *interp) place(name string, i, over int) (at, of int) {
	from := i + 1
	if p.at(i).text == p.in.Over {
		if !p.mark(i-1, "]") {
			return 0, 1
		}
		for from = i - 1; from > max(0, i-maxLoop) && !p.mark(from, "["); from-- {
		}
	}
	of = 1
	for k := from; k < min(over, from+maxLoop) && (k <= i || p.at(k).text != "in"); k++ {
		if p.mark(k, ",") {
			of++
		} else if p.at(k).text == name {
			at = of - 1
		}
	}
	if p.e.tables.Functions.Counted.Has(p.at(over).text) && of > 1 {
		at, of = max(at-1, 0), of-1
	}
	return at, of
}

// numbers are those that a loop counts through: range(3). Where nobody knows the end, it is any.
func (p *interp) numbers(args []arg) arg {
	from, to := 0, 0
	var err, err2 error
	if to, err = strconv.Atoi(args[0].word.Text); len(args) > 1 {
		from = to
		to, err2 = strconv.Atoi(args[1].word.Text)
	}
	if err != nil || err2 != nil || len(args) > 2 || to-from > maxLoop || args[0].many {
		return p.names(p.bare())
	}
	list := []Word{}
	for ; from < to; from++ {
		list = append(list, lit(strconv.Itoa(from), p.span))
	}
	return p.names(list...)
}

// typed is where the value begins that a statement at i gives a name with its type: OUT: Path = x. It is i where there is none.
func (p *interp) typed(i int) int {
	starts := p.in.Blocks == rule.BlocksColon && p.at(i-1).kind == tokLine || p.in.Blocks == rule.BlocksParen && p.e.tables.Code.Declared.Has(p.at(i-1).text)
	if !starts || !p.mark(i+1, ":") || p.at(i+2).kind != tokName {
		return i
	}
	for k, depth := i+3, 0; k < min(len(p.toks), i+maxLoop) && !p.lineEnd(k); k++ {
		switch {
		case p.mark(k, "["):
			depth++
		case p.mark(k, "]"):
			depth--
		case p.mark(k, "=") && depth == 0:
			return k + 1
		case p.mark(k, "("), p.mark(k, ":"):
			return i
		}
	}
	return i
}
