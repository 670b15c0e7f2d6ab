package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names, titles, branches, messages and settings come from strangers. What a terminal would obey in them instead of showing it, and
// what it would not show at all, is made visible: by Name and Text where they are put into a line, by Lines in texts of several
// lines, and by Filter in whatever has been forgotten.

// Name shows a file name: as it is, or quoted where it holds what a terminal would
// obey (escape codes, bells, line ends) or cannot show. Names come from strangers.
func Name(s string) string {
	if clean(s, "") && !strings.Contains(s, `"`) {
		return s
	}
	// Go leaves some of what cannot be seen as it is.
	return Text(strconv.Quote(s))
}

// Text shows foreign text on its own line: what a terminal would obey instead of
// showing (escape codes, line ends, marks that turn the direction), and what nobody
// sees, becomes an escape as Go writes it, a tab becomes blanks. Unlike Name it never adds quotes.
func Text(s string) string {
	if clean(s, "") {
		return s
	}
	return shown(strings.ReplaceAll(s, "\t", "    "), "")
}

// Lines is Text for a text of several lines, whose line ends and tabs stay.
func Lines(s string) string {
	const keep = "\n\t"
	if clean(s, keep) {
		return s
	}
	return shown(s, keep)
}

func clean(s, keep string) bool {
	last := ' '
	for i, r := range s {
		if obeyed(last, r) && !strings.ContainsRune(keep, r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return false
		}
		last = r
	}
	return true
}

func shown(s, keep string) string {
	var b strings.Builder
	last := ' '
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"): // a byte that is no UTF-8
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
		case obeyed(last, r) && !strings.ContainsRune(keep, r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// obeyed reports letters that a terminal obeys, or that it does not show, so that two texts which differ look alike. The joiners
// belong to scripts and emoji, and stay behind their letters.
func obeyed(last, r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	case r == 0x200c || r == 0x200d:
		return last < 0x250
	case unicode.Is(unicode.Bidi_Control, r),
		r == 0xad, r == 0x34f, r == 0x180e, // soft hyphen, joiners without a look
		r == 0x200b, r >= 0x2028 && r <= 0x2029, r >= 0x2060 && r <= 0x206f, r == 0xfeff,
		r == 0x3164, r == 0xffa0, // blanks that count as Hangul letters
		r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff: // annotations and tags
		return true
	}
	return false
}

// Filter passes text on to a terminal, or to what a person reads later, without what a terminal would obey. Of escape codes only
// those of Style get through, and only where colour is on. It is the net below Name and Text.
type Filter struct {
	w    io.Writer
	on   bool // codes of Style
	rest []byte
	last rune
	any  bool // something has come
	err  error
}

// NewFilter makes a filter in front of w.
func NewFilter(w io.Writer, getenv func(string) string) *Filter {
	return &Filter{w: w, on: StyleFor(w, getenv).On(), last: ' '}
}

// Unfiltered is where bytes go that are data and no text, such as those of a patch: w itself, where no terminal is behind it.
func Unfiltered(w io.Writer) io.Writer {
	if f, ok := w.(*Filter); ok && !IsTerminal(f.w) {
		return f.w
	}
	return w
}

// Err is the first error of what is behind the filter: a disk that is full, which who prints a line does not look at. Nil where only nobody
// reads any more.
func (f *Filter) Err() error {
	if noReader(f.err) || errors.Is(f.err, io.ErrClosedPipe) {
		return nil
	}
	return f.err
}

// Wrote reports that something was written to the filter.
func (f *Filter) Wrote() bool { return f.any }

// Write passes p on. Half a letter at its end waits for the other half.
func (f *Filter) Write(p []byte) (int, error) {
	n := len(p)
	f.any = f.any || n > 0
	if len(f.rest) > 0 {
		p = append(f.rest, p...)
		f.rest = nil
	}
	// Most texts are passed on as they are.
	out := p[:0:0]
	done := 0
	for i := 0; i < len(p); {
		c := p[i]
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			f.last = rune(c)
			i++
			continue
		}
		if c == 0x1b && f.on {
			if k := code(p[i:]); k > 0 {
				i += k
				continue
			} else if k < 0 {
				f.rest = append(f.rest, p[i:]...)
				p = p[:i]
				break
			}
		}
		r, size := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && size <= 1 && !utf8.FullRune(p[i:]) {
			f.rest = append(f.rest, p[i:]...)
			p = p[:i]
			break
		}
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(append(out, p[done:i]...), fmt.Sprintf(`\x%02x`, c)...)
			done = i + size
		case obeyed(f.last, r):
			// As JSON spells it, which is text, too.
			out = append(out, p[done:i]...)
			if r > 0xffff {
				a, b := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
				out = append(out, fmt.Sprintf(`\u%04x\u%04x`, a, b)...)
			} else {
				out = append(out, fmt.Sprintf(`\u%04x`, r)...)
			}
			done = i + size
		}
		f.last = r
		i += size
	}
	if done == 0 {
		out = p
	} else {
		out = append(out, p[done:]...)
	}
	if _, err := f.w.Write(out); err != nil {
		if f.err == nil {
			f.err = err
		}
		return 0, err
	}
	return n, nil
}

// code is the length of a code of Style at the beginning of p; 0 if it is none, -1 if it is not all there yet.
func code(p []byte) int {
	for _, c := range [...]string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[36m"} {
		if strings.HasPrefix(string(p[:min(len(p), len(c))]), c) {
			return len(c)
		}
		if len(p) < len(c) && strings.HasPrefix(c, string(p)) {
			return -1
		}
	}
	return 0
}

// Close writes what still waits.
func (f *Filter) Close() error {
	if len(f.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(f.w, Text(string(f.rest)))
	f.rest = nil
	return err
}

// File is the file behind a stream, also behind a filter.
func File(w any) (*os.File, bool) {
	if f, ok := w.(*Filter); ok {
		w = f.w
	}
	f, ok := w.(*os.File)
	return f, ok
}
