package jit

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A zone is a part of a prompt in which words are not the user's own. In a hard zone nothing counts (code
// blocks, addresses, logs, markup, quoted lines); in a soft one (inline code, quotes) commands and test
// words still do, since people write `/alfred:2-run X` so, but modes do not.
type zone struct {
	from, to int
	kind     kind
}

// kind is how much a zone keeps from counting.
type kind uint8

const (
	open kind = iota
	soft
	hard
)

// place sets the zone of every hit, the harder one where two hold it. Both lists are in order of place.
func place(hits []hit, zones []zone) {
	next, hardTo, softTo := 0, 0, 0
	for i := range hits {
		h := &hits[i]
		for ; next < len(zones) && zones[next].from <= h.at; next++ {
			if zones[next].kind == hard {
				hardTo = max(hardTo, zones[next].to)
			} else {
				softTo = max(softTo, zones[next].to)
			}
		}
		switch {
		case h.at < hardTo:
			h.zone = hard
		case h.at < softTo:
			h.zone = soft
		}
	}
}

// zones finds the excluded parts line by line, down to the line of the last hit; the state between lines is what is still open.
func zones(table []rule.Context, t string, last int) []zone {
	// What comes after the last hit hides none, and is not looked at.
	z := newZoner(table, t)
	for at := 0; at <= last; {
		end := len(t)
		if i := strings.IndexByte(t[at:], '\n'); i >= 0 {
			end = at + i
		}
		z.line(at, end)
		at = end + 1
	}
	// A block that never closes goes to the end, as in Markdown.
	if z.fence != "" {
		z.add(z.start, len(t), hard)
	}
	return z.zones
}

// zoner is what is known while going down the lines.
type zoner struct {
	marks  []*rule.Context // the rules about pasted lines
	first  [256]bool       // first bytes of their words: most lines begin with none
	text   string
	zones  []zone
	fence  string // the marks that opened a code block
	start  int    // where it opened
	block  bool   // lines up to the next blank one are a diff, a trace, a transcript or a command's output
	code   bool   // the line before was blank or indented code
	markup int    // everything before this offset is inside an element that was found already
	missed int    // elements whose end was looked for in vain
	lone   int    // end of the last line in which no single quote closes
}

// newZoner starts above the first line.
func newZoner(table []rule.Context, t string) *zoner {
	z := &zoner{text: t, code: true, zones: make([]zone, 0, 64)}
	for i := range table {
		if table[i].Kind == rule.ContextPasted {
			r := &table[i]
			z.marks = append(z.marks, r)
			for _, list := range [][]string{r.Singles, r.Blocks, r.Levels} {
				for _, w := range list {
					z.first[w[0]], z.first[w[0]|0x20] = true, true // levels in either case
				}
			}
			for i := range r.Starts {
				z.first[r.Starts[i].Word[0]] = true
			}
		}
	}
	return z
}

// add joins a zone to the last one where they touch, so that a long log is one zone.
func (z *zoner) add(from, to int, k kind) {
	if n := len(z.zones); n > 0 && z.zones[n-1].kind == k && from <= z.zones[n-1].to {
		z.zones[n-1].to = max(z.zones[n-1].to, to)
		return
	}
	z.zones = append(z.zones, zone{from, to, k})
}

// line judges one line: the fence it may open or close, a pasted line, or prose with what is excluded in it.
func (z *zoner) line(from, to int) {
	raw := z.text[from:to]
	indent := 0
	for indent < len(raw) && (raw[indent] == ' ' || raw[indent] == '\t') {
		indent++
	}
	l := raw[indent:]
	if z.fence != "" {
		if strings.HasPrefix(l, z.fence) && strings.Trim(l, z.fence[:1]+" \t\r") == "" {
			z.add(z.start, to, hard)
			z.fence = ""
		}
		return
	}
	if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
		n := 3
		for n < len(l) && l[n] == l[0] {
			n++
		}
		// Backticks behind the name make it inline code.
		if l[0] == '~' || !strings.Contains(l[n:], "`") {
			z.fence, z.start = l[:n], from
			return
		}
	}
	switch {
	case l == "" || l == "\r":
		z.block, z.code = false, true
		return
	case from < z.markup && to <= z.markup:
		return
	// Four blanks are code in Markdown, but only below a blank line: within a paragraph they are a wrapped line.
	case indent >= 4 && z.code, strings.HasPrefix(raw, "\t") && z.code:
		z.add(from, to, hard)
		return
	case z.block:
		z.add(from, to, hard)
		return
	}
	z.code = false
	if z.patch(from, to) {
		z.add(from, to, hard)
		return
	}
	switch z.pasted(l, indent) {
	case oneLine:
		z.add(from, to, hard)
		return
	case wholeBlock:
		z.block = true
		z.add(from, to, hard)
		return
	}
	z.inline(from, to)
}
