package lang

import (
	"bytes"
	"strings"
)

// lineField captures what stands for {} in pattern. In the pattern a blank means
// any blanks or none, a quote either quote, a leading newline the start of a
// line. after, when given, must come first.
func lineField(data []byte, after, pattern string) string {
	if after != "" {
		end := behindText(data, after)
		if end < 0 {
			return ""
		}
		data = data[end-1:]
	}
	before, behind, _ := strings.Cut(pattern, "{}")
	before, atLine := strings.CutPrefix(before, "\n")
	rest := strings.TrimLeft(before, ` "'`)
	lead := before[:len(before)-len(rest)]
	// The anchor is the longest part that is spelled in one way only. bytes.Index finds
	// it at the speed of memory, which matters in a lock file of megabytes.
	anchor := rest
	if i := strings.IndexAny(rest, ` "'=`); i > 0 {
		anchor = rest[:i]
	}
	if anchor == "" {
		return ""
	}
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], []byte(anchor))
		if i < 0 {
			return ""
		}
		at += i
		if atLine && at > 0 && data[at-1] != '\n' || !led(data[:at], lead, anchor[0]) || commented(data, at) {
			continue
		}
		n, ok := flexible(data[at:], rest)
		if !ok {
			continue
		}
		value := captured(data[at+n:], strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'") || strings.HasPrefix(behind, `"`))
		if value == "" {
			continue
		}
		if _, ok := flexible(data[at+n+len(value):], behind); ok {
			return value
		}
	}
}

// behindText is where the first occurrence of text ends; -1 when there is none. Blanks
// in it are loose: a lock file may be written without any, all in one line.
func behindText(data []byte, text string) int {
	if strings.HasPrefix(text, "\n") && bytes.HasPrefix(data, []byte(text[1:])) {
		return len(text) - 1
	}
	anchor, rest, loose := strings.Cut(text, " ")
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], []byte(anchor))
		if i < 0 {
			return -1
		}
		at += i
		end := at + len(anchor)
		if !loose {
			return end
		}
		if n, ok := flexible(data[end:], " "+rest); ok {
			return end + n
		}
	}
}

// led says whether what stands before the anchor fits the pattern's lead: a quote
// for a quote, otherwise no part of a longer word.
func led(data []byte, lead string, first byte) bool {
	if strings.ContainsAny(lead, `"'`) {
		return len(data) > 0 && (data[len(data)-1] == '"' || data[len(data)-1] == '\'')
	}
	return !wordByte(first) || len(data) == 0 || !wordByte(data[len(data)-1])
}

// commented says whether at lies in a comment that takes the line from its start.
func commented(data []byte, at int) bool {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	lead := bytes.TrimLeft(data[start:at], " \t")
	return bytes.HasPrefix(lead, []byte("#")) || bytes.HasPrefix(lead, []byte("//")) || bytes.HasPrefix(lead, []byte("-- "))
}

// flexible matches a pattern in which blanks and quotes are loose, and returns
// how many bytes it took.
func flexible(data []byte, pattern string) (n int, ok bool) {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case ' ':
			for n < len(data) && (data[n] == ' ' || data[n] == '\t') {
				n++
			}
		case '"', '\'':
			if n == len(data) || data[n] != '"' && data[n] != '\'' {
				return 0, false
			}
			n++
		default:
			// "a=b" matches "a = b".
			for c == '=' && i > 0 && n < len(data) && data[n] == ' ' {
				n++
			}
			if n == len(data) || data[n] != c {
				return 0, false
			}
			n++
			if c == '=' && (i+1 == len(pattern) || pattern[i+1] != '=') {
				for n < len(data) && data[n] == ' ' {
					n++
				}
			}
		}
	}
	return n, true
}

// captured is the value at the start of data: up to the closing quote, or a word
// that begins like a number.
func captured(data []byte, quoted bool) string {
	n := 0
	for n < len(data) && n < 64 {
		c := data[n]
		if c == '"' || c == '\'' || c == '\n' || c == '\r' || c == '$' || c == '{' || c == '<' && n > 0 && !quoted {
			break
		}
		if !quoted && !digit(c) && !strings.ContainsRune(".+-_*<>=~^!", rune(c)) && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			break
		}
		n++
	}
	// What stands there must look like a version: a variable or a function call does
	// not, and no version is better than "REQUIRES".
	v := string(data[:n])
	if !strings.ContainsAny(v, "0123456789") || quoted && (n == len(data) || data[n] != '"' && data[n] != '\'') {
		return ""
	}
	if !quoted && !digit(v[0]) && !strings.ContainsRune("<>=~^", rune(v[0])) {
		return ""
	}
	return v
}
