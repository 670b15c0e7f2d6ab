package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A parameter is one of three things: set on the line, inherited, or unknown. The
// first is exact, the second is what Options.Env says, and the third stays in the
// word as it is written. A default behind :- is taken where nothing is known, for
// a line that names a default expects to need it.

// param returns the values of a parameter expansion: one for a scalar, any
// number for "$@" and arrays; many tells that their number is not known.
func (e *engine) param(p *syntax.ParamExp, c *ctx) (list []Word, many bool) {
	span := c.src.node(p)
	if p.Param == nil {
		// zsh nests them: ${${x}%a}. The inner one may hold a substitution, which runs.
		if p.NestedParam != nil {
			e.quoted(&syntax.Word{Parts: []syntax.WordPart{p.NestedParam}}, c)
		}
		return []Word{unknown(c.src.written(p), span)}, false
	}
	name := p.Param.Value
	list, set, many := e.lookup(name, p, span, c)
	if p.Excl && p.Names == 0 && whole(p.Index) {
		if keys, ok := e.keys(p, c); ok {
			return keys, false
		}
		return []Word{unknown(c.src.written(p), span)}, true
	}
	if p.Excl && p.Names == 0 {
		// ${!x}: the value of x is the name.
		if target, ok := one(list); ok && set {
			e.subscripts([]Word{{Text: target, Quoted: true, Span: span}}, c) // x='a[$(rm x)]'; ${!x}
			list, set, many = e.lookup(target, p, span, c)
		} else {
			return []Word{unknown(c.src.written(p), span)}, false
		}
	}
	// ${!x*} lists names of variables, and no value.
	if p.Names != 0 {
		return []Word{unknown(c.src.written(p), span)}, true
	}
	if p.Index != nil && len(list) > 0 {
		// A subscript is evaluated: ${a[$(rm x)]} runs rm.
		e.arithm(p.Index, c)
		list, many = e.index(list, p, span, c)
	}
	if p.Length {
		if s, ok := one(list); ok && set && name != "@" && name != "*" && p.Index == nil {
			return []Word{lit(strconv.Itoa(len([]rune(s))), span)}, false
		}
		return []Word{unknown(c.src.written(p), span)}, false
	}
	switch {
	case p.Exp != nil:
		return e.operate(p, list, set, many, span, c)
	case p.Repl != nil:
		from, to := e.quoted(p.Repl.Orig, c), e.quoted(p.Repl.With, c)
		return e.each(list, span, c.src.written(p), func(s string) (string, bool) {
			if from.Kind != Literal || to.Kind != Literal || !e.has(substituteCost(len(s), from.Text)) {
				return "", false
			}
			if at := anchor(p.Repl); at != 0 {
				return anchored(s, from.Text[1:], to.Text, at == '%')
			}
			return substitute(s, from.Text, to.Text, p.Repl.All), true
		}), many
	case p.Slice != nil && c.modifies(p.Slice):
		return e.each(list, span, c.src.written(p), func(s string) (string, bool) { return modified(s, p.Slice), true }), many
	case p.Slice != nil:
		e.arithm(p.Slice.Offset, c)
		e.arithm(p.Slice.Length, c)
		off, okOff := number(p.Slice.Offset)
		n, okLen := number(p.Slice.Length)
		if p.Slice.Length == nil {
			n, okLen = 1<<30, true
		}
		if args := name == "@" || name == "*"; args || whole(p.Index) {
			if anyFound(list) {
				return list, many
			}
			if list, ok := part(list, args, many, off, n, okOff && okLen); ok {
				return list, false
			}
			return []Word{unknown(c.src.written(p), span)}, true
		}
		if !okOff || !okLen {
			return []Word{unknown(c.src.written(p), span)}, false
		}
		return e.each(list, span, c.src.written(p), func(s string) (string, bool) {
			return slice(s, off, n), true
		}), many
	}
	return list, many
}

// whole reports the subscript of all elements.
func whole(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && w != nil && (w.Lit() == "@" || w.Lit() == "*")
}

