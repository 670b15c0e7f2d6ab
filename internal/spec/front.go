package spec

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Front matter is written by people and agents in a small corner of YAML. The reader here takes
// exactly that corner (scalars, the three quoting styles, flow and block lists, one level of
// mapping, comments) and names the line of anything else, since a full YAML library costs every
// hook process 0.08 ms before main starts. Whatever it accepts means the same to a YAML library,
// which a fuzz test asserts; a field it cannot read never hides the fields after it.

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

// reader walks the lines of one front matter.
type reader struct {
	lines  []string
	at     int // index of the next line
	first  int // file line of lines[0]
	faults []Fault
}

// ParseFront reads the text between the two --- lines; first is the file line of its first line.
func ParseFront(front string, first int) ([]Field, []Fault) {
	r := &reader{lines: strings.Split(front, "\n"), first: first}
	if !utf8.ValidString(front) {
		r.fault("not valid UTF-8")
		return nil, r.faults
	}
	for i, l := range r.lines {
		r.lines[i] = strings.TrimSuffix(l, "\r")
		if strings.ContainsFunc(r.lines[i], func(c rune) bool { return c != '\t' && control(c) }) {
			r.at = i
			r.fault("control character")
			return nil, r.faults
		}
	}
	fields := r.mapping(0, 0)
	return fields, r.faults
}

func (r *reader) fault(format string, args ...any) {
	r.faults = append(r.faults, Fault{r.first + r.at, fmt.Sprintf(format, args...)})
}

// peek skips blank lines and comments and gives the next line with its indentation.
func (r *reader) peek() (text string, indent int, ok bool) {
	for ; r.at < len(r.lines); r.at++ {
		l := r.lines[r.at]
		text = strings.TrimLeft(l, " ")
		if strings.TrimLeft(text, "\t") == "" || text[0] == '#' {
			continue
		}
		return strings.TrimRight(text, " \t"), len(l) - len(text), true
	}
	return "", 0, false
}

// skip passes over the lines that belong to a value which could not be read.
func (r *reader) skip(indent int) {
	for {
		if _, in, ok := r.peek(); !ok || in <= indent {
			return
		}
		r.at++
	}
}

func (r *reader) mapping(indent, depth int) []Field {
	var fields []Field
	for {
		text, in, ok := r.peek()
		if !ok || in < indent {
			return fields
		}
		if in > indent {
			r.fault("unexpected indentation")
			r.at++
			continue
		}
		key, rest, why := cutKey(text)
		if why != "" {
			r.fault("%s", why)
			r.at++
			r.skip(indent)
			continue
		}
		line := r.first + r.at
		for _, f := range fields {
			if f.Key == key {
				r.fault("key %q is written twice (first on line %d)", key, f.Line)
			}
		}
		v, ok := r.value(rest, indent, depth)
		if ok {
			fields = append(fields, Field{key, v, line})
		}
	}
}

// cutKey separates `key: rest`.
func cutKey(text string) (key, rest, why string) {
	if text[0] == '"' || text[0] == '\'' {
		s, n, err := quoted(text)
		if err != "" {
			return "", "", err
		}
		if n >= len(text) || text[n] != ':' || (n+1 < len(text) && text[n+1] != ' ') {
			return "", "", "expected `key: value`"
		}
		return s, strings.TrimLeft(text[n+1:], " "), ""
	}
	i := strings.Index(text, ": ")
	if strings.HasSuffix(text, ":") && (i < 0 || i == len(text)-1) {
		i = len(text) - 1
	}
	if i <= 0 {
		return "", "", "expected `key: value`"
	}
	key = strings.TrimRight(text[:i], " ")
	if !plainKey(key) {
		return "", "", "key " + strconv.Quote(clip(key)) + " needs quotes"
	}
	return key, strings.TrimLeft(text[i+1:], " "), ""
}

// plainKey reports whether s is a word or words as keys without quotes are, and none of YAML's special forms.
func plainKey(s string) bool {
	if len(s) > 256 || strings.HasPrefix(s, "-") || strings.HasPrefix(s, ".") {
		return false
	}
	for _, c := range s {
		if c < 0x80 && !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-. /", c)) || control(c) {
			return false
		}
	}
	return true
}

