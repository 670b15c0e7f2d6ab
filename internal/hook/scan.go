package hook

import "math/bits"

// A reader of JSON that builds nothing: it walks over the text, proves that it is JSON (RFC 8259, agreeing with
// encoding/json on every input, which a fuzz test checks) and reports where members begin and end. A hook reads two or three of
// a payload's values; decoding all of them costs five times as much as the rest of a harmless call.

// maxDepth is encoding/json's own limit on nesting.
const maxDepth = 10000

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// skip returns the index after the value that begins at i.
func skip(s string, i, depth int) (int, error) {
	if i >= len(s) {
		return i, &syntaxError{s, i, "where a value should begin"}
	}
	switch c := s[i]; {
	case c == '"':
		return text(s, i)
	case c == '{':
		return object(s, i, depth, nil)
	case c == '[':
		return array(s, i, depth, nil)
	case c == '-' || c >= '0' && c <= '9':
		return number(s, i)
	case c == 't':
		return word(s, i, "true")
	case c == 'f':
		return word(s, i, "false")
	case c == 'n':
		return word(s, i, "null")
	}
	return i, &syntaxError{s, i, "where a value should begin"}
}

// object walks over the object at i and shows each member to yield until that returns false.
func object(s string, i, depth int, yield func(string, Value) bool) (int, error) {
	if depth >= maxDepth {
		return i, &syntaxError{s, i, "is nested too deep"}
	}
	i = blanks(s, i+1)
	if i < len(s) && s[i] == '}' {
		return i + 1, nil
	}
	for {
		if i >= len(s) || s[i] != '"' {
			return i, &syntaxError{s, i, "where a name in quotes should begin"}
		}
		end, err := text(s, i)
		if err != nil {
			return end, err
		}
		name := s[i:end]
		if i = blanks(s, end); i >= len(s) || s[i] != ':' {
			return i, &syntaxError{s, i, "where a colon should be"}
		}
		i = blanks(s, i+1)
		if end, err = skip(s, i, depth+1); err != nil {
			return end, err
		}
		if yield != nil && !yield(Value(name).Text(), Value(s[i:end])) {
			return end, nil
		}
		if i = blanks(s, end); i < len(s) && s[i] == '}' {
			return i + 1, nil
		}
		if i >= len(s) || s[i] != ',' {
			return i, &syntaxError{s, i, "where a comma or the end of an object should be"}
		}
		i = blanks(s, i+1)
	}
}

// array is object for lists.
func array(s string, i, depth int, yield func(Value) bool) (int, error) {
	if depth >= maxDepth {
		return i, &syntaxError{s, i, "is nested too deep"}
	}
	i = blanks(s, i+1)
	if i < len(s) && s[i] == ']' {
		return i + 1, nil
	}
	for {
		end, err := skip(s, i, depth+1)
		if err != nil {
			return end, err
		}
		if yield != nil && !yield(Value(s[i:end])) {
			return end, nil
		}
		if i = blanks(s, end); i < len(s) && s[i] == ']' {
			return i + 1, nil
		}
		if i >= len(s) || s[i] != ',' {
			return i, &syntaxError{s, i, "where a comma or the end of a list should be"}
		}
		i = blanks(s, i+1)
	}
}

// plain returns the index of the first byte from i on that means something within a string: a quote, a backslash or a control
// character. Most of a payload is text, and each question about a call goes over all of it: eight bytes are looked at at once.
func plain(s string, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(s)-i >= 8; i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := w^ones*'"', w^ones*'\\'
		// A byte that is zero, or below a blank, has its highest bit set; what lies above the first such byte may have, too.
		if found := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= ' ' {
		i++
	}
	return i
}

func text(s string, i int) (int, error) {
	for i = plain(s, i+1); i < len(s); i = plain(s, i+1) {
		switch c := s[i]; {
		case c == '"':
			return i + 1, nil
		case c < 0x20:
			return i, &syntaxError{s, i, "inside a string, where it must be escaped"}
		case c == '\\':
			if i++; i >= len(s) {
				return i, &syntaxError{s, i, "inside a string"}
			}
			switch s[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					if i++; i >= len(s) || !hexDigit(s[i]) {
						return i, &syntaxError{s, i, "where \\u wants four hex digits"}
					}
				}
			default:
				return i, &syntaxError{s, i, "after a backslash"}
			}
		}
	}
	return i, &syntaxError{s, i, "inside a string"}
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func number(s string, i int) (int, error) {
	if s[i] == '-' {
		i++
	}
	var err error
	if i < len(s) && s[i] == '0' {
		i++
	} else if i, err = digits(s, i); err != nil {
		return i, err
	}
	if i < len(s) && s[i] == '.' {
		if i, err = digits(s, i+1); err != nil {
			return i, err
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return digits(s, i)
	}
	return i, nil
}

func digits(s string, i int) (int, error) {
	start := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == start {
		return i, &syntaxError{s, i, "where a digit should be"}
	}
	return i, nil
}

func word(s string, i int, w string) (int, error) {
	if len(s)-i < len(w) || s[i:i+len(w)] != w {
		return i, &syntaxError{s, i, "where a value should begin"}
	}
	return i + len(w), nil
}
