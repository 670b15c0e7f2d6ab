package ignore

import "strings"

// Flags change how Wildmatch reads a pattern.
type Flags uint8

// Flags of Wildmatch.
const (
	Pathname Flags = 1 << iota // wildcards stop at '/', "**" between slashes does not
	Fold                       // ASCII case does not matter
)

// What one match may cost. A legitimate one needs some hundred steps; Git has no bound,
// and patterns with many stars cost it exponential time. After the first steps what was
// tried once is remembered, so that no match takes more steps than its pattern has bytes
// times those of the text. Beyond maxSteps of those it counts as one that does not match.
const (
	fewSteps = 1 << 9
	maxSteps = 1 << 20
)

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
	ok, _ := wildmatch(pattern, text, f, maxSteps)
	return ok
}

// wildmatch is Wildmatch in at most so many steps, and says how many it took.
func wildmatch(pattern, text string, f Flags, most int) (ok bool, steps int) {
	w := wild{flags: f, most: most, pattern: len(pattern), text: len(text)}
	ok = w.run(pattern, text) == matched
	return ok, w.steps
}

type wild struct {
	flags Flags
	steps int
	most  int
	over  bool

	pattern, text int    // their lengths
	seen          []byte // what is known, by what is left of either: run in the lower half of a byte, star in the upper
}

// step counts n steps and reports whether the match may go on.
func (w *wild) step(n int) bool {
	if w.steps += n; w.steps <= fewSteps || w.over {
		return !w.over
	}
	if w.seen == nil {
		size := (w.pattern + 1) * (w.text + 1)
		if size > maxSteps { // no such path is anywhere near: it gets some steps more, and no memory
			w.over = w.steps > fewSteps<<6
			return !w.over
		}
		w.seen = make([]byte, size)
		w.steps += size / 256
	}
	w.over = w.steps > w.most
	return !w.over
}

// place is where what is known about the rests of pattern and text is remembered.
func (w *wild) place(p, t string) int { return len(p)*(w.text+1) + len(t) }

// run matches p against t, what it found out before included.
func (w *wild) run(p, t string) int {
	if w.seen != nil {
		if r := w.seen[w.place(p, t)] & 15; r > 0 {
			w.steps++
			return int(r) - 1
		}
	}
	r := w.try(p, t)
	if w.seen != nil && !w.over {
		w.seen[w.place(p, t)] |= byte(r + 1)
	}
	return r
}

func (w *wild) fold(c byte) byte {
	if w.flags&Fold != 0 {
		return lower(c)
	}
	return c
}

// try matches p against t. Whether a "**" stands at the start of a pattern is
// judged within p alone, which is what Git's recursion does.
func (w *wild) try(p, t string) int {
	whole := p
	for len(p) > 0 {
		if !w.step(1) {
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

// star tries to let a star take ever more of t before p goes on. What comes out is true
// for each of the places that it came to, and is remembered for all of them.
func (w *wild) star(p, t string, cross bool) int {
	r, end := w.reach(p, t, cross)
	if w.seen != nil && !w.over {
		for ; len(t) > end; t = t[1:] {
			w.seen[w.place(p, t)] |= byte(r+1) << 4
		}
	}
	return r
}

// reach is star without a memory. end is how much of t was left where it was decided.
func (w *wild) reach(p, t string, cross bool) (r, end int) {
	literal := strings.IndexByte(wildcards, p[0]) < 0
	for len(t) > 0 {
		if w.seen != nil {
			if r := w.seen[w.place(p, t)] >> 4; r > 0 {
				w.steps++
				return int(r) - 1, len(t)
			}
		}
		if literal {
			// The star must end before this character: skip to it.
			from := len(t)
			for len(t) > 0 && (cross || t[0] != '/') && w.fold(t[0]) != w.fold(p[0]) {
				t = t[1:]
			}
			if !w.step((from - len(t)) / 8) {
				return abortAll, 0
			}
			if len(t) == 0 || w.fold(t[0]) != w.fold(p[0]) {
				if cross {
					return abortAll, len(t)
				}
				return abortToStars, len(t)
			}
		}
		r := w.run(p, t)
		if r != noMatch {
			if !cross || r != abortToStars {
				return r, len(t) - 1
			}
		} else if !cross && t[0] == '/' {
			return abortToStars, len(t) - 1
		}
		// Else each of the stars further left would go on to the end of its text.
		if !w.step(1) {
			return abortAll, 0
		}
		t = t[1:]
	}
	return abortAll, 0
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
