package shell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// One lexer serves all languages: what differs is comments, quotes, and which quotes
// run a command or interpolate. It need not be right about every program; it must
// not take the inside of a string for code, or code for a string.

// tokenKind is what a token of an interpreter's program is.
type tokenKind uint8

const (
	tokName  tokenKind = iota + 1 // identifier, with its sigil
	tokText                       // string literal
	tokRun                        // `command` where that runs it
	tokWords                      // %w[…], qw(…): a list of strings
	tokMark                       // punctuation
	tokLine                       // end of line or ;
)

type token struct {
	kind  tokenKind
	text  string
	word  Word   // value of tokText and tokRun
	words []Word // value of tokWords
	start int
}

// maxTokens bounds the part of a program that is looked at.
const maxTokens = 32 << 10

// lexer splits a program into tokens, well enough to find literal calls.
type lexer struct {
	e    *engine
	lang string
	text string
	span Span
	out  []token
	i    int
	in   *rule.Interpreter
	code []string // programs inside strings: `${…}`, f"{…}", "#{…}"
	// plain is how many tokens are of the text itself, and not of those.
	plain int
}

// run returns the tokens, those of programs inside strings at the end.
func (l *lexer) run() []token {
	l.in = l.e.languageOf(l.lang)
	n := min(len(l.text)/4+4, maxTokens)
	l.out = make([]token, 0, n) // a token is 200 bytes: growing copies them all
	l.e.work.Take(n / 8)
	for l.i < len(l.text) && len(l.out) < maxTokens && !l.e.work.Over() {
		l.e.work.Take(costToken)
		l.next()
	}
	if l.i < len(l.text) {
		l.e.doubt(TooMuch, "", l.span)
	}
	l.plain = len(l.out)
	for _, text := range l.code {
		sub := lexer{e: l.e, lang: l.lang, in: l.in, text: text, span: l.span}
		for sub.i < len(text) && len(sub.out) < maxLoop {
			l.e.work.Take(costToken)
			sub.next()
		}
		l.push(tokLine, "\n", 0)
		l.out = append(l.out, sub.out...)
	}
	return l.out
}

// push appends a plain token.
func (l *lexer) push(k tokenKind, text string, start int) {
	l.out = append(l.out, token{kind: k, text: text, start: start})
}

// next reads one token or skips what is none.
func (l *lexer) next() {
	s, i := l.text, l.i
	ch := s[i]
	switch {
	case ch == '\n' || ch == ';':
		l.push(tokLine, s[i:i+1], i)
		l.i++
	case ch <= ' ':
		l.i++
	case ch == '#' && l.in.Sigils && i > 0 && s[i-1] == '$': // perl's $#list
		l.i++
	case (ch == '#' || ch == '/' || ch == '-') && slices.ContainsFunc(l.in.Comments, func(mark string) bool { return strings.HasPrefix(s[i:], mark) }):
		end := strings.IndexByte(s[i:], '\n')
		if end < 0 {
			end = len(s) - i
		}
		l.i += end
	case strings.HasPrefix(s[i:], "/*") && slices.Contains(l.in.Comments, "//"):
		end := strings.Index(s[i+2:], "*/")
		if end < 0 {
			end = len(s) - i - 4
		}
		l.i += end + 4
	case ch == '\'' || ch == '"' || ch == '`':
		l.quote(ch, "")
	case ch == '/' && l.in.Patterns && l.pattern():
	case ch == '%' && l.in.Percent && l.percent():
	case ch == '~' && l.in.Tildes && i+2 < len(s) && nameStart(s[i+1]) && s[i+2] == '"':
		l.i += 2 // ~c"…": a string all the same
	case ch == '<' && l.in.Glob != "" && l.angle():
	case nameStart(ch) || (ch == '$' || ch == '@') && l.in.Sigils:
		l.name()
	// With their letters, so that 0x1f and 0o777 are no names behind a digit.
	case ch >= '0' && ch <= '9':
		for l.i < len(s) && (digit(s[l.i]) < 16 || s[l.i] == '_' || s[l.i] == 'x' || s[l.i] == 'o') {
			l.i++
		}
		l.push(tokMark, s[i:l.i], i)
	default:
		n := 1
		if i+2 <= len(s) && l.e.tables.Code.Operators.Has(s[i:i+2]) {
			n = 2
		}
		l.push(tokMark, s[i:i+n], i)
		l.i += n
	}
}

// nameStart tells the bytes that begin a name, any beyond ASCII among them.
func nameStart(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= utf8.RuneSelf
}

func nameByte(b byte) bool { return nameStart(b) || b >= '0' && b <= '9' }

