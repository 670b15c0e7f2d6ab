package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// names finds the families that a path belongs to by its name alone.
func (c *checker) names(p string, wild bool) rule.Names {
	var set rule.Names
	// Case is no protection: .ENV is .env on two of three systems.
	p = strings.ToLower(strings.TrimRight(p, "/"))
	if p == "" {
		return 0
	}
	for wild && strings.Contains(p, "**") {
		p = strings.ReplaceAll(p, "**", "*") // the same here
	}
	heads := headsOf(p)
	for s := c.set; s != nil; s = s.More {
		for i := range s.Files {
			f := &s.Files[i]
			// Several tables may speak of one family; the first that fits is enough.
			if set&f.Is != 0 {
				continue
			}
			if anyName(f.Globs, p, heads, wild) && !anyName(f.Except, p, heads, false) {
				set |= f.Is
			}
		}
	}
	return set
}

// headsOf is the set of the bytes with which the parts of a path begin, as bits of
// their lower six bits. Every pattern begins where a part does, so that this alone
// rules out nearly all of the 375 patterns for nearly every path.
func headsOf(p string) (heads uint64) {
	for i := range len(p) {
		if i == 0 || p[i-1] == '/' {
			heads |= 1 << (p[i] & 63)
		}
	}
	return heads
}

func anyName(patterns []string, p string, heads uint64, wild bool) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	for _, pattern := range patterns {
		if !wild && pattern != "" {
			if b := pattern[0]; b != '*' && b != '?' && heads&(1<<(b&63)) == 0 {
				continue
			}
			if b := pattern[len(pattern)-1]; b != '*' && b != '?' && b != '/' && b != p[len(p)-1] {
				continue
			}
		}
		if named(pattern, p, base, wild) {
			return true
		}
	}
	return false
}

// within reports whether dir is one or more whole parts of p, next to each other.
func within(p, dir string) bool {
	for from := 0; ; from++ {
		i := strings.Index(p[from:], dir)
		if i < 0 {
			return false
		}
		from += i
		end := from + len(dir)
		if (from == 0 || p[from-1] == '/') && (end == len(p) || p[end] == '/') {
			return true
		}
	}
}

// named compares a lower-case path with a pattern: "name" is a base name, "a/b"
// the end of the path, "name/" a folder of that name anywhere in it. With wild
// the path is itself a pattern, and fits when it could stand for the name.
func named(pattern, p, base string, wild bool) bool {
	if dir, ok := strings.CutSuffix(pattern, "/"); ok {
		if strings.IndexByte(dir, '*') < 0 && strings.IndexByte(dir, '?') < 0 || strings.Contains(dir, "/") { // IndexAny makes a set of bytes first
			return within(p, dir)
		}
		for rest := p; rest != ""; {
			var part string
			part, rest, _ = strings.Cut(rest, "/")
			if glob(dir, part) {
				return true
			}
		}
		return false
	}
	n := strings.Count(pattern, "/")
	tail := base
	if n > 0 {
		tail = lastParts(p, n+1)
	}
	if glob(pattern, tail) {
		return true
	}
	if !wild || strings.Count(tail, "/") != n {
		return false
	}
	first := strings.IndexAny(tail, "*?[")
	if star := strings.IndexByte(pattern, '*'); star >= 0 {
		// ".env?" may stand for ".env.local": their known beginnings agree.
		known := tail
		if first >= 0 {
			known = tail[:first]
		}
		return len(known) >= 4 && strings.HasPrefix(pattern[:star], known)
	}
	// ".e*" may stand for ".env"; "*.toml" stands for too much to say that it is
	// secrets.toml, so the beginning or most of the name has to be there.
	letters, marks := 0, 0
	for i := 0; i < len(tail); i++ {
		switch tail[i] {
		case '*':
		case '?', '[', ']':
			marks++
		default:
			letters++
		}
		if letters+marks > len(pattern) { // each stands for a letter
			return false
		}
	}
	return (first >= 2 || letters*4 >= len(pattern)*3) && glob(tail, pattern)
}

// lastParts is the last n parts of a path, all of it if there are no more.
func lastParts(p string, n int) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != '/' {
			continue
		}
		if n--; n == 0 {
			return p[i+1:]
		}
	}
	return p
}
