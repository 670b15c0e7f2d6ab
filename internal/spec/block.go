package spec

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/term"
)

// reader walks the lines of one front matter.
type reader struct {
	lines  []string
	at     int // index of the next line
	first  int // file line of lines[0]
	faults []Fault
	wrong  int // how many faults there were, those beyond maxFaults too
}

// ParseFront reads the text between the two --- lines; first is the file line of its first line.
func ParseFront(front string, first int) ([]Field, []Fault) {
	r := &reader{lines: strings.Split(front, "\n"), first: first}
	// YAML is Unicode; what is left of a broken file would be a guess.
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

// maxFaults bounds how many faults of one document are told. Who has mended so many runs the check again, and a document made of
// nothing else must not cost more than it is long.
const maxFaults = 100

// fault notes what is wrong with the current line.
func (r *reader) fault(format string, args ...any) {
	r.wrong++
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, Fault{Line: r.first + r.at, Text: fmt.Sprintf(format, args...)})
	}
}

// note says how something was read that is no YAML and can mean one thing alone.
func (r *reader) note(text string) {
	if text != "" && len(r.faults) < maxFaults {
		r.faults = append(r.faults, Fault{Line: r.first + r.at, Text: text, Note: true})
	}
}

// peek skips blank lines and comments and gives the next line with its indentation.
func (r *reader) peek() (text string, indent int, ok bool) {
	for ; r.at < len(r.lines); r.at++ {
		l := r.lines[r.at]
		text = strings.TrimLeft(l, " ")
		if strings.TrimLeft(text, " \t") == "" || text[0] == '#' {
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

// mapping reads the keys of one indentation. A key that cannot be read is passed over with all that belongs to it, so that the fields
// after it stay.
func (r *reader) mapping(indent, depth int) []Field {
	var fields []Field
	lines := map[string]int{} // key → where it stands first
	for {
		text, in, ok := r.peek()
		if !ok || in < indent {
			return fields
		}
		// The rest of the mapping is still at its own depth, so reading goes on with it.
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
		// YAML libraries refuse this, and which of the two is meant nobody knows. The first one counts.
		if at, twice := lines[key]; twice {
			r.fault("key %q is written twice (first on line %d)", key, at)
		} else {
			lines[key] = line
		}
		v, ok := r.value(rest, indent, depth)
		if ok {
			fields = append(fields, Field{key, v, line})
		}
	}
}

// longestKey bounds a key, in bytes. YAML itself allows 1024.
const longestKey = 256

// cutKey separates `key: rest`.
func cutKey(text string) (key, rest, why string) {
	if text[0] == '"' || text[0] == '\'' {
		s, n, err := quoted(text)
		if err != "" {
			return "", "", err
		}
		if n > longestKey {
			return "", "", "a key of more than 256 bytes"
		}
		if n >= len(text) || text[n] != ':' || (n+1 < len(text) && text[n+1] != ' ' && text[n+1] != '\t') {
			return "", "", "expected `key: value`"
		}
		return s, strings.TrimLeft(text[n+1:], " \t"), ""
	}
	// The first colon with a blank behind it, or at the end: times and addresses have others.
	i := strings.IndexByte(text, ':')
	for i >= 0 && i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '\t' { // a:b is a word
		next := strings.IndexByte(text[i+1:], ':')
		if next < 0 {
			i = -1
			break
		}
		i += 1 + next
	}
	if i <= 0 {
		return "", "", "expected `key: value`"
	}
	key = strings.TrimRight(text[:i], " ")
	if !plainKey(key) {
		return "", "", "key " + strconv.Quote(term.Clip(key, mostQuoted)) + " needs quotes"
	}
	return key, strings.TrimLeft(text[i+1:], " \t"), ""
}

// plainKey reports whether s is a word or words as keys without quotes are, and none of YAML's special forms.
func plainKey(s string) bool {
	if len(s) > longestKey || strings.HasPrefix(s, "-") || strings.HasPrefix(s, ".") {
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
	v, note, why := inline(rest)
	r.note(note)
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
	// YAML lets the entries of a list stand as deep as their key.
	case isEntry(text):
		return r.list(in)
	// The next key: this one had no value, which is null.
	case in == indent:
		return Value{}, true
	// The standard has no deeper fields, and each level would be one more way to differ from YAML.
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
	before := r.wrong
	m := r.mapping(in, depth+1)
	return Value{Kind: Mapping, Map: m}, r.wrong == before
}

// isEntry reports whether a line is one of a list. With a tab it is a faulty one, which list reports.
func isEntry(text string) bool {
	return text == "-" || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "-\t")
}

// list reads the entries of one indentation; ok is false when one of them could not be read, since half a list means something else.
func (r *reader) list(indent int) (Value, bool) {
	v := Value{Kind: Sequence}
	ok := true
	for {
		text, in, more := r.peek()
		// At its key's own depth a list ends where the next key comes.
		if !more || in < indent || in == indent && !isEntry(text) {
			return v, ok
		}
		if in > indent {
			r.fault("unexpected indentation in a list")
			r.at++
			ok = false
			continue
		}
		item := strings.TrimLeft(text[1:], " ")
		// peek has cut the tab off where nothing follows it.
		if strings.HasPrefix(strings.TrimLeft(r.lines[r.at][in+1:], " "), "\t") {
			r.fault("a tab cannot follow -")
			r.at++
			r.skip(indent)
			ok = false
			continue
		}
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
		e, note, why := inline(item)
		r.note(note)
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
