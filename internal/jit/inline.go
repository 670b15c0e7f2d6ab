package jit

import "strings"

// special are the bytes that may open an excluded part, the first bytes of “ ‘ 「 『 « among them.
var special = [256]bool{'`': true, '"': true, '\'': true, ':': true, 'w': true, '<': true, 0xe2: true, 0xe3: true, 0xc2: true}

// inline finds the excluded parts within one line of prose, and elements that begin in it.
func (z *zoner) inline(from, to int) {
	t := z.text
	end := t[:to]
	for i := max(from, z.markup); ; {
		for i < len(end) && !special[end[i]] {
			i++
		}
		if i >= len(end) {
			return
		}
		switch c := t[i]; {
		case c == '`':
			// As many backticks close it as have opened it, so code may hold shorter runs.
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
		// A straight quote that is not closed on its line is an inch or a slip.
		case c == '"':
			i = z.quote(i, i+1, "\"", to)
		// An apostrophe stands behind a letter (don't), an opening quote does not.
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
		case c == 'w' && i+1 < to && t[i+1] == 'w' && strings.HasPrefix(t[i:], "www.") && (i == from || !isWord(t[i-1])):
			i = z.address(i, i, to)
		case c == '<':
			i = z.element(i)
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
	if z.lone == to {
		return at + 1
	}
	for i := at + 1; i < to; i++ {
		if z.text[i] == '\'' && z.text[i-1] != ' ' && (i+1 >= len(z.text) || !isWord(z.text[i+1])) {
			z.add(at, i+1, soft)
			return i + 1
		}
	}
	// What closes no quote here closes none that opens further on: without this a line of a megabyte takes a minute.
	z.lone = to
	return at + 1
}

// address excludes a URL; at is inside it, and its scheme stands to the left.
func (z *zoner) address(from, at, to int) int {
	t := z.text
	start := at
	// The scheme: https, git+ssh, x-app.
	for start > from && (isWord(t[start-1]) || strings.IndexByte("+.-", t[start-1]) >= 0) {
		start--
	}
	end := at
	for end < to && inURL(t[end]) {
		end++
	}
	z.add(start, end, hard)
	return max(end, at+1)
}

// inURL reports the bytes that a URL goes on with in prose: no blanks, quotes or closing brackets.
func inURL(c byte) bool {
	switch c {
	case '"', '\'', '`', '<', '>', ')', ']', '}':
		return false
	}
	return ' ' < c && c < 0x80
}

// element excludes an XML element or comment with its content; a tag without an end, the tag alone. The
// client writes a command it was given as <command-name>: that one is the user's.
func (z *zoner) element(at int) int {
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
	// A tag with its attributes is no longer; a "<" of a comparison has no end at all.
	stop := min(len(t), i+2000)
	n := strings.IndexByte(t[i:stop], '>')
	if n < 0 || t[i] != '>' && t[i] != ' ' && t[i] != '\n' && t[i] != '\t' && t[i] != '/' {
		return i
	}
	inside := i + n + 1
	// Each search for an end goes through the rest of the text; fifty in vain are enough of a hostile one.
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

// letter reports the ASCII letters, with which the name of an element begins.
func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
