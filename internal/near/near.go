// Package near finds what an edit may have meant whose text is not in its file: the same text in other white space, line ends or letters, or the lines
// that are most like it.
//
// It reads no file and answers no hook. Its invariant: what it offers in place of a text stands in the file, byte for byte, exactly once.
package near

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of the work.
const (
	maxFile  = 1 << 20
	maxText  = 64 << 10
	maxCells = 4 << 20 // lines of the file times lines of the text
)

// Found is what was found.
type Found struct {
	Cause  string // what differs, in words; "" where lines are only alike
	From   int    // the first line, from 1
	To     int
	Text   string   // what stands there
	Others []int    // further lines at which the text begins
	Differ []Differ // lines that differ, for what is only alike
}

// Differ is a line that differs.
type Differ struct {
	Line      int
	File, Old string
}

// form is a way to read two texts as the same: at has the place of each byte of what is left, and one more for the end.
type form struct {
	cause string
	read  func(b []byte) (out []byte, at []int)
}

// forms are tried one after the other, so that the first that fits says what differs. It is a function: what is made before main is
// made in every hook call.
func forms() []form {
	return []form{
		{"line ends (CRLF and LF)", each(func(b []byte) (string, int) {
			if b[0] == '\r' && len(b) > 1 && b[1] == '\n' {
				return "", 1
			}
			return "", 0
		})},
		{"spaces that look like others (NBSP and its like)", each(space)},
		{"quotation marks or dashes", each(mark)},
		{"letters that are composed in another way (NFC and NFD)", composed},
		{"blanks at the ends of lines", each(trailing)},
		{"tabs and spaces", each(blanks)},
		{"white space, quotation marks and line ends", func(b []byte) ([]byte, []int) { return chain(b, each(space), each(mark), composed, each(blanks)) }},
		{"line breaks, as a formatter leaves them", func(b []byte) ([]byte, []int) { return chain(b, each(space), each(mark), composed, each(broken)) }},
	}
}

// Look looks for a text that an edit wanted to replace. It is nil where nothing in the file is like it, and where the text is there just once.
func Look(file []byte, old string) *Found {
	text := []byte(old)
	if len(file) == 0 || len(file) > maxFile || len(text) == 0 || len(text) > maxText || !utf8.Valid(file) {
		return nil
	}
	switch n := bytes.Count(file, text); {
	case n == 1:
		return nil
	case n > 1:
		return several(file, text)
	}
	if plain := unnumbered(text); !bytes.Equal(plain, text) && bytes.Count(file, plain) == 1 {
		return found(file, bytes.Index(file, plain), len(plain), "the numbers of lines, which are no part of the file")
	}
	for _, one := range forms() {
		if f := one.find(file, text); f != nil {
			return f
		}
	}
	return alike(file, text)
}

// several tells where a text stands that should be unique.
func several(file, text []byte) *Found {
	f := &Found{Cause: "it is there more than once"}
	for at := 0; len(f.Others) < 10; {
		i := bytes.Index(file[at:], text)
		if i < 0 {
			break
		}
		f.Others = append(f.Others, lineOf(file, at+i))
		at += i + len(text)
	}
	f.From, f.To = f.Others[0], f.Others[0]
	return f
}

func (m *form) find(file, text []byte) *Found {
	want, _ := m.read(text)
	have, at := m.read(file)
	if len(bytes.TrimSpace(want)) == 0 || bytes.Count(have, want) != 1 {
		return nil
	}
	i := bytes.Index(have, want)
	from, to := at[i], endOf(file, at[i+len(want)-1])
	if bytes.Count(file, file[from:to]) != 1 {
		return nil
	}
	return found(file, from, to-from, m.cause)
}

// endOf is where the letter ends that begins at a place.
func endOf(file []byte, at int) int {
	_, n := utf8.DecodeRune(file[at:])
	end := at + n
	for end < len(file) { // what is composed of several
		r, n := utf8.DecodeRune(file[end:])
		if !combines(r) {
			break
		}
		end += n
	}
	return end
}

func combines(r rune) bool {
	return r > utf8.RuneSelf && (norm.NFC.PropertiesString(string(r)).CCC() > 0 || r >= 0x1160 && r <= 0x11ff)
}

func found(file []byte, at, n int, cause string) *Found {
	return &Found{Cause: cause, From: lineOf(file, at), To: lineOf(file, at+max(n-1, 0)), Text: string(file[at : at+n])}
}

func lineOf(file []byte, at int) int { return 1 + bytes.Count(file[:at], []byte("\n")) }

// each reads byte by byte: a step says what stands for the next n bytes; 0 bytes are taken as they are.
func each(step func(b []byte) (as string, n int)) func([]byte) ([]byte, []int) {
	return func(b []byte) (out []byte, at []int) {
		for i := 0; i < len(b); {
			as, n := step(b[i:])
			if n == 0 {
				out, at = append(out, b[i]), append(at, i)
				i++
				continue
			}
			for j := range len(as) {
				out, at = append(out, as[j]), append(at, i)
			}
			i += n
		}
		return out, append(at, len(b))
	}
}

