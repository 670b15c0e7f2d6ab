package lang

import (
	"bytes"
	"strconv"
	"strings"
)

// lineField captures what stands for {} in pattern. In the pattern a blank means
// any blanks or none, a quote either quote, a leading newline the start of a
// line. after, when given, must come first.
func lineField(data []byte, after, pattern string) string {
	p, ok := newPlaces(data, after, pattern)
	if !ok {
		return ""
	}
	for p.next() {
		if value := p.value(); value != "" {
			return value
		}
	}
	return ""
}

// agreedField is lineField where all places must say the same. What is printed is
// no setting, so texts that begin before the place are passed over; options of
// compilers stand in texts as often as not.
func agreedField(data []byte, pattern string) string {
	p, ok := newPlaces(data, "", pattern)
	if !ok {
		return ""
	}
	agreed := ""
	for p.next() {
		if pattern[0] != '-' && p.quoted() {
			continue
		}
		value := p.value()
		if value == "" || agreed != "" && value != agreed {
			return ""
		}
		agreed = value
	}
	return agreed
}

// leastField is lineField for the oldest of the standards that several places say; none where one cannot be read.
func leastField(data []byte, pattern string) string {
	p, ok := newPlaces(data, "", pattern)
	if !ok {
		return ""
	}
	least := ""
	for p.next() {
		if p.quoted() {
			continue
		}
		value := p.value()
		if year(value) == 0 {
			return ""
		}
		if least == "" || year(value) < year(least) {
			least = value
		}
	}
	return least
}

// year is that of a standard by its last two digits, 0 for what is none.
func year(standard string) int {
	n, err := strconv.Atoi(standard)
	switch {
	case err != nil || n < 0 || n > 99:
		return 0
	case n >= 70:
		return 1900 + n
	}
	return 2000 + n
}

// settingField is lineField for what a file sets: the first place that sets it
// decides, and a name there is looked up. set says that there is such a place, so
// that a value that cannot be read is told from none.
func settingField(data []byte, pattern string, lookup func(name string) string) (value string, set bool) {
	p, ok := newPlaces(data, "", pattern)
	if !ok {
		return "", false
	}
	// What makes a place one that sets it: all up to the sign of assignment, else all
	// up to the value.
	sign := strings.TrimSuffix(strings.TrimRight(p.rest, "\"'"), " ")
	if i := strings.IndexByte(p.rest, '='); i >= 0 {
		sign = p.rest[:i+1]
	}
	for p.next() {
		if _, sets := flexible(data[p.at:], sign); !sets || p.quoted() {
			continue
		}
		if value := p.value(); value != "" {
			return value, true
		}
		bare := strings.TrimRight(p.rest, "\"'")
		n, ok := flexible(data[p.at:], bare)
		if !ok {
			return "", true
		}
		if name := nameAt(data[p.at+n:]); name != "" {
			return lookup(name), true
		}
		return "", true
	}
	return "", false
}

// nameAt is the last part of the name at the start of data: scala3 of
// "Versions.scala3", STD of "${STD}"; empty when something else stands there.
func nameAt(data []byte) string {
	text := strings.TrimLeft(string(data[:min(len(data), 80)]), "\"'")
	text = strings.TrimPrefix(text, "$")
	text = strings.TrimPrefix(text, "{")
	n := 0
	for n < len(text) && (wordByte(text[n]) || text[n] == '.' || text[n] == '@' && n == 0) {
		n++
	}
	// A call or a text with a prefix, f"…", is no name.
	if n == 0 || n < len(text) && strings.IndexByte("(\"'[", text[n]) >= 0 || digit(text[0]) {
		return ""
	}
	name := text[:n]
	return name[strings.LastIndexByte(name, '.')+1:]
}

// defined is the version that a name is given: name = "1.2", set(NAME 1.2),
// @name "~> 1.2", "name": "1.2".
func defined(data []byte, name string) string {
	line := lineOf{data: data}
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], []byte(name))
		if i < 0 {
			return ""
		}
		at += i
		end := at + len(name)
		if at > 0 && wordByte(data[at-1]) || end == len(data) || wordByte(data[end]) || line.to(at).commented() {
			continue
		}
		behind := bytes.TrimLeft(data[end:], " \t=:,\"'")
		// Without anything between there is no assignment; across lines there is none either.
		if len(behind) == len(data)-end || bytes.HasPrefix(behind, []byte("\n")) {
			continue
		}
		quoted := strings.IndexByte("\"'", data[len(data)-len(behind)-1]) >= 0
		if v := captured(behind, quoted); v != "" {
			return v
		}
	}
}

// places are those where what a pattern begins with stands, comments left out.
type places struct {
	data         []byte
	lead, anchor string // what must stand before, what is searched for
	rest, behind string // from the anchor to {}, and from {} on
	atLine       bool
	asText       bool // {} stands in quotes
	at           int
	line         lineOf
}

