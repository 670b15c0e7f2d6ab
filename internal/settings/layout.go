package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// New text is laid out as its surroundings are: same line ends, same
// indentation, on one line where the list it joins is on one line. Insertions
// never replace a byte and deletions never add one.

const blanks = " \t\r\n"

// object, list and field describe a value to be written; a string in their
// place already is JSON.
type (
	object []field
	list   []any
	field  struct {
		name  string
		value any
	}
)

// insert plans a new last element (or member, as a field) of v.
func (d *document) insert(v hujson.Value, item any) {
	spans := spansOf(v)
	inside := d.text[v.StartOffset+1 : v.EndOffset-1]
	// Behind the last thing inside, comments included, and before the blanks
	// that put the closing bracket on its line.
	at := v.StartOffset + 1 + len(bytes.TrimRight(inside, blanks))
	closed := bytes.IndexByte(d.text[at:v.EndOffset], '\n') >= 0 // the bracket has its own line

	if len(spans) == 0 {
		if d.flat() {
			d.put(at, d.inline(item))
			return
		}
		outer := d.indent(v.StartOffset)
		inner := outer + d.unit()
		with := d.newline() + inner + d.lines(item, inner)
		if !closed {
			with += d.newline() + outer
		}
		d.put(at, with)
		return
	}

	last := spans[len(spans)-1]
	after := ""
	if last.comma < 0 {
		d.put(last.end, ",")
	} else {
		after = "," // this list ends in a comma, and shall
	}
	// Behind a line comment there must be a new line, wherever the list is.
	comment := bytes.Contains(d.text[last.end:at], []byte("//"))
	if d.startsLine(last.start) || comment {
		indent := d.indent(last.start)
		d.put(at, d.newline()+indent+d.lines(item, indent)+after)
		return
	}
	d.put(at, d.gap()+d.inline(item)+after)
}

func (d *document) put(at int, with string) { d.edits = append(d.edits, edit{at, at, with}) }

// cut plans the deletion of the elements of v that gone names, with their
// commas and the blanks before them. Comments stay.
func (d *document) cut(v hujson.Value, gone map[int]bool) {
	if len(gone) == 0 {
		return
	}
	spans := spansOf(v)
	base := v.StartOffset
	dead := make([]bool, v.EndOffset-base) // bytes to delete, by offset from base
	kill := func(from, to int) {
		for i := from; i < to; i++ {
			dead[i-base] = true
		}
	}
	var ends []int // line ends of comments that are to be deleted
	for i, s := range spans {
		if !gone[i] {
			continue
		}
		start := v.StartOffset + 1
		if i > 0 {
			start = spans[i-1].comma + 1
		}
		before := d.text[start:s.start]
		from := start + len(bytes.TrimRight(before, blanks))
		if n := bytes.IndexByte(d.text[from:s.start], '\n'); n >= 0 && from > start {
			ends = append(ends, from+n)
		}
		kill(from, s.end)
		if s.comma >= 0 {
			kill(s.comma, s.comma+1)
			if from == s.start { // nothing before it, so the gap is behind it
				for n := s.comma + 1; d.text[n] == ' '; n++ {
					kill(n, n+1)
				}
			}
		}
	}
	// Where the end of the list goes and no comma follows it, the comma before
	// it would be left over.
	last := len(spans) - 1
	if gone[last] && spans[last].comma < 0 {
		for last >= 0 && gone[last] {
			last--
		}
		if last >= 0 {
			kill(spans[last].comma, spans[last].comma+1)
		}
	}
	// A list that is empty now is written as one: [] and not brackets around
	// the blanks of what was in it.
	if d.onlyBlanks(v, dead) {
		kill(v.StartOffset+1, v.EndOffset-1)
		ends = nil
	}
	for _, end := range ends {
		next := end
		for next < v.EndOffset && (dead[next-base] || strings.IndexByte(" \t\r", d.text[next]) >= 0) {
			next++
		}
		if next == v.EndOffset || d.text[next] != '\n' {
			dead[end-base] = false // else the comment would swallow what follows
		}
	}
	d.remove(dead, base)
}

