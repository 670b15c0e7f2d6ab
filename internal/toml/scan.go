package toml

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Bounds of a document. The parser copies the whole name of a table for each key in it, so that names of many parts and
// long names of tables with many keys cost the square of what they weigh, and it nests as deeply as the text does.
const (
	MaxSize  = 1 << 20
	maxDepth = 64 // parts of a name, with the lists around it
	// The names of all keys, each with those of its tables, may be so many times as long as the document. What people
	// write stays below 4.
	maxNames = 24
	minNames = 16 << 10 // and a small one may have that at any rate
)

// afford reports in one error what makes a document too costly to parse.
func afford(data []byte) error {
	if len(data) > MaxSize {
		return &unread{Fault{Text: fmt.Sprintf("is larger than %d KiB", MaxSize>>10)}}
	}
	if !utf8.Valid(data) {
		line := 1
		for i := 0; i < len(data); {
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			if r == '\n' {
				line++
			}
			i += n
		}
		return &Fault{Line: line, Text: "is not UTF-8 here"}
	}
	s := scanner{text: data, line: 1, most: maxNames*len(data) + minNames}
	s.document()
	switch {
	case s.deep > 0:
		return &unread{Fault{Line: s.deep, Text: fmt.Sprintf("nests more than %d levels deep", maxDepth)}}
	case s.names > s.most:
		return &unread{Fault{Line: s.line, Text: "has too many keys in tables of long names"}}
	}
	return nil
}

// places are the lines of all keys of a document that is valid TOML, in the order of MetaData.Keys: headers of tables,
// keys, and keys of inline tables.
func places(data []byte) []int {
	s := scanner{text: data, line: 1, most: math.MaxInt, keep: true}
	s.document()
	return s.lines
}

// scanner finds the keys of a document, and nothing else: it does not know what a number is. On a text that is no TOML it
// finds what the parser finds up to the first mistake.
type scanner struct {
	text  []byte
	at    int
	line  int
	keep  bool
	lines []int
	names int // bytes of all names
	most  int
	deep  int // the line that nests too deeply
}

// frame is a list or an inline table that is open.
type frame struct {
	inline bool
	name   name
}

// name is the size of a key with those of its tables.
type name struct{ parts, bytes int }

func (n name) plus(o name) name { return name{n.parts + o.parts, n.bytes + o.bytes} }

// stop reports that nothing more is to be learnt.
func (s *scanner) stop() bool { return s.at >= len(s.text) || s.deep > 0 || s.names > s.most }

func (s *scanner) document() {
	var table name
	for s.blank(true); !s.stop(); s.blank(true) {
		if s.text[s.at] != '[' {
			line, key := s.line, s.key('=')
			key = table.plus(key)
			s.found(line, key, 0)
			s.value(key)
			continue
		}
		for n := 0; n < 2 && s.is('['); n++ {
			s.at++
		}
		line := s.line
		table = s.key(']')
		s.found(line, table, 0)
		s.rest()
	}
}

// found notes a key.
func (s *scanner) found(line int, key name, lists int) {
	if s.keep {
		s.lines = append(s.lines, line)
	}
	s.names += key.bytes
	s.depth(line, key.parts+lists)
}

func (s *scanner) depth(line, n int) {
	if n > maxDepth && s.deep == 0 {
		s.deep = line
	}
}

func (s *scanner) is(c byte) bool { return s.at < len(s.text) && s.text[s.at] == c }

// blank passes over space and comments, and over the ends of lines if those are space here.
func (s *scanner) blank(lines bool) {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\n' && lines:
			s.line++
		case c == '#' && lines:
			s.rest()
			s.at--
		case c != ' ' && c != '\t' && c != '\r' || c == '\r' && !lines:
			return
		}
	}
}

// rest goes to the end of the line.
func (s *scanner) rest() {
	if n := bytes.IndexByte(s.text[s.at:], '\n'); n >= 0 {
		s.at += n
		return
	}
	s.at = len(s.text)
}

// key reads the parts of a key and what ends it.
func (s *scanner) key(end byte) (n name) {
	for {
		s.blank(false)
		from := s.at
		switch {
		case s.is('"') || s.is('\''):
			s.quoted(s.text[s.at])
		default:
			for s.at < len(s.text) && strings.IndexByte(".=[]{},#\"' \t\r\n", s.text[s.at]) < 0 {
				s.at++
			}
		}
		n.parts++
		n.bytes += s.at - from + 1
		s.blank(false)
		if s.is('.') {
			s.at++
			continue
		}
		if s.is(end) {
			s.at++
			return n
		}
		s.rest() // no TOML
		return n
	}
}

// quoted passes over a string of one line.
func (s *scanner) quoted(quote byte) {
	for s.at++; s.at < len(s.text) && s.text[s.at] != '\n'; s.at++ {
		switch {
		case s.text[s.at] == quote:
			s.at++
			return
		case s.text[s.at] == '\\' && quote == '"' && s.at+1 < len(s.text) && s.text[s.at+1] != '\n':
			s.at++
		}
	}
}

// tripled passes over a string of several lines.
func (s *scanner) tripled(quote byte) {
	three := bytes.Repeat([]byte{quote}, 3)
	for s.at += 3; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\n':
			s.line++
		case c == '\\' && quote == '"' && s.at+1 < len(s.text):
			if s.at++; s.text[s.at] == '\n' {
				s.line++
			}
		case c == quote && bytes.HasPrefix(s.text[s.at:], three):
			s.at += 3
			for n := 0; n < 2 && s.is(quote); n++ { // the text may end in two of them
				s.at++
			}
			return
		}
	}
}

// value passes over a value, and finds the keys in it.
func (s *scanner) value(key name) {
	var open []frame
	top := func() *frame { return &open[len(open)-1] }
	for !s.stop() {
		switch c := s.text[s.at]; c {
		case '"', '\'':
			if bytes.HasPrefix(s.text[s.at:], []byte{c, c, c}) {
				s.tripled(c)
			} else {
				s.quoted(c)
			}
			continue
		case '#':
			s.rest()
			continue
		case '\n':
			if len(open) == 0 {
				return
			}
			s.line++
		case '[':
			open = append(open, frame{name: key})
			s.depth(s.line, key.parts+len(open))
		case '{':
			open = append(open, frame{inline: true, name: key})
			s.depth(s.line, key.parts+len(open))
			s.at++
			key = s.member(top(), key, len(open))
			continue
		case ',':
			if len(open) > 0 && top().inline {
				s.at++
				key = s.member(top(), key, len(open))
				continue
			}
		case ']', '}':
			if len(open) > 0 {
				key = top().name
				open = open[:len(open)-1]
			}
		}
		s.at++
	}
}

// member reads the next key of an inline table, if there is one.
func (s *scanner) member(in *frame, key name, lists int) name {
	s.blank(true)
	if s.at >= len(s.text) || s.is('}') {
		return key
	}
	line := s.line
	key = in.name.plus(s.key('='))
	s.found(line, key, lists)
	return key
}
