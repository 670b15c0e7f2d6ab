package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Patterns are those of the shell: *, ?, sets in brackets. Matching backtracks only
// to the last star, so that it is never exponential, and the operators that try
// every prefix look at short values only.

// maxMatched bounds the values that the operators go through, in bytes: matching is
// quadratic and worse.
const maxMatched = 1 << 10

// matchSteps are the bytes that a match goes through for one unit.
const matchSteps = 32

// trimCost is what trim costs: the pattern is tried on each prefix.
func trimCost(n int, pat string) int {
	if n > maxMatched {
		return 0
	}
	if !strings.Contains(pat, "*") {
		return tries(n, min(n, len(pat)), pat)
	}
	return tries(n, n/2, pat)
}

// substituteCost is what substitute costs: the pattern is tried on each piece of the text,
// but without a star on none that is longer than itself.
func substituteCost(n int, pat string) int {
	switch {
	case n > maxMatched:
		return 0
	case !strings.ContainsAny(pat, "*?[\\#%"):
		return n / matchSteps
	case !strings.Contains(pat, "*"):
		return tries(n*min(n, len(pat)), 1+min(n, len(pat))/2, pat)
	}
	return tries(n*n/2, 1+n/3, pat)
}

// tries is the cost of so many tries of so many bytes each. A set in brackets is gone
// through for each byte.
func tries(n, bytes int, pat string) int {
	return n*bytes/matchSteps*(1+min(len(pat), maxMatched)/matchSteps) + n/8
}

// Picks reports that a pattern of the shell fits all of a name.
func Picks(pattern, name string) bool { return match(pattern, name) }

// trim removes the shortest or longest prefix or suffix that matches.
func trim(s, pat string, op syntax.ParExpOperator) string {
	if len(s) > maxMatched {
		return s
	}
	switch op {
	case syntax.RemSmallPrefix:
		for i := 0; i <= len(s); i++ {
			if match(pat, s[:i]) {
				return s[i:]
			}
		}
	case syntax.RemLargePrefix:
		for i := len(s); i >= 0; i-- {
			if match(pat, s[:i]) {
				return s[i:]
			}
		}
	case syntax.RemSmallSuffix:
		for i := len(s); i >= 0; i-- {
			if match(pat, s[i:]) {
				return s[:i]
			}
		}
	case syntax.RemLargeSuffix:
		for i := 0; i <= len(s); i++ {
			if match(pat, s[i:]) {
				return s[:i]
			}
		}
	}
	return s
}

// substitute replaces the first or every longest match of pat.
func substitute(s, pat, with string, all bool) string {
	// Tried at each place for each length: the square of the text, for patterns that nobody writes.
	if pat == "" || len(s) > maxMatched {
		return s
	}
	if !strings.ContainsAny(pat, "*?[\\#%") {
		n := 1
		if all {
			n = -1
		}
		return strings.Replace(s, pat, with, n)
	}
	longest := len(s)
	if !strings.Contains(pat, "*") {
		longest = len(pat) // each part of it matches one byte
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		end := -1
		for j := min(len(s), i+longest); j > i; j-- {
			if match(pat, s[i:j]) {
				end = j
				break
			}
		}
		if end < 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(with)
		i = end
		if !all {
			b.WriteString(s[i:])
			break
		}
	}
	return b.String()
}

// match reports whether a shell pattern matches all of s.
func match(pat, s string) bool {
	px, sx, star, from := 0, 0, -1, 0
	for sx < len(s) {
		if px < len(pat) {
			if pat[px] == '*' {
				star, from = px, sx
				px++
				continue
			}
			if n, ok := matchOne(pat[px:], s[sx]); ok {
				px += n
				sx++
				continue
			}
		}
		// Only the last star can be given more: those before it have what they need, or nothing helps.
		if star < 0 {
			return false
		}
		from++
		px, sx = star+1, from
	}
	for px < len(pat) && pat[px] == '*' {
		px++
	}
	return px == len(pat)
}

// matchOne matches one byte and returns how much of the pattern that took.
func matchOne(pat string, b byte) (int, bool) {
	switch pat[0] {
	case '?':
		return 1, true
	// A backslash at the end of a pattern stands for itself.
	case '\\':
		if len(pat) > 1 {
			return 2, pat[1] == b
		}
	case '[':
		// From the third byte on: a bracket that comes first is a member of the set.
		end := strings.IndexByte(pat[min(2, len(pat)):], ']')
		if end < 0 {
			break
		}
		set := pat[1 : end+2]
		// bash takes either, POSIX only the first.
		not := set[0] == '!' || set[0] == '^'
		if not {
			set = set[1:]
		}
		in := false
		for i := 0; i < len(set); i++ {
			if i+2 < len(set) && set[i+1] == '-' {
				in = in || set[i] <= b && b <= set[i+2]
				i += 2
				continue
			}
			in = in || set[i] == b
		}
		return end + 3, in != not
	}
	return 1, pat[0] == b
}
