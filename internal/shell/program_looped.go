package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// The variable of a loop is often used before the loop is written, as in a
// comprehension or in perl's trailing for. So it is looked up when it is met: which
// loop of the program sets this name, and over what?

// looped returns what the variable of a loop stands for: the names that a
// listing returns, the items of a list. It is asked about every name in a program.
func (p *interp) looped(name string, at int) (arg, bool) {
	if p.deep > 16 || !p.e.tick(p.c) {
		return arg{}, false
	}
	if name == "$_" && p.lines != nil && len(p.heads[name]) == 0 {
		return p.fed(), true // find … | perl -ne unlink
	}
	if p.outer != nil && len(p.heads[name]) == 0 {
		return p.outer.looped(name, p.outer.cur)
	}
	// The nearest loop in front counts, else the first one behind.
	heads := p.heads[name]
	behind, _ := slices.BinarySearch(heads, at)
	from, each, head := 0, 0, -1
	switch {
	case behind > 0:
		head = heads[behind-1]
	case len(heads) > 0 && heads[0] != at:
		head = heads[0]
	case len(heads) > 1:
		head = heads[1]
	}
	place, of := 0, 1
	if head >= 0 {
		if from, each = p.sets(name, head); from > 0 {
			place, of = p.place(name, head, from)
		}
	}
	var a arg
	ok := true
	p.deep += 8 // for x in x ends here
	switch {
	case from > 0 && p.in.Iterators:
		a = arg{word: p.bare()} // an iterator: lfs.dir("x"), io.popen("ls"):lines()
	case from > 0:
		if len(p.in.Finders) > 0 && p.mark(from-1, ",") { // find(sub { … }, "src")
			dirs, _ := p.args(from, ")")
			a = p.names(p.belowEach(dirs)...)
		} else {
			for p.mark(from-1, ".") && p.at(from-2).kind == tokName {
				from -= 2 // the class: Find.find("src") { |f| … }
			}
			a, _ = p.expr(from)
			from = max(from, 1)
		}
	case each > 0:
		if a, ok = p.calledOn(each); p.e.tables.Methods.Inside.Has(p.at(each).text) {
			a = p.lifted([]arg{whichever(a)}, func(args []arg) arg { return arg{word: p.inside(&args[0].word)} })
		}
	}
	p.deep -= 8
	a = p.eachOf(a, place, of)
	return a, ok && from+each > 0 && (a.many || a.word.Kind != Unknown || a.word.Listed())
}

// sets tells what the loop whose head is the token at i runs over, if it sets name:
// the token at from, or what the method at each is called on. Both are 0 if it sets
// another name, or lies beyond the part of the program that is being evaluated.
func (p *interp) sets(name string, i int) (from, each int) {
	if i >= len(p.toks) {
		return 0, 0
	}
	if from = p.loopOver(name, i); from == 0 {
		each = p.blockOf(name, i)
	}
	return from, each
}

// loopHeads returns the heads of the program's loops by the variable that they set.
// Every name in the program is looked up there: going through all tokens each time
// took 8 ms for a program of 10 KB, and most names are no variable of a loop.
func (p *interp) loopHeads() map[string][]int {
	const near = 8 // how far from the head the variable may stand
	var heads map[string][]int
	for i := range p.toks {
		switch p.toks[i].kind {
		case tokName, tokMark:
		default:
			continue
		}
		if !p.arrow(i) && !p.e.tables.Code.Loops.Has(p.toks[i].text) && !p.e.tables.Code.Functions.Has(p.toks[i].text) {
			continue
		}
		p.e.work.Take(3 * near)
		if heads == nil {
			heads = map[string][]int{}
		}
		for k := i - 5; k < i+near; k++ {
			name := p.at(k).text
			if p.at(k).kind != tokName {
				continue
			}
			if from, each := p.sets(name, i); from+each > 0 && !slices.Contains(heads[name], i) {
				heads[name] = append(heads[name], i)
			}
		}
		for _, name := range append([]string{"$_"}, p.in.Visits...) {
			if from, _ := p.sets(name, i); from > 0 {
				heads[name] = append(heads[name], i)
			}
		}
	}
	return heads
}

