package spec

import (
	"strings"
)

// Front matter is written by people and agents in a small corner of YAML. The reader here takes
// exactly that corner (scalars, the three quoting styles, flow and block lists, one level of
// mapping, comments) and names the line of anything else, since a full YAML library (yaml/v3) costs
// every hook process 0.1 ms and 276 allocations before main starts. Whatever it accepts without a word means the same to a
// YAML library, which a fuzz test asserts; a field it cannot read never hides the fields after it.

// A Field is one key of the front matter.
type Field struct {
	Key   string
	Value Value
	Line  int // 1-based, in the file
}

// A Value is a scalar, a list or a mapping; Kind says which of the members counts.
type Value struct {
	Kind   Kind
	Text   string // scalar: unquoted
	Quoted bool   // scalar: written in quotes, so never null
	List   []Value
	Map    []Field
}

// Kind is the shape of a [Value].
type Kind uint8

// The shapes a front matter value can take.
const (
	Scalar Kind = iota
	Sequence
	Mapping
)

// A Fault is something that the front matter says and that cannot be read.
type Fault struct {
	Line int // 1-based, in the file
	Text string
	// Note says that it is no YAML and means one thing all the same: it was read so.
	Note bool
}

// String is the scalar's text; null, lists and mappings are empty.
func (v Value) String() string {
	if v.Kind != Scalar {
		return ""
	}
	if !v.Quoted {
		switch v.Text {
		case "~", "null", "Null", "NULL":
			return ""
		}
	}
	return v.Text
}

// Strings is a list of scalars; a scalar alone counts as a list of one, the way people write
// `labels: auth`, and so does a comma-separated one.
func (v Value) Strings() []string {
	var out []string
	// What is null or no scalar names nothing, and is left out.
	switch v.Kind {
	case Sequence:
		for _, e := range v.List {
			if s := e.String(); s != "" {
				out = append(out, s)
			}
		}
	case Scalar:
		for part := range strings.SplitSeq(v.String(), ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// split separates a file into its front matter and the rest. first is the line on which the front
// matter's own text starts; ok is false when there is none.
func split(data string) (front, body string, first int, ok bool) {
	data = strings.TrimPrefix(data, "\ufeff")
	rest, line := data, 1
	// A mark of byte order and blank lines come from editors, not from what the author meant.
	for { // blank lines above the first --- are forgiven
		head, tail, more := strings.Cut(rest, "\n")
		head = strings.TrimRight(head, " \t\r")
		if head == "---" && more {
			rest, line = tail, line+1
			break
		}
		if head != "" || !more {
			return "", data, 1, false
		}
		rest, line = tail, line+1
	}
	at := 0
	for at <= len(rest) {
		end := strings.IndexByte(rest[at:], '\n')
		text := rest[at:]
		if end >= 0 {
			text = rest[at : at+end]
		}
		// "..." ends a document in YAML, too.
		switch strings.TrimRight(text, " \t\r") {
		case "---", "...":
			if end < 0 {
				return rest[:at], "", line, true
			}
			return rest[:at], rest[at+end+1:], line, true
		}
		if end < 0 {
			break
		}
		at += end + 1
	}
	return rest, "", line, false
}
