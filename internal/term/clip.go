package term

import "strings"

// Clip is a text of at most n letters, with a mark where something was left out: half of a Hangul syllable is no text. It bounds
// what messages and records quote of others; [Cut] is for what has to fit into columns.
func Clip(s string, n int) string {
	if len(s) <= n { // no text has more letters than bytes
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// OneLine is [Clip] for what may have lines: all blanks become single spaces. What is far too long is not read to its end.
func OneLine(s string, n int) string {
	if most := 32 * n; len(s) > most { // letters take up to four bytes, and blanks become fewer
		s = strings.ToValidUTF8(s[:most], "")
	}
	return Clip(strings.Join(strings.Fields(s), " "), n)
}
