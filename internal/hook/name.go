package hook

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// PlainName is the name of an event or of a tool as a person reads it: without blanks around it, without letters that nobody
// sees, and with each letter in its usual form. A name that only looks like a known one must not be a stranger that nothing
// is judged for.
func PlainName(name string) string {
	plain := true
	for i := 0; i < len(name) && plain; i++ {
		plain = name[i] > ' ' && name[i] < 0x7f
	}
	if plain || len(name) > longName {
		return name
	}
	unseen := func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError || r >= utf8.RuneSelf && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Mn)) {
			return -1
		}
		return r
	}
	return strings.TrimSpace(strings.Map(unseen, norm.NFKC.String(name)))
}

// longName is more than any name has; what is longer is no name, and not worth the work.
const longName = 1 << 10
