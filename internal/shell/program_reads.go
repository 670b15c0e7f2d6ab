package shell

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// readsLine reports the call of a library, at k, that reads the words of the line and no others: parse_args(), parse_args(sys.argv[1:]), and
// parse_args(argv) in a function that is given these or nothing: def main(argv=None).
func (p *interp) readsLine(k int) bool {
	if p.at(k).kind != tokName || !slices.Contains(p.in.Parses, p.at(k).text) || !p.mark(k+1, "(") {
		return false
	}
	end := p.closes(k + 1)
	switch {
	case end == k+2 || p.in.Blocks != rule.BlocksColon:
		return true
	case p.isArguments(k+2, end):
		return true
	}
	return end == k+3 && p.at(k+2).kind == tokName && p.handsLine(k, p.at(k+2).text)
}

// handsLine reports a parameter of the function around k that is the words of the line: by each call of it, or since there is one without a value where the
// library takes the line for none.
func (p *interp) handsLine(k int, parameter string) bool {
	def := k
	for def >= 0 && !(p.e.tables.Code.Defines.Has(p.at(def).text) && p.mark(def+2, "(")) {
		def--
	}
	if def < 0 || !p.e.spend(1+len(p.toks)/16, p.c) {
		return false
	}
	name, close := p.at(def+1).text, p.closes(def+2)
	if body := p.bodyEnd(def, close+1); k < close || k >= body {
		return false
	}
	parts := p.split(def+3, close, func(i int) bool { return p.mark(i, ",") })
	if len(parts) != 1 || p.at(parts[0][0]).text != parameter {
		return false // of several, which is which would have to be told
	}
	without := p.mark(parts[0][1]-2, "=") && p.e.tables.Functions.Constants.Has(p.at(parts[0][1]-1).text)
	calls := 0
	for i := range p.toks {
		if t := &p.toks[i]; i == def+1 || t.kind != tokName && t.kind != tokText || t.text != name && (t.kind != tokText || t.word.Text != name) {
			continue
		}
		end := p.closes(i + 1)
		if calls++; p.at(i).kind == tokText || !p.mark(i+1, "(") || !(without && end == i+2) && !p.isArguments(i+2, end) {
			return false
		}
	}
	// What the function itself makes of its parameter is not followed.
	for i := close; i < k; i++ {
		if p.at(i).kind == tokName && p.at(i).text == parameter {
			return false
		}
	}
	return calls > 0
}
