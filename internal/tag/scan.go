package tag

import (
	"bytes"
	"strings"
)

// Bounds of the scanner. A file is held in memory only up to chunk; of a line only what can decide between
// definition and mention is looked at.
const (
	chunk     = 1 << 20
	lineLeft  = 4 << 10
	lineRight = 1 << 10
	nulWithin = 8000 // Git's rule: a NUL in the first 8000 bytes
)

// scanner finds the TAGs of one file, which may come in pieces.
type scanner struct {
	g      *Grammar
	path   string
	syntax Syntax
	asked  bool // syntax was looked up
	of     func(path string) Syntax
	lines  int // line breaks before the bytes at hand
	fence  fences
	out    []Tag
}

// whole scans a file that is there as a whole.
func (s *scanner) whole(b []byte) []Tag {
	if i := bytes.IndexByte(b, '@'); i < 0 || bytes.IndexByte(b[:min(len(b), nulWithin)], 0) >= 0 {
		return nil
	}
	s.piece(b, 0, len(b))
	return s.out
}

// piece scans b for TAGs that start in b[from:to]; the bytes around are there for the line's sake. s.lines
// counts the breaks before b[0].
func (s *scanner) piece(b []byte, from, to int) {
	line, counted := s.lines, 0
	for o := from; o < to; {
		i := bytes.IndexByte(b[o:to], '@')
		if i < 0 {
			return
		}
		o += i
		m, ok := s.g.match(b[o:])
		if !ok || o > 0 && (isAlnum(b[o-1]) || b[o-1] == '_' || b[o-1] == '.') {
			o++
			continue
		}
		line += bytes.Count(b[counted:o], []byte{'\n'})
		counted = o
		s.add(b, o, line+1, m)
		o += m.subTo
	}
}

func (s *scanner) add(b []byte, o, line int, m match) {
	if !s.asked {
		s.syntax, s.asked = s.of(s.path), true
	}
	from := max(0, o-lineLeft)
	if i := bytes.LastIndexByte(b[from:o], '\n'); i >= 0 {
		from += i + 1
	}
	to := min(len(b), o+lineRight)
	if i := bytes.IndexByte(b[o:to], '\n'); i >= 0 {
		to = o + i
	}
	text := bytes.TrimSuffix(b[from:to], []byte("\r"))
	k := &s.g.kinds[m.kind]
	t := Tag{
		Kind: k.Name, Path: s.path, Line: line, column: o - from, Malformed: m.malformed,
		ID:         strings.ToValidUTF8(string(b[o+m.idFrom:o+m.idTo]), "\ufffd"),
		Definition: s.syntax.defines(text, o-from) && !s.fence.inside(b, from, s.syntax.Prose),
	}
	if m.subTo > m.idTo {
		t.Sub = string(b[o+m.idTo+1 : o+m.subTo])
	}
	if t.Malformed && !t.Definition {
		return // a sentence may write what it likes
	}
	if t.Definition {
		t.Text, t.Links = tail(b[o+m.subTo : from+len(text)])
	}
	s.out = append(s.out, t)
}

// fences follows what encloses whole lines: code blocks in prose, and text literals in code, in which
// comments are only text. It is asked with growing offsets.
type fences struct {
	at   int
	open string
	doc  bool // the open literal is a docstring: it stands where a statement would
}

// inside reports whether the line that starts at b[from] lies in a code block or text literal.
func (f *fences) inside(b []byte, from int, prose bool) bool {
	for f.at < from {
		end := from
		if i := bytes.IndexByte(b[f.at:from], '\n'); i >= 0 {
			end = f.at + i + 1
		}
		if prose {
			f.prose(b[f.at:end])
		} else {
			f.code(b[f.at:end])
		}
		f.at = end
	}
	return f.open != "" && !f.doc
}

func (f *fences) prose(line []byte) {
	l := bytes.TrimSpace(line)
	switch {
	case f.open != "":
		if hasPrefix(l, f.open) && len(bytes.Trim(l, f.open[:1])) == 0 {
			f.open = ""
		}
	case hasPrefix(l, "```"):
		f.open = "```"
	case hasPrefix(l, "~~~"):
		f.open = "~~~"
	}
}

func (f *fences) code(line []byte) {
	for {
		if f.open != "" {
			i := bytes.Index(line, []byte(f.open))
			if i < 0 {
				return
			}
			line = line[i+len(f.open):]
			f.open, f.doc = "", false
			continue
		}
		i, mark := -1, ""
		for _, q := range []string{`"""`, "'''", "`"} {
			if k := bytes.Index(line, []byte(q)); k >= 0 && (i < 0 || k < i) {
				i, mark = k, q
			}
		}
		if i < 0 {
			return
		}
		before := bytes.TrimSpace(line[:i])
		if mark == "`" && (bytes.ContainsAny(before, "#") || bytes.Contains(before, []byte("//")) || hasPrefix(before, "*")) {
			return // a backtick in a comment quotes a word
		}
		f.open, f.doc = mark, mark != "`" && (len(before) == 0 || string(before) == "r" || string(before) == "u")
		line = line[i+len(mark):]
	}
}

// File scans the content of one file.
func (g *Grammar) File(path string, content []byte, syntax func(string) Syntax) []Tag {
	s := scanner{g: g, path: path, of: syntax}
	return s.whole(content)
}
