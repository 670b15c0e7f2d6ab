package tag

import (
	"bytes"
	"strings"
	"unicode"
)

// A definition says "this is the SPEC (test, code, document) of the id"; a mention only speaks of it. What
// tells them apart is where the TAG stands: at the start of a comment, of a heading or of a line it is a
// definition, in the middle of a sentence or in a string a mention. This needs no parser, only the comment
// syntax of the language; what it does not see are here-documents, whose lines look like code.

// near bounds how far behind the start of its comment a TAG can still be the first thing in it: a few others.
const near = 512

// defines reports whether the TAG at b[o] is a definition. rest is the line from there on.
func (l *line) defines(b []byte, o int, rest []byte) bool {
	at, ok := l.opening(b, o)
	switch {
	case !ok || o-at > near:
		return false
	// Markdown shows a text as it was written by such an indentation.
	case l.syntax.Prose && l.indent(b) >= 4:
		return false
	case at == o && l.syntax.Prose && o == l.lead && !isHeader(rest):
		return false
	}
	// "// see @CODE:A-001" speaks of it, "// @SPEC:A-001 @CODE:A-001" defines both.
	return onlyTags(decoration(b[at:o])) && !isChain(rest)
}

// indent is how many columns of blanks stand before the line's text.
func (l *line) indent(b []byte) int {
	n := 0
	for _, c := range b[l.start:l.lead] {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		}
	}
	return n
}

// opening gives where the comment, heading or line starts that the TAG at b[o] belongs to.
func (l *line) opening(b []byte, o int) (at int, ok bool) {
	s := l.syntax
	switch {
	case o == l.lead || !s.Prose && o <= l.body:
		return o, true // the line starts with it: a block comment, a docstring, a header line
	case s.Prose:
		return l.heading(b, o)
	}
	if at := l.docstring(b); at > 0 && at <= o {
		return at, true
	}
	at = l.comment(b, o)
	return at, at >= 0
}

// heading is [line.opening] in prose, where marks count at the start of a line only, save those of markup.
func (l *line) heading(b []byte, o int) (at int, ok bool) {
	if n, _ := l.syntax.mark(b[l.start:l.end], l.lead-l.start); n > 0 && l.lead+n <= o {
		return l.lead + n, true
	}
	at = l.lead
	for at < o && (b[at] == '#' || b[at] == '=') {
		at++
	}
	if at > l.lead {
		return at, true
	}
	before := b[max(l.lead, o-near):o]
	for _, m := range l.syntax.Block {
		if m[0][0] == '=' { // of Perl's documents: only at the start
			continue
		}
		if i := bytes.LastIndex(before, []byte(m[0])); i >= 0 && !bytes.Contains(before[i:], []byte(m[1])) {
			return o - len(before) + i + len(m[0]), true
		}
	}
	return 0, false
}

// docstring is where the text of a docstring that opens the line starts, 0 when none does.
func (l *line) docstring(b []byte) int {
	at := l.lead
	if at < l.end && (b[at] == 'r' || b[at] == 'u') {
		at++
	}
	if at < l.end && (b[at] == '"' || b[at] == '\'') && l.syntax.has(b[at]) && hasPrefix(b[at:l.end], triple(b[at])) {
		return at + 3
	}
	return 0
}

// decoration takes marks off that comments repeat: "///", "##", "/**", "--!", "- ".
func decoration(b []byte) []byte { return bytes.TrimLeft(b, " \t*/#!-;%<|") }

// onlyTags reports whether nothing but other TAGs stands in front.
func onlyTags(b []byte) bool {
	for f := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		// A TAG of any table: what looks like one is no word of a sentence.
		if f[0] != '@' || bytes.IndexByte(f, ':') < 0 {
			return false
		}
	}
	return true
}

// isHeader reports a TAG that stands alone on its line, or before a title or links; otherwise it opens a
// sentence.
func isHeader(rest []byte) bool {
	i := bytes.IndexAny(rest, " \t")
	if i < 0 {
		return true
	}
	after := bytes.TrimLeft(rest[i:], " \t")
	return len(after) == 0 || after[0] == '|' || rest[i-1] == ':'
}

// isChain reports a TAG that an arrow follows: "@SPEC:A-001 → @TEST:A-001" describes a chain.
func isChain(rest []byte) bool {
	i := bytes.IndexAny(rest, " \t")
	if i < 0 {
		return false
	}
	rest = bytes.TrimLeft(rest[i:], " \t")
	return hasPrefix(rest, "->") || hasPrefix(rest, "→") || hasPrefix(rest, "=>") || hasPrefix(rest, "⇒")
}

// Bounds of what is kept of a line with a definition: a title longer than that is no title (bytes), and no header line has more
// links than there are kinds of TAGs, twice over.
const (
	maxTitle = 200
	maxLinks = 8
)

// tail reads what follows a definition on its line: a title or note, and the links of a header line.
func (l *line) tail(rest []byte) (text string, links []Link) {
	rest = upTo(rest, "-->") // markup is quoted in comments of all languages
	if l.open >= 0 {
		rest = upTo(rest, l.close)
	} else { // perhaps within a comment that opened further up
		for k := range l.syntax.Block {
			rest = upTo(rest, l.syntax.Block[k][1])
		}
		for _, q := range []byte(strings.Trim(l.syntax.Texts, "`")) {
			rest = upTo(rest, triple(q))
		}
	}
	first := true
	for part := range bytes.SplitSeq(rest, []byte("|")) {
		if first {
			text = strings.TrimSpace(strings.TrimLeft(shown(part), " \t:-–—,"))
			first = false
			continue
		}
		label, target, ok := strings.Cut(shown(part), ":")
		label, target = strings.TrimSpace(label), strings.TrimSpace(target)
		if ok && label != "" && target != "" && len(links) < maxLinks && strings.ToUpper(label) == label {
			links = append(links, Link{label, target})
		}
	}
	if len(text) > maxTitle {
		text = strings.ToValidUTF8(text[:maxTitle], "")
	}
	return text, links
}

// upTo is what stands before end, all of it where there is none.
func upTo(b []byte, end string) []byte {
	if i := bytes.Index(b, []byte(end)); i >= 0 && end != "" {
		return b[:i]
	}
	return b
}

// shown is text for people: valid, and without what a terminal would obey instead of showing it. Whoever wrote the file may be
// a stranger.
func shown(b []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), "\ufffd"))
}
