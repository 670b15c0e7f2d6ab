package lang

import (
	"bytes"
	"strings"
)

// ednKeys lists the keys of a map of EDN that stands behind a keyword: symbols at its left, those with an own map or list among them. What begins with a
// dash is for others of the map alone.
func ednKeys(data []byte, field string, add func(string)) {
	_, rest, ok := bytes.Cut(data, []byte(field))
	open := bytes.IndexByte(rest, '{')
	if !ok || open < 0 || len(bytes.TrimSpace(rest[:open])) > 0 {
		return
	}
	depth, key := 1, true // within the map; whether a key comes next, and not the value of one
	for at := open + 1; at < len(rest) && depth > 0; {
		switch c := rest[at]; {
		case c == ';':
			at += lineEnd(rest[at:])
		case c == '"':
			at += stringEnd(rest[at:])
			if depth == 1 {
				key = !key
			}
		case c == '{' || c == '(' || c == '[':
			depth++
			at++
		case c == '}' || c == ')' || c == ']':
			if depth--; depth == 1 {
				key = !key
			}
			at++
		case depth > 1 || strings.IndexByte(" \t\r\n,#'`@^", c) >= 0:
			at++
		default:
			end := bytes.IndexAny(rest[at:], " \t\r\n,{}()[]\";")
			if end < 0 {
				return
			}
			if key && c != ':' && end > 0 {
				add(string(rest[at : at+end]))
			}
			key = !key
			at += max(end, 1)
		}
	}
}

// lineEnd is where the line ends.
func lineEnd(data []byte) int {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i
	}
	return len(data)
}

// stringEnd is where a string in double quotes ends that begins the text.
func stringEnd(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}
