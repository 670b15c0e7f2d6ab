package jit

import "strings"

// A zone is a part of a prompt in which words are not the user's own. In a hard zone nothing counts (code
// blocks, addresses, logs, markup, quoted lines); in a soft one (inline code, quotes) commands and test
// words still do, since people write `/alfred:2-run X` so, but modes do not.
type zone struct {
	from, to int
	kind     kind
}

type kind uint8

const (
	open kind = iota
	soft
	hard
)

// place sets the zone of every hit, the harder one where two hold it. Both lists are in order of place.
func place(hits []hit, zones []zone) {
	next, hardTo, softTo := 0, 0, 0
	for i := range hits {
		h := &hits[i]
		for ; next < len(zones) && zones[next].from <= h.at; next++ {
			if zones[next].kind == hard {
				hardTo = max(hardTo, zones[next].to)
			} else {
				softTo = max(softTo, zones[next].to)
			}
		}
		switch {
		case h.at < hardTo:
			h.zone = hard
		case h.at < softTo:
			h.zone = soft
		}
	}
}

// zones finds the excluded parts line by line; the state between lines is what is still open.
func zones(t string) []zone {
	z := zoner{text: t, code: true, zones: make([]zone, 0, 64)}
	for at := 0; at < len(t); {
		end := len(t)
		if i := strings.IndexByte(t[at:], '\n'); i >= 0 {
			end = at + i
		}
		z.line(at, end)
		at = end + 1
	}
	if z.fence != "" {
		z.add(z.start, len(t), hard)
	}
	return z.zones
}

type zoner struct {
	text   string
	zones  []zone
	fence  string // the marks that opened a code block
	start  int    // where it opened
	block  bool   // lines up to the next blank one are a diff, a trace, a transcript or a command's output
	code   bool   // the line before was blank or indented code
	markup int    // everything before this offset is inside an element that was found already
	missed int    // elements whose end was looked for in vain
}

func (z *zoner) add(from, to int, k kind) {
	if n := len(z.zones); n > 0 && z.zones[n-1].kind == k && from <= z.zones[n-1].to {
		z.zones[n-1].to = max(z.zones[n-1].to, to)
		return
	}
	z.zones = append(z.zones, zone{from, to, k})
}

func (z *zoner) line(from, to int) {
	raw := z.text[from:to]
	indent := 0
	for indent < len(raw) && (raw[indent] == ' ' || raw[indent] == '\t') {
		indent++
	}
	l := raw[indent:]
	if z.fence != "" {
		if strings.HasPrefix(l, z.fence) && strings.Trim(l, z.fence[:1]+" \t\r") == "" {
			z.add(z.start, to, hard)
			z.fence = ""
		}
		return
	}
	if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
		n := 3
		for n < len(l) && l[n] == l[0] {
			n++
		}
		if l[0] == '~' || !strings.Contains(l[n:], "`") {
			z.fence, z.start = l[:n], from
			return
		}
	}
	switch {
	case l == "" || l == "\r":
		z.block, z.code = false, true
		return
	case from < z.markup && to <= z.markup:
		return
	case indent >= 4 && z.code, strings.HasPrefix(raw, "\t") && z.code:
		z.add(from, to, hard)
		return
	case z.block:
		z.add(from, to, hard)
		return
	}
	z.code = false
	switch pasted(l, indent) {
	case oneLine:
		z.add(from, to, hard)
		return
	case wholeBlock:
		z.block = true
		z.add(from, to, hard)
		return
	}
	z.inline(from, to)
}

// How much of the text a pasted line stands for.
const (
	notPasted = iota
	oneLine
	wholeBlock
)

// pasted recognises lines that a program wrote: quotes, tables, diffs, logs, traces, shell sessions, and
// transcripts of other conversations.
func pasted(l string, indent int) int {
	switch l[0] {
	case '>', '|':
		return oneLine
	case '$', '%':
		if len(l) > 1 && l[1] == ' ' { // a command, and below it what it printed
			return wholeBlock
		}
	case '+', '-':
		if strings.HasPrefix(l, "+++ ") || strings.HasPrefix(l, "--- ") && len(l) > 4 {
			return wholeBlock
		}
	case '@':
		if strings.HasPrefix(l, "@@ ") {
			return wholeBlock
		}
	case '[':
		if i := strings.IndexByte(l, ']'); i > 0 && (i > 5 && digits(l[1:i]) >= 4 || level(l[1:i])) {
			return oneLine
		}
	case '{':
		if len(l) > 1 && (l[1] == '"' || l[1] == ' ' && len(l) > 2 && l[2] == '"') {
			return oneLine
		}
	}
	head := l[:min(len(l), 40)]
	word := head
	if i := strings.IndexByte(head, ' '); i >= 0 {
		word = head[:i]
	}
	bare := strings.TrimSuffix(word, ":")
	switch bare {
	case "Traceback", "diff", "panic", "goroutine", "---", "===", "FAIL", "PASS", "RUN", "ok", "npm", "at", "File", "Human", "Assistant", "User", "System", "사용자", "어시스턴트", "ユーザー", "アシスタント", "用户", "助手", "PS", "⏺", "⎿", "❯", "»", "✓", "✗", "✖", "×", "●", "commit", "Author", "Caused":
		return blockWord(l, word, indent)
	}
	if level(bare) && (len(bare) < len(word) || strings.ToUpper(word) == word) {
		return oneLine
	}
	if logTime(head) {
		return oneLine
	}
	return notPasted
}