// value reads what stands after a key; the current line is the key's.
func (r *reader) value(rest string, indent, depth int) (Value, bool) {
	if rest == "" || rest[0] == '#' {
		r.at++
		return r.block(indent, depth)
	}
	v, why := inline(rest)
	if why != "" {
		r.fault("%s", why)
		r.at++
		r.skip(indent)
		return Value{}, false
	}
	r.at++
	if r.continued(indent) {
		r.fault("a value that goes on over several lines is not supported here: put it on one line")
		r.skip(indent)
		return Value{}, false
	}
	return v, true
}

// continued reports whether the next line is indented under the scalar just read, which YAML folds into it.
func (r *reader) continued(indent int) bool {
	_, in, ok := r.peek()
	return ok && in > indent
}

// block reads the list or mapping under a key, or null.
func (r *reader) block(indent, depth int) (Value, bool) {
	text, in, ok := r.peek()
	switch {
	case !ok || in < indent:
		return Value{}, true
	case text == "-" || strings.HasPrefix(text, "- "):
		return r.list(in)
	case in == indent:
		return Value{}, true
	case depth > 0:
		r.fault("more than one level of mapping")
		r.skip(indent)
		return Value{}, false
	}
	if strings.HasPrefix(text, "\t") {
		r.fault("a tab cannot indent")
		r.skip(indent)
		return Value{}, false
	}
	if _, _, why := cutKey(text); why != "" {
		r.fault("%s", why)
		r.skip(indent)
		return Value{}, false
	}
	before := len(r.faults)
	m := r.mapping(in, depth+1)
	return Value{Kind: Mapping, Map: m}, len(r.faults) == before
}

func (r *reader) list(indent int) (Value, bool) {
	v := Value{Kind: Sequence}
	ok := true
	for {
		text, in, more := r.peek()
		if !more || in < indent || in == indent && text != "-" && !strings.HasPrefix(text, "- ") {
			return v, ok
		}
		if in > indent {
			r.fault("unexpected indentation in a list")
			r.at++
			ok = false
			continue
		}
		item := strings.TrimLeft(text[1:], " ")
		if item == "" || item[0] == '#' {
			r.at++
			if r.continued(indent) {
				r.fault("a list in a list is not supported here")
				r.skip(indent)
				ok = false
			}
			v.List = append(v.List, Value{})
			continue
		}
		e, why := inline(item)
		if why == "" && !isQuote(item[0]) && (strings.HasPrefix(item, "- ") || item == "-") {
			why = "a list in a list is not supported here"
		}
		if why != "" {
			r.fault("%s", why)
			r.at++
			r.skip(indent)
			ok = false
			continue
		}
		r.at++
		if r.continued(indent) {
			r.fault("a list entry that goes on over several lines is not supported here")
			r.skip(indent)
			ok = false
		}
		v.List = append(v.List, e)
	}
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// inline reads a scalar or a flow list that ends on its line, with an optional comment.
func inline(s string) (Value, string) {
	switch {
	case isQuote(s[0]):
		text, n, why := quoted(s)
		if why != "" {
			return Value{}, why
		}
		if !onlyComment(s[n:]) {
			return Value{}, "text after the closing quote"
		}
		return Value{Text: text, Quoted: true}, ""
	case s[0] == '[':
		v, n, why := flow(s)
		if why != "" {
			return Value{}, why
		}
		if !onlyComment(s[n:]) {
			return Value{}, "text after ]"
		}
		return v, ""
	case s[0] == '{':
		if strings.TrimSpace(s) == "{}" {
			return Value{Kind: Mapping}, ""
		}
		return Value{}, "{…} is not supported here: write one key a line"
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, "\t#"); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, " \t")
	if s == "" {
		return Value{}, ""
	}
	if why := plainFault(s); why != "" {
		return Value{}, why
	}
	return Value{Text: s}, ""
}

func onlyComment(s string) bool {
	t := strings.TrimLeft(s, " \t")
	return t == "" || t[0] == '#' && len(t) < len(s)
}

