package ignore

import "strings"

// Verdict is what a list of patterns says about a path.
type Verdict int8

// The verdicts of a pattern list.
const (
	Undecided Verdict = iota // no pattern speaks about the path
	Exclude                  // the last pattern that matches excludes it
	Include                  // the last pattern that matches begins with !
)

// MaxFile is the largest rule file that is read, in bytes; a larger one counts for
// nothing. Git's own limit is 100 MiB for either kind (PATTERN_MAX_FILE_SIZE,
// ATTR_MAX_FILE_SIZE; older ones have none for .gitignore), which a hook cannot spend.
const MaxFile = 8 << 20

// Patterns is one parsed rule file.
type Patterns struct {
	list   []pattern
	chains *chains
}

// Len is the number of patterns.
func (p *Patterns) Len() int {
	if p == nil {
		return 0
	}
	return len(p.list)
}

// pattern is one line. Git treats a pattern without a slash as one for names, with
// '*' matching anything; any other is matched against the path below the rule file,
// its part before the first wildcard literally.
type pattern struct {
	text    string // without !, leading slash and trailing slash
	fixed   int    // length of the part before the first wildcard character
	negate  bool
	dirOnly bool
	name    bool   // no slash: matches the last element
	suffix  bool   // "*literal"
	last    byte   // what a match ends in; 0 for anything
	need    string // the longest piece without a wildcard behind the fixed part: what does not hold it is no match
}

const wildcards = "*?[\\"

// Parse reads a .gitignore file.
func Parse(data []byte) *Patterns {
	if len(data) > MaxFile {
		return &Patterns{}
	}
	s := strings.TrimPrefix(string(data), "\xef\xbb\xbf")
	p := &Patterns{}
	for len(s) > 0 {
		var line string
		line, s, _ = strings.Cut(s, "\n")
		// A carriage return before the line feed does not count, and Git adds a line
		// feed to a file that lacks the last one.
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		// Git's lines are C strings.
		if i := strings.IndexByte(line, 0); i >= 0 {
			line = line[:i]
		}
		if pt, ok := parsePattern(trimSpaces(line)); ok {
			p.list = append(p.list, pt)
		}
	}
	p.chains = chained(len(p.list), func(i int) *pattern { return &p.list[i] })
	return p
}

func parsePattern(s string) (p pattern, ok bool) {
	if s != "" && s[0] == '!' {
		p.negate, s = true, s[1:]
	}
	if s != "" && s[len(s)-1] == '/' {
		p.dirOnly, s = true, s[:len(s)-1]
	}
	if s == "" {
		return p, false
	}
	p.name = !strings.Contains(s, "/")
	if !p.name && s[0] == '/' {
		s = s[1:]
	}
	p.fixed = strings.IndexAny(s, wildcards)
	if p.fixed < 0 {
		p.fixed = len(s)
	}
	p.suffix = p.name && s != "" && s[0] == '*' && !strings.ContainsAny(s[1:], wildcards)
	// Most patterns fail by their last byte alone. One behind an unclosed bracket matches nothing anyway, and a slash may be left out
	// behind "**".
	if s != "" && strings.IndexByte("*?]\\/", s[len(s)-1]) < 0 {
		p.last = s[len(s)-1]
	}
	p.text, p.need = s, longest(s[p.fixed:])
	return p, true
}

// longest is the longest piece of a pattern in which every byte stands for itself, as far as no bracket or backslash comes before.
func longest(s string) (piece string) {
	if i := strings.IndexAny(s, "[\\"); i >= 0 {
		s = s[:i]
	}
	for one := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '*' || r == '?' || r == '/' }) {
		if len(one) > len(piece) {
			piece = one
		}
	}
	return piece
}

// trimSpaces drops trailing spaces that no backslash protects.
func trimSpaces(s string) string {
	last := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if last < 0 {
				last = i
			}
		case '\\':
			i++
			if i >= len(s) {
				return s
			}
			last = -1
		default:
			last = -1
		}
	}
	if last >= 0 {
		return s[:last]
	}
	return s
}

// find walks the patterns from the last to the first. rel is the path below the
// rule file, base its last element.
func (p *Patterns) find(rel, base string, isDir bool, m *Matcher) (Verdict, string) {
	if p == nil || rel == "" || m.stop.Load() {
		return Undecided, ""
	}
	if m.Over() && len(p.list) > 0 {
		return Exclude, ""
	}
	last := rel[len(rel)-1]
	steps := 0 // since the last look at what is left
	s := p.chains.search(len(p.list), rel, base)
	for i := s.next(); i > 0; i = s.next() {
		t := &p.list[i-1]
		if steps++; steps >= manySteps {
			if !m.spend(steps) {
				break
			}
			if !m.pay(steps) {
				return Exclude, ""
			}
			steps = 0
		}
		if t.dirOnly && !isDir || t.last != 0 && t.last != last && (!m.fold || lower(t.last) != lower(last)) {
			continue
		}
		ok, n := t.match(rel, base, m.fold)
		if steps += n; !ok {
			continue
		}
		if m.work != nil {
			m.spend(steps)
		}
		m.pay(steps)
		if t.negate {
			return Include, t.text
		}
		return Exclude, t.text
	}
	if m.work != nil {
		m.spend(steps)
	}
	m.pay(steps)
	return Undecided, ""
}

// match compares a pattern and says in how many steps, of those that count.
func (p *pattern) match(rel, base string, fold bool) (ok bool, steps int) {
	text := rel
	if p.name {
		text = base
	}
	if !fold && p.need != "" && !strings.Contains(text, p.need) {
		return false, 1 + len(text)/64
	}
	if p.name {
		switch {
		case p.fixed == len(p.text):
			return equal(p.text, base, fold), 0
		case p.suffix:
			tail := p.text[1:]
			return len(base) >= len(tail) && equal(tail, base[len(base)-len(tail):], fold), 0
		}
		var f Flags
		if fold {
			f = Fold
		}
		return wildmatch(p.text, base, f, maxSteps)
	}
	// The literal part is compared on its own, so "a**/b" sees its "**" at the start of a
	// pattern, where it crosses slashes. Git documents this nowhere and does it everywhere.
	if len(rel) < p.fixed || !equal(p.text[:p.fixed], rel[:p.fixed], fold) {
		return false, 1 + p.fixed/32
	}
	if text, rel = p.text[p.fixed:], rel[p.fixed:]; text == "" {
		return rel == "", 1
	}
	f := Pathname
	if fold {
		f |= Fold
	}
	return wildmatch(text, rel, f, maxSteps)
}

func equal(a, b string, fold bool) bool {
	if !fold {
		return a == b
	}
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}
