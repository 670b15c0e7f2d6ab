package spec

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// EARS (easy approach to requirements syntax) sorts requirements into kinds, which the table names. A document shows them by
// headings, and by labels and sentences where it sorts its requirements in another way.

// Sections are the kinds of requirements that a document shows, in its order: those of its headings, else those of its text.
func (s *Spec) Sections() []string {
	var headed, told []string
	fence := ""
	for line := range strings.Lines(s.Body) {
		t := strings.TrimSpace(line)
		// What stands in a fence is an example of something.
		if mark := fenceMark(t); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case mark == t && strings.HasPrefix(mark, fence):
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		kind := ears(s.table, t)
		switch {
		case kind == "":
		case strings.HasPrefix(t, "#"):
			headed = append(headed, kind)
		case !slices.Contains(told, kind):
			told = append(told, kind)
		}
	}
	if len(headed) > 0 {
		return headed
	}
	return told
}

// fenceMark is the run of marks that opens or closes a fence, "" on any other line.
func fenceMark(t string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(t) - len(strings.TrimLeft(t, c)); n >= 3 {
			return t[:n]
		}
	}
	return ""
}

// longestSentence bounds how much of a line is looked at for a sentence, in bytes: a table or a minified text is none.
const longestSentence = 4 << 10

// ears is the kind of requirement that a line shows, "" when it shows none.
func ears(t *rule.Specs, line string) string {
	if len(line) > longestSentence {
		line = strings.ToValidUTF8(line[:longestSentence], "")
	}
	line = strings.ToLower(line)
	if strings.HasPrefix(line, "#") {
		return kindOf(t, func(s *rule.SpecSection) bool {
			return slices.ContainsFunc(s.Words, func(w string) bool { return strings.Contains(line, w) })
		})
	}
	label := func(s *rule.SpecSection) bool {
		return slices.ContainsFunc(s.Words, func(w string) bool { return labelled(line, w) })
	}
	if kind := kindOf(t, label); kind != "" {
		return kind
	}
	before, ok := beforeShall(line)
	if !ok {
		return ""
	}
	opens := openings(before)
	if kind := kindOf(t, func(s *rule.SpecSection) bool {
		return slices.ContainsFunc(s.Opens, func(w string) bool { return slices.Contains(opens, w) })
	}); kind != "" {
		return kind
	}
	return kindOf(t, func(s *rule.SpecSection) bool { return len(s.Opens) == 0 })
}

// kindOf is the first kind that fits.
func kindOf(t *rule.Specs, fits func(*rule.SpecSection) bool) string {
	for i := range t.Sections {
		if fits(&t.Sections[i]) {
			return t.Sections[i].Name
		}
	}
	return ""
}

// labelled reports a word that stands at the start of brackets: "(Ubiquitous, must-pass)".
func labelled(line, word string) bool {
	for _, open := range []string{"(", "["} {
		if i := strings.Index(line, open+word); i >= 0 && !letterAt(line[i+len(open)+len(word):]) {
			return true
		}
	}
	return false
}

// beforeShall is what stands before the word that makes a sentence a requirement.
func beforeShall(line string) (string, bool) {
	const shall = "shall"
	for at := 0; ; {
		i := strings.Index(line[at:], shall)
		if i < 0 {
			return "", false
		}
		at += i
		if !letterAt(line[at+len(shall):]) && (at == 0 || line[at-1] < 0x80 && !letterAt(line[at-1:])) {
			return line[:at], true
		}
		at += len(shall)
	}
}

// letterAt reports whether s goes on with a letter.
func letterAt(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}

// openings are the words with which a sentence may begin: the first of the text, and each behind a mark, as in "**REQ-1**: When".
func openings(text string) []string {
	var out []string
	first := true
	for w := range strings.FieldsSeq(text) {
		if word := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }); first && word != "" {
			out = append(out, word)
			first = false
		}
		last, _ := utf8.DecodeLastRuneInString(w)
		first = first || strings.ContainsRune(":.;*)]—–", last)
	}
	return out
}

// ears asks for one kind at least: which of them a SPEC needs depends on what it describes.
func (l *linter) ears(s *Spec) {
	if s.Body == "" || s.Early() {
		return // it has not come to its requirements yet
	}
	if len(s.Sections()) == 0 {
		var names []string
		for i := range s.table.Sections {
			names = append(names, s.table.Sections[i].Name)
		}
		l.add(s, 1, "spec.ears", "warning", "no EARS section or sentence (%s)", strings.Join(names, ", "))
	}
}
