package shell

import "strings"

// The parser cannot be stopped halfway, and what it costs depends on how dense the
// text is: 7 ns a byte in a quoted text, half a microsecond for each command of
// "a|a|a". So the text is priced before it is parsed, by its bytes alone. A quote in
// a comment makes the price wrong; then the line takes longer, and nothing else.

// afford charges what parsing text costs, and returns as much of it as may be parsed
// with three quarters of the work that is left: the rest is for following it.
func (e *engine) afford(text string, src *source, c *ctx) string {
	if e.opt.Limits.Work < 0 {
		return text
	}
	cost, cut := priced(text, max(0, e.work.Left())*3/4)
	if cut < len(text) {
		e.doubt(TooMuch, "", src.at(cut, len(text)))
		text = text[:cut]
	}
	if !e.spend(cost, c) {
		return ""
	}
	return text
}

// parseCost is what parsing text costs.
func parseCost(text string) int {
	cost, _ := priced(text, 1<<27)
	return cost
}

// priced returns what parsing text costs, in units, and the offset up to which it
// costs no more than most.
func priced(text string, most int) (cost, cut int) {
	p := pricer{text: text, most: most*8 + 7}
	for p.i < len(text) {
		if p.next(); p.eighths > p.most {
			return most, min(p.i, len(text))
		}
	}
	return p.eighths/8 + 1, len(text)
}

// pricer goes through a text once. It knows quotes and heredocs, since that is where
// agents put long text, and where a byte costs next to nothing.
type pricer struct {
	text    string
	i       int
	eighths int    // the price so far, in eighths of a unit
	most    int    // what it may be
	quote   byte   // ' or " while inside
	stop    string // end word of the heredoc that begins on the next line, if any
	expands bool   // its end word is not quoted, so that $x in it is parsed
}

// next prices one byte, or what is between quotes, or the whole body of a heredoc.
func (p *pricer) next() {
	switch p.quote {
	case '\'':
		p.plain(strings.IndexByte(p.text[p.i:], '\''))
	case '"':
		p.plain(strings.IndexAny(p.text[p.i:], "\"\\$`"))
	}
	if p.i >= len(p.text) {
		return
	}
	b := p.text[p.i]
	p.i++
	if p.quote != 0 {
		switch b {
		case p.quote:
			p.quote = 0
		case '\\':
			p.i++ // what it hides ends nothing
		default:
			p.eighths += inText(b)
			p.expansion(b)
		}
		p.eighths++
		return
	}
	p.eighths += inCode(b)
	switch b {
	case '\'', '"':
		p.quote = b
	case '\\':
		p.i++
	case '<':
		// "<<" opens a heredoc, "<<<" is a here-string. No end word is longer than 256 bytes.
		if rest := p.text[p.i:]; strings.HasPrefix(rest, "<") && !strings.HasPrefix(rest, "<<") {
			p.announced(strings.TrimLeft(rest[1:min(len(rest), 256)], "- \t"))
			p.i++
		}
	case '\n':
		if p.stop != "" {
			p.body()
		}
	case '#':
		p.comment()
	default:
		p.calculates(b)
	}
}

// comment prices what stands behind "#", up to the end of the line.
func (p *pricer) comment() {
	if p.i < 2 || strings.IndexByte(" \t\n;&|(", p.text[p.i-2]) >= 0 {
		p.plain(strings.IndexByte(p.text[p.i:], '\n'))
	}
}

// calculates prices the arithmetic that b begins, up to where it ends: operators are nodes
// there, and cost a hundred times as much as in "a/b-c".
func (p *pricer) calculates(b byte) {
	rest := p.text[p.i:]
	before := p.text[max(0, p.i-2) : p.i-1]
	switch b {
	case '(':
		if strings.HasPrefix(rest, "(") {
			p.arithmetic(1, "")
		}
	case '$':
		p.expansion(b)
	case '[':
		if before != "" && (before == "_" || before[0]|0x20 >= 'a' && before[0]|0x20 <= 'z') { // a[1+1]=
			p.arithmetic(1, "")
		}
	case 't':
		if strings.HasPrefix(rest, " ") && strings.HasSuffix(p.text[:p.i], "let") && (p.i == 3 || strings.IndexByte("\n ;&|({", p.text[p.i-4]) >= 0) {
			p.arithmetic(1, "\n;&|")
		}
	}
}

