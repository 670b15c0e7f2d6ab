// Package term is how moai looks on a terminal: display width, colour, and the
// voice of errors and hints.
//
// It is not a terminal UI: it never moves a cursor and never reads input. Its
// invariant: without a terminal, or with NO_COLOR, it writes plain text only.
//
// # What strangers wrote
//
// Names, titles, branches, messages and settings come from repositories. Text and Name put them into a line. Below them
// are two nets: Filter before standard output and standard error of every verb, and package wire before the texts of an
// answer. JSON stays JSON, with escapes; a patch in a file keeps its bytes. TestStrangersReachNoTerminal and
// TestHostileTextsReachNobody (64 texts in every place) look at what all verbs and hooks print. The nets let line ends
// through, which could begin a line that looks like moai's: so TestForeignTextIsPrintedByTerm reads the source of
// package cli for prints of foreign text as it came.
package term

import (
	"strings"

	"golang.org/x/text/width"
)

// Width is the number of columns that s takes on a terminal. Hangul, CJK and
// emoji take two, combining marks and conjoining vowels (NFD Hangul, as macOS
// writes file names) take none. Control characters count as none.
func Width(s string) int {
	n, last := 0, 0
	for _, r := range s {
		switch w := runeWidth(r); {
		case r == 0xFE0F && last == 1: // VS16 asks for the emoji form, which is wide
			n, last = n+1, 2
		case w > 0:
			n, last = n+w, w
		}
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return 0
	case r < 0x300:
		return 1
	case r <= 0x36f, // combining diacritical marks
		r >= 0x1160 && r <= 0x11ff, // Hangul medial vowels and final consonants
		r >= 0xd7b0 && r <= 0xd7ff,
		r >= 0x200b && r <= 0x200f, // zero width space and joiners
		r >= 0x20d0 && r <= 0x20f0,
		r >= 0xfe00 && r <= 0xfe0f,
		r >= 0xfe20 && r <= 0xfe2f,
		r == 0xfeff:
		return 0
	case r >= 0x1f300 && r <= 0x1faff: // pictographs, some of which Unicode calls neutral
		return 2
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Pad appends spaces until s is n columns wide.
func Pad(s string, n int) string {
	for w := Width(s); w < n; w++ {
		s += " "
	}
	return s
}

// Cut shortens s to at most n columns, the last of them an ellipsis.
func Cut(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	// As Width counts, so that the two agree; at is where the last letter begins, which a
	// variation selector behind it can still make too wide.
	used, last, at := 0, 0, 0
	for i, r := range s {
		w := runeWidth(r)
		switch {
		case w > 0:
			last, at = w, i
		case r == 0xFE0F && last == 1:
			w, last = 1, 2
		}
		if used+w > n-1 {
			return s[:at] + "…"
		}
		used += w
	}
	return s
}

// CutLeft is [Cut] from the other side: the first of the columns is the ellipsis.
func CutLeft(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	for i := range s {
		if i > 0 && Width(s[i:]) < n {
			return "…" + s[i:]
		}
	}
	return ""
}

// Plain is a text without escape codes: those of Style, and others that programs print to colour what they say, or to write over it.
func Plain(row string) string {
	var plain strings.Builder
	for part, rest := row, ""; part != ""; part = rest {
		text, codes, found := strings.Cut(part, "\x1b[")
		plain.WriteString(text)
		if rest = ""; found {
			rest = strings.TrimLeftFunc(codes, func(r rune) bool { return r >= ' ' && r <= '?' })
			if rest != "" && rest[0] >= '@' && rest[0] <= '~' {
				rest = rest[1:]
			}
		}
	}
	return plain.String()
}

// Fit shortens a row that may hold the escape codes of Style to n columns. Codes take
// no room, and those behind the cut are kept: one of them ends the colour.
func Fit(row string, n int) string {
	if !strings.Contains(row, "\x1b[") {
		return Cut(row, n)
	}
	var out strings.Builder
	plain := Plain(row)
	short := Cut(plain, n)
	cut := short != plain
	if cut { // else an ellipsis at the end is the row's own: a name that was cut before
		short = strings.TrimSuffix(short, "…")
	}
	for part := row; part != ""; {
		text, codes, found := strings.Cut(part, "\x1b[")
		kept := min(len(text), len(short))
		out.WriteString(text[:kept])
		short = short[kept:]
		if cut && kept < len(text) {
			out.WriteString("…")
			cut = false
		}
		if part = ""; found {
			var code string
			code, part, _ = strings.Cut(codes, "m")
			out.WriteString("\x1b[" + code + "m")
		}
	}
	return out.String()
}

// Wrap breaks a text at blanks into lines of so many columns, 0 for any; those behind the first are indented. A word that is wider stays
// whole, and so does what stands in backticks: it is there to be copied. The text may have codes of [Style].
func Wrap(text string, columns, indent int) string {
	if columns <= 0 || Width(Plain(text)) <= columns {
		return text
	}
	var b strings.Builder
	at := 0
	for i, word := range words(text) {
		n := Width(Plain(word))
		switch {
		case i == 0:
		case at+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// words takes a text apart at blanks outside of backticks. Blanks at its beginning stay with the first word.
func words(text string) (list []string) {
	begin, quoted, inside := 0, false, false
	for i, r := range text {
		switch {
		case r == '`':
			quoted, inside = !quoted, true
		case r != ' ':
			inside = true
		case inside && !quoted:
			list = append(list, text[begin:i])
			begin = i + 1
		}
	}
	return append(list, text[begin:])
}
