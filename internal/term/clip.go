package term

import "unicode/utf8"

// Clip is a text of at most n bytes, cut at a character's end, with a mark where something was left out. It bounds what
// messages and records quote of others; [Cut] is for what has to fit into columns.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
