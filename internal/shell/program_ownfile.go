package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// A program knows where its own file lies, and mostly works from there: __file__, __dirname, FindBin. What these names stand for is known as long
// as the file is.

// stood gives the names their values that stand for the file, for its folder, and for parts of paths.
func (p *interp) stood() {
	for _, row := range p.in.Stands {
		name, text, _ := strings.Cut(row, " ")
		if text, ok := standing(text, p.c.script); ok {
			p.set(name, arg{word: lit(text, p.span)})
		}
	}
}

// up is the folder so many steps above a path. Of one that is not known to its end, nobody can tell.
func up(w *Word, steps int, span Span) Word {
	if w.Kind != Literal {
		return unknown("…", span)
	}
	dir := w.Text
	for range min(steps, strings.Count(dir, "/")+1) {
		dir = path.Dir(dir)
	}
	return lit(dir, span)
}

// steps is the number that stands behind a path: dirname(__FILE__, 2).
func steps(args []arg) int {
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[1].word.Text); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

// printed is what the program printed that was run last, without the end of its line; ok is false where that is not known.
func (p *interp) printed() (Word, bool) {
	if !p.out.known || p.out.text.Kind != Literal || p.out.text.Text == "" {
		return Word{}, false
	}
	return lit(strings.TrimRight(p.out.text.Text, "\n"), p.span), true
}

// wouldPrint is what a command line prints, for who follows it in another place as well: nothing of it is kept.
func (e *engine) wouldPrint(text string, span Span, c *ctx) (string, bool) {
	n := c.sub()
	n.want, n.in = true, nil
	at := len(e.res.Commands)
	out := e.script(lit(text, span), n)
	e.res.Commands = e.res.Commands[:min(at, len(e.res.Commands))]
	if !out.known || out.text.Kind != Literal {
		return "", false
	}
	return strings.TrimRight(out.text.Text, "\n"), true
}

// standing is a value of a table in which the file and its folder have a mark.
func standing(text, file string) (string, bool) {
	if file == "" && strings.Contains(text, "{") {
		return "", false
	}
	return strings.NewReplacer("{file}", file, "{folder}", path.Dir(file)).Replace(text), true
}

// top is the top of the repository around the working directory, or around the one that options name, where a program is asked for it by a row of
// words: git -C x rev-parse --show-toplevel. What begins with a slash there lies in it: git rev-parse --git-dir.
// With "~/" a row is about a folder that the program keeps in the home, where it is unless somebody has moved it: go env GOCACHE.
func (e *engine) top(rows rule.Texts, name string, x *simple, c *ctx) (Word, bool) {
	g := globals(e.tables.Globals, name)
	r := argv.Reader{Args: words(x.args), At: 1, Takes: argv.List(g.Value).Takes}
	args := x.args[r.Options(func(argv.Item) bool { return true }):]
	for row := range rows.All() {
		said, in, kept := strings.Cut(row, " ~/")
		if home := e.home(c); kept && !c.remote && home.Kind == Literal && begins(x.args[1:], strings.Fields(said)) {
			return lit(path.Join(home.Text, in), x.span), true
		}
	}
	in := ""
	if !rows.Meets(func(row string) bool {
		row, in, _ = strings.Cut(row, " /")
		return begins(args, strings.Fields(row))
	}) || e.opt.Top == nil || c.remote {
		return Word{}, false
	}
	at := c.st.dirs[0]
	if to := led(g, x.args); to.Text != "" {
		at = Resolve(&at, &to)
	}
	dir, ok := e.written(&at)
	if !ok || !e.tick(c) {
		return Word{}, false
	}
	top := e.opt.Top(dir)
	return lit(path.Join(top, in), x.span), top != ""
}

// begins reports that arguments begin with some words.
func begins(args []Word, row []string) bool {
	for i, word := range row {
		if i >= len(args) || !args[i].Is(word) {
			return false
		}
	}
	return true
}