// blockWord tells the lines of programs from prose that starts with the same word.
func blockWord(l, word string, indent int) int {
	rest := strings.TrimLeft(l[len(word):], " ")
	switch word {
	case "Traceback", "goroutine":
		return wholeBlock
	case "panic:", "Caused":
		return oneLine
	case "Human:", "Assistant:", "System:", "User:", "사용자:", "어시스턴트:", "ユーザー:", "アシスタント:", "用户:", "助手:", "⏺", "⎿":
		return wholeBlock
	case "PS": // PowerShell
		if len(rest) > 3 && rest[1] == ':' && strings.Contains(rest, ">") {
			return wholeBlock
		}
	case "diff":
		if strings.HasPrefix(rest, "--git ") {
			return wholeBlock
		}
	case "commit":
		if n := len(strings.TrimSpace(rest)); n == 40 && digits(rest) > 4 {
			return wholeBlock
		}
	case "Author:":
		return oneLine
	case "---", "===":
		if rest != "" {
			return oneLine
		}
	case "at": // "    at f (file.js:1:2)", "at java.lang.X(Y.java:3)"
		if strings.Contains(rest, "(") && strings.Contains(rest, ":") && indent > 0 {
			return oneLine
		}
	case "File":
		if strings.HasPrefix(rest, "\"") {
			return oneLine
		}
	case "npm":
		if strings.HasPrefix(rest, "ERR!") || strings.HasPrefix(rest, "WARN") || strings.HasPrefix(rest, "error") {
			return oneLine
		}
	case "❯", "»", "✓", "✗", "✖", "×", "●", "FAIL", "FAIL:", "PASS", "PASS:", "RUN":
		return oneLine
	case "ok":
		if strings.HasPrefix(l[2:], "  ") || strings.HasPrefix(l[2:], " \t") || strings.HasPrefix(l[2:], "\t") {
			return oneLine
		}
	}
	return notPasted
}

// level reports the words by which logs grade their lines.
func level(w string) bool {
	if len(w) < 3 || len(w) > 8 {
		return false
	}
	for _, l := range [...]string{"INFO", "ERROR", "DEBUG", "WARN", "WARNING", "TRACE", "NOTICE", "ERR", "FATAL", "CRITICAL", "SEVERE"} {
		if len(l) == len(w) && l[0] == w[0]&^0x20 && strings.EqualFold(l, w) {
			return true
		}
	}
	return false
}

// logTime recognises a date or time of day at the start of a line: 2026-11-21T…, 12:03:44, Nov 21 12:03:44.
func logTime(head string) bool {
	d := 0
	for d < len(head) && '0' <= head[d] && head[d] <= '9' {
		d++
	}
	if d > 0 {
		rest := head[d:]
		switch {
		case d == 4 && len(rest) > 5 && (rest[0] == '-' || rest[0] == '/') && digits(rest[:6]) >= 4:
			return strings.ContainsAny(head, "T:") // a date alone may open a sentence
		case d == 2 && len(rest) > 5 && rest[0] == ':' && rest[3] == ':' && digits(rest[:6]) == 4:
			return true
		}
		return false
	}
	return len(head) > 14 && head[3] == ' ' && (head[6] == ' ' || head[5] == ' ') && strings.Count(head[6:], ":") >= 2 && digits(head[4:15]) >= 6
}

func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}

// special are the bytes that may open an excluded part, the first bytes of “ ‘ 「 『 « among them.
var special = [256]bool{'`': true, '"': true, '\'': true, ':': true, 'w': true, '<': true, 0xe2: true, 0xe3: true, 0xc2: true}

