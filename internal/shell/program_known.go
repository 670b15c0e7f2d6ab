package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Conditions are read just far enough to tell those that the line decides: words that it gives, variables that it sets, and what is made of these
// by and, or, not and comparing.

// known is a value, as far as the line decides it.
type known struct {
	kind kind
	text string // a number, too
	is   truth  // of a condition
	weak bool   // only as the environment is seen from here
}

type kind uint8

const (
	isOpen kind = iota // not known
	isText
	isNumber
	isTruth
	isNone
)

func knownTruth(t truth) known {
	if t == maybe {
		return known{}
	}
	return known{kind: isTruth, is: t}
}

// truth is what a condition makes of the value. Languages do not agree on "0", and ruby not on "" and 0.
func (v known) truth(p *interp) truth {
	switch {
	case v.weak:
		return maybe
	case v.kind == isTruth:
		return v.is
	case v.kind == isNone:
		return no
	case v.kind == isOpen, v.text == "0", v.text == "" && p.in.Blocks == rule.BlocksEnd:
		return maybe
	}
	return truthOf(v.text != "")
}

// split returns the parts of an expression between some operators that stand outside of brackets.
func (p *interp) split(from, end int, is func(k int) bool) (parts [][2]int) {
	k := from
	for k < end {
		stop := min(p.until(k, is), end)
		parts = append(parts, [2]int{k, stop})
		k = stop + 1
		if k == end {
			parts = append(parts, [2]int{end, end})
		}
	}
	return parts
}

// word tells a word between values, which only some languages write so.
func (p *interp) word(k int, s string) bool {
	return p.in.Blocks == rule.BlocksColon && p.at(k).kind == tokName && p.at(k).text == s && !p.mark(k-1, ".")
}

// known evaluates an expression.
func (p *interp) known(from, end int) known {
	p.deep++
	defer func() { p.deep-- }()
	if from >= end || p.deep > 16 || !p.e.spend(1+(end-from)/8, p.c) {
		return known{}
	}
	if p.mark(from, "(") && p.closes(from) == end-1 {
		return p.known(from+1, end-1)
	}
	if parts := p.split(from, end, func(k int) bool { return p.word(k, "if") || p.word(k, "else") }); len(parts) == 3 { // a if b else c
		switch p.known(parts[1][0], parts[1][1]).truth(p) {
		case yes:
			return p.known(parts[0][0], parts[0][1])
		case no:
			return p.known(parts[2][0], parts[2][1])
		}
		return known{}
	}
	if parts := p.split(from, end, func(k int) bool { return p.mark(k, "||") || p.word(k, "or") }); len(parts) > 1 {
		return p.chosen(parts, yes)
	}
	if parts := p.split(from, end, func(k int) bool { return p.mark(k, "&&") || p.word(k, "and") }); len(parts) > 1 {
		return p.chosen(parts, no)
	}
	if p.word(from, "not") {
		return knownTruth(-p.known(from+1, end).truth(p))
	}
	if v, ok := p.compared(from, end); ok {
		return v
	}
	if p.mark(from, "!") {
		return knownTruth(-p.known(from+1, end).truth(p))
	}
	return p.single(from, end)
}

// chosen is the value of parts that are joined by or, where stop is yes, else by and: that of the first one that decides, or of the last.
func (p *interp) chosen(parts [][2]int, stop truth) (v known) {
	open := false
	for i, part := range parts {
		v = p.known(part[0], part[1])
		is := v.truth(p)
		if v.weak && v.kind == isNone && stop == yes && i == 0 && len(parts) == 2 { // environ.get("X") or "dev"
			if v = p.known(parts[1][0], parts[1][1]); v.kind == isText {
				v.weak = true
				return v
			}
			return known{}
		}
		switch {
		case is == stop && open:
			return knownTruth(stop) // whatever the others are
		case is == stop:
			return v
		case is == maybe:
			open = true
		}
	}
	if open {
		return known{}
	}
	return v
}

