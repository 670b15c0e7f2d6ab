package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// The first line of a script is a command line to which the kernel adds the script and its arguments: "#!/usr/bin/make -f" runs make -f ./script.

// shebang returns the program that the first line of a script names; none is "" and true.
func (e *engine) shebang(text string) (lang string, shell bool) {
	first, _, _ := strings.Cut(text, "\n")
	names, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return "", true
	}
	for f := range strings.FieldsSeq(names) {
		name := path.Base(f)
		if in := e.interpreterOf(name); in != nil {
			return in.Lang, false
		}
		if e.tables.Program(name).Grammar == rule.GrammarShell {
			return LangSh, true
		}
	}
	return "", false
}

// byShebang is the command that the first line of a script makes of a call of it, nil where the script is read by what that line names: all behind
// the program is one word, which env -S takes apart.
func (e *engine) byShebang(text *Word, x *simple) *simple {
	first, _, _ := strings.Cut(text.Prefix(), "\n")
	line, ok := strings.CutPrefix(first, "#!")
	program, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	if lang, shell := e.shebang(first); !ok || program == "" || rest == "" || (lang != "" || shell) && !strings.HasPrefix(rest, "-S") {
		return nil
	}
	y, span := *x, text.Span
	if span[1]-span[0] >= len(first) {
		span[1] = span[0] + len(first)
	}
	y.args = append([]Word{lit(program, span), lit(rest, span)}, slices.Clone(x.args)...)
	return &y
}
