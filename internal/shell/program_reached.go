package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Many programs do one thing or another by what the line gives them: if "--dry-run" in sys.argv. Where the line decides that, the side that is not
// taken is not followed. What is not sure leaves both sides, as ever.

// truth is what is known of a condition.
type truth int8

const (
	no    truth = -1
	maybe truth = 0
	yes   truth = 1
)

func truthOf(is bool) truth {
	if is {
		return yes
	}
	return no
}

// arm is one side of a condition, by its tokens: the test, and what runs then. The last one may have no test.
type arm struct {
	test, colon int
	body, end   int
}

// decides finds what the program does not reach.
func (p *interp) decides() {
	if p.c.script == "" || p.in.Blocks == "" || p.plain == 0 || !p.balanced() || !p.stays() {
		return
	}
	p.helps()
	p.commands()
	for i := 0; i < p.plain && p.e.tick(p.c); i++ {
		if end := p.past(i); end > i {
			i = end - 1
			continue
		}
		if p.mayDispatch(i) {
			p.dispatches(i)
		}
		if p.mark(i, "?") {
			p.either(i)
		}
		if t := &p.toks[i]; t.kind != tokName {
			continue
		} else if p.in.Modifiers && p.at(i-1).kind != tokLine && p.e.tables.Code.Tests.Has(t.text) && p.modifies(i) || !p.begins(i) {
			continue
		} else if p.e.tables.Code.Tests.Has(t.text) {
			p.arms(i)
		} else if p.e.tables.Code.Switches.Has(t.text) && p.in.Blocks == rule.BlocksBrace {
			p.cases(i)
		} else if p.in.Blocks == rule.BlocksColon && p.e.tables.Code.Matches.Has(t.text) {
			p.matches(i)
		}
	}
}

// past is the end of what is not reached at i, and i where it is.
func (p *interp) past(i int) int {
	for _, s := range p.never {
		if s[0] <= i && i < s[1] {
			return s[1]
		}
	}
	return i
}

func (p *interp) skips(from, end int) {
	if from < end {
		p.never = append(p.never, [2]int{from, end})
	}
}