// loopOver returns the index of what a loop at i runs over, if it sets name.
func (p *interp) loopOver(name string, i int) int {
	word := p.at(i).text
	if p.e.tables.Code.Functions.Has(word) && (p.at(i+1).text == name || p.mark(i+1, "(") && p.at(i+2).text == name) && p.mark(i-1, "(") {
		if does, _ := p.e.effectOf(p.in, p.at(i-2).text, false); does == rule.DoMap {
			return p.skip(i) + 1 // array_map(fn($x) => …, $list)
		}
	}
	if word == p.in.Over && p.at(i-1).text == name {
		return i + 1
	}
	for k := i - 2; word == p.in.Over && p.mark(i-1, "]") && k > max(0, i-8) && !p.mark(k, "["); k-- {
		if p.at(k).text == name {
			return i + 1 // const [a, b] of
		}
	}
	switch p.in.Loop {
	case rule.LoopIn:
		if word != "for" {
			return 0
		}
		sets := false
		for k := i + 1; k < i+12; k++ {
			sets = sets || p.at(k).text == name
			if p.at(k).text == "in" && sets {
				return k + 1
			}
		}
	case rule.LoopAs:
		if word == "as" && p.at(i+1).text == name {
			for k := i; k >= max(0, i-maxLoop); k-- {
				if p.at(k).text == "foreach" {
					return k + 2
				}
			}
		}
	case rule.LoopBlock:
		if word == "|" && p.at(i+1).text == name && (p.mark(i-1, "{") || p.at(i-1).text == "do") && p.mark(i-2, ")") {
			return p.lister(i - 2) // Dir.glob("*") { |f| … }
		}
	case rule.LoopTopic:
		if slices.Contains(p.in.Finders, word) && p.mark(i+1, "(") && (name == "$_" || slices.Contains(p.in.Visits, name)) {
			return p.skip(i+2) + 1 // find(sub { … }, "src"): what is behind the first argument
		}
		if word == "map" && p.mark(i+1, "{") && name == "$_" {
			depth := 0
			for k := i + 1; k < min(len(p.toks), i+maxLoop); k++ {
				if p.mark(k, "{") {
					depth++
				} else if p.mark(k, "}") {
					if depth--; depth == 0 {
						return k + 1 // map { … } glob "*"
					}
				}
			}
		}
		if word != "for" && word != "foreach" {
			return 0
		}
		k := i + 1
		if p.at(k).text == "my" || p.at(k).text == "our" {
			k++
		}
		if p.at(k).text == name && strings.HasPrefix(name, "$") { // for glob("*"): a call, and no variable
			return k + 1
		}
		if name == "$_" && !(strings.HasPrefix(p.at(k).text, "$") && p.mark(k+1, "(")) {
			return k
		}
	}
	return 0
}

// lister returns the index of the call that lists names and ends at a bracket, 0 if
// it does not.
func (p *interp) lister(end int) int {
	depth := 0
	for k := end; k > max(0, end-maxLoop); k-- {
		if p.mark(k, ")") {
			depth++
		} else if p.mark(k, "(") {
			if depth--; depth > 0 {
				continue
			}
			if p.e.tables.Code.Listers.Has(p.at(k - 1).text) {
				return k - 1
			}
			return 0
		}
	}
	return 0
}

// blockOf returns the index of the method whose block at i sets name:
// x.each { |f| … }, x.forEach(f => …).
func (p *interp) blockOf(name string, i int) int {
	block := p.mark(i, "|") && p.at(i+1).text == name && (p.mark(i+2, "|") || p.mark(i+2, ",") && p.mark(i+4, "|"))
	arrow := p.in.Arrows && p.at(i).text == name && p.arrow(i)
	function := p.in.Arrows && p.e.tables.Code.Functions.Has(p.at(i).text) && p.mark(i+1, "(") && p.at(i+2).text == name
	if !block && !arrow && !function {
		return 0
	}
	for k := i - 1; k > max(0, i-4); k-- {
		if p.e.tables.Code.Blocks.Has(p.at(k).text) {
			if p.mark(k-1, ".") {
				return k
			}
			return 0
		}
	}
	return 0
}

// arrow reports that the name at i is the first one which an arrow function is given: n => …, (n, i) => ….
func (p *interp) arrow(i int) bool {
	return p.mark(i+1, "=>") || p.mark(i+1, ")") && p.mark(i+2, "=>") || p.mark(i-1, "(") && p.mark(i+1, ",") && p.mark(i+3, ")") && p.mark(i+4, "=>")
}

// calledOn evaluates what the method at i is called on.
func (p *interp) calledOn(i int) (arg, bool) {
	k := i - 2
	if t := p.at(k).kind; t != tokName && t != tokWords && t != tokText {
		return p.receiver(i, p.at(i).text)
	}
	for p.mark(k-1, ".") && k > 1 {
		if k -= 2; p.mark(k, ")") || p.mark(k, "]") || p.mark(k, "}") {
			return p.valueBefore(k+2, i-1) // a().b.c { … }
		}
	}
	toks := p.toks
	p.toks = toks[:i-1]
	a, _ := p.expr(k)
	p.toks = toks
	return a, true
}
