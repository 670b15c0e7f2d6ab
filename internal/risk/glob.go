package risk

import (
	"path"
	"strings"
)

// glob reports whether text is matched by pattern, in which "*" stands for any
// text and "?" for one byte. There are no classes, so that every other byte
// means itself and rules need no escapes.
func glob(pattern, text string) bool {
	// A long text is told apart by its end, which most patterns spell out.
	if n := len(pattern); n > 0 && pattern[n-1] != '*' && pattern[n-1] != '?' && (text == "" || text[len(text)-1] != pattern[n-1]) {
		return false
	}
	return matches(pattern, text, false)
}

// globFold is glob without regard to ASCII case, and accepts alternatives
// between "|".
func globFold(pattern, text string) bool {
	if strings.IndexByte(pattern, '|') < 0 {
		return foldOne(pattern, text)
	}
	for {
		one, rest, more := strings.Cut(pattern, "|")
		if foldOne(one, text) {
			return true
		}
		if !more {
			return false
		}
		pattern = rest
	}
}

func foldOne(pattern, text string) bool {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' || pattern[i] == '?' {
			return matches(pattern, text, true)
		}
	}
	return len(pattern) == len(text) && strings.EqualFold(pattern, text)
}

// matches runs in linear space and goes back to the last star only, so that a
// hostile pattern costs pattern times text at most.
func matches(pattern, text string, fold bool) bool {
	star, mark := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t] || fold && lowered(pattern[p]) == lowered(text[t])):
			p++
			t++
		case star >= 0:
			// What a star takes ends where the letter behind it stands: nearly all of a long text is passed here.
			if mark++; star+1 < len(pattern) && pattern[star+1] != '?' {
				for first := lowered(pattern[star+1]); mark < len(text) && lowered(text[mark]) != first; {
					mark++
				}
			}
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

func lowered(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// fitsNothing reports a pattern in the last part of a path that was looked up, and that no file fits. One that says nothing of the name
// may fit what begins with a dot.
func (c *checker) fitsNothing(k *call, pattern string) bool {
	if c.in.Names == nil || strings.ContainsAny(pattern, "(!{~") || strings.Trim(path.Base(pattern), "*?.") == "" {
		return false
	}
	abs, ok := c.absolute(k, pattern)
	if !ok {
		return false
	}
	names, ok := c.in.Names(abs)
	return ok && len(names) == 0
}
