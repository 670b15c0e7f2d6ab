package rule

import "strings"

// A pattern may stand for many by a few letters, and each is tried; a long one is gone
// through for each brace.
const (
	maxBraces  = 32
	maxPattern = 1 << 10
)

// Braces spells a pattern with alternatives out, as a shell does: "a{b,c}" is "ab" and "ac",
// and "**/" is any folders or none. Braces without a comma mean themselves. It returns nil
// for more patterns than anybody writes.
func Braces(s string) []string {
	if strings.HasPrefix(s, "**/") {
		s = "{,*/}" + s[len("**/"):]
	}
	s = strings.ReplaceAll(s, "/**/", "/{,*/}")
	if len(s) > maxPattern && strings.Contains(s, "{") {
		return nil
	}
	return braces(s)
}

// braces spells out the first brace that has a comma, and what follows it.
func braces(s string) []string {
	for open := strings.IndexByte(s, '{'); open >= 0 && open < len(s); open++ {
		parts, end := alternatives(s[open:])
		if len(parts) < 2 {
			continue
		}
		var all []string
		for _, part := range parts {
			rest := braces(part + s[open+end:])
			if rest == nil || len(all)+len(rest) > maxBraces {
				return nil
			}
			for _, one := range rest {
				all = append(all, s[:open]+one)
			}
		}
		return all
	}
	return []string{s}
}

// alternatives takes the brace apart with which s begins, and returns where it ends.
func alternatives(s string) (parts []string, end int) {
	depth, from := 0, 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 || depth == 1 && s[i] == ',' {
			parts, from = append(parts, s[from:max(i, from)]), i+1
		}
		if depth == 0 {
			return parts, i + 1
		}
	}
	return nil, 0
}
