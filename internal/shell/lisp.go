package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Lisps need no grammar: a call is a bracket and a name, its arguments are what
// follows up to the closing bracket. Strings are arguments wherever they stand in
// it, since (delete-file (expand-file-name "x")) deletes x; other values do not count.

// lisp follows the calls in a program of emacs, clojure or scheme.
func (e *engine) lisp(lang, text string, span Span, c *ctx) {
	p := &interp{e: e, lang: lang, c: c, span: span}
	for i := 0; i < len(text) && e.tick(c); i++ {
		switch text[i] {
		case '"':
			_, n := lispString(text[i:])
			i += n - 1
		case ';':
			i += strings.IndexByte(text[i:]+"\n", '\n')
		case '(':
			name := text[i+1:]
			if k := strings.IndexAny(name, " \t\n()\""); k >= 0 {
				name = name[:k]
			}
			does, _ := e.effectOf(lang, name, false)
			if does == 0 {
				continue
			}
			args := lispArgs(text[i+1+len(name):], span)
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

// lispArgs returns the strings up to the bracket that closes a call.
func lispArgs(text string, span Span) []arg {
	var args []arg
	for i, depth := 0, 0; i < len(text) && len(args) < maxLoop; i++ {
		switch text[i] {
		case '"':
			s, n := lispString(text[i:])
			args = append(args, arg{word: lit(s, span)})
			i += n - 1
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return args
			}
		}
	}
	return args
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