// part is ${a[@]:off:n}, or ${@:off:n}, whose first one is the script's own name, which is not known.
func part(list []Word, args, many bool, off, n int, known bool) ([]Word, bool) {
	if !known || many || n < 0 {
		return nil, false
	}
	switch {
	case off < 0:
		if off += len(list); off < 0 {
			return nil, false
		}
	case args:
		if off--; off < 0 {
			return nil, false
		}
	}
	off = min(off, len(list))
	return list[off:min(off+n, len(list))], true
}

// anchor is the mark that ties a replacement to the start (#) or end (%) of a value, 0 for none. In quotes, and where all places are
// meant, it is a letter like any other.
func anchor(r *syntax.Replace) byte {
	if r.All || r.Orig == nil || len(r.Orig.Parts) == 0 {
		return 0
	}
	l, ok := r.Orig.Parts[0].(*syntax.Lit)
	if !ok || l.Value == "" || l.Value[0] != '#' && l.Value[0] != '%' {
		return 0
	}
	return l.Value[0]
}

// one returns the text of a value that is one known word.
func one(list []Word) (string, bool) {
	if len(list) != 1 {
		return "", false
	}
	return list[0].Known()
}

// each maps known values; what is not known becomes an unknown word.
func (e *engine) each(list []Word, span Span, written string, f func(string) (string, bool)) []Word {
	// Lists that are too many are not followed, see bounded: neither is what is done with them.
	if len(list) > 1 && (e.stopped || e.expanded > 8*maxFields) {
		return []Word{unknown(written, span)}
	}
	for i := range list {
		e.work.Take(costEach + len(list[i].Text)/eachBytes)
	}
	out := make([]Word, len(list))
	for i := range list {
		out[i] = unknown(written, span, list[i].From()...)
		out[i].Parts[0].Read = slices.ContainsFunc(list[i].Parts, func(p Part) bool { return p.Read })
		if s, ok := list[i].Known(); ok {
			if s, ok = f(s); ok {
				out[i] = lit(s, span)
			}
		}
	}
	return out
}

// positional is $0, $1 and so on: of a function or a script of the line, else nobody's to know.
func (c *ctx) positional(name string, p *syntax.ParamExp, span Span) (list []Word, set, many bool) {
	open := []Word{unknown(c.src.written(p), span)}
	n, err := strconv.Atoi(name)
	switch {
	case n == 0 && err == nil && c.st.zero.Text != "":
		return []Word{c.st.zero}, true, false
	case err != nil || !c.st.argsSet || n == 0:
		return open, true, false
	case n <= len(c.st.args):
		return c.st.args[n-1 : n], true, false
	}
	if k := len(c.st.args); k > 0 && c.st.args[k-1].Many {
		return open, true, false // xargs sh -c '… $1' _
	}
	if c.st.argsOpen {
		return open, false, false // ${1:-x} is x
	}
	return nil, false, false
}

