package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// What the line gives a program decides something only as long as the program leaves it alone. So each place that names its arguments or its
// environment must be one of the few forms that only read; with any other, such as sys.argv.remove("--dry"), nothing is decided.

// stays reports that the program changes neither its arguments nor, in ways that do not name the variable, its environment.
func (p *interp) stays() bool {
	var lists []string
	for _, row := range p.in.Argv {
		name, _, _ := strings.Cut(row, " ")
		lists = append(lists, name[strings.LastIndexByte(name, '.')+1:])
	}
	named := len(lists)
	for k := 0; k < p.plain; k++ {
		if t := &p.toks[k]; t.kind != tokName {
			continue
		} else if list := strings.TrimPrefix(t.text, "$"); slices.Contains(lists[:named], list) {
			if other := p.alias(k); other != "" {
				lists = append(lists, other)
			}
		}
	}
	if p.reaches(p.e.tables.Code.Resets, "") {
		return false
	}
	if !p.handlers() {
		return false
	}
	for k := 0; k < p.plain && p.e.tick(p.c); k++ {
		t := &p.toks[k]
		if t.kind == tokText && slices.Contains(lists, t.word.Text) { // getattr(sys, "argv")
			return false
		}
		if t.kind != tokName {
			continue
		}
		if slices.Contains(lists, strings.TrimPrefix(t.text, "$")) && !p.readsList(k) {
			return false
		}
		if name, _ := p.chainTo(p.chainStart(k), k+1); p.e.tables.Functions.Environment.Has(p.full(strings.TrimPrefix(name, "$"))) && !p.ownName(name) && !p.readsEnvironment(k) {
			return false
		}
	}
	return true
}

// ownName reports a name to which the program itself gives a value, so that it stands for nothing of the language's: ENV = ".env".
func (p *interp) ownName(name string) bool {
	for k := range p.plain {
		if p.at(k).text == name && p.at(k).kind == tokName && p.begins(k) && (p.mark(k+1, "=") || p.mark(k+1, ",")) && p.in.Blocks == rule.BlocksColon {
			return true
		}
	}
	return false
}

// chainStart is the first token of the names that dots join up to k: sys of sys.argv.
func (p *interp) chainStart(k int) int {
	for p.mark(k-1, ".") && p.at(k-2).kind == tokName {
		k -= 2
	}
	return k
}

// alias is the name that gets the list at k, or its end, by a plain assignment.
func (p *interp) alias(k int) string {
	end := k + 1
	switch {
	case p.mark(end, "["):
		end = p.closes(end) + 1
		if !p.mark(end-2, ":") && !p.mark(end-3, ":") { // one of the words
			return ""
		}
	case p.mark(end, ".") && p.at(end+1).text == "slice" && p.mark(end+2, "("):
		end = p.closes(end+2) + 1
	}
	from := p.chainStart(k)
	if p.e.tables.Code.Lists.Has(p.at(from-2).text) && p.mark(from-1, "(") && p.mark(end, ")") { // new Set(process.argv)
		from, end = from-2, end+1
		if p.e.tables.Code.Before.Has(p.at(from - 1).text) {
			from--
		}
	}
	if !p.mark(end, ".") && p.mark(from-1, "=") {
		return strings.TrimPrefix(p.at(p.assignedTo(from-2)).text, "$")
	}
	return ""
}

// assignedTo is the name in front of the = behind the token at k, which its type may stand between; -1 if there is none.
func (p *interp) assignedTo(k int) int {
	if p.e.tables.Code.Declared.Has(p.at(k-1).text) && p.at(k).kind == tokName {
		return k
	}
	for i := k; i > 0 && k-i < maxType && !p.lineEnd(i); i-- {
		if p.typed(i) == k+2 {
			return i
		}
	}
	if p.at(k).kind == tokName {
		return k
	}
	return -1
}

// maxType bounds the tokens of a type: Set<string>.
const maxType = 12

// readsList reports that the list at k is only looked at.
func (p *interp) readsList(k int) bool {
	code := &p.e.tables.Code
	from := p.chainStart(k)
	before := p.at(from - 1).text
	switch {
	case code.Unsets.Has(before):
		return false
	case p.mark(k+1, "["):
		after := p.closes(k+1) + 1
		return !p.mark(after, "=") && !p.mark(after+1, "=")
	case p.mark(k+1, "."):
		member := p.at(k + 2).text
		return code.Holds.Has(member) || code.Sizes.Has(member) && !p.mark(k+3, "=") && !p.mark(k+4, "=") || code.Looks.Has(member)
	case p.mark(k+1, "="): // what an alias gets; more than one assignment is met elsewhere
		return from == k
	case p.at(k+1).kind == tokText && code.Holds.Has(p.at(k+1).text), before == "in", before == "import":
		return true
	case p.alias(k) != "":
		return true
	case p.mark(from-1, "}") && p.mark(from-5, "{") && code.Picks.Has(p.at(from-6).text): // grep { $_ eq "x" } @ARGV
		return true
	case from == k && p.mark(p.bracket(k), "(") && code.Defines.Has(p.at(p.bracket(k)-2).text): // a parameter of that name: def main(argv)
		return true
	}
	open := p.bracket(k)
	call := p.at(open - 1).text
	return p.mark(open, "(") && (code.Counts.Has(call) || code.Holds.Has(call) || slices.Contains(p.in.Parses, call))
}

// readsEnvironment reports that the environment at k is asked, or that its variable is named: those that are named are looked at one by one.
func (p *interp) readsEnvironment(k int) bool {
	before := p.at(p.chainStart(k) - 1).text
	switch {
	case p.e.tables.Code.Unsets.Has(before):
		return false
	case p.mark(k+1, "("): // one that gives a variable
		return true
	case p.mark(k+1, "["):
		return p.at(k+2).kind == tokText && p.mark(k+3, "]")
	case p.mark(k+1, "."):
		name, _ := p.chainTo(p.chainStart(k), k+3)
		return !p.mark(k+3, "(") || p.at(k+4).kind == tokText || p.e.tables.Functions.Environment.Has(p.full(strings.TrimPrefix(name, "$")))
	}
	return before == "in" || before == "import"
}