// expansion prices the arithmetic behind a dollar: $((1+1)), $[1+1], ${a:1+1}, ${a[1+1]}.
func (p *pricer) expansion(b byte) {
	rest := p.text[p.i:]
	if b != '$' || rest == "" {
		return
	}
	if strings.HasPrefix(rest, "((") || rest[0] == '[' {
		p.arithmetic(0, "")
		return
	}
	if rest[0] != '{' {
		return
	}
	name := strings.TrimLeft(rest[1:], "#!")
	name = name[endOfName(name):]
	if name != "" && (name[0] == '[' || name[0] == ':' && len(name) > 1 && strings.IndexByte("-=?+", name[1]) < 0) {
		p.arithmetic(0, "")
	}
}

// endOfName is the length of the name of a parameter that text begins with.
func endOfName(text string) int {
	i := 0
	for i < len(text) && (text[i] == '_' || text[i] == '@' || text[i] == '*' || text[i] >= '0' && text[i] <= '9' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z') {
		i++
	}
	return i
}

// arithmetic prices what follows up to the bracket that closes the first of those that
// are open, or to one of the bytes of ends.
func (p *pricer) arithmetic(open int, ends string) {
	for p.i < len(p.text) && p.eighths <= p.most {
		b := p.text[p.i]
		if strings.IndexByte(ends, b) >= 0 {
			return
		}
		switch b {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		}
		p.eighths += inArithmetic(b)
		p.i++
		if open == 0 {
			return
		}
	}
}

// plain prices the next n bytes as text that is only read, to the end if n is negative:
// as many of them as may be paid for, and one more.
func (p *pricer) plain(n int) {
	if rest := len(p.text) - p.i; n < 0 || n > rest {
		n = rest
	}
	n = min(n, max(0, p.most-p.eighths)+1)
	p.eighths += n
	p.i += n
}

// announced remembers the end word of the heredoc that begins on the next line.
func (p *pricer) announced(word string) {
	if n := strings.IndexAny(word, " \t\n;&|<>)"); n >= 0 {
		word = word[:n]
	}
	p.stop = strings.Trim(word, `'"\`)
	p.expands = p.stop == word
}

// body prices the text up to the end word.
func (p *pricer) body() {
	end := len(p.text)
	if n := strings.Index(p.text[p.i-1:], "\n"+p.stop); n >= 0 {
		end = p.i + n
	}
	for p.expands && p.i < end && p.eighths <= p.most {
		n := strings.IndexAny(p.text[p.i:end], "$`")
		if n < 0 {
			break
		}
		p.plain(n + 1)
		p.eighths += inText('$')
		p.expansion(p.text[p.i-1])
	}
	p.plain(end - p.i)
	p.stop = ""
}

// inText is the price of a byte between double quotes, in eighths of a unit: only an
// expansion makes a node of the syntax tree there.
func inText(b byte) int {
	if b == '$' || b == '`' {
		return 24
	}
	return 0
}

// inCode is the price of a byte outside of quotes, in eighths of a unit. The prices
// were fitted to what 128 KiB of each byte, with a letter beside it, take to parse.
func inCode(b byte) int {
	switch b {
	case ' ', '\t': // a word: 100 ns
		return 16
	case '\n', ';', '|', '&': // a statement, which is the largest node: 400 to 600 ns
		return 64
	case '!': // "[[ ! ! !" nests without a bracket, and stacks grow: 1 µs
		return 160
	case '<', '>', '(', '{', '[', '$', '`', '=': // a node of its own: 150 to 200 ns
		return 32
	case '\'', '"':
		return 8
	}
	return 1 // part of a word: 6 ns
}

// inArithmetic is the price of a byte of an arithmetic expression, in eighths of a unit.
func inArithmetic(b byte) int {
	switch b {
	case '?', '!', '~', '=': // nest, and stacks grow: 2 µs
		return 320
	case '+', '-', '*', '/', '%', '&', '|', '^', '<', '>', ',', ':': // a node: half a microsecond
		return 80
	}
	return inCode(b)
}
