package lang

import (
	"bytes"
	"iter"
	"strings"
)

// The readers here take one field out of a manifest. They are no parsers: a
// manifest is somebody else's to judge, and a hook has no time to build trees of
// it. What they cannot make out is absent, never guessed.

// tomlField finds key = value in TOML and INI files, by its full dotted path. A
// table that is given as value answers with its "version".
func tomlField(data []byte, field string) string {
	section, at := "", 0
	for line := range bytes.Lines(data) {
		at += len(line)
		s := strings.TrimSpace(string(line))
		if s == "" || s[0] == '#' || s[0] == ';' {
			continue
		}
		if s[0] == '[' {
			section = strings.Trim(strings.SplitN(s, "#", 2)[0], "[] \t\"")
			continue
		}
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			continue
		}
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		full := key
		if section != "" {
			full = section + "." + key
		}
		if full != field {
			continue
		}
		value = strings.TrimSpace(value)
		if value == "" {
			// INI files may go on, indented, on the next line.
			next, _, _ := bytes.Cut(data[at:], []byte("\n"))
			if len(next) > 0 && (next[0] == ' ' || next[0] == '\t') {
				value = string(next)
			}
		}
		if value == "[" { // a list, whose entries stand below
			next, _, _ := bytes.Cut(data[at:], []byte("\n"))
			value = strings.TrimLeft(string(next), " \t{")
		}
		if strings.HasPrefix(value, "{") {
			_, value, ok = strings.Cut(value, "version")
			if !ok {
				return ""
			}
			value = strings.TrimLeft(value, " \t=")
		}
		return unquote(value)
	}
	return ""
}

// unquote takes a leading quoted string, the first of a list, or the value up to
// a comment.
func unquote(s string) string {
	s = strings.TrimLeft(s, " \t\r\n[")
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if q := s[0]; q == '"' || q == '\'' {
		s = s[1:]
		if i := strings.IndexByte(s, q); i >= 0 {
			return s[:i]
		}
		return ""
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// yamlField follows a path by indentation. Its parts are parted by dots, or by
// slashes where a key has dots of its own.
func yamlField(data []byte, field string) string {
	by := "."
	if strings.Contains(field, "/") {
		by = "/"
	}
	keys := strings.Split(field, by)
	indents := make([]int, 0, len(keys)) // of the keys found so far
	for line := range bytes.Lines(data) {
		text := bytes.TrimRight(line, " \t\r\n")
		s := bytes.TrimLeft(text, " ")
		if len(s) == 0 || s[0] == '#' {
			continue
		}
		indent := len(text) - len(s)
		if n := len(indents); n > 0 && indent <= indents[n-1] {
			// No key comes twice, so that what was left does not come again: the rest of a
			// lock file need not be read.
			return ""
		}
		key, value, ok := bytes.Cut(s, []byte(":"))
		if !ok || string(bytes.Trim(key, `"'`)) != keys[len(indents)] || len(indents) == 0 && indent > 0 {
			continue
		}
		if len(indents) == len(keys)-1 {
			return unquote(string(value))
		}
		indents = append(indents, indent)
	}
	return ""
}

// jsonField is a string (or number) by its dotted path.
func jsonField(data []byte, field string) string {
	raw, ok := jsonFind(data, field)
	if !ok || len(raw) == 0 {
		return ""
	}
	if raw[0] == '"' {
		return strings.ReplaceAll(string(raw[1:len(raw)-1]), `\"`, `"`)
	}
	if digit(raw[0]) {
		return string(raw)
	}
	return ""
}

// noTest is in the script that npm init writes where there are no tests yet.
const noTest = "no test specified"

// jsonHas says whether the field exists and is not null, false or npm's placeholder.
func jsonHas(data []byte, field string) bool {
	raw, ok := jsonFind(data, field)
	return ok && string(raw) != "null" && string(raw) != "false" && !bytes.Contains(raw[:min(len(raw), 200)], []byte(noTest))
}

// jsonFind returns the raw value of a dotted path through objects.
func jsonFind(data []byte, field string) ([]byte, bool) {
	// Most fields that are asked for are in no file: to look for the bytes of a name is much faster than to go through the members.
	if !bytes.Contains(data, []byte(field[strings.LastIndexByte(field, '.')+1:]+`"`)) {
		return nil, false
	}
	if v, ok := jsonMember(data, field); ok {
		return v, true // settings of editors have names with dots
	}
	for {
		key, rest, more := strings.Cut(field, ".")
		value, ok := jsonMember(data, key)
		if !ok {
			return nil, false
		}
		if !more {
			return value, true
		}
		data, field = value, rest
	}
}

// jsonMember finds one member of an object, skipping what lies between without
// looking into it. Comments, as tsconfig.json has them, are passed over.
func jsonMember(data []byte, key string) ([]byte, bool) {
	if !bytes.Contains(data, []byte(`"`+key+`"`)) {
		return nil, false
	}
	for k, v := range jsonObject(data) {
		if k == key {
			return v, true
		}
	}
	return nil, false
}

// jsonObject walks over the members of an object, as far as they can be made out.
func jsonObject(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		s := jsonScanner{data: data}
		if s.next() != '{' {
			return
		}
		s.at++
		for s.next() == '"' {
			k := s.value()
			if s.next() != ':' {
				return
			}
			s.at++
			v := s.value()
			if len(v) == 0 || len(k) >= 2 && !yield(string(k[1:len(k)-1]), v) || s.next() != ',' {
				return
			}
			s.at++
		}
	}
}

// jsonScanner walks over JSON text without building anything.
type jsonScanner struct {
	data []byte
	at   int
}

// next skips blanks and comments and returns the byte there, 0 at the end.
func (s *jsonScanner) next() byte {
	for s.at < len(s.data) {
		c := s.data[s.at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case c == '/' && bytes.HasPrefix(s.data[s.at:], []byte("//")):
			n := bytes.IndexByte(s.data[s.at:], '\n')
			if n < 0 {
				s.at = len(s.data)
				return 0
			}
			s.at += n
		case c == '/' && bytes.HasPrefix(s.data[s.at:], []byte("/*")):
			n := bytes.Index(s.data[s.at:], []byte("*/"))
			if n < 0 {
				s.at = len(s.data)
				return 0
			}
			s.at += n + 2
		default:
			return c
		}
	}
	return 0
}

// value skips one value and returns its bytes; nil when the text ends in it.
func (s *jsonScanner) value() []byte {
	s.next()
	start, depth := s.at, 0
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case '"':
			if !s.skipString() {
				return nil
			}
			if depth == 0 {
				return s.data[start:s.at]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s.data[start:s.at]
			}
			if depth--; depth == 0 {
				s.at++
				return s.data[start:s.at]
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return s.data[start:s.at]
			}
		case '/':
			if at := s.at; depth > 0 {
				s.next()
				if s.at != at {
					continue
				}
			}
		}
		s.at++
	}
	if depth == 0 {
		return s.data[start:]
	}
	return nil
}

// skipString does not look at what is escaped, only past it.
func (s *jsonScanner) skipString() bool {
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return true
		}
	}
	return false
}
