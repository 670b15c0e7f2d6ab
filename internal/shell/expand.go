package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Expansion builds words from parts that are known and parts that are not. Unquoted
// values are split at IFS and may hold patterns; quoted ones are neither. An
// unknown part in an unquoted place may be no word or many: the word says so.

// maxFields bounds what one brace expansion or array may grow to.
const maxFields = 512

// pick is a variable with several values, met while a command is expanded; the
// command is followed once for each.
type pick struct {
	name string
	n, i int
}

// alternative returns which of a variable's n values is meant this time.
func (e *engine) alternative(name string, n int) int {
	if n <= 1 {
		return 0
	}
	for _, p := range e.picks {
		if p.name == name {
			return min(p.i, n-1)
		}
	}
	// More variables at once make more combinations than callExpr follows.
	if len(e.picks) < 4 {
		e.picks = append(e.picks, pick{name: name, n: n})
	}
	return 0
}

// nextPick advances to the next combination of values.
func (e *engine) nextPick() bool {
	for i := range e.picks {
		p := &e.picks[i]
		if p.i++; p.i < p.n {
			return true
		}
		p.i = 0
	}
	return false
}

// fields appends the fields to which a word expands.
func (e *engine) fields(dst []Word, w *syntax.Word, c *ctx) []Word {
	// Most words are plain, and need none of what follows.
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(l.Value, "\\*?[{~") && len(e.holes) == 0 {
			return append(dst, lit(l.Value, c.src.at(int(l.ValuePos.Offset()), int(l.ValueEnd.Offset()))))
		}
	}
	span := c.src.node(w)
	if split := e.splitBraces(w, c); split != nil {
		for _, b := range e.braces(split, c) {
			dst = e.fieldsOf(dst, b, span, c)
		}
		return dst
	}
	return e.fieldsOf(dst, w, span, c)
}

// splitBraces is a copy of a word with its braces split, nil if it has none. The word itself stays as it is: an empty item
// of a brace list ({,b}) has no place, and asking the split word for its own would end in a panic.
func (e *engine) splitBraces(w *syntax.Word, c *ctx) *syntax.Word {
	split := *w
	if !e.hasBrace(w, c) || !syntax.SplitBraces(&split) {
		return nil
	}
	return &split
}

// hasBrace spares words without braces the copy that splitting them makes, and charges
// the others for it.
func (e *engine) hasBrace(w *syntax.Word, c *ctx) bool {
	n := 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{")
		}
	}
	return n > 0 && e.spend(costBrace*n, c)
}

// fielder gathers fields: text that is split starts new ones.
type fielder struct {
	dst   []Word
	b     wordBuilder
	open  bool // the current field exists, even if it is empty
	loose bool // what was read of the word so far is not sure
	span  Span
	begin bool // nothing of the word was read yet: a tilde counts
}

// cut ends the current field. Empty fields exist only if something was quoted.
func (f *fielder) cut() {
	f.b.w.Unsure = f.b.w.Unsure || f.loose
	if f.open || !f.b.empty() {
		f.dst = append(f.dst, f.b.done(f.span))
	}
	f.b = wordBuilder{}
	f.open = false
}

// split appends a value that is subject to field splitting.
func (f *fielder) split(w *Word, ifs string) {
	if w.Tilde && f.b.empty() {
		f.b.w.Tilde = true
	}
	f.loose = f.loose || w.Unsure
	if w.Kind == Literal {
		f.splitText(w.Text, ifs)
		return
	}
	if f.b.named(w) {
		f.b.w.Many, f.open = true, true
		return
	}
	for _, p := range w.Parts {
		if p.Unknown {
			f.b.part(p)
			f.b.w.Many = true
			f.open = true
			continue
		}
		f.splitText(p.Text, ifs)
	}
}

// splitText appends text that ends fields at separators; patterns in it count,
// since the shell expands them after the split.
func (f *fielder) splitText(s, ifs string) {
	for s != "" {
		n := strings.IndexAny(s, ifs)
		if n < 0 || ifs == "" {
			f.b.text(s)
			f.b.w.Glob = f.b.w.Glob || strings.ContainsAny(s, "*?[")
			return
		}
		if n > 0 {
			f.b.text(s[:n])
			f.b.w.Glob = f.b.w.Glob || strings.ContainsAny(s[:n], "*?[")
		}
		f.cut()
		s = s[n+1:]
	}
}

