package shell

import (
	"slices"
	"strings"
)

// A command is often put together step by step: cmd = ["rm"]; cmd += ["-rf", d]; cmd.append(x). Each step adds to what the name stands for.

// grows follows such a step at the name at i, and reports that it is one.
func (p *interp) grows(i int) bool {
	name, more := p.at(i).text, []arg(nil)
	switch {
	case (p.mark(i+1, "+") || p.mark(i+1, "|")) && p.mark(i+2, "="), p.mark(i+1, "<") && p.mark(i+2, "<"):
		a, _ := p.expr(i + 3)
		more = []arg{a}
	case p.mark(i+1, ".") && p.at(i+2).kind == tokName && p.e.tables.Methods.Grows.Has(p.at(i+2).text) && p.mark(i+3, "("):
		more, _ = p.args(i+4, ")")
	case p.in.Sigils && p.mark(i+1, "[") && p.mark(i+2, "]") && p.mark(i+3, "="): // $list[] = x
		a, _ := p.expr(i + 4)
		more = []arg{a}
	case p.in.Sigils && p.e.tables.Methods.Grows.Has(strings.TrimPrefix(name, "array_")) && !p.mark(i-1, "."): // push @list, x
		k := i + 1
		if p.mark(k, "(") {
			k++
		}
		if name = p.at(k).text; p.at(k).kind != tokName || !p.mark(k+1, ",") {
			return false
		}
		end := ""
		if k > i+1 {
			end = ")"
		}
		more, _ = p.args(k+2, end)
	default:
		return false
	}
	old, known := p.lookup(name)
	if !known && strings.HasPrefix(name, "@") {
		old, known = p.names(), true // a list is empty at first
	}
	if !known {
		return false
	}
	switch list := flat(more); {
	case old.one && p.counts(name):
		return true // a number, which is any
	case old.many && len(old.list)+len(list) <= maxLoop:
		if adds := p.e.tables.Methods.Adds.Has(p.at(i+2).text) && slices.ContainsFunc(more, func(a arg) bool { return a.many }); adds || old.rows != nil {
			old.rows = append(slices.Clip(old.each()), more...)
		}
		old.list = append(old.list[:len(old.list):len(old.list)], list...)
		old.word = join(old.list, " ", p.span)
	case old.many || len(list) != 1:
		old = arg{word: unknown(name, p.span)}
	case !p.mark(i+1, "+"):
		return false // of something that is no list
	default:
		old = arg{word: join([]Word{old.word, list[0]}, "", p.span)}
	}
	p.set(name, old)
	return true
}
