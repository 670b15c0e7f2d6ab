package shell

import (
	"strings"
	"unicode/utf8"
)

// Quotes are removed by context: a backslash means one thing outside quotes, less
// within double quotes, and less again in a heredoc.

// unescape removes backslashes from unquoted text.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if i++; i == len(s) {
				b.WriteByte('\\')
				break
			}
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeQuoted removes the backslashes that mean something in double quotes.
func unescapeQuoted(s string) string { return unescapeSet(s, "\"\\$`\n") }

// unescapeHeredoc does so for an unquoted heredoc, where " is plain.
func unescapeHeredoc(s string) string { return unescapeSet(s, "\\$`\n") }

// unescapeSet removes backslashes in front of the bytes of set.
func unescapeSet(s, set string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(set, s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// globbing reports whether unquoted text holds an unescaped pattern character.
func globbing(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		}
	}
	return false
}

// ansi decodes the escapes of $'…' and echo -e.
func ansi(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'a':
			b.WriteByte(7)
		case 'b':
			b.WriteByte(8)
		case 'e', 'E':
			b.WriteByte(27)
		case 'f':
			b.WriteByte(12)
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'v':
			b.WriteByte(11)
		case '\\', '\'', '"', '?':
			b.WriteByte(s[i])
		// A control character, as in $'…'. For echo -e it ends the output: what follows is
		// kept here, which is more than a shell would print.
		case 'c':
			if i++; i < len(s) {
				b.WriteByte(s[i] & 0x1f)
			}
		case 'x':
			n, r := digits(s[i+1:], 2, 16)
			i += n
			b.WriteByte(byte(r))
		case 'u':
			n, r := digits(s[i+1:], 4, 16)
			i += n
			writeRune(&b, r)
		case 'U':
			n, r := digits(s[i+1:], 8, 16)
			i += n
			writeRune(&b, r)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, r := digits(s[i:], 3, 8)
			if s[i] == '0' { // echo -e writes \0nnn
				n, r = digits(s[i:], 4, 8)
			}
			i += n - 1
			b.WriteByte(byte(r))
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// writeRune writes a character given by number, which may be no character.
func writeRune(b *strings.Builder, r int) {
	// Eight digits of \U hold more than there are characters.
	if r > utf8.MaxRune {
		r = utf8.RuneError
	}
	b.WriteRune(rune(r))
}

// digits reads at most n digits of a base and returns how many it read.
func digits(s string, n, base int) (read, value int) {
	for read < n && read < len(s) {
		d := digit(s[read])
		if d >= base {
			break
		}
		value = value*base + d
		read++
	}
	return read, value
}

// digit returns the value of a digit in any base up to 16, or a large number.
func digit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b >= 'a' && b <= 'f':
		return int(b-'a') + 10
	case b >= 'A' && b <= 'F':
		return int(b-'A') + 10
	}
	return 99
}
