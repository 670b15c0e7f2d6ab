package shell

import (
	"path"
	"slices"
	"strings"
)

// Text with gaps – "…#{x}…", f"{x}", "%s" % x – is how programs build the commands
// and the paths that they use. The gaps are evaluated like any other expression; one
// that is not understood stays a gap of the word.

// fillIn evaluates the expressions in an interpolated string.
func (p *interp) fillIn(w Word) arg {
	if w.Kind == Literal {
		return arg{word: w}
	}
	at := p.cur
	parts := make([]arg, len(w.Parts))
	for i, part := range w.Parts {
		p.cur = at
		parts[i].word = Word{Text: part.Text, Kind: Unknown, Parts: w.Parts[i : i+1]}
		if !part.Unknown {
			parts[i].word = lit(part.Text, w.Span)
		} else if v, ok := p.gap(part.Text); ok {
			parts[i] = v
		}
	}
	p.cur = at
	return p.lifted(parts, func(args []arg) arg {
		var b wordBuilder
		for i := range args {
			b.word(&args[i].word)
		}
		return arg{word: b.done(w.Span)}
	})
}

// filled are the texts that an interpolated string may be.
func (p *interp) filled(w Word) []Word {
	a := p.fillIn(w)
	return a.items()
}

// gap evaluates what stands between the marks of an interpolation.
func (p *interp) gap(written string) (arg, bool) {
	name := strings.Trim(written, "$#@{} ")
	if strings.Trim(written, "{}") == "$_" {
		name = "_"
	}
	for _, s := range []string{name, "$" + name} {
		if a, ok := p.lookup(s); ok {
			return a, true
		}
	}
	for _, s := range []string{name, "$" + name} {
		if a, ok := p.looped(s, p.cur); ok {
			return a, true
		}
	}
	if a, ok := p.given(name, p.cur); ok && a.word.Kind == Literal { // f"{args.month}.csv"
		return a, true
	}
	code := strings.TrimSpace(written)
	switch {
	case p.in.Captures && strings.HasPrefix(name, "&"):
		return arg{word: p.bare()}, true // the argument of a captured function, which each item becomes
	case p.in.Gaps && p.in.Sigils && p.in.Hole == "": // the gap is a name
	case strings.HasPrefix(code, "${"), strings.HasPrefix(code, "#{"):
		code = strings.TrimSuffix(code[2:], "}")
	case strings.HasPrefix(code, "{"):
		code = strings.TrimSuffix(code[1:], "}")
		code, _, _ = strings.Cut(code, "!") // {x!r}
	default:
		return arg{}, false // a gap that the shell has left
	}
	// A gap may hold a string with gaps in it: deeper and longer ones stay gaps.
	if p.deep > 16 || len(code) > 1<<10 || code == "" || !p.e.spend(1+len(code)/16, p.c) {
		return arg{}, false
	}
	l := &lexer{e: p.e, lang: p.lang, text: code, span: p.span}
	sub := &interp{e: p.e, c: p.c, lang: p.lang, in: p.in, span: p.span, toks: l.run(), vars: p.vars, alts: p.alts, deep: p.deep + 8, outer: p}
	sub.heads = sub.loopHeads()
	a, _ := sub.expr(0) // its calls are performed where the walk meets them: seen is empty
	if a.isList() && a.found() {
		a = oneOf(a.list, p.span)
	}
	return a, a.one || !a.many && (a.word.Kind == Literal || a.word.Prefix() != "" || a.word.Listed())
}

// formatted fills the gaps of "%s" and "{}" with words, in order.
func formatted(w *Word, words []Word, span Span) Word {
	if w.Kind != Literal {
		return unknown("…", span)
	}
	var b wordBuilder
	s := w.Text
	for n := 0; ; n++ {
		i := strings.IndexAny(s, "%{")
		if i < 0 || n > maxLoop {
			break
		}
		b.text(s[:i])
		s = s[i:]
		size := 1
		switch {
		case s[0] == '{':
			if end := strings.IndexByte(s, '}'); end > 0 {
				size = end + 1
			}
		case len(s) > 1:
			size = 2
		}
		if size == 1 || s[:size] == "%%" {
			b.text(s[:1])
			s = s[size:]
			continue
		}
		if len(words) > 0 {
			b.word(&words[0])
			words = words[1:]
		} else {
			b.unknown(s[:size], nil)
		}
		s = s[size:]
	}
	b.text(s)
	return b.done(span)
}