// fieldsOf expands one word whose braces are gone.
func (e *engine) fieldsOf(dst []Word, w *syntax.Word, span Span, c *ctx) []Word {
	f := fielder{dst: dst, span: span, begin: true}
	for i, part := range w.Parts {
		if !e.tick(c) {
			break
		}
		if emptyLit(part) {
			continue // what is left of a brace
		}
		e.part(&f, part, endsName(w.Parts[i+1:]), c)
		f.begin = false
	}
	f.cut()
	return f.dst
}

// emptyLit tells the parts without text that splitting braces leaves: in {~,x} the
// tilde is first and last in its word.
func emptyLit(part syntax.WordPart) bool {
	l, ok := part.(*syntax.Lit)
	return ok && l.Value == ""
}

// endsName reports whether the name of a home directory may end before parts.
func endsName(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if l, ok := part.(*syntax.Lit); !ok || l.Value != "" {
			return ok && l.Value[0] == '/'
		}
	}
	return true
}

// part appends one unquoted part of a word.
func (e *engine) part(f *fielder, part syntax.WordPart, last bool, c *ctx) {
	switch p := part.(type) {
	case *syntax.Lit:
		s := p.Value
		if f.begin {
			// bash expands these in arguments as well: env A=~/x:~/y, dd of=~/x.
			for n := assigned(s); n > 0; n = strings.IndexByte(s, ':') + 1 {
				e.litText(f, s[:n])
				if s = s[n:]; strings.HasPrefix(s, "~") {
					end := strings.IndexByte(s, ':')
					head := s[:max(end, 0)]
					if end < 0 {
						head = s
					}
					s = e.tilde(&f.b, head, last || end >= 0, c) + s[len(head):]
				}
			}
			if strings.HasPrefix(s, "~") {
				s = e.tilde(&f.b, s, last, c)
			}
		}
		e.litText(f, s)
	case *syntax.SglQuoted:
		f.open = true
		f.b.w.Quoted = true
		s := p.Value
		if p.Dollar {
			s = ansi(s)
		}
		e.textOrHole(&f.b, s)
	case *syntax.DblQuoted:
		f.open = true
		f.b.w.Quoted = true
		e.dblQuoted(f, p.Parts, c)
	case *syntax.ParamExp:
		list, many := e.bounded(p, c)
		ifs := e.ifs(c)
		for i := range list {
			if i > 0 {
				f.cut()
			}
			f.b.w.Many = f.b.w.Many || many
			f.split(&list[i], ifs)
		}
	case *syntax.CmdSubst:
		w := e.cmdSubst(p, c)
		f.split(&w, e.ifs(c))
	case *syntax.ArithmExp:
		e.reckoned(p, f, c)
	case *syntax.ProcSubst:
		w := e.procSubst(p, c)
		f.b.word(&w)
	case *syntax.ExtGlob:
		f.b.text("*") // some of what any text may be
		f.b.w.Glob = true
	case *syntax.BraceExp:
		f.b.unknown("{…}", nil) // only when there are too many
	}
}

// bounded is param, unless the line expands lists so often that following all
// of them would take too long.
func (e *engine) bounded(p *syntax.ParamExp, c *ctx) ([]Word, bool) {
	e.work.Take(costPart)
	list, many := e.param(p, c)
	if e.unsure(p, c) {
		list = unsettled(list, many)
	}
	for i := range list {
		if n := len(list[i].Text)/copyBytes + len(list[i].Parts); n > 0 && !e.spend(n, c) {
			return []Word{unknown(c.src.written(p), c.src.node(p))}, true
		}
	}
	if len(list) > 1 {
		if e.expanded += len(list); e.expanded > 8*maxFields {
			e.doubt(TooMany, "", c.src.whole())
			return []Word{unknown(c.src.written(p), c.src.node(p))}, true
		}
	}
	return list, many
}

// litText appends unquoted literal text.
func (e *engine) litText(f *fielder, s string) {
	if strings.IndexByte(s, '\\') >= 0 {
		f.b.w.Glob = f.b.w.Glob || globbing(s)
		f.b.w.Quoted = true
		s = unescape(s)
		f.open = true
	} else if strings.ContainsAny(s, "*?[") {
		f.b.w.Glob = true
	}
	if len(e.holes) > 0 && e.fillHoles(&f.b, s) {
		f.b.w.Many = true
		return
	}
	f.b.text(s)
}

// textOrHole appends text in which unknown parts of a script may stand.
func (e *engine) textOrHole(b *wordBuilder, s string) {
	if len(e.holes) > 0 && e.fillHoles(b, s) {
		return
	}
	b.text(s)
}

