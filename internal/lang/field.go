package lang

import (
	"bytes"
	"strings"
)

// The readers here take one field out of a manifest. They are no parsers: a
// manifest is somebody else's to judge, and a hook has no time to build trees of
// it. What they cannot make out is absent, never guessed.

// tomlField finds key = value in TOML and INI files, by its full dotted path. A
// table that is given as value answers with its "version".
func tomlField(data []byte, field string) string {
	section := ""
	for line := range bytes.Lines(data) {
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

// unquote takes a leading quoted string, or the value up to a comment.
func unquote(s string) string {
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

// yamlField follows a dotted path by indentation.
func yamlField(data []byte, field string) string {
	keys := strings.Split(field, ".")
	indents := make([]int, 0, len(keys)) // of the keys found so far
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), " \t\r\n")
		s := strings.TrimLeft(text, " ")
		if s == "" || s[0] == '#' {
			continue
		}
		indent := len(text) - len(s)
		for len(indents) > 0 && indent <= indents[len(indents)-1] {
			indents = indents[:len(indents)-1]
		}
		// The dot of a key such as "a.b" is not supported; none of ours has one.
		key, value, ok := strings.Cut(s, ":")
		if !ok || strings.Trim(key, `"'`) != keys[len(indents)] || len(indents) == 0 && indent > 0 {
			continue
		}
		if len(indents) == len(keys)-1 {
			return unquote(value)
		}
		indents = append(indents, indent)
	}
	return ""
}

// xmlField is the text of the first element of that name that holds text and no
// reference to a property.
func xmlField(data []byte, tag string) string {
	open := []byte("<" + tag + ">")
	for {
		i := bytes.Index(data, open)
		if i < 0 {
			return ""
		}
		data = data[i+len(open):]
		end := bytes.IndexByte(data, '<')
		if end < 0 {
			return ""
		}
		if v := strings.TrimSpace(string(data[:end])); v != "" && !strings.ContainsAny(v, "$@") {
			return v
		}
	}
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

// jsonHas says whether the field exists and is not null or false.
func jsonHas(data []byte, field string) bool {
	raw, ok := jsonFind(data, field)
	return ok && string(raw) != "null" && string(raw) != "false"
}

// jsonFind returns the raw value of a dotted path through objects.
func jsonFind(data []byte, field string) ([]byte, bool) {
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
	s := jsonScanner{data: data}
	if s.next() != '{' {
		return nil, false
	}
	s.at++
	for s.next() == '"' {
		k := s.value()
		if s.next() != ':' {
			return nil, false
		}
		s.at++
		v := s.value()
		if len(v) == 0 {
			return nil, false
		}
		if len(k) >= 2 && string(k[1:len(k)-1]) == key {
			return v, true
		}
		if s.next() != ',' {
			return nil, false
		}
		s.at++
	}
	return nil, false
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

// lineField captures what stands for {} in pattern. In the pattern a blank means
// any blanks or none, a quote either quote, a leading newline the start of a
// line. after, when given, must come first.
func lineField(data []byte, after, pattern string) string {
	if after != "" {
		i := bytes.Index(data, []byte(after))
		if strings.HasPrefix(after, "\n") && bytes.HasPrefix(data, []byte(after[1:])) {
			i = 0
		}
		if i < 0 {
			return ""
		}
		data = data[i+len(after)-1:]
	}
	before, behind, _ := strings.Cut(pattern, "{}")
	before, atLine := strings.CutPrefix(before, "\n")
	rest := strings.TrimLeft(before, ` "'`)
	lead := before[:len(before)-len(rest)]
	anchor := rest
	if i := strings.IndexAny(rest, ` "'`); i > 0 {
		anchor = rest[:i]
	}
	if anchor == "" {
		return ""
	}
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], []byte(anchor))
		if i < 0 {
			return ""
		}
		at += i
		if atLine && at > 0 && data[at-1] != '\n' || !led(data[:at], lead, anchor[0]) || commented(data, at) {
			continue
		}
		n, ok := flexible(data[at:], rest)
		if !ok {
			continue
		}
		value := captured(data[at+n:], strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'"))
		if value == "" {
			continue
		}
		if _, ok := flexible(data[at+n+len(value):], behind); ok {
			return value
		}
	}
}

// led says whether what stands before the anchor fits the pattern's lead: a quote
// for a quote, otherwise no part of a longer word.
func led(data []byte, lead string, first byte) bool {
	if strings.ContainsAny(lead, `"'`) {
		return len(data) > 0 && (data[len(data)-1] == '"' || data[len(data)-1] == '\'')
	}
	return !wordByte(first) || len(data) == 0 || !wordByte(data[len(data)-1])
}

// commented says whether at lies in a comment that takes the line from its start.
func commented(data []byte, at int) bool {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	lead := bytes.TrimLeft(data[start:at], " \t")
	return bytes.HasPrefix(lead, []byte("#")) || bytes.HasPrefix(lead, []byte("//")) || bytes.HasPrefix(lead, []byte("-- "))
}

// flexible matches a pattern in which blanks and quotes are loose, and returns
// how many bytes it took.
func flexible(data []byte, pattern string) (n int, ok bool) {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case ' ':
			for n < len(data) && (data[n] == ' ' || data[n] == '\t') {
				n++
			}
		case '"', '\'':
			if n == len(data) || data[n] != '"' && data[n] != '\'' {
				return 0, false
			}
			n++
		default:
			if n == len(data) || data[n] != c {
				return 0, false
			}
			n++
			// "a=b" matches "a = b".
			if c == '=' && n < len(data) && i+1 < len(pattern) && pattern[i+1] != '=' {
				for n < len(data) && data[n] == ' ' {
					n++
				}
			}
		}
	}
	return n, true
}

// captured is the value at the start of data: up to the closing quote, or a word
// that begins like a number.
func captured(data []byte, quoted bool) string {
	n := 0
	for n < len(data) && n < 64 {
		c := data[n]
		if c == '"' || c == '\'' || c == '\n' || c == '\r' || c == '$' || c == '{' {
			break
		}
		if !quoted && !digit(c) && !strings.ContainsRune(".+-_*<>=~^!", rune(c)) && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			break
		}
		n++
	}
	v := string(data[:n])
	if !strings.ContainsAny(v, "0123456789") || quoted && (n == len(data) || data[n] != '"' && data[n] != '\'') {
		return ""
	}
	if !quoted && !digit(v[0]) && !strings.ContainsRune("<>=~^", rune(v[0])) {
		return ""
	}
	return v
}