// plainFault says why s cannot be a scalar without quotes.
func plainFault(s string) string {
	switch s[0] {
	case '&', '*', '!', '|', '>', '%', '@', '`', '"', '\'', '[', ']', '{', '}', ',', '#':
		if s[0] == '|' || s[0] == '>' {
			return "block text (" + s[:1] + ") is not supported here: put it on one line"
		}
		return "a value that starts with " + s[:1] + " needs quotes"
	case '-', '?', ':':
		if len(s) == 1 || s[1] == ' ' || s[1] == '\t' {
			return "a value that starts with " + s[:1] + " needs quotes"
		}
	}
	if strings.Contains(s, ": ") || strings.Contains(s, ":\t") || strings.HasSuffix(s, ":") {
		return "a value with a colon needs quotes: " + strconv.Quote(clip(s))
	}
	for _, c := range s {
		if control(c) {
			return "control character in a value"
		}
	}
	return ""
}

// control reports the characters that YAML does not allow to stand in a file, and tabs and other line
// breaks, whose folding is not worth following.
func control(c rune) bool {
	switch {
	case c < ' ', c == 0x7f, c >= 0x80 && c < 0xa0, c == 0x2028, c == 0x2029, c == 0xfeff, c == 0xfffe, c == 0xffff:
		return true
	}
	return false
}

// quoted reads the quoted text at the start of s and gives the length of its source.
func quoted(s string) (text string, n int, why string) {
	q := s[0]
	var b strings.Builder
	for i := 1; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case control(c):
			return "", 0, "control character in quotes"
		case s[i] == q && q == '\'' && i+1 < len(s) && s[i+1] == q:
			b.WriteByte(q)
			i += 2
		case s[i] == q:
			return b.String(), i + 1, ""
		case s[i] == '\\' && q == '"':
			r, used := escape(s[i:])
			if used == 0 {
				return "", 0, "unknown escape in double quotes"
			}
			b.WriteRune(r)
			i += used
		default:
			b.WriteString(s[i : i+size])
			i += size
		}
	}
	return "", 0, "quote is not closed on its line"
}

// escape reads one backslash escape; used is 0 when it is none.
func escape(s string) (r rune, used int) {
	if len(s) < 2 {
		return 0, 0
	}
	digits := 0
	switch s[1] {
	case '"', '\\', ' ':
		return rune(s[1]), 2
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case '0':
		return 0, 2
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return 0, 0
	}
	if len(s) < 2+digits {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(v)) || v > utf8.MaxRune {
		return 0, 0
	}
	return rune(v), 2 + digits
}

// flow reads `[a, "b", c]` and gives the length of its source.
func flow(s string) (v Value, n int, why string) {
	v.Kind = Sequence
	i := 1
	for {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i >= len(s) {
			return v, 0, "[ is not closed on its line"
		}
		if s[i] == ']' {
			return v, i + 1, ""
		}
		var e Value
		if isQuote(s[i]) {
			text, used, why := quoted(s[i:])
			if why != "" {
				return v, 0, why
			}
			e = Value{Text: text, Quoted: true}
			i += used
		} else {
			end := strings.IndexAny(s[i:], ",[]{}")
			if end < 0 {
				return v, 0, "[ is not closed on its line"
			}
			text := strings.TrimRight(s[i:i+end], " ")
			if text == "" {
				return v, 0, "empty entry in a list"
			}
			// In a flow list `-` alone, ? and : have further meanings that nobody uses in front matter.
			if why := plainFault(text); why != "" || strings.Contains(text, " #") || strings.ContainsAny(text[:1], "-?:") {
				return v, 0, "entry " + strconv.Quote(clip(text)) + " of a list needs quotes"
			}
			e = Value{Text: text}
			i += end
		}
		v.List = append(v.List, e)
		for i < len(s) && s[i] == ' ' {
			i++
		}
		switch {
		case i < len(s) && s[i] == ',':
			i++
		case i < len(s) && s[i] == ']':
		default:
			return v, 0, "expected , or ] in a list"
		}
	}
}

// clip keeps messages about hostile input to one line of sensible length.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
