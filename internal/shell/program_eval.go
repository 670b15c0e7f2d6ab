package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Values in a program are evaluated only as far as that needs no execution: string
// literals, lists of them, concatenation, variables that were assigned a value
// before, and a few pure functions such as os.path.join and base64 decoding.
// Everything else is unknown, which a rule then treats as anything at all.

// expr evaluates an expression of strings, lists, known variables, + and a few
// pure functions; everything else is unknown.
func (p *interp) expr(i int) (arg, int) {
	p.deep++
	defer func() { p.deep-- }()
	// Brackets within brackets: recursion has an end, whatever a program looks like.
	if p.deep > 32 || !p.e.tick(p.c) {
		return arg{word: unknown("…", p.span)}, len(p.toks)
	}
	from := i
	a, i := p.operand(i)
	for {
		t := p.at(i)
		if v, end, ok := p.chosenFor(a, i); ok {
			return v, end
		}
		if t.kind != tokMark {
			if t.kind == tokText && p.in.Adjacent && a.word.Kind == Literal && !a.many { // "a" "b"
				a.word = join([]Word{a.word, t.word}, "", p.span)
				i++
				continue
			}
			if v, end, ok := p.eitherOf(a, from, i); ok {
				return v, end
			}
			if t.kind == tokName && t.text == "if" && slices.ContainsFunc(p.toks[i:min(p.skip(i), len(p.toks))], func(t token) bool { return t.text == "else" }) {
				return arg{word: unknown("…", p.span)}, p.skip(i) // one value or the other
			}
			return a, i
		}
		sep := ""
		switch {
		case t.text == "." && p.mark(i+1, ".") && p.in.Join == "..":
			i++
		case t.text == "+", t.text == p.in.Join:
		case t.text == "%" && strings.Contains(p.in.Operators, t.text) && (!a.many || a.one):
			b, next := p.operand(i + 1)
			a, i = p.lifted([]arg{a, b}, func(args []arg) arg {
				return arg{word: formatted(&args[0].word, flat(args[1:]), p.span)}
			}), next
			continue
		case t.text == "/" && strings.Contains(p.in.Operators, t.text):
			sep = "/"
		case t.text == "|": // flags, or two sets
			sep = "|"
		case t.text == ",", t.text == ")", t.text == "]", t.text == "}", t.text == "=>", t.text == ":", t.text == "{":
			return a, i
		default:
			if v, end, ok := p.eitherOf(a, from, i); ok {
				return v, end
			}
			// An operator that is not understood: skip to the end.
			return arg{word: unknown("…", p.span), raw: a.raw}, p.skip(i)
		}
		b, next := p.operand(i + 1)
		if next <= i+1 {
			return arg{word: unknown("…", p.span)}, p.skip(i)
		}
		switch {
		case a.isList() && b.isList() && len(a.list)+len(b.list) > maxLoop:
			a = arg{word: unknown("…", p.span)} // twenty doublings of a list fill the memory
		case a.isList() && b.isList():
			rows := a.rows
			if a.rows != nil || b.rows != nil {
				rows = slices.Concat(a.each(), b.each())
			}
			a = p.names(slices.Concat(a.list, b.list)...)
			a.rows = rows
		default:
			number := t.text == "+" && p.number(i+1) && next == i+2
			a = p.lifted([]arg{whichever(a), whichever(b)}, func(args []arg) arg {
				if number && args[0].word.Kind == Unknown {
					return arg{word: unknown("…", p.span)} // k + 1
				}
				return arg{word: join([]Word{args[0].word, args[1].word}, sep, p.span)}
			})
		}
		i = next
	}
}

// operand evaluates a term and the methods that are called on it.
func (p *interp) operand(i int) (arg, int) {
	// Where a dot joins strings it calls nothing.
	a, i := p.term(p.stepped(i))
	if next := p.stepped(i); next > i && (next >= len(p.toks) || p.at(next).kind == tokMark && !p.number(next)) { // i++, and not a + +b
		i = next
	}
	for {
		i = p.part(&a, i)
		if !p.mark(i, ".") || p.at(i+1).kind != tokName || p.in.Join != "" {
			break
		}
		next := 0
		p.e.work.Take(costCall + costPart)
		if a, next = p.method(a, i+1); next <= i {
			break
		}
		i = next
	}
	return a, i
}

