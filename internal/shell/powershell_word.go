package shell

import (
	"slices"
	"strings"
)

// Words of PowerShell: two kinds of quotes, here-strings, variables, sub-expressions
// and script blocks. Blocks and sub-expressions are followed where they stand.

// redirection reads >, >>, 2>, *> and their kind.
func (p *ps) redirection() string {
	s := p.s[p.i:]
	k := 0
	// Streams 1 to 6 and all of them (about_Redirection).
	if len(s) > 1 && (s[0] >= '1' && s[0] <= '6' || s[0] == '*') && s[1] == '>' {
		k = 1
	}
	if k >= len(s) || s[k] != '>' {
		return ""
	}
	op := ">"
	if k+1 < len(s) && s[k+1] == '>' {
		op = ">>"
	}
	p.i += k + len(op)
	if p.i+1 < len(p.s) && p.s[p.i] == '&' {
		p.i += 2
		return p.redirectionNone()
	}
	if k == 1 && s[0] == '2' {
		return "2" + op
	}
	return op
}

// redirectionNone goes on after 2>&1, which touches no file.
func (p *ps) redirectionNone() string {
	p.blank(false)
	if p.i >= len(p.s) {
		return ""
	}
	return p.redirection()
}

// endsPlain tells the bytes at which plain text within a word ends.
func endsPlain(b byte) bool {
	switch b {
	case ' ', '\t', '\r', '\n', ';', '|', '(', ')', '{', '}', '\'', '"', '`', '$', ',', '>':
		return true
	}
	return false
}

// word reads one argument; quoted tells that it is a string as a whole.
func (p *ps) word(c *ctx) (w Word, quoted bool) {
	start := p.i
	var b wordBuilder
	for p.i < len(p.s) && p.e.spend(costPart, c) {
		ch := p.s[p.i]
		switch {
		case ch <= ' ' || ch == ';' || ch == '|' || ch == ')' || ch == '}' || ch == '>' && p.i > start, ch == ',' && p.i == start:
			if ch == ',' {
				p.i++
			}
			goto done
		case ch == ',':
			// A list: the rest becomes words of their own.
			p.i++
			goto done
		case ch == '`' && p.i+1 < len(p.s):
			b.text(p.s[p.i+1 : p.i+2])
			p.i += 2
		case ch == '\'':
			b.text(p.single())
			quoted = b.w.Quoted || p.i-start > 1
			b.w.Quoted = true
		case ch == '"':
			p.double(&b, c)
			quoted = true
			b.w.Quoted = true
		case ch == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '\'' || p.s[p.i+1] == '"'):
			q := p.s[p.i+1]
			p.i += 2
			end := strings.Index(p.s[p.i:], "\n"+string(q)+"@")
			if end < 0 {
				end = len(p.s) - p.i
			}
			b.text(strings.TrimPrefix(strings.TrimPrefix(p.s[p.i:p.i+end], "\r"), "\n"))
			p.i = min(len(p.s), p.i+end+3)
			quoted = true
		case ch == '{':
			p.i++
			from := p.i
			n := *c
			n.cond = true
			p.block(&n, '}')
			// The block itself is an argument that no rule needs to know.
			b.unknown(p.s[from-1:p.i], nil)
		case ch == '(' && p.i > start && strings.Trim(strings.ToLower(p.s[start:p.i]), "abcdefghijklmnopqrstuvwxyz-") == "":
			goto done // iex(iwr x): behind a command's name a bracket begins a word of its own
		case ch == '(' || (ch == '$' || ch == '@') && p.i+1 < len(p.s) && (p.s[p.i+1] == '(' || ch == '@' && p.s[p.i+1] == '{'):
			from := p.i
			if ch != '(' {
				p.i++
			}
			stop := byte(')')
			if p.s[p.i] == '{' {
				stop = '}'
			}
			p.i++
			out := p.block(c, stop)
			if out.known && len(b.parts) == 0 {
				t := trimNewlines(out.text)
				b.word(&t)
			} else {
				b.unknown(p.s[from:p.i], out.from)
			}
			p.member(&b, start, c)
		case ch == '$':
			p.variable(&b, c)
			p.member(&b, start, c)
		default:
			n := 1
			for p.i+n < len(p.s) && !endsPlain(p.s[p.i+n]) {
				n++
			}
			b.text(p.s[p.i : p.i+n])
			p.i += n
		}
	}
done:
	w = b.done(p.src.at(start, p.i))
	if !quoted && w.Kind == Literal {
		// Cmdlets expand patterns themselves, and -LiteralPath is rare enough to be judged as well.
		w.Glob = strings.ContainsAny(w.Text, "*?[")
		if w.Text == "~" || strings.HasPrefix(w.Text, "~/") || strings.HasPrefix(w.Text, "~\\") {
			// PowerShell's own providers expand it, and programs get it expanded since 7.
			home := p.e.home(c)
			w = Word{Text: home.Text + w.Text[1:], Tilde: home.Tilde, Glob: w.Glob, Span: w.Span}
		}
	}
	return w, quoted
}