// dblQuoted appends parts within double quotes.
func (e *engine) dblQuoted(f *fielder, parts []syntax.WordPart, c *ctx) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			e.textOrHole(&f.b, unescapeQuoted(p.Value))
		case *syntax.ParamExp:
			list, many := e.bounded(p, c)
			if len(list) > 1 && starred(p) {
				list = []Word{join(list, firstByte(e.ifs(c)), f.span)}
			}
			f.b.w.Many = f.b.w.Many || many
			if len(list) == 0 && (many || p.Param != nil && p.Param.Value == "@" || whole(p.Index)) && !starred(p) {
				f.open = f.open && len(parts) > 1 // "$@" without any is no word at all
			}
			for i := range list {
				if i > 0 {
					f.cut()
					f.open = true
					f.b.w.Quoted = true
				}
				pattern := f.b.w.Glob || list[i].Glob && expanded(p)
				f.b.word(&list[i])
				f.b.w.Glob = pattern
			}
		case *syntax.CmdSubst:
			w := e.cmdSubst(p, c)
			w.Glob = false
			f.b.word(&w)
		case *syntax.ArithmExp:
			e.reckoned(p, f, c)
		default:
			e.part(f, part, false, c)
		}
	}
}

// expanded reports a value whose patterns were names of files when it was set: those of an array and of set -- *, and no X=*.
func expanded(p *syntax.ParamExp) bool {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	return p.Index != nil || name == "@" || name == "*" || name != "" && name[0] >= '1' && name[0] <= '9'
}

// starred tells "$*" and "${a[*]}", which join their fields to one.
func starred(p *syntax.ParamExp) bool {
	if p.Param != nil && p.Param.Value == "*" {
		return true
	}
	w, ok := p.Index.(*syntax.Word)
	return ok && w.Lit() == "*"
}

// firstByte returns what joins "$*".
func firstByte(s string) string { return s[:min(1, len(s))] }

// quoted returns the one value of a word that is not split: an assignment, a
// redirection's target, a heredoc.
func (e *engine) quoted(w *syntax.Word, c *ctx) Word {
	if w == nil {
		return Word{}
	}
	var b wordBuilder
	span := c.src.node(w)
	f := fielder{span: span, begin: true}
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.ParamExp:
			list, many := e.bounded(p, c)
			one := join(list, " ", span)
			one.Many = many
			f.b.word(&one)
		case *syntax.CmdSubst:
			one := e.cmdSubst(p, c)
			f.b.word(&one)
		default:
			e.part(&f, part, i == len(w.Parts)-1, c)
		}
		f.begin = false
	}
	f.open = true
	f.cut()
	if len(f.dst) == 1 {
		return f.dst[0]
	}
	for i := range f.dst {
		if i > 0 {
			b.text(" ")
		}
		b.word(&f.dst[i])
	}
	return b.done(span)
}

// ifs returns the field separators in force.
func (e *engine) ifs(c *ctx) string {
	if v := c.st.find("IFS"); v != nil && !v.unset && len(v.alts) > 0 && len(v.alts[0].list) == 1 {
		if s, ok := v.alts[0].list[0].Known(); ok {
			return s
		}
	}
	return " \t\n"
}

// assigned is the length of NAME= in front of a tilde somewhere behind it, 0 where there is none.
func assigned(s string) int {
	n := strings.IndexByte(s, '=')
	if n < 1 || s[0] >= '0' && s[0] <= '9' || !strings.Contains(s[n:], "~") {
		return 0
	}
	for i := range n {
		if !nameByte(s[i]) {
			return 0
		}
	}
	return n + 1
}

// tilde appends the home directory that s begins with and returns the rest.
func (e *engine) tilde(b *wordBuilder, s string, last bool, c *ctx) string {
	name, rest := s[1:], ""
	if i := strings.IndexByte(name, '/'); i >= 0 {
		name, rest = name[:i], name[i:]
	} else if !last {
		return s // ~"x" and ~$x are no tilde prefixes
	}
	switch {
	case name == "":
		home := e.home(c)
		b.word(&home)
	case name == "+":
		b.word(&c.st.dirs[0])
	case name == "-":
		old := c.st.before()
		b.word(&old)
	case strings.ContainsAny(name, "\\*?["):
		return s
	default:
		b.w.Tilde = true
		b.text("~" + name)
	}
	return rest
}

// home returns the home directory: $HOME as the line sets it, else as known.
func (e *engine) home(c *ctx) Word {
	if v := c.st.find("HOME"); v != nil && !v.unset && len(v.alts) > 0 && len(v.alts[0].list) == 1 {
		return v.alts[0].list[0]
	}
	if e.opt.Home != "" {
		return lit(e.opt.Home, Span{})
	}
	return Word{Text: "~", Tilde: true}
}