// inline finds the excluded parts within one line of prose, and elements that begin in it.
func (z *zoner) inline(from, to int) {
	t := z.text
	for i := max(from, z.markup); i < to; {
		if !special[t[i]] {
			i++
			continue
		}
		switch c := t[i]; {
		case c == '`':
			n := i
			for n < len(t) && t[n] == '`' {
				n++
			}
			if end := closing(t, n, n-i); end > 0 {
				z.add(i, end, soft)
				i = end
			} else {
				i = n
			}
		case c == '"':
			i = z.quote(i, i+1, "\"", to)
		case c == '\'' && (i == from || !isWord(t[i-1])) && i+1 < to && t[i+1] != ' ':
			i = z.single(i, to)
		case c == 0xe2 && strings.HasPrefix(t[i:], "“"):
			i = z.quote(i, i+3, "”", paragraph(t, i))
		case c == 0xe2 && strings.HasPrefix(t[i:], "‘"):
			i = z.quote(i, i+3, "’", to)
		case c == 0xe3 && strings.HasPrefix(t[i:], "「"):
			i = z.quote(i, i+3, "」", paragraph(t, i))
		case c == 0xe3 && strings.HasPrefix(t[i:], "『"):
			i = z.quote(i, i+3, "』", paragraph(t, i))
		case c == 0xc2 && strings.HasPrefix(t[i:], "«"):
			i = z.quote(i, i+2, "»", to)
		case c == ':' && strings.HasPrefix(t[i:], "://"):
			i = z.address(from, i, to)
		case c == 'w' && strings.HasPrefix(t[i:], "www.") && (i == from || !isWord(t[i-1])):
			i = z.address(i, i, to)
		case c == '<':
			i = z.element(i, to)
		default:
			i++
		}
	}
}

// quoteReach bounds how long a quote or inline code can be.
const quoteReach = 2000

// paragraph is the end of the paragraph around i: quotes and inline code may run over line ends, not over
// blank lines.
func paragraph(t string, i int) int {
	end := min(len(t), i+quoteReach)
	if n := strings.Index(t[i:end], "\n\n"); n >= 0 {
		return i + n
	}
	return end
}

// closing finds the end of inline code that was opened by n backticks and whose content starts at i.
func closing(t string, i, n int) int {
	end := paragraph(t, i)
	for i < end {
		k := strings.IndexByte(t[i:end], '`')
		if k < 0 {
			return 0
		}
		i += k
		m := i
		for m < len(t) && t[m] == '`' {
			m++
		}
		if m-i == n {
			return m
		}
		i = m
	}
	return 0
}

// quote excludes from the mark at `at` to the closing one before limit, and gives where to go on.
func (z *zoner) quote(at, inside int, mark string, limit int) int {
	limit = max(inside, min(limit, inside+quoteReach))
	n := strings.Index(z.text[inside:limit], mark)
	if n < 0 {
		return inside
	}
	end := inside + n + len(mark)
	z.add(at, end, soft)
	return end
}

// single excludes a text in single quotes, whose closing mark is no apostrophe.
func (z *zoner) single(at, to int) int {
	for i := at + 1; i < to; i++ {
		if z.text[i] == '\'' && z.text[i-1] != ' ' && (i+1 >= len(z.text) || !isWord(z.text[i+1])) {
			z.add(at, i+1, soft)
			return i + 1
		}
	}
	return at + 1
}

// address excludes a URL; at is inside it, and its scheme stands to the left.
func (z *zoner) address(from, at, to int) int {
	t := z.text
	start := at
	for start > from && (isWord(t[start-1]) || strings.IndexByte("+.-", t[start-1]) >= 0) {
		start--
	}
	end := at
	for end < to && t[end] > ' ' && strings.IndexByte("\"'`<>)]}", t[end]) < 0 && t[end] < 0x80 {
		end++
	}
	z.add(start, end, hard)
	return max(end, at+1)
}

// element excludes an XML element or comment with its content; a tag without an end, the tag alone. The
// client writes a command it was given as <command-name>: that one is the user's.
func (z *zoner) element(at, to int) int {
	t := z.text
	if strings.HasPrefix(t[at:], "<!--") {
		end := len(t)
		if n := strings.Index(t[at:], "-->"); n >= 0 {
			end = at + n + 3
		}
		z.add(at, end, hard)
		z.markup = end
		return end
	}
	i := at + 1
	for i < len(t) && (isWord(t[i]) || t[i] == '-' || t[i] == ':' || t[i] == '.') {
		i++
	}
	name := t[at+1 : i]
	if name == "" || !letter(name[0]) || i >= len(t) || strings.HasPrefix(name, "command-") {
		return max(i, at+1)
	}
	stop := min(len(t), i+2000)
	n := strings.IndexByte(t[i:stop], '>')
	if n < 0 || t[i] != '>' && t[i] != ' ' && t[i] != '\n' && t[i] != '\t' && t[i] != '/' {
		return i
	}
	inside := i + n + 1
	if t[inside-2] != '/' && z.missed < 50 {
		if n := strings.Index(t[inside:], "</"+name+">"); n >= 0 {
			end := inside + n + len(name) + 3
			z.add(at, end, hard)
			z.markup = end
			return end
		}
		z.missed++
	}
	z.add(at, inside, hard)
	return inside
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