// lookup returns the value of a parameter. set is false if it is known to be
// unset; a name that the line says nothing about is unknown, and "set".
func (e *engine) lookup(name string, p *syntax.ParamExp, span Span, c *ctx) (list []Word, set, many bool) {
	unknownValue := func(many bool) ([]Word, bool, bool) {
		w := unknown(c.src.written(p), span)
		w.Many = many
		return []Word{w}, true, many
	}
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		return c.positional(name, p, span)
	}
	switch name {
	// Those of the line itself are nobody's to know; those of a function or script of the line are.
	case "@", "*":
		if !c.st.argsSet {
			return unknownValue(true)
		}
		return c.st.args, len(c.st.args) > 0, false
	case "#":
		if !c.st.argsSet {
			return unknownValue(false)
		}
		return []Word{lit(strconv.Itoa(len(c.st.args)), span)}, true, false
	case "PWD":
		return []Word{c.st.dirs[0]}, true, false
	case "OLDPWD":
		return []Word{c.st.before()}, true, false
	}
	if e.tables.Sh.Volatile.Has(name) {
		return unknownValue(false)
	}
	// A nameref may lead to another one, or to itself.
	for range 4 {
		v := c.st.find(name)
		if v == nil {
			break
		}
		if v.unset {
			return nil, false, false
		}
		if len(v.alts) == 0 {
			break // declared or exported, not set
		}
		if key := e.subscript(p.Index, c); key != "" {
			if el := c.st.find(name + key); el != nil && !el.unset && len(el.alts) == 1 {
				return el.alts[0].list, true, false
			}
		}
		val := v.alts[e.alternative(name, len(v.alts))]
		if v.ref {
			if target, ok := one(val.list); ok {
				name = target
				continue
			}
		}
		if val.array && p.Index == nil && len(val.list) > 1 {
			return val.list[:1], true, false
		}
		return val.list, len(val.list) > 0, false
	}
	if e.tables.Sh.Source.Has(name) && c.script != "" {
		return []Word{lit(c.script, span)}, true, false
	}
	switch name {
	case "HOME":
		return []Word{e.home(c)}, true, false
	// The default; a line that sets it was found above.
	case "IFS":
		return []Word{lit(" \t\n", span)}, true, false
	}
	if e.opt.Env != nil {
		if s, ok := e.opt.Env(name); ok {
			return []Word{lit(s, span)}, true, false
		}
	}
	switch name {
	// Whichever it is, it is a shell: "$SHELL -c …" is to be followed.
	case "SHELL", "BASH":
		return []Word{lit("/bin/sh", span)}, true, false
	}
	return unknownValue(false)
}

// operate applies ${x:-y} and its relatives.
func (e *engine) operate(p *syntax.ParamExp, list []Word, set, many bool, span Span, c *ctx) ([]Word, bool) {
	written := c.src.written(p)
	text, known := one(list)
	empty := !set || known && text == ""
	// A name that the line does not set, and the environment neither: it is
	// taken to be unset where the line offers a default for that case.
	blank := len(list) == 1 && list[0].Kind == Unknown && list[0].Text == written && !many
	word := func() []Word { return e.defaultWord(p.Exp.Word, c) }
	if p.Param != nil && !blank && set && c.st.find(optionArgument) == nil && p.Exp.Op <= syntax.AssignUnsetOrNull && p.Exp.Op >= syntax.DefaultUnset {
		if v := c.st.find(p.Param.Value); v != nil && v.unsure && e.alternative(p.Param.Value+" unset", 2) == 1 {
			blank = true // what may have set it has not run
		}
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.AssignUnset:
		if !set || blank {
			return e.assignDefault(p, word(), c), false
		}
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull:
		if empty || blank {
			return e.assignDefault(p, word(), c), false
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if empty && (p.Exp.Op == syntax.AlternateUnsetOrNull || !set) {
			return nil, false
		}
		return word(), false
	// ${x:?} ends the script instead of going on with nothing: what guards rm -rf "$x" is no hazard.
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		// So does a script that is given fewer words than it asks for.
		lacks := !set || empty && p.Exp.Op == syntax.ErrorUnsetOrNull
		if given := c.st.argsSet && !c.st.argsUnsure && p.Param != nil && strings.Trim(p.Param.Value, "0123456789") == ""; lacks && given && !c.cond && c.decides() {
			c.st.over = leavesFile
		}
		return list, many
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		pat := e.quoted(p.Exp.Word, c)
		if up, ok := trimmedUp(list, &pat, p.Exp.Op); ok {
			return up, many
		}
		left := e.each(list, span, written, func(s string) (string, bool) {
			if pat.Kind != Literal || !e.has(trimCost(len(s), pat.Text)) {
				return "", false
			}
			return trim(s, pat.Text, p.Exp.Op), true
		})
		// ${line%%=*} leaves the name of a variable, and nothing of its value.
		for i := range left {
			if p.Exp.Op == syntax.RemLargeSuffix && pat.Is("=*") && len(left[i].Parts) > 0 {
				left[i].Parts[0].Read = false
			}
		}
		return left, many
	case syntax.UpperAll:
		return e.each(list, span, written, func(s string) (string, bool) { return strings.ToUpper(s), true }), many
	case syntax.LowerAll:
		return e.each(list, span, written, func(s string) (string, bool) { return strings.ToLower(s), true }), many
	case syntax.UpperFirst, syntax.LowerFirst:
		return e.each(list, span, written, func(s string) (string, bool) {
			if s == "" {
				return s, true
			}
			if p.Exp.Op == syntax.UpperFirst {
				return strings.ToUpper(s[:1]) + s[1:], true
			}
			return strings.ToLower(s[:1]) + s[1:], true
		}), many
	case syntax.OtherParamOps:
		how := ""
		if p.Exp.Word != nil {
			how = p.Exp.Word.Lit()
		}
		if how == "P" {
			// As a prompt a value is expanded once more: x='$(rm x)'; ${x@P}.
			for i := range list {
				n := c.step("${…@P}", list[i].Span).sub()
				n.in, n.want = nil, false
				e.expansion(list[i], n)
			}
		}
		return e.each(list, span, written, func(s string) (string, bool) {
			switch how {
			case "U":
				return strings.ToUpper(s), true
			case "L":
				return strings.ToLower(s), true
			case "E":
				return ansi(s), true
			}
			return "", false
		}), many
	}
	return list, many
}

// fallsBack reports a command with a default for a variable: ${x:-y}.
func fallsBack(ce *syntax.CallExpr, name string) (found bool) {
	syntax.Walk(ce, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok {
			found = found || p.Exp != nil && paramName(p) == name
		}
		return !found
	})
	return found
}

