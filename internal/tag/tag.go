// Package tag finds TAGs (@SPEC:AUTH-001, @CODE:AUTH-001:API, @MX:NOTE) in a tree and says how they hang
// together: which SPEC has its tests, code and documents, and which of them serve none.
//
// It does not read what a SPEC says (package spec does) and knows no kind by itself: kinds and severities
// are a table. Its invariant: the files are the truth. The index only saves reading those that are
// provably unchanged, so an answer with it is the answer without it.
package tag

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/rule"
)

// A Tag is one TAG at one place.
type Tag struct {
	Kind       string `json:"kind"` // "CODE", "MX:NOTE"
	ID         string `json:"id"`   // "AUTH-001"; empty for notes; what was written when Malformed
	Sub        string `json:"sub"`  // "API" of @CODE:AUTH-001:API
	Path       string `json:"path"` // slash-separated, relative to the root
	Line       int    `json:"line"` // 1-based
	Definition bool   `json:"definition"`
	Malformed  bool   `json:"malformed,omitempty"`
	Text       string `json:"text,omitempty"`  // title or note behind a definition
	Links      []Link `json:"links,omitempty"` // of a header line: | SPEC: … | TEST: …
}

// A Link is what a header line names besides its own TAG.
type Link struct {
	Label  string `json:"label"` // "SPEC", "TEST", …
	Target string `json:"target"`
}

// String is the TAG as it is written.
func (t *Tag) String() string {
	s := "@" + t.Kind
	if t.ID != "" {
		s += ":" + t.ID
	}
	if t.Sub != "" {
		s += ":" + t.Sub
	}
	return s
}

// Domain is the id without its number: "AUTH" of "AUTH-001".
func Domain(id string) string {
	if i := strings.LastIndexByte(id, '-'); i > 0 {
		return id[:i]
	}
	return id
}

// ValidID reports whether s is an id: words of capitals and digits joined by hyphens, the first beginning
// with a letter, the last three digits. PY314-001 is one, AUTH-0010 is not.
func ValidID(s string) bool {
	n := idLen([]byte(s))
	return n > 0 && n == len(s)
}

// Grammar is the kinds of TAGs, ready for scanning.
type Grammar struct {
	kinds        []rule.TagKind
	placeholders []string
	examples     []string
	// The scanner stops at every "@", of mail addresses and decorators mostly; this turns nearly all of them away by one look.
	starts [256]bool // first letters of kinds
}

// NewGrammar takes the kinds of a table.
func NewGrammar(kinds []rule.TagKind) *Grammar {
	g := &Grammar{kinds: kinds}
	for i := range kinds {
		g.starts[kinds[i].Name[0]] = true
		g.placeholders = append(g.placeholders, kinds[i].Placeholders...)
		g.examples = append(g.examples, kinds[i].Examples...)
	}
	return g
}

// key changes with the table, and so invalidates what was found with another one.
func (g *Grammar) key() string {
	var b strings.Builder
	for i := range g.kinds {
		b.WriteString(g.kinds[i].Name + " " + g.kinds[i].Family + "\n")
	}
	b.WriteString(strings.Join(g.examples, "\n"))
	return b.String()
}

// shows reports whether a document shows TAGs as examples and defines none: a change log, a plan, a template.
func (g *Grammar) shows(path string) bool {
	path = strings.ToLower(path)
	return slices.ContainsFunc(g.examples, func(glob string) bool {
		ok, err := doublestar.Match(glob, path)
		return err == nil && ok
	})
}

// match is a TAG at the start of some bytes; offsets are into them.
type match struct {
	kind      int
	idFrom    int
	idTo      int
	subTo     int // sub is [idTo+1:subTo] when subTo > idTo
	malformed bool
}

// longest bounds a TAG, so that a chunk can tell whether it holds a whole one.
const longest = 256