// balanced reports that each bracket of the program has another: where one stands in a pattern, nobody knows where a block ends.
func (p *interp) balanced() bool {
	var open []byte
	for i := range p.plain {
		t := &p.toks[i]
		if t.kind != tokMark || len(t.text) != 1 {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = append(open, closing(t.text)[0])
		case ")", "]", "}":
			if len(open) == 0 || open[len(open)-1] != t.text[0] {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// begins reports a token with which a statement begins.
func (p *interp) begins(i int) bool {
	return p.at(i-1).kind == tokLine || p.mark(i-1, "{") || p.mark(i-1, "}") || p.mark(i-2, "?") && p.mark(i-3, "<") // <?php
}

// margin is how far a line that begins at i stands from the left edge.
func (p *interp) margin(i int) int {
	if p.begins(i) && p.at(i-1).kind == tokLine {
		return p.indent(i)
	}
	return -1
}

// closes is the index of the bracket that closes the one at i.
func (p *interp) closes(i int) int {
	depth := 0
	for k := i; k < min(p.plain, len(p.toks)); k++ {
		if t := &p.toks[k]; t.kind == tokMark {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				if depth--; depth == 0 {
					return k
				}
			}
		}
	}
	return p.plain
}

// until is the first token from i on for which stop holds outside of brackets, or the one that closes the bracket in which i stands.
func (p *interp) until(i int, stop func(k int) bool) int {
	for k := i; k < p.plain; k++ {
		switch {
		case stop(k):
			return k
		case p.mark(k, "("), p.mark(k, "["), p.mark(k, "{"):
			k = p.closes(k)
		case p.mark(k, ")"), p.mark(k, "]"), p.mark(k, "}"):
			return k
		}
	}
	return p.plain
}

func (p *interp) lineEnd(k int) bool { return p.at(k).kind == tokLine }

// arm reads the side that begins at i; bare is one without a test.
func (p *interp) arm(i int, bare bool) (a arm, ok bool) {
	a.test, a.colon, a.body = i+1, i+1, i+1
	switch p.in.Blocks {
	case rule.BlocksColon, rule.BlocksEnd:
		a.colon = p.until(i+1, func(k int) bool { return p.lineEnd(k) || p.in.Blocks == rule.BlocksColon && p.mark(k, ":") })
		if a.body = a.colon; p.in.Blocks == rule.BlocksColon {
			a.body++
		}
		if p.margin(i) < 0 || a.body == a.colon && !p.lineEnd(a.colon) || a.body > a.colon && !p.mark(a.colon, ":") {
			return a, false
		}
		if a.end = min(p.bodyEnd(i, a.body), p.plain); !p.lineEnd(a.body) {
			a.end = p.until(a.body, func(k int) bool { return p.lineEnd(k) && p.at(k).text == "\n" })
		}
		return a, true
	case rule.BlocksParen:
		if !bare {
			if !p.mark(i+1, "(") {
				return a, false
			}
			a.test, a.colon = i+2, p.closes(i+1)
			a.body = a.colon + 1
		}
	case rule.BlocksBrace:
		if !bare {
			a.colon = p.until(i+1, func(k int) bool { return p.lineEnd(k) || p.mark(k, "{") })
			a.body = a.colon
		}
	}
	for p.at(a.body).text == "\n" && a.body < p.plain {
		a.body++
	}
	switch {
	case p.mark(a.body, "{"):
		a.end = p.closes(a.body) + 1
	case p.in.Blocks == rule.BlocksBrace || p.at(a.body).kind != tokName:
		return a, false
	default:
		a.end = p.until(a.body, p.lineEnd)
	}
	return a, true
}

// next is the word of the side behind the one that ends at end; bare tells that it has no test.
func (p *interp) next(i, end int) (k int, bare, ok bool) {
	for k = end; k < p.plain && p.lineEnd(k) && (p.at(k).text == "\n" || p.at(end-1).text != "}"); k++ {
	}
	word := p.at(k).text
	if p.at(k).kind != tokName || (p.in.Blocks == rule.BlocksColon || p.in.Blocks == rule.BlocksEnd) && p.margin(k) != p.margin(i) {
		return k, false, false
	}
	if p.e.tables.Code.Others.Has(word) {
		if p.e.tables.Code.Tests.Has(p.at(k + 1).text) {
			return k + 1, false, p.in.Blocks == rule.BlocksParen || p.in.Blocks == rule.BlocksBrace
		}
		return k, true, true
	}
	return k, false, p.e.tables.Code.Chained.Has(word)
}

// arms follows the sides of the condition at i, of which one runs at most.
func (p *interp) arms(i int) {
	taken, sure := false, true // one was for sure; all before it were not for sure
	for k, bare, ok := i, false, true; ok; {
		a, read := p.arm(k, bare)
		if !read {
			return
		}
		is := yes
		if !bare {
			if is = p.known(a.test, a.colon).truth(p); p.e.tables.Code.Unless.Has(p.at(k).text) {
				is = -is
			}
		}
		switch {
		case taken || is == no:
			p.skips(a.body, a.end)
		case is == maybe:
			sure = false
			if p.asks(a.test, a.colon) {
				p.open = append(p.open, [2]int{a.body, a.end})
			}
		default:
			taken = true
			if sure && p.leavesBy(a) {
				end := a.end
				for n, b, more := p.next(i, end); more; n, b, more = p.next(i, end) {
					other, read := p.arm(n, b)
					if !read {
						return
					}
					p.skips(other.body, other.end)
					end = other.end
				}
				p.skips(end, p.blockEnd(i, end))
				return
			}
		}
		k, bare, ok = p.next(i, a.end)
	}
}

// leavesBy reports that the last statement of a side ends the program, the function or the round of a loop.
func (p *interp) leavesBy(a arm) bool {
	first, last := -1, -1
	for k := a.body; k < a.end; k++ {
		switch {
		case p.lineEnd(k), p.mark(k, "}"), k == a.body && p.mark(k, "{"):
			continue
		case first < 0:
			first, last = k, k
		case p.begins(k):
			last = k
		}
		if p.mark(k, "{") || p.mark(k, "(") || p.mark(k, "[") {
			k = p.closes(k)
		}
	}
	if first < 0 || p.margin(last) >= 0 && p.margin(last) > max(p.margin(first), 0) && p.margin(first) >= 0 {
		return false // of a block within
	}
	name, next := p.chain(last)
	return p.e.tables.Code.Leaves.Has(name) && !(p.mark(next, "(") && p.e.tables.Code.Rounds.Has(name))
}

// blockEnd is where the block ends in which the condition at i stands, from k on. What may be called from before ends it, too.
func (p *interp) blockEnd(i, k int) int {
	own := p.margin(i)
	if p.in.Blocks == rule.BlocksColon || p.in.Blocks == rule.BlocksEnd {
		for ; k < p.plain; k++ {
			if m := p.margin(k); m >= 0 && m < own && !p.lineEnd(k) {
				break
			}
		}
		return k
	}
	return p.until(k, func(k int) bool {
		return p.at(k).kind == tokName && (p.e.tables.Code.Defines.Has(p.at(k).text) || p.e.tables.Code.Labels.Has(p.at(k).text))
	})
}

// cases follows the sides of a switch over a text that is known, where none runs on into the next.
func (p *interp) cases(i int) {
	open := p.until(i+1, func(k int) bool { return p.lineEnd(k) || p.mark(k, "{") })
	v := p.known(i+1, open)
	end := p.closes(open)
	if !p.mark(open, "{") || v.kind != isText || v.weak {
		return
	}
	var sides []arm
	hit := -1
	for k := open + 1; k < end; {
		k = p.until(k, func(k int) bool {
			return p.at(k).kind == tokName && p.begins(k) && p.e.tables.Code.Labels.Has(p.at(k).text)
		})
		if k >= end {
			break
		}
		a := arm{test: k + 1}
		a.colon = p.until(k+1, func(k int) bool { return p.mark(k, ":") })
		a.body = a.colon + 1
		a.end = p.until(a.body, func(k int) bool {
			return p.at(k).kind == tokName && p.begins(k) && p.e.tables.Code.Labels.Has(p.at(k).text)
		})
		for t := a.test; t < a.colon; t += 2 {
			if p.at(t).kind != tokText || p.at(t).word.Kind != Literal {
				return
			}
			if p.at(t).word.Text == v.text {
				hit = len(sides)
			}
		}
		for t := a.body; t < a.end; t++ {
			if p.at(t).kind == tokName && p.e.tables.Code.Through.Has(p.at(t).text) {
				return
			}
		}
		sides = append(sides, a)
		k = a.end
	}
	for n, a := range sides {
		if n != hit && (a.test < a.colon || hit >= 0) { // without a test: what runs else
			p.skips(a.body, a.end)
		}
	}
}

// asks reports a test of what the line may say: the environment, or the arguments.
func (p *interp) asks(from, end int) bool {
	for k := from; k < end; k++ {
		if p.at(k).kind != tokName || p.mark(k-1, ".") {
			continue
		}
		name, _ := p.chain(k)
		name = p.full(name)
		if p.e.tables.Functions.Environment.Has(name) {
			return true
		}
		if j := strings.LastIndexByte(name, '.'); j > 0 && p.e.tables.Functions.Environment.Has(name[:j]) {
			return true
		}
	}
	return false
}
