package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Lisps need no grammar: a call is a bracket and a name, its arguments are what
// follows up to the closing bracket. Strings are arguments wherever they stand in
// it, since (delete-file (expand-file-name "x")) deletes x; other values do not count.

// lisp follows the calls in a program of emacs, clojure or scheme.
func (e *engine) lisp(in *rule.Interpreter, text string, span Span, c *ctx) {
	p := &interp{e: e, lang: in.Lang, in: in, c: c, span: span}
	for i := 0; i < len(text) && e.tick(c); i++ {
		switch text[i] {
		case '"':
			_, n := lispString(text[i:])
			i += n - 1
		case ';':
			i += strings.IndexByte(text[i:]+"\n", '\n')
		case '(':
			name := lispName(text[i+1:])
			does, _ := e.effectOf(in, name, false)
			if does == 0 {
				continue
			}
			args, _ := p.lispArgs(text[i+1+len(name):], 0)
			for k := range args {
				if s := args[k].word.Text; s == "~" || strings.HasPrefix(s, "~/") {
					args[k].word = join([]Word{e.home(c), lit(s[1:], span)}, "", span)
				}
			}
			if does == rule.DoArgv || len(args) > 0 {
				p.perform(does, name, args)
			}
		}
	}
}

// lispArgs returns the strings up to the bracket that closes a call, and how long that text is. What a call within it puts
// together of strings is one of them, and so is the home or a variable of the environment.
func (p *interp) lispArgs(text string, deep int) (args []arg, end int) {
	depth := 0
	for i := 0; i < len(text) && len(args) < maxLoop; i++ {
		switch text[i] {
		case '"':
			s, n := lispString(text[i:])
			args = append(args, arg{word: lit(s, p.span)})
			i += n - 1
		case '(':
			name := lispName(text[i+1:])
			if value, n, ok := p.lispValue(name, text[i+1+len(name):], deep); ok {
				args = append(args, arg{word: value})
				i += len(name) + n
				continue
			}
			depth++
		case ')':
			if depth--; depth < 0 {
				return args, i + 1
			}
		}
	}
	return args, len(text)
}

// lispName is the name of the call whose text this is, behind its bracket.
func lispName(text string) string {
	if k := strings.IndexAny(text, " \t\n()\""); k >= 0 {
		return text[:k]
	}
	return text
}

// lispValue is what a call within a call stands for, where that can be told: the home, a variable, strings put together.
func (p *interp) lispValue(name, text string, deep int) (value Word, n int, ok bool) {
	if deep > 8 || !p.e.tick(p.c) {
		return value, 0, false
	}
	short := name[strings.LastIndexAny(name, "/:.")+1:]
	words := &p.e.tables.Lisp
	find := words.Asks.Has(short)
	if !find && !words.Home.Has(short) && !words.Joins.Has(short) && !words.Environment.Has(short) {
		return value, 0, false
	}
	args, n := p.lispArgs(text, deep+1)
	switch {
	case words.Home.Has(short):
		return p.environ("HOME"), n, len(args) == 0
	case words.Joins.Has(short):
		return join(flat(args), "", p.span), n, len(args) > 0
	case find:
		return p.environ("HOME"), n, slices.ContainsFunc(words.Names, func(name string) bool { return strings.Contains(text[:n], name) })
	}
	if len(args) != 1 || args[0].word.Kind != Literal {
		return value, 0, false
	}
	return p.environ(args[0].word.Text), n, true
}

// lispString reads the string that text begins with, and its length in the text.
func lispString(text string) (s string, n int) {
	for n = 1; n < len(text) && text[n] != '"'; n++ {
		if text[n] == '\\' {
			n++
		}
	}
	n = min(n, len(text))
	return ansi(text[1:n]), min(n+1, len(text))
}