// skip finds the end of the current argument.
func (p *interp) skip(i int) int {
	depth := 0
	for ; i < len(p.toks); i++ {
		t := p.at(i)
		if t.kind == tokLine && depth == 0 {
			return i
		}
		if t.kind != tokMark {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return i
			}
		case ",":
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// term evaluates an operand: a literal, a list, a name or a call.
func (p *interp) term(i int) (arg, int) {
	// Within brackets an expression goes on over the end of a line.
	for p.at(i).kind == tokLine && i < len(p.toks) && p.at(i).text == "\n" && p.deep > 1 {
		i++
	}
	t := p.at(i)
	p.cur = i
	switch t.kind {
	case tokText:
		a := p.fillIn(t.word)
		if s := a.word.Prefix(); p.in.Homes && !a.many && (s == "~" || strings.HasPrefix(s, "~/")) {
			a.word = join([]Word{p.environ("HOME"), *cutWord(&a.word, 1)}, "", p.span)
		}
		return a, i + 1
	case tokRun:
		n := p.c.step(p.lang+" `…`", p.span)
		n.want = true
		for _, w := range p.filled(t.word) {
			p.out = p.e.script(w, n)
		}
		if w, ok := p.printed(); ok {
			return arg{word: w}, i + 1
		}
		return arg{word: unknown("`…`", p.span)}, i + 1
	case tokWords:
		return p.names(t.words...), i + 1
	case tokName:
		if p.e.tables.Code.Before.Has(t.text) {
			return p.term(i + 1)
		}
		if p.in.Loop == rule.LoopTopic && p.e.tables.Methods.Maps.Has(t.text) && p.mark(i+1, "{") && p.deep < 32 {
			p.deep++
			a, _ := p.expr(i + 2) // map { "x/$_" } list
			_, next := p.term(p.skip(i+2) + 1)
			p.deep--
			return p.names(a.items()...), next
		}
		if slices.Contains(p.in.Orders, t.text) && p.deep < 32 {
			from := i + 1
			if p.mark(from, "{") {
				from = p.skip(from+1) + 1
			}
			p.deep++
			a, next := p.term(from)
			p.deep--
			return a, next
		}
		if t.text == p.in.Glob && !p.mark(i+1, "(") && p.deep < 32 {
			p.deep++
			a, next := p.term(i + 1)
			p.deep--
			if s := a.word.Prefix(); s != "~" && !strings.HasPrefix(s, "~/") {
				return p.lifted([]arg{a}, p.globs), next
			}
			// Perl's glob knows "~", too, which is then no pattern any more.
			return p.globs([]arg{{word: join([]Word{p.environ("HOME"), *cutWord(&a.word, 1)}, "", p.span)}}), next
		}
		return p.value(i)
	case tokMark:
		switch t.text {
		case "-":
			if s := p.at(i + 1).text; p.at(i+1).kind == tokMark && s != "" && digit(s[0]) < 10 {
				return arg{word: lit("-"+s, p.span), raw: "-" + s}, i + 2
			}
		case "*", "&":
			if strings.Contains(p.in.Spreads, t.text) && p.endsArgument(i+1) {
				return p.rest(), i + 1
			}
			if strings.Contains(p.in.Spreads, t.text) {
				a, next := p.term(i + 1) // File.delete(*list), Enum.each(list, &File.rm!/1)
				return a.spread(), next
			}
		case ".":
			if p.mark(i+1, ".") && p.mark(i+2, ".") && p.endsArgument(i+3) {
				return p.rest(), i + 3
			}
			if p.mark(i+1, ".") && p.mark(i+2, ".") && p.deep < 32 {
				p.deep++
				a, next := p.operand(i + 3) // [...list, "x"]
				p.deep--
				return a.spread(), next
			}
		case "(", "[", "{":
			from := i
			list, next := p.args(i+1, closing(t.text))
			if t.text == "(" && len(list) == 1 {
				return list[0], next
			}
			a := arg{many: true, rows: rowsOf(list)}
			for k := range list {
				if list[k].many && len(a.list)+len(list[k].list) > maxLoop {
					return arg{word: unknown("…", p.span)}, next
				}
				if list[k].many {
					a.list = append(a.list, list[k].list...)
				} else {
					a.list = append(a.list, list[k].word)
				}
			}
			// As it is written, for options such as {recursive: true}; long lists hold none.
			for k := from; k < min(next, from+maxLoop); k++ {
				a.raw += p.at(k).text
			}
			a.word = join(a.list, " ", p.span)
			return a, next
		}
		return arg{word: lit(t.text, p.span), raw: t.text}, i + 1
	}
	return arg{word: unknown("…", p.span)}, i
}

// endsArgument reports that nothing stands at i that belongs to an argument.
func (p *interp) endsArgument(i int) bool { return p.mark(i, ",") || p.mark(i, ")") }

// rest is what a function takes without a name.
func (p *interp) rest() arg {
	a, ok := p.lookup(anonymous)
	if !ok {
		a = arg{word: unknown("…", p.span)}
	}
	return a.spread()
}

// spread is a list whose items are meant. One item is an argument like any other: system(*["ls x"]) is system("ls x").
func (a arg) spread() arg {
	if len(a.list) == 1 && a.many && !a.list[0].Many {
		return arg{word: a.list[0]}
	}
	a.flat = true
	return a
}

// closing returns the bracket that closes another.
func closing(open string) string {
	switch open {
	case "(":
		return ")"
	case "[":
		return "]"
	}
	return "}"
}
