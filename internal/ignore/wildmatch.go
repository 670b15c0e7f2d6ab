package ignore

import "strings"

// Flags change how Wildmatch reads a pattern.
type Flags uint8

// Flags of Wildmatch.
const (
	Pathname Flags = 1 << iota // wildcards stop at '/', "**" between slashes does not
	Fold                       // ASCII case does not matter
)

// maxSteps bounds one match. Patterns with many "**/" cost exponential time in
// Git; a legitimate match needs some hundred steps, and a pattern that needs more
// than this is treated as one that does not match.
const maxSteps = 1 << 15

// The outcomes of a partial match. The two aborts let a star further left stop
// trying: nothing it could do would help.
const (
	matched = iota
	noMatch
	abortAll     // the text is used up
	abortToStars // only a "**" further left can help
)

// Wildmatch says whether text matches the glob pattern in Git's dialect: ? * ** [a-z]
// [!a] [^a] [[:alpha:]] and backslash escapes, byte by byte.
func Wildmatch(pattern, text string, f Flags) bool {
	w := wild{flags: f, steps: maxSteps}
	return w.run(pattern, text) == matched
}

type wild struct {
	flags Flags
	steps int
}

func (w *wild) fold(c byte) byte {
	if w.flags&Fold != 0 {
		return lower(c)
	}
	return c
}

// run matches p against t. Whether a "**" stands at the start of a pattern is
// judged within p alone, which is what Git's recursion does.
func (w *wild) run(p, t string) int {
	whole := p
	for len(p) > 0 {
		if w.steps--; w.steps < 0 {
			return abortAll
		}
		if len(t) == 0 && p[0] != '*' {
			return abortAll
		}
		switch p[0] {
		case '\\':
			// After a backslash the next character stands for itself, in its own case.
			p = p[1:]
			if len(p) == 0 || w.fold(t[0]) != p[0] {
				return noMatch
			}
		case '?':
			if w.flags&Pathname != 0 && t[0] == '/' {
				return noMatch
			}
		case '*':
			stars := 1
			for stars < len(p) && p[stars] == '*' {
				stars++
			}
			start := len(whole) - len(p)
			p = p[stars:]
			cross := w.flags&Pathname == 0
			if !cross && stars > 1 && (start == 0 || whole[start-1] == '/') &&
				(p == "" || p[0] == '/' || strings.HasPrefix(p, `\/`)) {
				// "a/**/b" also matches "a/b".
				if p != "" && p[0] == '/' && w.run(p[1:], t) == matched {
					return matched
				}
				cross = true
			}
			if p == "" {
				if !cross && strings.IndexByte(t, '/') >= 0 {
					return abortToStars
				}
				return matched
			}
			// A star that stops at slashes can only end right before this one.
			if !cross && p[0] == '/' {
				i := strings.IndexByte(t, '/')
				if i < 0 {
					return abortAll
				}
				p, t = p[1:], t[i+1:]
				continue
			}
			return w.star(p, t, cross)
		case '[':
			rest, ok, bad := w.class(p[1:], t[0])
			if bad {
				return abortAll
			}
			if !ok || w.flags&Pathname != 0 && t[0] == '/' {
				return noMatch
			}
			p, t = rest, t[1:]
			continue
		default:
			if w.fold(t[0]) != w.fold(p[0]) {
				return noMatch
			}
		}
		p, t = p[1:], t[1:]
	}
	if len(t) > 0 {
		return noMatch
	}
	return matched
}

// star tries to let a star take ever more of t before p goes on.
func (w *wild) star(p, t string, cross bool) int {
	literal := strings.IndexByte(wildcards, p[0]) < 0
	for len(t) > 0 {
		if literal {
			// The star must end before this character: skip to it.
			for len(t) > 0 && (cross || t[0] != '/') && w.fold(t[0]) != w.fold(p[0]) {
				t = t[1:]
			}
			if len(t) == 0 || w.fold(t[0]) != w.fold(p[0]) {
				if cross {
					return abortAll
				}
				return abortToStars
			}
		}
		r := w.run(p, t)
		if r != noMatch {
			if !cross || r != abortToStars {
				return r
			}
		} else if !cross && t[0] == '/' {
			return abortToStars
		}
		// Else each of the stars further left would go on to the end of its text.
		if w.steps < 0 {
			return abortAll
		}
		t = t[1:]
	}
	return abortAll
}

// class matches c against a bracket expression, p being what follows the '['. It
// returns the pattern after the ']'; bad is true for an unterminated or unknown class.
func (w *wild) class(p string, c byte) (rest string, ok, bad bool) {
	c = w.fold(c)
	negate := false
	i := 0
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		negate = true
		i++
	}
	var prev byte
	// The first character is a member even when it is ']'.
	for first := true; first || i >= len(p) || p[i] != ']'; first = false {
		if i >= len(p) {
			return "", false, true
		}
		m := p[i]
		switch {
		case m == '\\':
			i++
			if i >= len(p) {
				return "", false, true
			}
			m = p[i]
			ok = ok || c == m
		case m == '-' && prev != 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			m = p[i]
			if m == '\\' {
				i++
				if i >= len(p) {
					return "", false, true
				}
				m = p[i]
			}
			if c >= prev && c <= m {
				ok = true
			} else if w.flags&Fold != 0 && c >= 'a' && c <= 'z' {
				u := c - 'a' + 'A'
				ok = ok || u >= prev && u <= m
			}
			m = 0 // a range cannot begin another one
		case m == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return "", false, true
			}
			name := p[i+2 : i+2+end]
			if name == "" || name[len(name)-1] != ':' {
				ok = ok || c == '[' // no ":]", so a plain set
				break
			}
			in, known := posix(name[:len(name)-1], c, w.flags&Fold != 0)
			if !known {
				return "", false, true
			}
			ok = ok || in
			i += 2 + end
			m = 0
		default:
			ok = ok || c == m
		}
		prev = m
		i++
	}
	return p[i+1:], ok != negate, false
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// posix tests c for a named class, ASCII only.
func posix(name string, c byte, fold bool) (in, known bool) {
	up := c >= 'A' && c <= 'Z'
	lo := c >= 'a' && c <= 'z'
	digit := c >= '0' && c <= '9'
	switch name {
	case "alnum":
		return up || lo || digit, true
	case "alpha":
		return up || lo, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < 32 || c == 127, true
	case "digit":
		return digit, true
	case "graph":
		return c > 32 && c < 127, true
	case "lower":
		return lo, true
	case "print":
		return c >= 32 && c < 127, true
	case "punct":
		return c > 32 && c < 127 && !up && !lo && !digit, true
	case "space":
		return c == ' ' || c >= 9 && c <= 13, true
	case "upper":
		return up || fold && lo, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	}
	return false, false
}
