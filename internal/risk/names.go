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
	for _, pattern := range patterns {
		if !wild && pattern != "" {
			if b := pattern[0]; b != '*' && b != '?' && heads&(1<<(b&63)) == 0 {
				continue
			}
			if b := pattern[len(pattern)-1]; b != '*' && b != '?' && b != '/' && b != p[len(p)-1] {
				continue
			}
		}
		if named(pattern, p, wild) {
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
func named(pattern, p string, wild bool) bool {
	if dir, ok := strings.CutSuffix(pattern, "/"); ok {
		if !strings.ContainsAny(dir, "*?") || strings.Contains(dir, "/") {
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
	tail := p
	for i, cut := len(p)-1, 0; i >= 0; i-- {
		if p[i] == '/' {
			if cut == n {
				tail = p[i+1:]
				break
			}
			cut++
		}
	}
	if glob(pattern, tail) {
		return true
	}
	if !wild || strings.Count(tail, "/") != n {
		return false
	}
	if star := strings.IndexByte(pattern, '*'); star >= 0 {
		// ".env?" may stand for ".env.local": their known beginnings agree.
		known := tail[:strings.IndexAny(tail+"*", "*?[")]
		return len(known) >= 4 && strings.HasPrefix(pattern[:star], known)
	}
	// ".e*" may stand for ".env"; "*.toml" stands for too much to say that it is
	// secrets.toml, so the beginning or most of the name has to be there.
	letters := 0
	for i := 0; i < len(tail); i++ {
		if b := tail[i]; b != '*' && b != '?' && b != '[' && b != ']' {
			letters++
		}
	}
	return (strings.IndexAny(tail, "*?[") >= 2 || letters*4 >= len(pattern)*3) && glob(tail, pattern)
}
