package risk

import "strings"

// glob reports whether text is matched by pattern, in which "*" stands for any
// text and "?" for one byte. There are no classes, so that every other byte
// means itself and rules need no escapes.
func glob(pattern, text string) bool {
	star, mark := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// globFold is glob without regard to ASCII case, and accepts alternatives
// between "|".
func globFold(pattern, text string) bool {
	for {
		one, rest, more := strings.Cut(pattern, "|")
		if !strings.Contains(one, "*") && !strings.Contains(one, "?") {
			if strings.EqualFold(one, text) {
				return true
			}
		} else if glob(strings.ToLower(one), strings.ToLower(text)) {
			return true
		}
		if !more {
			return false
		}
		pattern = rest
	}
}
