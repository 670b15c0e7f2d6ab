package shell

import (
	"strings"
	"unicode/utf8"

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

// anchored is ${x/#pat/with}, or with end ${x/%pat/with}: the longest match there is replaced, and an empty pattern matches nothing at all
// long. What is too long to be matched is not known.
func anchored(s, pat, with string, end bool) (string, bool) {
	if len(s) > maxMatched {
		return "", false
	}
	for n := len(s); n >= 0; n-- {
		switch {
		case !end && match(pat, s[:n]):
			return with + s[n:], true
		case end && match(pat, s[len(s)-n:]):
			return s[:len(s)-n] + with, true
		}
	}
	return s, true
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
			if pn, sn := matchOne(pat[px:], s[sx:]); pn > 0 {
				px, sx = px+pn, sx+sn
				continue
			}
		}
		// Only the last star can be given more: those before it have what they need, or nothing helps.
		if star < 0 {
			return false
		}
		_, n := utf8.DecodeRuneInString(s[from:])
		from += n
		px, sx = star+1, from
	}
	for px < len(pat) && pat[px] == '*' {
		px++
	}
	return px == len(pat)
}

// matchOne matches one letter and returns how much of the pattern and of s that took, 0 where it does not fit.
func matchOne(pat, s string) (pn, sn int) {
	r, size := utf8.DecodeRuneInString(s)
	switch pat[0] {
	case '?':
		return 1, size
	// A backslash at the end of a pattern stands for itself.
	case '\\':
		if len(pat) > 1 {
			if pat[1] != s[0] {
				return 0, 0
			}
			return 2, 1
		}
	case '[':
		// A bracket that is not closed stands for itself.
		if n, in := matchSet(pat, r); in {
			return n, size
		} else if n > 0 {
			return 0, 0
		}
	}
	if pat[0] != s[0] {
		return 0, 0
	}
	return 1, 1
}

// matchSet tells how long the set is with which a pattern begins, 0 if it does not end, and whether it holds a letter. What is in
// a class such as [:alpha:] depends on the place: it is taken to hold all, and none.
func matchSet(pat string, r rune) (n int, in bool) {
	i := 1
	// bash takes either, POSIX only the first.
	not := len(pat) > 1 && (pat[1] == '!' || pat[1] == '^')
	if not {
		i++
	}
	class := false
	for first := i; i < len(pat); {
		// A bracket that comes first is a member of the set.
		if pat[i] == ']' && i > first {
			return i + 1, class || in != not
		}
		if strings.HasPrefix(pat[i:], "[:") {
			if end := strings.Index(pat[i:], ":]"); end > 1 {
				class, i = true, i+end+2
				continue
			}
		}
		if pat[i] == '\\' && i+1 < len(pat) {
			i++
		}
		low, size := utf8.DecodeRuneInString(pat[i:])
		i += size
		high := low
		if i+1 < len(pat) && pat[i] == '-' && pat[i+1] != ']' {
			high, size = utf8.DecodeRuneInString(pat[i+1:])
			i += 1 + size
		}
		in = in || low <= r && r <= high
	}
	return 0, false
}
