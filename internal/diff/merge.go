package diff

import (
	"bytes"
	"slices"
)

// maxMerge bounds a text that is merged.
const maxMerge = 8 << 20

// Merge brings what two sides have changed of a text together. It is not clean where both have changed the same lines, or lines beside each
// other, into something else, and where one of the texts is none.
func Merge(base, ours, theirs []byte) (merged []byte, clean bool) {
	for _, text := range [...][]byte{base, ours, theirs} {
		if len(text) > maxMerge || bytes.IndexByte(text, 0) >= 0 {
			return nil, false
		}
	}
	lines := split(base)
	a, b := changes(lines, split(ours)), changes(lines, split(theirs))
	at := 0
	for len(a) > 0 || len(b) > 0 {
		var next change
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].to < b[0].from:
			next, a = a[0], a[1:]
		case len(a) == 0 || b[0].to < a[0].from:
			next, b = b[0], b[1:]
		case a[0].equal(b[0]):
			next, a, b = a[0], a[1:], b[1:]
		default:
			return nil, false
		}
		merged = append(merged, bytes.Join(lines[at:next.from], nil)...)
		merged = append(merged, bytes.Join(next.lines, nil)...)
		at = next.to
	}
	return append(merged, bytes.Join(lines[at:], nil)...), true
}

// change is a run of lines of the base that became others.
type change struct {
	from, to int
	lines    [][]byte
}

func (c change) equal(d change) bool {
	return c.from == d.from && c.to == d.to && slices.EqualFunc(c.lines, d.lines, bytes.Equal)
}

// changes lists what leads from one text to another.
func changes(base, other [][]byte) (out []change) {
	at := 0 // in the base
	for _, e := range compare(base, other) {
		if e.op == ' ' {
			at = e.to
			continue
		}
		if n := len(out); n == 0 || out[n-1].to < at || at == 0 && n == 0 {
			out = append(out, change{from: at, to: at})
		}
		c := &out[len(out)-1]
		if e.op == '-' {
			at = e.to
			c.to = at
		} else {
			c.lines = append(c.lines, other[e.from:e.to]...)
		}
	}
	return out
}