// name reads an identifier, a string with a prefix, or perl's quoting words.
func (l *lexer) name() {
	s, start := l.text, l.i
	l.i++
	for l.i < len(s) && nameByte(s[l.i]) {
		l.i++
	}
	name := s[start:l.i]
	// r"", b'', f"", and the two of them together: a prefix of a string, not a name before one.
	if l.i < len(s) && (s[l.i] == '\'' || s[l.i] == '"') && l.in.Letters != "" && len(name) <= 2 && strings.Trim(strings.ToLower(name), l.in.Letters) == "" {
		l.quote(s[l.i], strings.ToLower(name))
		return
	}
	if slices.Contains(l.in.Quotes, name) {
		k := l.i
		for k < len(s) && s[k] == ' ' {
			k++
		}
		if k < len(s) && strings.IndexByte("({[</|!'\"", s[k]) >= 0 {
			l.i = k
			body := l.delimited()
			l.special(name, body, start)
			return
		}
	}
	if l.i < len(s) && (s[l.i] == '?' || s[l.i] == '!') && l.in.Bangs && l.i+1 < len(s) && s[l.i+1] != '=' {
		l.i++
		name = s[start:l.i]
	}
	l.push(tokName, name, start)
}

// percent reads ruby's %w[…], %x(…), %q{…}.
func (l *lexer) percent() bool {
	s := l.text[l.i:]
	if len(s) < 3 {
		return false
	}
	// Anything else is the operator for remainders.
	if strings.IndexByte("wWxqQ", s[1]) < 0 || strings.IndexByte("({[<|!/", s[2]) < 0 {
		return false
	}
	start := l.i
	l.i += 2
	l.special(perlWord(s[1]), l.delimited(), start)
	return true
}

// angle reads perl's <*.c>, which is glob("*.c"), and <STDIN> and <$in>, which nobody knows; < is left alone.
func (l *lexer) angle() bool {
	s := l.text[l.i+1:]
	end := strings.IndexByte(s, '>')
	if handle := strings.TrimPrefix(s[:max(0, end)], "$"); handle != "" && nameStart(handle[0]) && strings.IndexFunc(handle, func(r rune) bool { return r >= utf8.RuneSelf || !nameByte(byte(r)) }) < 0 {
		l.out = append(l.out, token{kind: tokText, word: unknown(l.text[l.i:l.i+end+2], l.span), start: l.i})
		l.i += end + 2
		return true
	}
	if end < 1 || s[0] <= ' ' || strings.ContainsAny(s[:end], "\t\n<=;") {
		return false
	}
	for pattern := range strings.SplitSeq(s[:end], " ") {
		if !strings.ContainsAny(pattern, "*?~/") {
			return false
		}
	}
	l.push(tokName, l.in.Glob, l.i)
	l.out = append(l.out, token{kind: tokText, word: l.interpolate(s[:end]), start: l.i})
	l.i += end + 2
	return true
}

// perlWord returns perl's quoting word for a letter of ruby.
func perlWord(b byte) string {
	switch b {
	case 'w', 'W':
		return "qw"
	case 'x':
		return "qx"
	case 'Q':
		return "qq"
	}
	return "q"
}

// delimited reads a bracketed body at l.i and steps over it.
func (l *lexer) delimited() string {
	s := l.text
	open := s[l.i]
	end := open
	switch open {
	case '(':
		end = ')'
	case '[':
		end = ']'
	case '{':
		end = '}'
	case '<':
		end = '>'
	}
	l.i++
	from, depth := l.i, 1
	for l.i < len(s) {
		switch ch := s[l.i]; {
		case ch == '\\':
			l.i++
		case ch == end:
			if depth--; depth == 0 {
				body := s[from:l.i]
				l.i++
				return body
			}
		// Brackets nest in these quotes: qx(echo (rm x)).
		case ch == open:
			depth++
		}
		l.i++
	}
	l.i = len(s)
	return s[min(from, len(s)):]
}

// special makes the token for a quoting word.
func (l *lexer) special(kind, body string, start int) {
	switch kind {
	case "qw":
		t := token{kind: tokWords, start: start}
		for _, f := range strings.Fields(body) {
			t.words = append(t.words, l.literal(f))
		}
		l.out = append(l.out, t)
	case "qx":
		l.out = append(l.out, token{kind: tokRun, word: l.interpolate(body), start: start})
	case "qq":
		l.out = append(l.out, token{kind: tokText, word: l.interpolate(body), start: start})
	default:
		l.out = append(l.out, token{kind: tokText, word: l.literal(body), start: start})
	}
}

