package term

import (
	"io"
	"strconv"

	"golang.org/x/term"
)

// Style colours text, or leaves it alone when its zero value is used.
type Style struct{ on bool }

// StyleFor decides about colour for w: on only for a terminal; NO_COLOR and
// TERM=dumb switch it off, FORCE_COLOR switches it on (no-color.org).
func StyleFor(w io.Writer, getenv func(string) string) Style {
	switch {
	case getenv("NO_COLOR") != "":
		return Style{}
	case getenv("FORCE_COLOR") != "":
		return Style{on: true}
	case getenv("TERM") == "dumb":
		return Style{}
	}
	return Style{on: IsTerminal(w)}
}

// StyleBehind decides about colour for what a program reads and shows on its own terminal: on, unless the user wants none.
func StyleBehind(getenv func(string) string) Style {
	return Style{on: getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

// IsTerminal reports whether w (or r) is a terminal.
func IsTerminal(w any) bool {
	f, ok := File(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Columns is how many columns a row may take on w, 0 for any number. COLUMNS counts
// before the terminal's own width, as in other tools: shells do not export it, so
// whoever sets it means it. A pipe takes rows as they are.
func Columns(w io.Writer, getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := File(w); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 0
}

func (s Style) wrap(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// On reports whether colour is used.
func (s Style) On() bool { return s.on }

// Bold, Dim and the colours wrap text in their escape codes.
func (s Style) Bold(text string) string   { return s.wrap("1", text) }
func (s Style) Dim(text string) string    { return s.wrap("2", text) }
func (s Style) Red(text string) string    { return s.wrap("31", text) }
func (s Style) Green(text string) string  { return s.wrap("32", text) }
func (s Style) Yellow(text string) string { return s.wrap("33", text) }
func (s Style) Cyan(text string) string   { return s.wrap("36", text) }