// compared evaluates a == b and its like; ok is false where nothing is compared.
func (p *interp) compared(from, end int) (v known, ok bool) {
	at := p.until(from, func(k int) bool {
		t := p.at(k)
		return t.kind == tokMark && (t.text == "==" || t.text == "!=" || t.text == "<" || t.text == ">" || t.text == "=~") || t.kind == tokName && (p.e.tables.Code.Equals.Has(t.text) || p.e.tables.Code.Differs.Has(t.text)) || p.word(k, "in") || p.word(k, "is") || p.word(k, "not")
	})
	if at >= end {
		return v, false
	}
	op, right := p.at(at).text, at+1
	for p.mark(right, "=") || op == "not" && p.word(right, "in") {
		op += p.at(right).text
		right++
	}
	switch {
	case p.e.tables.Code.Equals.Has(op):
		op = "=="
	case p.e.tables.Code.Differs.Has(op):
		op = "!="
	}
	switch op {
	case "in", "notin":
		t := p.at(at - 1)
		if at != from+1 || t.kind != tokText || t.word.Kind != Literal || !p.isArguments(right, end) {
			return known{}, true
		}
		if is := p.hasWord(t.word.Text); op == "in" {
			v = knownTruth(is)
		} else {
			v = knownTruth(-is)
		}
		return v, true
	}
	a, b := p.known(from, at), p.known(right, end)
	if a.kind == isOpen || b.kind == isOpen || a.weak && b.weak {
		return known{}, true
	}
	switch op {
	case "==", "===":
		return knownTruth(same(a, b)), true
	case "!=", "!==":
		return knownTruth(-same(a, b)), true
	}
	x, err := strconv.Atoi(a.text)
	y, err2 := strconv.Atoi(b.text)
	if a.kind != isNumber || b.kind != isNumber || err != nil || err2 != nil {
		return known{}, true
	}
	switch op {
	case "<":
		v = knownTruth(truthOf(x < y))
	case "<=":
		v = knownTruth(truthOf(x <= y))
	case ">":
		v = knownTruth(truthOf(x > y))
	case ">=":
		v = knownTruth(truthOf(x >= y))
	}
	return v, true
}

// same compares what languages agree on.
func same(a, b known) truth {
	switch {
	case a.kind == isNone && b.kind == isText, a.kind == isText && b.kind == isNone:
		return no
	case a.kind != b.kind || a.kind == isNone:
		return maybe
	case a.kind == isTruth:
		return truthOf(a.is == b.is)
	}
	return truthOf(a.text == b.text)
}

// single evaluates what no operator stands in.
func (p *interp) single(from, end int) known {
	t := p.at(from)
	switch {
	case end == from+1 && t.kind == tokText && t.word.Kind == Literal:
		return known{kind: isText, text: t.word.Text}
	case end == from+1 && t.kind == tokMark && t.text != "" && digit(t.text[0]) < 10:
		return known{kind: isNumber, text: t.text}
	case p.mark(from, "*") && end == from+2 && len(p.in.Flags) > 0:
		return p.flag(p.at(from + 1).text)
	case t.kind != tokName:
		return known{}
	case end == from+1 && p.e.tables.Functions.Constants.Has(t.text):
		return map[string]known{"true": {kind: isTruth, is: yes}, "false": {kind: isTruth, is: no}}[strings.ToLower(t.text)]
	}
	name, next := p.chain(from)
	bare := p.full(strings.TrimPrefix(name, "$"))
	if v, ok := p.counted(from, end); ok {
		return v
	}
	if word, ok := p.sought(from, end); ok {
		return knownTruth(p.hasWord(word))
	}
	if v, ok := p.inherits(bare, next, end); ok {
		return v
	}
	if v, ok := p.behindWord(name, next, end); ok {
		return v
	}
	if first, ok := p.firstArgument(name); ok && p.mark(next, "[") && next+3 == end {
		if n, err := strconv.Atoi(p.at(next + 1).text); err == nil && n >= first && p.allGiven() {
			if n -= first; n < len(p.c.given) {
				return known{kind: isText, text: p.c.given[n].Text}
			}
			if p.in.Blocks == rule.BlocksEnd || p.in.Blocks == rule.BlocksParen {
				return known{kind: isNone}
			}
		}
		return known{}
	}
	switch {
	case end == from+3 && p.mark(from+1, "."):
		return p.option(p.at(from).text, p.at(from+2).text)
	case end == from+4 && p.mark(from+1, "[") && p.at(from+2).kind == tokText:
		return p.option(p.at(from).text, p.at(from+2).word.Text)
	case end == from+1:
		if len(p.in.Flags) > 0 {
			if v := p.flag(t.text); v.kind != isOpen {
				return v
			}
		}
		if a, b, ok := p.bound(t.text, from); ok {
			return p.known(a, b)
		}
	}
	return known{}
}

// behindWord evaluates the argument behind one: sys.argv[sys.argv.index("--env") + 1], or args[at + 1] with at = args.indexOf("--env").
func (p *interp) behindWord(name string, open, end int) (v known, ok bool) {
	if from := open - 1 - 2*strings.Count(name, "."); !p.mark(open, "[") || p.closes(open) != end-1 || !p.isArguments(from, open) {
		return v, false
	}
	at, plus := open+1, end-3
	if b := p.binding(p.at(at).text); b >= 0 && plus == at+1 {
		at = b + 2
	}
	of, call := p.chain(at)
	j := strings.LastIndexByte(of, '.')
	if j < 0 || of[:j] != name || !p.e.tables.Code.Places.Has(of[j+1:]) || !p.mark(call, "(") || p.at(call+1).kind != tokText || !p.mark(call+2, ")") || !p.mark(plus, "+") || p.at(plus+1).text != "1" || at == open+1 && plus != call+3 {
		return v, false
	}
	for i := range p.c.given {
		if w := &p.c.given[i]; !w.sure() {
			break
		} else if w.Text == p.at(call+1).word.Text && i+1 < len(p.c.given) && p.c.given[i+1].sure() {
			return known{kind: isText, text: p.c.given[i+1].Text}, true
		}
	}
	return v, true
}

