package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Braces are the first expansion that a shell does, before variables, so they
// work on the syntax tree: {a,$X} becomes two words, one of them with a variable.
// The product of several braces grows fast; a word that would become too many
// keeps the last brace as an unknown part, which says less but never lies.

// braces expands a word that syntax.SplitBraces has split, at most to
// maxFields words.
func (e *engine) braces(w *syntax.Word, c *ctx) []*syntax.Word {
	words := []*syntax.Word{{}}
	e.work.Take(costPart)
	for _, part := range w.Parts {
		if !e.spend(len(words), c) {
			break
		}
		br, ok := part.(*syntax.BraceExp)
		if !ok {
			for _, w := range words {
				w.Parts = append(w.Parts, part)
			}
			continue
		}
		var elems []*syntax.Word
		switch {
		case br.Sequence:
			elems = sequence(br)
		case len(br.Elems)*len(words) <= maxFields && e.expanded <= 8*maxFields: // each gives one word at least
			for _, elem := range br.Elems {
				elems = append(elems, e.braces(elem, c)...)
			}
		}
		e.expanded += len(elems) * len(words)
		if elems == nil || len(elems)*len(words) > maxFields || e.expanded > 8*maxFields {
			for _, w := range words {
				w.Parts = append(w.Parts, part) // stands for something unknown
			}
			continue
		}
		e.work.Take(costPart * len(words) * len(elems))
		next := make([]*syntax.Word, 0, len(words)*len(elems))
		for _, w := range words {
			for _, elem := range elems {
				next = append(next, &syntax.Word{Parts: slices.Concat(w.Parts, elem.Parts)})
			}
		}
		words = next
	}
	return words
}

// padded reports a number with a zero in front.
func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

// sequence expands {1..9} and {a..z}, with an optional step; nil if too long.
func sequence(br *syntax.BraceExp) []*syntax.Word {
	from, to := br.Elems[0].Lit(), br.Elems[1].Lit()
	step := 1
	if len(br.Elems) > 2 {
		if n, err := strconv.Atoi(br.Elems[2].Lit()); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	chars := errA != nil || errB != nil
	if chars {
		if len(from) != 1 || len(to) != 1 {
			return nil
		}
		a, b = int(from[0]), int(to[0])
	}
	if n := max(a-b, b-a) / step; n >= maxFields || n < 0 {
		return nil
	}
	var out []*syntax.Word
	width := 0 // {01..10}: with a zero in front all are as long as the longer end
	if padded(from) || padded(to) {
		width = max(len(from), len(to))
	}
	add := func(i int) {
		s := fmt.Sprintf("%0*d", width, i)
		if chars {
			s = string(rune(i))
		}
		out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{
			ValuePos: br.Pos(), ValueEnd: br.End(), Value: s,
		}}})
	}
	if a <= b {
		for i := a; i <= b; i += step {
			add(i)
		}
	} else {
		for i := a; i >= b; i -= step {
			add(i)
		}
	}
	return out
}