// match reads the TAG at b, which starts with '@'.
func (g *Grammar) match(b []byte) (match, bool) {
	// Shorter than any kind with its colon, and so than any TAG.
	if len(b) < 4 || !g.starts[b[1]] {
		return match{}, false
	}
	// A hostile line of letters would be gone through anew from each of its "@".
	if len(b) > longest {
		b = b[:longest]
	}
	for i := range g.kinds {
		k := &g.kinds[i]
		n := 1 + len(k.Name)
		if len(b) < n || string(b[1:n]) != k.Name {
			continue
		}
		if k.Family == rule.TagNote {
			if n < len(b) && (isAlnum(b[n]) || b[n] == '_' || b[n] == '-') {
				continue
			}
			return match{kind: i, idFrom: n, idTo: n, subTo: n}, true
		}
		// A kind may be the start of another one (SPEC, SPECS), so the next is tried instead of giving up.
		if n >= len(b) || b[n] != ':' {
			continue
		}
		return g.chainMatch(i, b, n+1)
	}
	return match{}, false
}

// chainMatch reads the id behind "@KIND:" at b[from:], and the parts behind it. What is no id comes back malformed, unless it is a
// word of explanations.
func (g *Grammar) chainMatch(kind int, b []byte, from int) (match, bool) {
	m := match{kind: kind, idFrom: from}
	n := idLen(b[from:])
	if n == 0 {
		end := from
		for end < len(b) && (isAlnum(b[end]) || b[end] == '_' || b[end] == '-') {
			end++
		}
		if end < len(b) && b[end] >= utf8.RuneSelf {
			end = max(end, from+foreignID(b[from:]))
		}
		m.idTo, m.subTo, m.malformed = end, end, true
		return m, end > from && !slices.Contains(g.placeholders, string(b[from:end]))
	}
	m.idTo = from + n
	m.subTo = m.idTo
	// Parts may have parts: @CODE:AUTH-001:DATA:USER.
	for i := m.idTo; i+1 < len(b) && b[i] == ':' && isUpper(b[i+1]); {
		end := i + 1
		for end < len(b) && (isUpper(b[end]) || isDigit(b[end]) || (b[end] == '-' || b[end] == '_') && end+1 < len(b) && isAlnum(b[end+1])) {
			end++
		}
		if end < len(b) && isLower(b[end]) { // "@CODE:AUTH-001:Add a login": a sentence
			break
		}
		i, m.subTo = end, end
	}
	return m, true
}

// idLen is the length of the id at the start of b, 0 when there is none. An id ends where no letter, digit
// or underscore follows: @SPEC:AUTH-0010 holds no AUTH-001.
func idLen(b []byte) int {
	n := 0
	for n < len(b) && (isUpper(b[n]) || isDigit(b[n]) || b[n] == '-') {
		n++
	}
	// @CODE:AUTH-001x and @CODE:AUTH-001_x are other words.
	if n < len(b) && (isLower(b[n]) || b[n] == '_') {
		return 0
	}
	for n > 0 && b[n-1] == '-' { // <!--@CODE:AUTH-001-->
		n--
	}
	// The shortest is A-001.
	if n < 5 || !isUpper(b[0]) || b[n-4] != '-' || !isDigit(b[n-3]) || !isDigit(b[n-2]) || !isDigit(b[n-1]) {
		return 0
	}
	for i := 1; i < n; i++ {
		if b[i] == '-' && b[i-1] == '-' {
			return 0
		}
	}
	return n
}

// foreignID is the length of what somebody who writes in another script took for an
// id, such as 로그인-001, 0 when there is none. Without the hyphen and the digits it is
// a word of an explanation; letters behind the digits are a particle: 로그인-001을.
func foreignID(b []byte) (n int) {
	hyphen := false // the last thing but digits
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		digit := r < utf8.RuneSelf && isDigit(b[i])
		if !digit && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		i += size
		if digit && hyphen {
			n = i
		} else if !digit {
			hyphen = r == '-'
		}
	}
	return n
}

// ASCII alone: ids are, and a table of Unicode costs the scanner its speed.
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isUpper(c) || isLower(c) || isDigit(c) }