// defaultWord expands the word behind :-, whose variables have alternatives of
// their own.
func (e *engine) defaultWord(w *syntax.Word, c *ctx) []Word {
	if w == nil {
		return []Word{{}}
	}
	picks := e.picks
	list := []Word{e.quoted(w, c)}
	e.picks = picks
	return list
}

// assignDefault does what := does beyond :-.
func (e *engine) assignDefault(p *syntax.ParamExp, list []Word, c *ctx) []Word {
	if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
		c.st.set(p.Param.Value, value{list: list})
	}
	return list
}

// number reads a constant arithmetic expression.
func number(x syntax.ArithmExpr) (int, bool) {
	switch n := x.(type) {
	case *syntax.Word:
		if n == nil {
			return 0, false
		}
		i, err := strconv.Atoi(n.Lit())
		return i, err == nil
	case *syntax.UnaryArithm:
		i, ok := number(n.X)
		if n.Op == syntax.Minus {
			i = -i
		}
		return i, ok && (n.Op == syntax.Minus || n.Op == syntax.Plus)
	case *syntax.ParenArithm:
		return number(n.X)
	}
	return 0, false
}

// slice is ${x:off:n}, counted in characters, with negative numbers from the end.
func slice(s string, off, n int) string {
	r := []rune(s)
	if off < 0 {
		off = max(0, off+len(r))
	}
	off = min(off, len(r))
	end := off + n
	if n < 0 {
		end = len(r) + n
	}
	if end > len(r) {
		end = len(r)
	}
	if end < off {
		return ""
	}
	return string(r[off:end])
}

// trimmedUp is what ${g%/.git} and ${g%/*} make of a name that a list has: the folder in which it lies.
func trimmedUp(list []Word, pat *Word, op syntax.ParExpOperator) ([]Word, bool) {
	if len(list) != 1 || pat.Kind != Literal || op != syntax.RemSmallSuffix || strings.LastIndexByte(pat.Text, '/') != 0 {
		return nil, false
	}
	up, ok := upFrom(&list[0])
	if end := list[0].Parts; ok && pat.Text != "/*" && !strings.HasSuffix(end[len(end)-1].Text, pat.Text) {
		return nil, false
	}
	return []Word{up}, ok
}
