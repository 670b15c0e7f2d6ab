package hook

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Value is one JSON value as it stands in the input, without blanks around it; "" is a value that is not there. All questions
// can be asked of any value: a number has no text, a missing object has no members. That is what lets a handler read a payload
// whose shape has drifted without checking each step.
//
// A string rather than bytes, so that texts without escapes are handed out without a copy.
type Value string

// Member is one named value of an object.
type Member struct {
	Name  string
	Value Value
}

// Parse reads one JSON text. Its errors say at which byte what was wrong.
func Parse(text string) (Value, error) {
	start := blanks(text, 0)
	if start == len(text) {
		return "", nil
	}
	end, err := skip(text, start, 0)
	if err != nil {
		return "", err
	}
	if rest := blanks(text, end); rest != len(text) {
		return "", &syntaxError{text, rest, "after the end of the JSON value"}
	}
	return Value(text[start:end]), nil
}

// Members appends the members of one JSON object to into, in one pass that also proves the whole text to be JSON.
func Members(text string, into []Member) ([]Member, error) {
	i := blanks(text, 0)
	if i == len(text) {
		return into, nil
	}
	if text[i] != '{' {
		return into, &syntaxError{text, i, "where a JSON object should begin"}
	}
	end, err := object(text, i, 0, func(name string, v Value) bool {
		into = append(into, Member{name, v})
		return true
	})
	if err != nil {
		return into, err
	}
	if rest := blanks(text, end); rest != len(text) {
		return into, &syntaxError{text, rest, "after the end of the JSON object"}
	}
	return into, nil
}

// Present says whether there is a value other than null.
func (v Value) Present() bool { return v != "" && v != "null" }

// IsObject, IsArray and IsText tell the kinds apart.
func (v Value) IsObject() bool { return v != "" && v[0] == '{' }

// IsArray says whether v is a list.
func (v Value) IsArray() bool { return v != "" && v[0] == '[' }

// IsText says whether v is a string.
func (v Value) IsText() bool { return v != "" && v[0] == '"' }

// Text is the text of a string; "" for everything else.
func (v Value) Text() string {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return ""
	}
	inner := string(v[1 : len(v)-1])
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return unescape(inner)
}

// Bool says whether v is true.
func (v Value) Bool() bool { return v == "true" }

// Float is the number, 0 for everything else.
func (v Value) Float() float64 {
	if v == "" || (v[0] != '-' && (v[0] < '0' || v[0] > '9')) {
		return 0
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return 0
	}
	return f
}

// Int is the number without its fraction, 0 for everything else and for what an int64 cannot hold.
func (v Value) Int() int64 {
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		return n
	}
	// Beyond 2^53 a float has no fraction left to cut and its conversion is not portable.
	if f := v.Float(); f > -1<<53 && f < 1<<53 {
		return int64(f)
	}
	return 0
}

// Get is the member of that name, "" when v has none. The last of several counts.
func (v Value) Get(name string) Value {
	var found Value
	for n, m := range v.Members() {
		if n == name {
			found = m
		}
	}
	return found
}

// Members goes through the members of an object in their order; nothing for everything else.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.IsObject() {
			// A value that did not come from Parse may be broken: its members up to there are handed out.
			_, _ = object(string(v), 0, 0, yield)
		}
	}
}

// Items goes through the elements of a list in their order; nothing for everything else.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.IsArray() {
			_, _ = array(string(v), 0, 0, yield)
		}
	}
}

// Any is v as encoding/json makes it where nothing is known of its shape: a map, a list, a string, a float64, a bool or nil. It goes
// over a text once instead of three times. false means a number that is none for a float64.
func (v Value) Any() (any, bool) { return v.any(maxAny) }

// maxAny bounds how often Any goes over what is nested: deeper parts are left to encoding/json, which does so once for all of them.
const maxAny = 6

func (v Value) any(levels int) (x any, ok bool) {
	switch {
	case v.IsText():
		return v.Text(), true
	case levels == 0:
		ok = v.Decode(&x) == nil
		return x, ok
	case v.IsObject():
		all := map[string]any{}
		for name, m := range v.Members() {
			if all[name], ok = m.any(levels - 1); !ok {
				return nil, false
			}
		}
		return all, true
	case v.IsArray():
		list := []any{}
		for m := range v.Items() {
			if x, ok = m.any(levels - 1); !ok {
				return nil, false
			}
			list = append(list, x)
		}
		return list, true
	case !v.Present():
		return nil, true
	case v == "true" || v == "false":
		return v.Bool(), true
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil
}

// Decode stores v into what into points to, by the rules of encoding/json.
func (v Value) Decode(into any) error { return json.Unmarshal([]byte(v), into) }

// MarshalJSON lets a value be part of an answer. What is no JSON becomes null.
func (v Value) MarshalJSON() ([]byte, error) {
	if w, err := Parse(string(v)); err == nil && w != "" {
		return []byte(w), nil
	}
	return []byte("null"), nil
}

type syntaxError struct {
	text  string
	at    int
	where string
}

func (e *syntaxError) Error() string {
	if e.at >= len(e.text) {
		return fmt.Sprintf("byte %d: the input ends %s", e.at, e.where)
	}
	r, _ := utf8.DecodeRuneInString(e.text[e.at:])
	return fmt.Sprintf("byte %d: %q %s", e.at, r, e.where)
}

// unescape resolves the escapes of a string's inside. Half a surrogate pair becomes U+FFFD, as in encoding/json.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], '\\')
		if n < 0 || i+n+1 == len(s) {
			b.WriteString(s[i:])
			break
		}
		b.WriteString(s[i : i+n])
		i += n + 2
		switch c := s[i-1]; c {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := hex4(s, i)
			i = min(i+4, len(s))
			if utf16.IsSurrogate(r) {
				pair := utf8.RuneError
				if strings.HasPrefix(s[i:], `\u`) {
					pair = utf16.DecodeRune(r, hex4(s, i+2))
				}
				if r = pair; r != utf8.RuneError {
					i += 6
				}
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func hex4(s string, i int) rune {
	if i+4 > len(s) {
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(s[i:i+4], 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}