// remove takes out the bytes that are dead, by their offset from base: an edit for each run of them.
func (d *document) remove(dead []bool, base int) {
	for i := 0; i < len(dead); i++ {
		if dead[i] {
			from := i
			for i < len(dead) && dead[i] {
				i++
			}
			d.edits = append(d.edits, edit{base + from, base + i, ""})
		}
	}
}

func (d *document) onlyBlanks(v hujson.Value, dead []bool) bool {
	for i := v.StartOffset + 1; i < v.EndOffset-1; i++ {
		if !dead[i-v.StartOffset] && strings.IndexByte(blanks, d.text[i]) < 0 {
			return false
		}
	}
	return true
}

// span is one element of a list, or one member of an object with its name.
type span struct{ start, end, comma int } // comma: its offset, -1 for none

func spansOf(v hujson.Value) []span {
	var spans []span
	switch t := v.Value.(type) {
	case *hujson.Object:
		for i, m := range t.Members {
			spans = append(spans, span{m.Name.StartOffset, m.Value.EndOffset, comma(m.Value, i == len(t.Members)-1)})
		}
	case *hujson.Array:
		for i, e := range t.Elements {
			spans = append(spans, span{e.StartOffset, e.EndOffset, comma(e, i == len(t.Elements)-1)})
		}
	}
	return spans
}

// comma finds the comma behind a value. The last one has one exactly if the
// parser left its AfterExtra non-nil.
func comma(v hujson.Value, last bool) int {
	if last && v.AfterExtra == nil {
		return -1
	}
	return v.EndOffset + len(v.AfterExtra)
}

// newline returns the line end that the file uses.
func (d *document) newline() string {
	if n := bytes.IndexByte(d.text, '\n'); n > 0 && d.text[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// unit returns one step of indentation: that of the first member.
func (d *document) unit() string {
	if len(d.object.Members) > 0 {
		if at := d.object.Members[0].Name.StartOffset; d.startsLine(at) && d.indent(at) != "" {
			return strings.TrimPrefix(d.indent(at), d.indent(d.root.StartOffset))
		}
	}
	return "  "
}

// flat reports whether the whole file is written on one line.
func (d *document) flat() bool {
	return len(d.object.Members) > 0 && !bytes.Contains(d.text[d.root.StartOffset:d.root.EndOffset], []byte("\n"))
}

// gap is what the file puts behind colons and commas on one line.
func (d *document) gap() string {
	if len(d.object.Members) > 0 && len(d.object.Members[0].Value.BeforeExtra) == 0 {
		return ""
	}
	return " "
}

func (d *document) lineStart(offset int) int {
	return 1 + bytes.LastIndexByte(d.text[:offset], '\n')
}

// indent returns the blanks at the beginning of the line of an offset.
func (d *document) indent(offset int) string {
	line := d.text[d.lineStart(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (d *document) startsLine(offset int) bool {
	start := d.lineStart(offset)
	return start > 0 && len(bytes.TrimLeft(d.text[start:offset], " \t")) == 0
}

// lines writes an item over several lines, continuing a line that is indented
// by indent.
func (d *document) lines(item any, indent string) string {
	inner := indent + d.unit()
	var parts []string
	brackets := "[]"
	switch t := item.(type) {
	case string:
		return t
	case field:
		return quote(t.name) + ": " + d.lines(t.value, indent)
	case object:
		brackets = "{}"
		for _, f := range t {
			parts = append(parts, d.lines(f, inner))
		}
	case list:
		for _, v := range t {
			parts = append(parts, d.lines(v, inner))
		}
	}
	nl := d.newline()
	return brackets[:1] + nl + inner + strings.Join(parts, ","+nl+inner) + nl + indent + brackets[1:]
}

// inline writes an item on one line.
func (d *document) inline(item any) string {
	var parts []string
	brackets := "[]"
	switch t := item.(type) {
	case string:
		return t
	case field:
		return quote(t.name) + ":" + d.gap() + d.inline(t.value)
	case object:
		brackets = "{}"
		for _, f := range t {
			parts = append(parts, d.inline(f))
		}
	case list:
		for _, v := range t {
			parts = append(parts, d.inline(v))
		}
	}
	return brackets[:1] + strings.Join(parts, ","+d.gap()) + brackets[1:]
}