// joinPath joins the parts of a path; an absolute one begins it anew, as in
// Python. Node would append it, which nobody means.
func joinPath(words []Word, span Span) Word {
	for i := len(words) - 1; i > 0; i-- {
		if strings.HasPrefix(words[i].Prefix(), "/") {
			words = words[i:]
			break
		}
	}
	w := join(words, "/", span)
	if w.Kind == Literal {
		w.Text = path.Clean(w.Text)
	}
	return w
}

// paths joins arguments to a path. Of the names that are found somewhere only one can be a part of it.
func (p *interp) paths(args []arg) arg {
	for i := range args {
		args[i].one = args[i].one || args[i].many && args[i].found()
	}
	return p.lifted(args, func(args []arg) arg { return arg{word: joinPath(flat(args), p.span)} })
}

// listing evaluates the functions that return names of files.
func (p *interp) listing(name string, args []arg) (arg, bool) {
	switch f := &p.e.tables.Functions; {
	case f.Patterns.Has(name):
		for k := range args {
			// Only some know "~".
			if s := args[k].word.Prefix(); p.in.Tilde && (s == "~" || strings.HasPrefix(s, "~/")) {
				args[k].word = join([]Word{p.environ("HOME"), *cutWord(&args[k].word, 1)}, "", p.span)
			}
		}
		return p.globs(args), true
	case f.Entries.Has(name):
		return p.names(p.bare()), !p.in.Bare
	case f.Within.Has(name):
		if len(args) == 0 {
			return arg{}, false
		}
		return p.names(p.inside(&args[0].word)), true
	case f.Searches.Has(name):
		return p.names(p.belowEach(args)...), true
	case f.Some.Has(name): // one of them, or those that fit
		for k := range args {
			if args[k].found() {
				return args[k], true
			}
		}
		return arg{}, false
	case f.Same.Has(name):
		if len(args) > 0 {
			return args[0], true // the same names
		}
		return p.names(), true
	case f.Gathers.Has(name):
		return p.names(flat(args)...), true
	case f.Folder.Has(name):
		dir := lit(".", p.span)
		if len(args) > 0 {
			dir = args[0].word
		}
		if (!f.Paths.Has(name) || p.in.Bare) && !dir.Is(".") && !p.joined(args) {
			return p.names(p.bare()), true
		}
		return p.names(p.inside(&dir)), true
	}
	return arg{}, false
}

// joined reports that a listing is asked for names with their folder in front.
func (p *interp) joined(args []arg) bool {
	for i := range args {
		if args[i].name == "join" && args[i].word.Is("true") {
			return true
		}
	}
	return false
}

// bare is the word for names without their folder, which the program joins to it.
func (p *interp) bare() Word {
	w := unknown("…", p.span)
	w.Parts[0].Listed = true
	return w
}

// inside is the word for whatever lies in a directory.
func (p *interp) inside(dir *Word) Word { return below(dir, "", "…") }

// belowEach are the words for whatever lies in some folders.
func (p *interp) belowEach(args []arg) []Word {
	dirs := flat(args)
	for i := range dirs {
		dirs[i] = p.inside(&dirs[i])
	}
	return dirs
}

// matchingIn is the word for what fits a pattern in a directory or below it.
func (p *interp) matchingIn(dir *Word, args []arg) Word {
	if len(args) == 0 || args[0].word.Kind != Literal {
		return p.inside(dir)
	}
	s := args[0].word.Text
	return below(dir, s[strings.LastIndexByte(s, '/')+1:], "…")
}

// globs returns patterns as the words that the shell would make of them.
func (p *interp) globs(args []arg) arg {
	words := flat(args)
	if p.in.Glob != "" && len(words) == 1 && words[0].Kind == Literal {
		// Blanks stand between patterns there (perldoc -f glob).
		if parts := strings.Fields(words[0].Text); len(parts) > 1 {
			words = words[:0]
			for _, s := range parts[:min(len(parts), maxFields)] {
				words = append(words, lit(s, p.span))
			}
		}
	}
	if p.in.Braces {
		var all []Word
		for i := range words {
			all = append(all, p.braced(words[i])...)
		}
		words = all
	}
	words = slices.Clone(words)
	for i := range words {
		words[i].Glob = true
	}
	return p.names(words...)
}
