package argv

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote joins words to a line that a shell takes apart into them again.
func Quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

func quote(w string) string {
	if strings.ContainsFunc(w, Invisible) || !utf8.ValidString(w) {
		return escaped(w)
	}
	// zsh takes a word that begins with "=" for a program.
	if w != "" && w[0] != '=' && !strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()*?[]{}~#!") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Invisible reports what a terminal would obey, or does not show.
func Invisible(r rune) bool {
	if r < utf8.RuneSelf { // nearly all there are; tables take forty times as long
		return r < ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escaped writes a word in the form $'…', with an escape for each byte of a letter that a terminal does not show: people paste such lines, and must see what
// is in them. Escapes are of bytes, since every shell reads those, whatever its locale.
func escaped(w string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i, r := range w {
		switch _, size := utf8.DecodeRuneInString(w[i:]); {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case Invisible(r), r == utf8.RuneError && size == 1:
			for _, c := range []byte(w[i : i+size]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + "'"
}
