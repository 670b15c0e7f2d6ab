package shell

import "github.com/modu-ai/moai/internal/rule"

// bracket is the bracket in which the token at k stands, -1 if it is in none, or in one that holds statements.
func (p *interp) bracket(k int) int {
	if k < 0 || k > len(p.toks) {
		return -1
	}
	if k >= len(p.enclosing) {
		p.enclose()
	}
	return p.enclosing[k]
}

// enclose finds the brackets of all tokens at once: a program asks for those of most of its names, again and again.
func (p *interp) enclose() {
	p.enclosing = make([]int, len(p.toks)+1)
	var open []int
	parted := map[int]bool{} // those in which a statement ends
	for k := range p.enclosing {
		p.enclosing[k] = -1
		if n := len(open); n > 0 && !parted[open[n-1]] {
			p.enclosing[k] = open[n-1]
		}
		switch n := len(open); {
		case p.mark(k, "("), p.mark(k, "["), p.mark(k, "{"):
			open = append(open, k)
		case n > 0 && (p.mark(k, ")") || p.mark(k, "]") || p.mark(k, "}")):
			delete(parted, open[n-1])
			open = open[:n-1]
		case n > 0 && k < len(p.toks) && p.lineEnd(k) && p.in.Blocks != rule.BlocksColon:
			parted[open[n-1]] = true
		}
	}
	p.e.work.Take(len(p.toks) / 8)
}
