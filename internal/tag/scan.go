package tag

import (
	"bytes"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Bounds of the scanner. A file is held in memory only up to chunk; of a line only what can decide between
// definition and mention is looked at.
const (
	chunk = 1 << 20
	// In bytes. What stands further to the left is a line that a program wrote: its TAGs are judged by what is left of it.
	lineLeft = 4 << 10
	// And further to the right is no title and no header line. It is above longest, so no TAG is cut in two between pieces.
	lineRight = 1 << 10
	nulWithin = 8000 // Git's rule: a NUL in the first 8000 bytes
)

// scanner finds the TAGs of one file, which may come in pieces.
type scanner struct {
	g      *Grammar
	path   string
	syntax Syntax
	asked  bool // syntax was looked up
	shows  bool // a document whose TAGs of the chain are examples
	of     func(path string) Syntax
	lines  int // line breaks before the bytes at hand
	fence  fences
	line   line
	out    encoder // the TAGs found so far, as [Grammar.decode] reads them
	last   int     // line of the last one
}

// whole scans a file that is there as a whole.
func (s *scanner) whole(b []byte) {
	if i := bytes.IndexByte(b, '@'); i < 0 || bytes.IndexByte(b[:min(len(b), nulWithin)], 0) >= 0 {
		return
	}
	s.piece(b, 0, len(b))
}

// piece scans b for TAGs that start in b[from:to]; the bytes around are there for the line's sake. s.lines
// counts the breaks before b[0].
func (s *scanner) piece(b []byte, from, to int) {
	number, start, counted := s.lines, 0, 0
	s.line = line{start: -1}
	for o := from; ; {
		at, m, ok := s.next(b, o, to)
		if !ok {
			return
		}
		o = at
		// Lines are counted only up to TAGs: files without one, nearly all, are never counted.
		if n := bytes.Count(b[counted:o], []byte{'\n'}); n > 0 {
			number += n
			start = counted + bytes.LastIndexByte(b[counted:o], '\n') + 1
		}
		counted = o
		if s.line.start != start {
			s.ask()
			s.line = s.syntax.line(b, start)
		}
		s.add(b, o, number+1, m)
		o += m.subTo
	}
}

// ask looks up how the file is written. Most files hold no TAG and are never asked about.
func (s *scanner) ask() {
	if !s.asked {
		s.syntax, s.asked = s.of(s.path), true
		s.shows = s.syntax.Prose && s.g.shows(s.path)
	}
}

// next is the first TAG that starts in b[from:to].
func (s *scanner) next(b []byte, from, to int) (at int, m match, ok bool) {
	for at = from; at < to; at++ {
		i := bytes.IndexByte(b[at:to], '@')
		if i < 0 {
			break
		}
		at += i
		if m, ok = s.g.match(b[at:]); ok && (at == 0 || !isAlnum(b[at-1]) && b[at-1] != '_' && b[at-1] != '.') {
			return at, m, true
		}
	}
	return 0, match{}, false
}

// any reports whether a TAG starts in b[from:to].
func (s *scanner) any(b []byte, from, to int) bool {
	_, _, ok := s.next(b, from, to)
	return ok
}

// add keeps the TAG at b[o] on line number, unless it is a malformed one that nobody meant to define.
func (s *scanner) add(b []byte, o, number int, m match) {
	rest := b[o:min(s.line.end, o+lineRight)]
	rest = bytes.TrimSuffix(rest, []byte("\r"))
	t := Tag{
		Line: number, Malformed: m.malformed,
		ID:         strings.ToValidUTF8(string(b[o+m.idFrom:o+m.idTo]), "\ufffd"),
		Definition: !(s.shows && s.g.kinds[m.kind].Family == rule.TagChain) && s.line.defines(b, o, rest) && !s.fence.inside(b, s.line.start, &s.syntax),
	}
	if m.subTo > m.idTo {
		t.Sub = string(b[o+m.idTo+1 : o+m.subTo])
	}
	if t.Malformed && !t.Definition {
		return // a sentence may write what it likes
	}
	if t.Definition {
		t.Text, t.Links = s.line.tail(rest[min(m.subTo, len(rest)):])
	}
	s.out.tag(&t, m.kind, number-s.last)
	s.last = number
}

// File scans the content of one file.
func (g *Grammar) File(path string, content []byte, syntax func(string) Syntax) []Tag {
	s := scanner{g: g, path: path, of: syntax}
	s.whole(content)
	var out []Tag
	g.decode(path, string(s.out.b), func(t Tag) bool { out = append(out, t); return true })
	return out
}
