package shell

import (
	"slices"
	"strings"
)

// A program that goes through all of its own names may call any function. Where it takes only those that begin in some way, it calls no other:
// for n, f in globals().items(): if n.startswith("test_"): f().

// reaches reports that the program says one of some words, by which more may be reached than it names. A loop over its own names that takes
// none which is called so reaches nothing.
func (p *interp) reaches(words []string, name string) bool {
	for _, word := range words {
		n := strings.Count(p.text, word)
		if n == 0 {
			continue
		}
		if !p.e.tables.Code.Globals.Has(strings.TrimSuffix(word, "(")) || !p.e.spend(1+len(p.toks)/16, p.c) {
			return true
		}
		for i := 0; i < p.plain && n > 0; i++ {
			if p.at(i).text+"(" != word || p.at(i).kind != tokName {
				continue
			}
			if begins, ok := p.takesOwn(i); !ok || name != "" && slices.ContainsFunc(begins, func(s string) bool { return strings.HasPrefix(name, s) }) {
				return true
			}
			n--
		}
		if n > 0 { // in a text, or in a remark
			return true
		}
	}
	return false
}

// takesOwn tells how the names begin that a loop over those at i takes: for name, value in sorted(globals().items()): if name.startswith("a").
// It is not ok where the value is used anywhere else.
func (p *interp) takesOwn(i int) (begins []string, ok bool) {
	code, at := &p.e.tables.Code, i-1
	for p.mark(at, "(") && p.e.tables.Functions.Same.Has(p.at(at-1).text) {
		at -= 2
	}
	head := at - 4 // for name, value in
	if !p.mark(i+1, "(") || !p.mark(i+2, ")") || !p.mark(i+3, ".") || !code.Pairs.Has(p.at(i+4).text) || !p.mark(i+5, "(") || !p.mark(i+6, ")") ||
		p.at(at).text != "in" || p.at(at-1).kind != tokName || !p.mark(at-2, ",") || p.at(at-3).kind != tokName || p.at(head).text != "for" || p.margin(head) < 0 {
		return nil, false
	}
	name, value, test := p.at(at-3).text, p.at(at-1).text, i+7
	for ; p.mark(test, ")") && test-i-7 < (i-1-at)/2; test++ {
	}
	if !p.mark(test, ":") {
		return nil, false
	}
	for test++; p.lineEnd(test); test++ {
	}
	if p.at(test).text != "if" || p.at(test+1).text != name || !p.mark(test+2, ".") || !code.Begins.Has(p.at(test+3).text) || !p.mark(test+4, "(") {
		return nil, false
	}
	end := p.closes(test + 4)
	for k := test + 5; k < end; k++ {
		switch t := p.at(k); {
		case t.kind == tokText && t.word.Kind == Literal && t.word.Text != "":
			begins = append(begins, t.word.Text)
		case !p.mark(k, "(") && !p.mark(k, ")") && !p.mark(k, ","):
			return nil, false
		}
	}
	if !p.mark(end+1, ":") || len(begins) == 0 {
		return nil, false
	}
	last := p.bodyEnd(test, end+1)
	for k := range p.toks {
		if p.at(k).kind == tokName && p.at(k).text == value && k != at-1 && (k < end || k >= last) {
			return nil, false
		}
	}
	return begins, true
}