// justTerm is the value of a call or a command in backquotes in a justfile, or in a file that it names.
func (e *engine) justTerm(term, file string, span Span, c *ctx) (string, bool) {
	if line, ok := strings.CutPrefix(term, "`"); ok {
		return e.wouldPrint(strings.TrimSuffix(line, "`"), span, c)
	}
	if file == "" || !e.tables.Justfile.Sources.Has(term) {
		file = c.script
	}
	for _, row := range e.tables.Justfile.Stands {
		if name, text, _ := strings.Cut(row, " "); name == term {
			return standing(text, file)
		}
	}
	return "", false
}

// modifies reports what looks like a part of a value and is a change of it in zsh: ${0:A:h}.
func (c *ctx) modifies(s *syntax.Slice) bool {
	for _, x := range [...]syntax.ArithmExpr{s.Offset, s.Length} {
		w, ok := x.(*syntax.Word)
		if x != nil && (!ok || w.Lit() == "" || !strings.Contains("A a P h t r", w.Lit()) || c.st.find(w.Lit()) != nil) {
			return false
		}
	}
	return s.Offset != nil
}

// modified is a path as such letters change it: h is its folder, t its last part, r it without an ending. The others make it a whole path.
func modified(s string, by *syntax.Slice) string {
	for _, x := range [...]syntax.ArithmExpr{by.Offset, by.Length} {
		w, _ := x.(*syntax.Word)
		switch {
		case w == nil:
		case w.Lit() == "h":
			s = path.Dir(s)
		case w.Lit() == "t":
			s = path.Base(s)
		case w.Lit() == "r":
			s = strings.TrimSuffix(s, path.Ext(s))
		}
	}
	return s
}

// held sets what is given a name beside an assignment: a member of the object itself (self.root = x), and what a block is about (with f(x) as y).
func (p *interp) held(i int) bool {
	switch t := p.at(i); {
	case p.e.tables.Code.Own.Has(t.text) && p.mark(i+1, ".") && p.mark(i+3, "=") && !p.mark(i+4, "=") && p.in.Join == "":
		if a, end := p.expr(i + 4); end > i+4 {
			p.set(p.at(i+2).text, a)
			if p.within > 0 {
				p.kept = append(p.kept, p.vars[len(p.vars)-1])
			}
			p.e.spend(end-i, p.c)
		}
		return true
	case t.text == "with" && p.in.Imports && p.at(i+1).kind == tokName:
		if a, end := p.expr(i + 1); p.at(end).text == "as" && p.at(end+1).kind == tokName {
			p.set(p.at(end+1).text, a)
			p.e.spend(end-i, p.c)
		}
	}
	return false
}

// member is the value of a dotted name whose first part is a variable, for what follows to be read of it (ROOT.parent), or, with a name, that of a
// constant of a class by its own name: Config.DATA.
func (p *interp) member(name string, i int) (arg, bool) {
	head, rest, dotted := strings.Cut(name, ".")
	if !dotted || p.in.Join != "" {
		return arg{}, false
	}
	first, _, _ := strings.Cut(rest, ".")
	m := &p.e.tables.Methods
	if p.e.tables.Code.Own.Has(head) || p.made(head) { // self.root, which a class has, or one of its methods sets
		if a, ok := p.lookup(rest); ok && !strings.Contains(rest, ".") {
			a.name = rest
			return a, true
		}
	}
	if a, ok := p.lookup(head); ok && a.word.Kind == Literal && !a.many && (m.Up.Has(first) || m.Ups.Has(first) || m.Plain.Has(first)) {
		return a, p.mark(i+1, ".")
	}
	if last := name[strings.LastIndexByte(name, '.')+1:]; len(last) > 1 && strings.ToUpper(last) == last {
		if a, ok := p.lookup(last); ok && a.word.Kind == Literal && !a.many {
			a.name = last
			return a, true
		}
	}
	return arg{}, false
}