// quote reads a quoted string at l.i.
func (l *lexer) quote(q byte, prefix string) {
	s, start := l.text, l.i
	triple := string([]byte{q, q, q})
	var body string
	// Only here do lines end inside a string without ending it.
	if l.in.Triple && strings.HasPrefix(s[l.i:], triple) {
		end := strings.Index(s[l.i+3:], triple)
		if end < 0 {
			end = len(s) - l.i - 3
		}
		body = s[l.i+3 : l.i+3+end]
		l.i = min(len(s), l.i+6+end)
	} else {
		k := l.i + 1
		for k < len(s) && s[k] != q && (s[k] != '\n' || !l.in.Lines || q == '`') {
			switch {
			case s[k] == '\\':
				k++
			case l.in.Hole != "" && (q == '"' && l.in.Gaps || q == '`') && strings.HasPrefix(s[k:], l.in.Hole):
				n := len(l.in.Hole)
				k += n - 1 + closeBrace(s[k+n:])
			}
			k++
		}
		k = min(k, len(s))
		body = s[l.i+1 : k]
		l.i = min(len(s), k+1)
	}
	t := token{kind: tokText, start: start}
	switch {
	case q == '`' && l.in.Tagged && len(l.out) > 0 && l.out[len(l.out)-1].text == "$":
		t.kind, t.word = tokRun, l.interpolate(body) // $`rm x` of bun and zx
	// Raw: a backslash is a backslash, which matters for paths of Windows.
	case strings.Contains(prefix, "r"):
		t.word = l.literal(body)
	case strings.Contains(prefix, "f"):
		t.word = l.interpolate(body)
	// In ruby, perl and php a backtick runs a command, as in a shell.
	case q == '`' && !l.in.Backquoted:
		t.kind, t.word = tokRun, l.interpolate(body)
	case q == '`':
		t.word = l.interpolate(body)
	case q == '"' && l.in.Gaps:
		t.word = l.interpolate(body)
	case q == '\'' && l.in.Raw:
		t.word = l.literal(strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(body))
	default:
		t.word = l.literal(ansi(body))
	}
	l.out = append(l.out, t)
}

// pattern passes over /…/, which may hold quotes and brackets, and reports that one stands here: in front of it is nothing that could be divided.
// Behind a name it takes a space in front and none behind, as in "split /,/".
func (l *lexer) pattern() bool {
	s, i := l.text, l.i
	if n := len(l.out); n > 0 {
		switch t := &l.out[n-1]; t.kind {
		case tokName:
			if !l.e.tables.Code.Leads.Has(t.text) && (!l.in.Loose || s[i-1] != ' ' || i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '=')) {
				return false
			}
		case tokMark:
			if last := t.text[len(t.text)-1]; strings.IndexByte(")]}/", last) >= 0 || digit(last) < 10 || t.text == "++" || t.text == "--" {
				return false
			}
		case tokText, tokRun, tokWords:
			return false
		}
	}
	class := false
	for k := i + 1; k < len(s) && s[k] != '\n'; k++ {
		switch ch := s[k]; {
		case ch == '\\':
			k++
		case ch == '[':
			class = true
		case ch == ']':
			class = false
		case ch == '/' && !class:
			for k++; k < len(s) && s[k] >= 'a' && s[k] <= 'z'; k++ {
			}
			l.push(tokMark, "//", i)
			l.i = k
			return true
		}
	}
	return false
}

// closeBrace returns the offset of the bracket that closes one before s, or
// the length of s.
func closeBrace(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(s)
}

// literal returns the value of a string in which holes may stand.
func (l *lexer) literal(s string) Word {
	var b wordBuilder
	l.e.textOrHole(&b, s)
	return b.done(l.span)
}

// interpolate evaluates the variables in a string as far as they are known.
func (l *lexer) interpolate(s string) Word {
	var b wordBuilder
	for s != "" {
		at, open, end := strings.IndexAny(s, "$@"), 0, ""
		if l.in.Hole != "" {
			at, open, end = strings.Index(s, l.in.Hole), len(l.in.Hole), "}"
		}
		if at < 0 {
			break
		}
		rest := s[at+open:]
		n := 0
		before := s[:at]
		if end != "" {
			n = closeBrace(rest)
		} else {
			for n = 1; n < len(rest) && (nameByte(rest[n]) || n+2 < len(rest) && rest[n:n+2] == "::" && nameByte(rest[n+2])); n++ {
				if rest[n] == ':' {
					n++
				}
			}
			if n == 1 && l.in.Sigils && strings.HasPrefix(rest, "${") && len(rest) > 2 && nameByte(rest[2]) {
				n = min(len(rest), 3+closeBrace(rest[2:])) // "${x}"
			}
			if rest[:n] == "$ENV" && n < len(rest) && rest[n] == '{' {
				n = min(len(rest), n+2+closeBrace(rest[n+1:])) // perl: $ENV{HOME}
			} else if strings.HasSuffix(before, "{") && strings.HasPrefix(rest[n:], "}") {
				before, end = before[:at-1], "}" // php: "{$x}"
			}
		}
		b.text(ansi(before))
		name := strings.TrimSpace(rest[:n])
		// What stands in the braces is a program of its own, and may call what matters.
		if end != "" && strings.Contains(name, "(") && len(l.code) < maxLoop {
			l.code = append(l.code, name)
		}
		if n == 1 && end == "" {
			b.text(name)
		} else {
			b.unknown(s[at:min(len(s), at+open+n+len(end))], nil)
		}
		s = rest[min(len(rest), n+len(end)):]
	}
	b2 := l.literal(ansi(s))
	b.word(&b2)
	return b.done(l.span)
}