// newPlaces prepares the search; not ok when after is not in the data or the
// pattern has nothing to search for.
func newPlaces(data []byte, after, pattern string) (p places, ok bool) {
	if after != "" {
		end := behindText(data, after)
		if end < 0 {
			return p, false
		}
		data = data[end-1:]
	}
	before, behind, _ := strings.Cut(pattern, "{}")
	p = places{data: data, behind: behind, at: -1, line: lineOf{data: data}}
	p.asText = strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'") || strings.HasPrefix(behind, `"`)
	before, p.atLine = strings.CutPrefix(before, "\n")
	p.rest = strings.TrimLeft(before, ` "'`)
	p.lead = before[:len(before)-len(p.rest)]
	// The anchor is the longest part that is spelled in one way only. bytes.Index finds
	// it at the speed of memory, which matters in a lock file of megabytes.
	p.anchor = p.rest
	if i := strings.IndexAny(p.rest, ` "'=`); i > 0 {
		p.anchor = p.rest[:i]
	}
	return p, p.anchor != ""
}

// next goes to the next place.
func (p *places) next() bool {
	for p.at++; p.at <= len(p.data); p.at++ {
		i := bytes.Index(p.data[p.at:], []byte(p.anchor))
		if i < 0 {
			return false
		}
		p.at += i
		if p.atLine && p.at > 0 && p.data[p.at-1] != '\n' || !led(p.data[:p.at], p.lead, p.anchor[0]) || p.line.to(p.at).commented() || p.longer() {
			continue
		}
		return true
	}
	return false
}

// longer says that the anchor is a part of a longer word there: CXX_STANDARD of
// CXX_STANDARD_REQUIRED.
func (p *places) longer() bool {
	end := p.at + len(p.anchor)
	return len(p.rest) > len(p.anchor) && end < len(p.data) && wordByte(p.anchor[len(p.anchor)-1]) && wordByte(p.data[end])
}

// value is the version at the place; empty when none can be read there.
func (p *places) value() string {
	n, ok := flexible(p.data[p.at:], p.rest)
	if !ok {
		return ""
	}
	value := captured(p.data[p.at+n:], p.asText)
	if value == "" {
		return ""
	}
	if short, ok := strings.CutSuffix(value, p.behind); ok && short != "" && !p.asText {
		value = short // the word holds what stands behind: 24+
	}
	behind := p.data[p.at+n+len(value):]
	if _, ok := flexible(behind, p.behind); !ok {
		return ""
	}
	if p.asText {
		return value + further(behind, value)
	}
	return value
}

// further are the bounds that stand as texts of their own behind a first one: ruby ">= 2.5", "< 3.2". They come joined by commas.
func further(behind []byte, first string) (list string) {
	const signs = "<>=~!"
	for strings.ContainsAny(first[:1], signs) {
		next, ok := flexible(behind, `", "`)
		if !ok {
			break
		}
		if behind = behind[next:]; len(behind) == 0 || strings.IndexByte(signs, behind[0]) < 0 {
			break
		}
		one := captured(behind, true)
		if one == "" {
			break
		}
		list, behind = list+","+strings.ReplaceAll(one, " ", ""), behind[len(one):]
	}
	return list
}

// quoted says whether the place lies in a text that began before it on its line.
func (p *places) quoted() bool { return p.line.to(p.at).quotes%2 == 1 }

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

// lineOf knows the line of a place while places go forward. Each byte is looked at once: a lock file may be a single line of
// megabytes, with a hundred thousand places in it.
type lineOf struct {
	data   []byte
	at     int
	first  int // of the line's bytes that is no blank, as far as it has been looked for
	quotes int // between the line's start and at
}

// to moves to a place that is not before the last one.
func (l *lineOf) to(at int) *lineOf {
	part := l.data[l.at:at]
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		l.first, l.quotes = l.at+i+1, 0
		part = part[i+1:]
	}
	for l.first < at && (l.data[l.first] == ' ' || l.data[l.first] == '\t') {
		l.first++
	}
	l.quotes += bytes.Count(part, []byte(`"`))
	l.at = at
	return l
}

// commented says whether the place lies in a comment that takes the line from its start.
func (l *lineOf) commented() bool {
	lead := l.data[l.first:l.at]
	switch {
	case len(lead) == 0:
		return false
	case lead[0] == '#', lead[0] == ';', lead[0] == '*', bytes.HasPrefix(lead, []byte("//")), bytes.HasPrefix(lead, []byte("/*")):
		return true
	}
	return bytes.HasPrefix(lead, []byte("-- ")) || bytes.HasPrefix(lead, []byte("dnl "))
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
	v, _, _ := strings.Cut(string(data[:n]), "...") // CMake: the oldest that can, and the newest that was tried
	if !strings.ContainsAny(v, "0123456789") || quoted && (n == len(data) || data[n] != '"' && data[n] != '\'') {
		return ""
	}
	if !quoted && !digit(v[0]) && !strings.ContainsRune("<>=~^", rune(v[0])) {
		return ""
	}
	return v
}