// block follows a nested list.
func (p *ps) block(c *ctx, stop byte) output {
	old := p.c
	p.c = c
	out := p.list(stop)
	p.c = old
	return out
}

// single reads a 'string', in which two quotes mean one.
func (p *ps) single() string {
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		if p.s[p.i] == '\'' {
			if p.i+1 < len(p.s) && p.s[p.i+1] == '\'' {
				p.i++
			} else {
				p.i++
				break
			}
		}
		b.WriteByte(p.s[p.i])
		p.i++
	}
	return b.String()
}

// double reads a "string" with variables and sub-expressions.
func (p *ps) double(b *wordBuilder, c *ctx) {
	p.i++
	for p.i < len(p.s) {
		switch ch := p.s[p.i]; {
		case ch == '"' || !p.e.tick(c):
			p.i++
			return
		case ch == '`' && p.i+1 < len(p.s):
			// The backtick is what the backslash is elsewhere (about_Special_Characters).
			switch p.s[p.i+1] {
			case 'n':
				b.text("\n")
			case 't':
				b.text("\t")
			default:
				b.text(p.s[p.i+1 : p.i+2])
			}
			p.i += 2
		case ch == '$' && p.i+1 < len(p.s) && p.s[p.i+1] == '(':
			from := p.i
			p.i += 2
			out := p.block(c, ')')
			b.unknown(p.s[from:p.i], out.from)
		case ch == '$':
			p.variable(b, c)
		default:
			n := strings.IndexAny(p.s[p.i:], "\"`$")
			if n < 0 {
				n = len(p.s) - p.i
			}
			b.text(p.s[p.i : p.i+n])
			p.i += n
		}
	}
}

// variable reads $name, ${name}, $env:NAME.
func (p *ps) variable(b *wordBuilder, c *ctx) {
	start := p.i
	p.i++
	if p.i < len(p.s) && p.s[p.i] == '{' {
		end := strings.IndexByte(p.s[p.i:], '}')
		if end < 0 {
			end = len(p.s) - p.i - 1
		}
		p.i += end + 1
	} else {
		for p.i < len(p.s) && (nameByte(p.s[p.i]) || p.s[p.i] == ':' && p.i+1 < len(p.s) && nameByte(p.s[p.i+1])) {
			p.i++
		}
	}
	written := p.s[start:p.i]
	name := p.name(written[1:])
	// Alone it is a character, as at the end of a pattern.
	if written == "$" {
		b.text("$")
		return
	}
	if v := c.st.find(name); v != nil && len(v.alts) > 0 && len(v.alts[0].list) == 1 {
		b.word(&v.alts[0].list[0])
		return
	}
	if env, ok := strings.CutPrefix(name, "env:"); ok || name == "home" {
		w := p.e.winEnv(env, written, c)
		b.word(&w)
		return
	}
	// An automatic variable, as $HOME is: nobody sets it.
	if name == "pwd" {
		b.word(&c.st.dirs[0])
		return
	}
	// The script that each session starts with; its properties name three more of them.
	if name == "profile" {
		w := p.e.winEnv("", "$HOME", c)
		b.word(&w)
		b.text("/Documents/PowerShell/Microsoft.PowerShell_profile.ps1")
		for p.i < len(p.s) && (p.s[p.i] == '.' || nameByte(p.s[p.i])) {
			p.i++
		}
		return
	}
	var from []int
	if c.in != nil && p.e.tables.PowerShell.Current.Has(name) {
		// Get-ChildItem src | ForEach-Object { Remove-Item $_ }: the place is known, the names are not.
		if isListing(&c.in.Text) {
			b.word(&c.in.Text)
			return
		}
		from = c.in.From
	}
	b.unknown(written, from)
}

// member steps over a property of a file that is its name once more, and follows
// the method that deletes it: (Get-Item x).Delete().
func (p *ps) member(b *wordBuilder, start int, c *ctx) {
	// Of a folder it takes the files below along when its argument says so; both are taken for rm -r.
	if rest := p.s[min(p.i, len(p.s)):]; len(rest) > 8 && strings.EqualFold(rest[:8], ".delete(") {
		dup := wordBuilder{parts: slices.Clone(b.parts)}
		dup.text(b.one + b.known.String())
		span := p.src.at(start, p.i)
		p.e.emit(c.step(".Delete()", span), &simple{args: []Word{lit("rm", span), lit("-r", span), dup.done(span)}, span: span})
		return
	}
	rest := strings.ToLower(p.s[min(p.i, len(p.s)):min(len(p.s), p.i+10)])
	for _, name := range p.e.tables.PowerShell.Properties {
		if strings.HasPrefix(rest, name) && (len(rest) == len(name) || !nameByte(rest[len(name)])) {
			p.i += len(name)
			return
		}
	}
}
