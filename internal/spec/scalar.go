package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/term"
)

// mostQuoted keeps messages about hostile input to one line of sensible length, in bytes of what is quoted.
const mostQuoted = 60

// A value that ends on its line: a scalar in one of the three quoting styles, or a flow list of them.

// isQuote reports what opens a scalar in quotes.
func isQuote(c byte) bool { return c == '"' || c == '\'' }

// inline reads a scalar or a flow list that ends on its line, with an optional comment. note tells of what is no YAML and was read as
// it was meant.
func inline(s string) (v Value, note, why string) {
	switch {
	case isQuote(s[0]):
		text, n, why := quoted(s)
		if why != "" {
			return Value{}, "", why
		}
		if !onlyComment(s[n:]) {
			return Value{}, "", "text after the closing quote"
		}
		return Value{Text: text, Quoted: true}, "", ""
	case s[0] == '[':
		v, n, note, why := flow(s)
		if why != "" {
			return Value{}, "", why
		}
		if !onlyComment(s[n:]) {
			return Value{}, "", "text after ]"
		}
		return v, note, ""
	// No field of the standard is a mapping on one line; {} is what tools write for an empty one.
	case s[0] == '{':
		if strings.TrimSpace(s) == "{}" {
			return Value{Kind: Mapping}, "", ""
		}
		return Value{}, "", "{…} is not supported here: write one key a line"
	}
	// Without quotes a value ends where a comment begins; a "#" within a word belongs to it.
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, "\t#"); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, " \t")
	if s == "" {
		return Value{}, "", ""
	}
	if note, why = plainNote(s); why != "" {
		return Value{}, "", why
	}
	return Value{Text: s, Quoted: note != ""}, note, ""
}

// plainNote is [plainFault], save for a value that starts with "@": YAML keeps that mark for itself and gives it no meaning, while
// `author: @Goos` has been the way to name somebody from the first SPEC on.
func plainNote(s string) (note, why string) {
	if s[0] != '@' {
		return "", plainFault(s)
	}
	if len(s) > 1 {
		why = plainFault(s[1:])
	}
	return "a value that starts with @ needs quotes in YAML; it was read as " + strconv.Quote(term.Clip(s, mostQuoted)), why
}

// onlyComment reports that nothing but a comment follows a value; "#" begins one only behind a blank.
func onlyComment(s string) bool {
	t := strings.TrimLeft(s, " \t")
	return t == "" || t[0] == '#' && len(t) < len(s)
}

// plainFault says why s cannot be a scalar without quotes.
func plainFault(s string) string {
	switch s[0] {
	// YAML's indicators (YAML 1.2, 5.3): anchors, aliases, tags, block texts, directives, and two that it reserves.
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
	// A library would read a mapping in it, or refuse it.
	if strings.Contains(s, ": ") || strings.Contains(s, ":\t") || strings.HasSuffix(s, ":") {
		return "a value with a colon needs quotes: " + strconv.Quote(term.Clip(s, mostQuoted))
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
	// The byte order mark is allowed in YAML, but within a value nobody sees it; the last two are no characters at all.
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
		// Single quotes know one escape, their own doubling.
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
	// Those that people write. The others of YAML (\a, \N, \_ …) are refused rather than taken for something else.
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
	// As in YAML, the digits are all there or it is no escape.
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
func flow(s string) (v Value, n int, note, why string) {
	v.Kind = Sequence
	i := 1
	for {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i >= len(s) {
			return v, 0, "", "[ is not closed on its line"
		}
		// Here also behind a comma: [a, b,] is a list of two.
		if s[i] == ']' {
			return v, i + 1, note, ""
		}
		var e Value
		if isQuote(s[i]) {
			text, used, why := quoted(s[i:])
			if why != "" {
				return v, 0, "", why
			}
			e = Value{Text: text, Quoted: true}
			i += used
		} else {
			end := strings.IndexAny(s[i:], ",[]{}")
			if end < 0 {
				return v, 0, "", "[ is not closed on its line"
			}
			text := strings.TrimRight(s[i:i+end], " ")
			if text == "" {
				return v, 0, "", "empty entry in a list"
			}
			// In a flow list `-` alone, ? and : have further meanings that nobody uses in front matter, and libraries differ
			// on a ? within a word.
			told, why := plainNote(text)
			if why != "" || strings.Contains(text, " #") || strings.ContainsAny(text[:1], "-:") || strings.Contains(text, "?") {
				return v, 0, "", "entry " + strconv.Quote(term.Clip(text, mostQuoted)) + " of a list needs quotes"
			}
			if told != "" {
				note = told
			}
			e = Value{Text: text, Quoted: told != ""}
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
			return v, 0, "", "expected , or ] in a list"
		}
	}
}
