package shell

import (
	"strings"
	"unicode/utf8"
)

// Scripts that are known only in part are parsed with a private character in
// place of each unknown part. Shell syntax treats it as an ordinary letter, and
// expansion turns it back into the unknown part.
//
// They are taken from the end of Unicode that is nobody's (Supplementary Private Use
// Area-A), so that no text of a line is mistaken for one.
const (
	firstHole = 0xF0000
	maxHoles  = 1 << 10
)

// script follows a word's text as shell commands.
func (e *engine) script(w Word, c *ctx) output {
	n := *c
	n.depth++
	if n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", w.Span)
		return output{}
	}
	// One hole and nothing else would parse as a program without a name.
	if w.Kind == Unknown && len(w.Parts) == 1 {
		return output{}
	}
	if !e.spend(costScript, c) {
		return output{}
	}
	text := w.Text
	if w.Kind != Literal {
		text = e.dig(&w)
	}
	src := e.sourceOf(&w, text)
	return e.bash(text, src, &n)
}

// dig returns the word's text with holes for its unknown parts.
func (e *engine) dig(w *Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		if !p.Unknown || len(e.holes) >= maxHoles {
			b.WriteString(p.Text)
			continue
		}
		b.WriteRune(rune(firstHole + len(e.holes)))
		e.holes = append(e.holes, p)
	}
	return b.String()
}

// sourceOf says where a script stands in the line, if it does literally.
func (e *engine) sourceOf(w *Word, text string) *source {
	s := &source{span: w.Span, text: text}
	from, to := w.Span[0], w.Span[1]
	if w.Kind != Literal || to > len(e.line) || from < 0 || from > to {
		return s
	}
	written := e.line[from:to]
	switch {
	case text != "" && strings.HasPrefix(written, text): // a heredoc's end word may follow
		s.base, s.exact = from, true
	// Quoted once, and nothing in it was escaped.
	case len(written) == len(text)+2 && written[1:len(written)-1] == text:
		s.base, s.exact = from+1, true
	}
	return s
}

// fillHoles appends text that holds holes and reports whether it does.
func (e *engine) fillHoles(b *wordBuilder, s string) bool {
	found := false
	for {
		i := strings.IndexByte(s, 0xF3) // first byte of the characters used
		if i < 0 {
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		k := int(r) - firstHole
		if k < 0 || k >= len(e.holes) {
			b.text(s[:i+n])
			s = s[i+n:]
			continue
		}
		found = true
		b.text(s[:i])
		b.part(e.holes[k])
		s = s[i+n:]
	}
	if found {
		b.text(s)
	}
	return found
}
