package shell

import "strings"

// A number that a program counts up or down may be any number: in a loop a name with that number stands for many files.

// countedOn adds to a number that the program counts on whichever else it comes to.
func (p *interp) countedOn(name string, a arg) arg {
	if a.many || a.word.Kind != Literal {
		return a
	}
	if _, is := decimal(a.word.Text); !is || !p.counts(name) {
		return a
	}
	return oneOf([]Word{a.word, unknown(name, p.span)}, p.span)
}

// counts reports a name that gets another number from its own: i += 1, i++, --i, i = i + 1.
func (p *interp) counts(name string) bool {
	if p.counters == nil {
		p.counters = map[string]bool{}
		if !p.e.spend(1+len(p.toks)/16, p.c) {
			return false
		}
		for k := range p.toks {
			if p.toks[k].kind == tokName && p.steps(k) {
				p.counters[p.toks[k].text] = true
			}
		}
	}
	return p.counters[name] || p.e.spend(1+len(p.text)/1024, p.c) && strings.Contains(p.text, name+"++") // in the gap of a text
}

// steps reports that the name at k is counted on there.
func (p *interp) steps(k int) bool {
	for _, op := range [...]string{"+", "-", "*"} {
		if p.mark(k+1, op) && (p.mark(k+2, "=") || p.mark(k+2, op) && op != "*") || op != "*" && p.mark(k-1, op) && p.mark(k-2, op) {
			return true
		}
		if p.mark(k+1, "=") && p.at(k+2).text == p.at(k).text && p.mark(k+3, op) {
			return true
		}
	}
	return false
}

// number reports a number that is written out.
func (p *interp) number(i int) bool {
	t := p.at(i)
	return t.kind == tokMark && t.text != "" && digit(t.text[0]) < 10
}

// stepped is the place behind ++ or --, if one stands at i.
func (p *interp) stepped(i int) int {
	if p.mark(i, "+") && p.mark(i+1, "+") || p.mark(i, "-") && p.mark(i+1, "-") {
		return i + 2
	}
	return i
}