// counted evaluates len(sys.argv) and process.argv.length.
func (p *interp) counted(from, end int) (v known, ok bool) {
	list := [2]int{from, end - 2}
	switch {
	case p.e.tables.Code.Counts.Has(p.at(from).text) && p.mark(from+1, "(") && p.closes(from+1) == end-1:
		list = [2]int{from + 2, end - 1}
	case end-from > 2 && p.mark(end-2, ".") && p.e.tables.Code.Sizes.Has(p.at(end-1).text):
	default:
		return v, false
	}
	name, next := p.chainTo(list[0], list[1])
	if first, is := p.firstArgument(name); is && next == list[1] && p.allGiven() {
		return known{kind: isNumber, text: strconv.Itoa(first + len(p.c.given))}, true
	}
	return v, false
}

// sought is the word for which a test looks among the arguments: args.includes("--dry"), in_array("--dry", $argv).
func (p *interp) sought(from, end int) (word string, ok bool) {
	t, list := p.at(end-2), [2]int{from, end - 5}
	switch holds := p.e.tables.Code.Holds; {
	case holds.Has(p.at(from).text) && p.mark(from+1, "(") && p.mark(from+3, ",") && p.mark(end-1, ")"):
		t, list = p.at(from+2), [2]int{from + 4, end - 1}
		if p.mark(from+5, ",") {
			list[1] = from + 5 // in_array(x, y, true)
		}
	case p.mark(end-1, ")") && p.mark(end-3, "(") && holds.Has(p.at(end-4).text) && p.mark(end-5, "."):
	case p.at(end-1).kind == tokText && holds.Has(p.at(end-2).text) && p.mark(end-3, "."): // ARGV.include? "--dry"
		t, list = p.at(end-1), [2]int{from, end - 3}
	default:
		return p.grepped(from, end)
	}
	if t.kind != tokText || t.word.Kind != Literal || !p.isArguments(list[0], list[1]) {
		return "", false
	}
	return t.word.Text, true
}

// firstArgument is the number of the first argument in the list of that name.
func (p *interp) firstArgument(name string) (first int, ok bool) {
	for _, row := range p.in.Argv {
		if word, from, indexed := strings.Cut(row, " "); word == name && indexed {
			first, _ = strconv.Atoi(from)
			if p.in.Itself {
				first++
			}
			return first, true
		}
	}
	return 0, false
}

// isArguments reports an expression for all arguments: sys.argv, sys.argv[1:], process.argv.slice(2), and what is set to these.
func (p *interp) isArguments(from, end int) bool {
	if from >= end || p.at(from).kind != tokName || p.deep > 16 {
		return false
	}
	at := from
	if p.e.tables.Code.Before.Has(p.at(at).text) {
		at++
	}
	if p.e.tables.Code.Lists.Has(p.at(at).text) && p.mark(at+1, "(") && p.closes(at+1) == end-1 { // new Set(process.argv)
		return p.isArguments(at+2, end-1)
	}
	name, next := p.chainTo(from, end)
	if first, ok := p.firstArgument(strings.TrimSuffix(name, ".slice")); ok {
		number := strconv.Itoa(first)
		return next == end || p.mark(next, "[") && p.mark(next+1, number) && p.mark(next+2, ":") && next+4 == end ||
			strings.HasSuffix(name, ".slice") && p.mark(next, "(") && p.mark(next+1, number) && next+3 == end
	}
	if end != from+1 {
		return false
	}
	a, b, ok := p.bound(name, from)
	p.deep++
	defer func() { p.deep-- }()
	return ok && p.isArguments(a, b)
}

// chainTo is chain for a name that ends there.
func (p *interp) chainTo(i, end int) (name string, next int) {
	name, next = p.chain(i)
	for ; next > end && strings.Contains(name, "."); next -= 2 {
		name = name[:strings.LastIndexByte(name, '.')]
	}
	return name, next
}

// allGiven reports that each word which the program is given is known.
func (p *interp) allGiven() bool {
	return p.c.given != nil && !slices.ContainsFunc(p.c.given, func(w Word) bool { return !w.sure() })
}

// hasWord reports a word among the arguments.
func (p *interp) hasWord(word string) truth {
	if slices.ContainsFunc(p.c.given, func(w Word) bool { return w.sure() && w.Text == word }) {
		return yes
	}
	if !p.allGiven() {
		return maybe
	}
	return no
}