func space(b []byte) (string, int) {
	if b[0] < utf8.RuneSelf {
		return "", 0
	}
	switch r, n := utf8.DecodeRune(b); {
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return " ", n
	case r == 0x200b, r == 0x200c, r == 0x200d, r == 0x2060, r == 0xfeff:
		return "", n
	}
	return "", 0
}

func mark(b []byte) (string, int) {
	if b[0] < utf8.RuneSelf {
		return "", 0
	}
	switch r, n := utf8.DecodeRune(b); r {
	case '‘', '’', '‚', '′':
		return "'", n
	case '“', '”', '„', '″':
		return `"`, n
	case '–', '—', '‐', '‑', '−':
		return "-", n
	case '…':
		return "...", n
	}
	return "", 0
}

func trailing(b []byte) (string, int) {
	n := 0
	for n < len(b) && (b[n] == ' ' || b[n] == '\t' || b[n] == '\r') {
		n++
	}
	if n > 0 && n < len(b) && b[n] == '\n' {
		return "", n
	}
	return "", 0
}

// blanks are one blank, and none at the ends of lines.
func blanks(b []byte) (string, int) {
	n := 0
	for n < len(b) && (b[n] == ' ' || b[n] == '\t' || b[n] == '\r') {
		n++
	}
	switch {
	case n == 0:
		return "", 0
	case n == len(b) || b[n] == '\n':
		return "", n
	}
	return " ", n
}

// broken leaves out what a formatter changes where it breaks lines or joins them: white space, and a comma before a bracket; one quotation mark is as good as
// another.
func broken(b []byte) (string, int) {
	n := 0
	for n < len(b) && strings.IndexByte(" \t\r\n", b[n]) >= 0 {
		n++
	}
	switch {
	case n > 0:
		return "", n
	case b[0] == '\'' || b[0] == '`':
		return `"`, 1
	case b[0] == ',':
		if rest := bytes.TrimLeft(b[1:], " \t\r\n"); len(rest) > 0 && strings.IndexByte(")]}", rest[0]) >= 0 {
			return "", 1
		}
	}
	return "", 0
}

// composed is the form in which letters with marks are one, a piece at a time so that places stay known.
func composed(b []byte) (out []byte, at []int) {
	for i := 0; i < len(b); {
		n := norm.NFC.NextBoundary(b[i:], true)
		if n <= 0 {
			n = 1
		}
		for _, c := range norm.NFC.Bytes(b[i : i+n]) {
			out, at = append(out, c), append(at, i)
		}
		i += n
	}
	return out, append(at, len(b))
}

// chain reads by several forms, one behind the other.
func chain(b []byte, reads ...func([]byte) ([]byte, []int)) ([]byte, []int) {
	at := []int(nil)
	for _, read := range reads {
		out, places := read(b)
		if at != nil {
			for i := range places {
				places[i] = at[places[i]]
			}
		}
		b, at = out, places
	}
	return b, at
}

// unnumbered takes off what a tool that shows files puts in front of their lines: "    12→".
func unnumbered(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " ")
		digits := 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		body, arrow := bytes.CutPrefix(rest[digits:], []byte("→"))
		if !arrow {
			body, arrow = bytes.CutPrefix(rest[digits:], []byte("\t"))
		}
		if digits == 0 || !arrow {
			return text
		}
		out = append(out, body...)
	}
	return out
}

// shownDiffer is how many lines that differ are told.
const shownDiffer = 2

// alike finds the lines that have most in common with a text: half of them at least.
func alike(file, text []byte) *Found {
	have, want := lines(file), lines(text)
	if len(have)*len(want) > maxCells || len(want) == 0 {
		return nil
	}
	best, at, ties := 0, 0, 0
	for i := range have {
		score := 0
		for j := 0; j < len(want) && i+j < len(have); j++ {
			score += likeness(have[i+j], want[j])
		}
		switch {
		case score > best:
			best, at, ties = score, i, 0
		case score == best:
			ties++
		}
	}
	if best*2 < len(want)*full || ties > 0 {
		return nil
	}
	end := min(at+len(want), len(have))
	f := &Found{From: at + 1, To: end}
	for j := range end - at {
		if have[at+j] != want[j] && len(f.Differ) < shownDiffer {
			f.Differ = append(f.Differ, Differ{at + j + 1, have[at+j], want[j]})
		}
	}
	return f
}

func lines(b []byte) []string {
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), "\n")
}

// full is how alike two lines are that are the same.
const full = 100

// likeness is from 0 to full: what two lines share at their beginnings and ends.
func likeness(a, b string) int {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == b {
		return full
	}
	n := min(len(a), len(b))
	head := 0
	for head < n && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return full * (head + tail) / max(len(a), len(b))
}
