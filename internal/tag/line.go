package tag

import (
	"bytes"
	"strings"
)

// line is the line that is looked at. What is known of it is kept from one TAG to the next, so that a line of
// a million TAGs is gone through once.
type line struct {
	syntax *Syntax
	start  int // in the bytes at hand, as all of these are
	end    int // of the line, without its break
	lead   int // the first byte that is no blank
	body   int // the first that is no star either, as the lines of block comments have
	at     int // so far the search for comments has come
	open   int // behind the mark of the comment in which at stands; -1 when in none
	close  string
	lone   string // quotes of which there is only one more: apostrophes
}

// line looks at the line that starts at b[start].
func (s *Syntax) line(b []byte, start int) line {
	l := line{syntax: s, start: start, end: len(b), open: -1}
	if i := bytes.IndexByte(b[start:], '\n'); i >= 0 {
		l.end = start + i
	}
	// Editors on Windows put a mark of byte order before the first comment.
	if hasPrefix(b[start:l.end], "\ufeff") {
		start += len("\ufeff")
	}
	l.lead = start
	for l.lead < l.end && (b[l.lead] == ' ' || b[l.lead] == '\t') {
		l.lead++
	}
	l.body = l.lead
	for l.body < l.end && (b[l.body] == ' ' || b[l.body] == '\t' || b[l.body] == '*') {
		l.body++
	}
	l.at = l.lead
	return l
}

// comment is the offset behind the mark of the comment in which b[off] stands, outside of strings; -1 when it
// stands in none. It is asked with growing offsets.
func (l *line) comment(b []byte, off int) int {
	text := b[l.start:l.end]
	for l.at < off {
		if l.open >= 0 {
			i := -1
			if l.close != "" {
				i = bytes.Index(b[l.at:off], []byte(l.close))
			}
			if i < 0 {
				l.at = off
				break
			}
			l.at, l.open = l.at+i+len(l.close), -1
			continue
		}
		if n, closing := l.syntax.mark(text, l.at-l.start); n > 0 {
			l.at += n
			l.open, l.close = l.at, closing
			continue
		}
		if c := b[l.at]; l.syntax.quotes(c) && strings.IndexByte(l.lone, c) < 0 {
			if end := stringEnd(text, l.at-l.start); end > 0 {
				l.at = l.start + end // perhaps beyond off, which then stands in a string
				continue
			}
			l.lone += string(rune(c))
		}
		l.at++
	}
	return l.open
}

// mark is the length of the mark at line[i] that opens a comment, 0 when there is none, and what closes it: ""
// is the end of the line.
func (s *Syntax) mark(line []byte, i int) (n int, closing string) {
	for k := range s.Block {
		// Python's docstrings are strings as long as they do not open a line.
		if m := &s.Block[k]; m[1] != "" && m[0][0] == line[i] && hasPrefix(line[i:], m[0]) && m[0] != `"""` && m[0] != "'''" {
			return len(m[0]), m[1]
		}
	}
	for _, m := range s.Line {
		if m[0] == line[i] && hasPrefix(line[i:], m) && marks(line, i, m) {
			return len(m), ""
		}
	}
	for _, m := range s.First {
		if m[0] == line[i] && hasPrefix(line[i:], m) && leads(line, i) && (!isAlnum(m[len(m)-1]) || i+len(m) == len(line) || !isAlnum(line[i+len(m)])) {
			return len(m), ""
		}
	}
	return 0, ""
}

// leads reports whether nothing but blanks stands before line[i].
func leads(line []byte, i int) bool {
	return i < near && len(bytes.TrimLeft(line[:i], " \t\ufeff")) == 0
}

// marks reports whether the mark m at line[i] stands where it opens a comment.
func marks(line []byte, i int, m string) bool {
	before, after := byte(' '), byte(' ')
	if i > 0 {
		before = line[i-1]
	}
	if i+len(m) < len(line) {
		after = line[i+len(m)]
	}
	switch m {
	// A shell has ${x#y} and makefiles have a\#b: behind a letter it opens nothing.
	case "#":
		return before <= ' ' || leads(line, i)
	case `"`: // of Vim, where it also opens strings
		return leads(line, i) || bytes.IndexByte(line[i+1:min(len(line), i+near)], '"') < 0
	// Forth: a comment only as a word of its own.
	case "\\":
		return before <= ' ' && after <= ' '
	}
	// A mark that is a word stands as one: batch files, BASIC, m4.
	if isAlnum(m[0]) { // REM, dnl
		return !isAlnum(before) && before != '_' && !isAlnum(after) && after != '_'
	}
	// An escaped mark is text: \% of TeX, \# of a regular expression.
	return before != '\\'
}

// hasPrefix spares the conversion that bytes.HasPrefix would need: marks are strings, and it is called for every byte of some lines.
func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// stringEnd is the offset behind the string literal that opens at i, 0 when it does not end on this line:
// then the mark is an apostrophe or a lifetime.
func stringEnd(line []byte, i int) int {
	q := line[i]
	for k := i + 1; k < len(line); k++ {
		switch line[k] {
		case '\\':
			k++
		// A doubled quote ("" in SQL and BASIC) closes here and opens the next string at once, which comes to the same.
		case q:
			return k + 1
		}
	}
	return 0
}
