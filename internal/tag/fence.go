package tag

import (
	"bytes"
	"strings"
)

// fences follows what encloses whole lines: code blocks in prose, and text literals in code, in which
// comments are only text. It is asked with growing offsets, so a file is gone through once.
type fences struct {
	at   int
	open string // what ends the open one
	doc  bool   // it is a docstring or a comment, whose TAGs count
}

// inside reports whether the line that starts at b[from] lies in a code block or text literal.
func (f *fences) inside(b []byte, from int, s *Syntax) bool {
	if !s.Prose && s.Texts == "" {
		return false
	}
	for f.at < from {
		end := from
		if i := bytes.IndexByte(b[f.at:from], '\n'); i >= 0 {
			end = f.at + i + 1
		}
		if s.Prose {
			f.prose(b[f.at:end])
		} else {
			f.code(b[f.at:end], s)
		}
		f.at = end
	}
	return f.open != "" && !f.doc
}

// prose follows one line of Markdown: a block ends at a line of the same marks, as many or more, and nothing else. So documents on
// Markdown show a block in a block.
func (f *fences) prose(line []byte) {
	l := bytes.TrimSpace(line)
	if f.open != "" {
		if hasPrefix(l, f.open) && len(bytes.Trim(l, f.open[:1])) == 0 {
			f.open = ""
		}
		return
	}
	if !hasPrefix(l, "```") && !hasPrefix(l, "~~~") {
		return
	}
	name := bytes.TrimLeft(l, string(l[:1]))
	// A line that starts and ends with backticks is inline code.
	if l[0] == '~' || bytes.IndexByte(name, '`') < 0 {
		f.open = string(l[:len(l)-len(name)])
	}
}

// code looks for the literals of one line, and for comments that go on below it: what those quote opens nothing. What ends on
// the line does not matter, except that a mark inside it opens nothing either.
func (f *fences) code(line []byte, s *Syntax) {
	lone := ""
	for i := 0; i < len(line); {
		if f.open != "" {
			n := bytes.Index(line[i:], []byte(f.open))
			if n < 0 {
				return
			}
			i += n + len(f.open)
			f.open, f.doc = "", false
			continue
		}
		c := line[i]
		n, closing := s.mark(line, i)
		switch {
		case n > 0 && closing == "":
			return // what a comment quotes opens nothing
		case n > 0:
			f.open, f.doc = closing, true
			i += n
			continue
		case c == '`' && s.has('`'):
			f.open = "`"
		case (c == '"' || c == '\'') && s.has(c) && hasPrefix(line[i:], triple(c)):
			f.open = triple(c)
			before := bytes.TrimSpace(line[:i])
			// A literal that opens its line is a docstring, whose TAGs count as those of a comment do.
			f.doc = len(before) == 0 || string(before) == "r" || string(before) == "u"
		case s.quotes(c) && strings.IndexByte(lone, c) < 0:
			if end := stringEnd(line, i); end > 0 {
				i = end
				continue
			}
			lone += string(rune(c))
		}
		i += max(1, len(f.open))
	}
}

// triple is the mark of a literal over several lines in Python, Java, Swift and their like.
func triple(c byte) string {
	if c == '"' {
		return `"""`
	}
	return "'''"
}
