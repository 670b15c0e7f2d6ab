package shell

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of variables in letters beyond ASCII: zsh has them, 폴더=src; rm -rf "$폴더", and
// bash takes both words as they are. The parser knows those of bash, so that they are
// given other names, of the same length, and nothing else moves.

// maxNames bounds the names that are looked for in one text; nobody writes as many.
const maxNames = 16

// plainNames returns text with such names replaced, text itself if there are none.
func (e *engine) plainNames(text string) string {
	var names []string
	for i := strings.IndexByte(text, '$'); i >= 0 && len(names) < maxNames; {
		i++
		if rest := strings.TrimPrefix(text[i:], "{"); rest != "" {
			if name := rest[:wideName(rest)]; name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		next := strings.IndexByte(text[i:], '$')
		if next < 0 {
			break
		}
		i += next
	}
	for _, name := range names {
		// Two looks through the text, one of them for each letter, and a copy.
		if !e.work.Take(4 * len(text) / copyBytes) {
			break
		}
		if plain := freeName(text, len(name)); plain != "" {
			text = renamed(text, name, plain)
		}
	}
	return text
}

// wideName returns the length of the name at the beginning of s, 0 if that is in ASCII.
func wideName(s string) int {
	wide := false
	for i, r := range s {
		if r >= utf8.RuneSelf && unicode.IsLetter(r) {
			wide = true
		} else if r >= utf8.RuneSelf || !nameByte(byte(r)) {
			s = s[:i]
			break
		}
	}
	if !wide || digit(s[0]) < 10 {
		return 0
	}
	return len(s)
}

// freeName returns a name of n bytes that is nowhere in a text, "" if there is none.
func freeName(text string, n int) string {
	for c := 'a'; c <= 'z'; c++ {
		if s := strings.Repeat(string(c), n); !strings.Contains(text, s) {
			return s
		}
	}
	return ""
}

// renamed replaces a name where it is a variable: behind $ and ${, before = and +=, and
// where a loop or read sets it.
func renamed(text, name, plain string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.Index(text, name)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		before, after := text[:i], text[i+len(name):]
		starts := i == 0 || strings.IndexByte(" \t\n;&|(", before[i-1]) >= 0
		variable := strings.HasSuffix(before, "$") || strings.HasSuffix(before, "${") || starts && (strings.HasPrefix(after, "=") || strings.HasPrefix(after, "+=")) ||
			strings.HasSuffix(before, "for ") || strings.HasSuffix(before, "read ") || strings.HasSuffix(before, "read -r ")
		b.WriteString(before)
		if variable {
			b.WriteString(plain)
		} else {
			b.WriteString(name)
		}
		text = after
	}
}
