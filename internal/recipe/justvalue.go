package recipe

import "strings"

// value is that of an expression in a file: texts, names and calls, which + joins, and / with a slash between them.
func (j *just) value(expr, file string) (string, bool) {
	value, sep := "", ""
	for rest := expr; ; {
		end := termEnd(rest)
		term := strings.TrimSpace(rest[:end])
		var one string
		var ok bool
		switch n := len(term); {
		case n > 1 && (term[0] == '\'' || term[0] == '"') && term[n-1] == term[0]:
			one, ok = term[1:n-1], strings.Count(term, term[:1]) == 2
		case n > 0 && term[n-1] == ')' || n > 0 && term[0] == '`':
			one, ok = j.know(term, file)
		default:
			one, ok = j.vars[term]
		}
		if value += sep + one; !ok || len(value) > maxText {
			return "", false
		}
		if end == len(rest) {
			return value, true
		}
		if sep = ""; rest[end] == '/' {
			sep = "/"
		}
		rest = rest[end+1:]
	}
}

// termEnd is where the first term of an expression ends: at a sign that joins it to the next, outside of quotes and brackets.
func termEnd(s string) int {
	var quote byte
	depth := 0
	for i := range len(s) {
		switch ch := s[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case strings.IndexByte("'\"`", ch) >= 0:
			quote = ch
		case ch == '(':
			depth++
		case ch == ')':
			depth--
		case depth == 0 && (ch == '+' || ch == '/'):
			return i
		}
	}
	return len(s)
}
