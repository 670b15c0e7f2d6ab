package lang

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// AppendJSON appends the report as encoding/json would write it, indented by two
// spaces. It is written out by hand since learning the types by reflection costs
// a repeated question a third of its time.
func (r *Report) AppendJSON(b []byte) []byte {
	j := &jsonText{b: b}
	(&pack{json: j}).report(r)
	return append(j.b, '\n')
}

// jsonText is JSON on its way.
type jsonText struct {
	b     []byte
	depth int
	more  bool // something stands before in the object or list
}

// line begins a line, indented by the depth.
func (j *jsonText) line() {
	j.b = append(j.b, '\n')
	for range j.depth {
		j.b = append(j.b, "  "...)
	}
}

// begin opens braces or brackets; they stay on one line when nothing follows before end.
func (j *jsonText) begin(open byte) {
	j.b = append(j.b, open)
	j.depth++
	j.more = false
}

func (j *jsonText) end(end byte) {
	j.depth--
	if j.more {
		j.line()
	}
	j.b = append(j.b, end)
	j.more = true
}

// next begins an element.
func (j *jsonText) next() {
	if j.more {
		j.b = append(j.b, ',')
	}
	j.line()
	j.more = true
}

// key begins a field; the comma before it is written by whoever comes second.
func (j *jsonText) key(name string) {
	j.next()
	j.b = append(j.b, '"')
	j.b = append(j.b, name...)
	j.b = append(j.b, `": `...)
}

// quote leaves the rare string with something to escape to encoding/json, whose
// rules for what is no UTF-8 are then ours too.
func (j *jsonText) quote(s string) {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			var q bytes.Buffer
			enc := json.NewEncoder(&q)
			enc.SetEscapeHTML(false) // ">=3.10" is to be read by people too
			_ = enc.Encode(s)        // no string fails
			j.b = append(j.b, bytes.TrimSuffix(q.Bytes(), []byte("\n"))...)
			return
		}
	}
	j.b = append(j.b, '"')
	j.b = append(j.b, s...)
	j.b = append(j.b, '"')
}

func (j *jsonText) null() { j.b = append(j.b, "null"...) }

// number, and those like it, write one field; the order is that of the calls.
func (j *jsonText) number(name string, n int64) {
	j.key(name)
	j.b = strconv.AppendInt(j.b, n, 10)
}

// real writes a float as encoding/json does for the sizes that shares have.
func (j *jsonText) real(name string, f float64) {
	j.key(name)
	if f == 0 || f >= 1e-6 && f < 1e15 { // every share and confidence
		j.b = strconv.AppendFloat(j.b, f, 'f', -1, 64)
		return
	}
	q, err := json.Marshal(f)
	if err != nil {
		q = []byte("0")
	}
	j.b = append(j.b, q...)
}

func (j *jsonText) flag(name string, v bool) {
	j.key(name)
	j.b = strconv.AppendBool(j.b, v)
}

// jsonList writes null for nil, as encoding/json does.
func jsonList[T any](j *jsonText, name string, list []T, each func(*T)) {
	j.key(name)
	if list == nil {
		j.null()
		return
	}
	j.begin('[')
	for i := range list {
		j.next()
		each(&list[i])
	}
	j.end(']')
}
