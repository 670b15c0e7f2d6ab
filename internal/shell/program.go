package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Interpreters differ in where their program stands: -c, -e, -r, in a cluster with
// other letters, in the first operand, in the input. They agree that everything
// behind it is data.

// interpreterOf returns the interpreter that a program is, nil if it is none.
func (e *engine) interpreterOf(name string) *rule.Interpreter {
	// python3.12 and php8.2 are what their names say without the version.
	name = strings.TrimRight(name, "0123456789.")
	for i := range e.tables.Interpreters {
		if slices.Contains(e.tables.Interpreters[i].Programs, name) {
			return &e.tables.Interpreters[i]
		}
	}
	return nil
}

// languageOf returns the interpreter of a language.
func (e *engine) languageOf(lang string) *rule.Interpreter {
	for i := range e.tables.Interpreters {
		if e.tables.Interpreters[i].Lang == lang {
			return &e.tables.Interpreters[i]
		}
	}
	return nil
}

// interpreter finds the program that an interpreter runs: -c or -e, a file, or
// its input.
func (e *engine) interpreter(in *rule.Interpreter, name string, x *simple, c *ctx) output {
	args := x.args
	lang, letters, long, valued := in.Lang, in.Code, in.Long, in.Values
	var text *Word
	i := 1
	module := false
	for ; i < len(args); i++ {
		s := args[i].Prefix()
		if args[i].Is("--") {
			i++
			break
		}
		if i == 1 && (lang == "node" && (args[i].Is("eval") || args[i].Is("-p"))) && i+1 < len(args) {
			text = &args[i+1]
			i++
			continue
		}
		if args[i].Is("run") && (name == "bun" || name == "deno") && text == nil {
			continue // as "bun -e", "deno x.ts"
		}
		if len(s) < 2 || s[0] != '-' {
			break
		}
		if strings.HasPrefix(s, "--") {
			key, _, has := strings.Cut(s[2:], "=")
			switch {
			case key == "version" || key == "help":
				return e.plainRun(name, x, c)
			case listed(" "+long, key) && has:
				text = merge(text, cutWord(&args[i], len(key)+3))
			case listed(" "+long, key) && i+1 < len(args):
				i++
				text = merge(text, &args[i])
			// Of node, deno and bun: their value is the next word, and no script.
			case !has && listed(" require import loader experimental-loader title input-type env-file", key):
				i++
			}
			continue
		}
		if took, w := clusterValue(args, i, letters, valued, lang); w != nil {
			text = merge(text, w)
			i += took
		} else {
			// What follows -m belongs to the module, its own -c included.
			if lang == "python" && strings.Contains(s, "m") {
				module = true
				break
			}
			i += took
		}
		if text != nil && lang == "python" {
			i++
			break // everything else belongs to the program
		}
	}
	// Of several places the first wins in all of them: option, file, input.
	if text != nil {
		return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromArg, Text: *text, Fed: optionsFed(lang, args, i, text.Text, c)})
	}
	stdin := c.reads(x)
	if module {
		if w := moduleText(in.Modules, args, i); w != nil {
			return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromArg, Text: *w})
		}
		if i+1 < len(args) && args[i].Is("-m") { // python -m poetry run …
			if row, n := e.wrapperOf(args[i+1].Text, args[i+1:]); row != nil {
				return e.unwrap(row, n, x.rest(i+1), c.step(name+" -m", x.args[0].Span))
			}
		}
		return e.plainRun(name, x, c)
	}
	if i < len(args) && !e.tables.Sh.Input.Has(args[i].Text) {
		if t, ok := c.st.written(args[i].Text); ok {
			return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromFile, Text: t, File: args[i]})
		}
		x.code = &Code{Lang: lang, From: FromFile, Text: args[i], File: args[i]}
		return e.plainRun(name, x, c)
	}
	if stdin != nil {
		return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromStdin, Text: stdin.Text})
	}
	return e.plainRun(name, x, c)
}

// moduleText returns the operands of a module that takes program text, as timeit does;
// at is where -m stands.
func moduleText(modules string, args []Word, at int) *Word {
	_, name, _ := strings.Cut(args[at].Prefix(), "m")
	if name == "" && at+1 < len(args) {
		at++
		name = args[at].Text
	}
	if !hasWord(modules, name) {
		return nil
	}
	var text *Word
	for i := at + 1; i < len(args); i++ {
		switch s := args[i].Prefix(); {
		case s == "-n" || s == "-r" || s == "-u":
			i++
		case s == "-s" || len(s) > 0 && s[0] != '-':
			if s == "-s" && i+1 < len(args) {
				i++
			}
			text = merge(text, &args[i])
		}
	}
	return text
}

// optionsFed reports that a list is appended to a program that does not read its
// arguments: what it can do there is to be taken for an option, such as a
// second -e.
func optionsFed(lang string, args []Word, i int, text string, c *ctx) bool {
	if n := len(c.via); n == 0 || i >= len(args) || args[i-1].Is("--") || args[i].Kind != Unknown || !args[i].Many || c.via[n-1].Name != "xargs" && c.via[n-1].Name != "parallel" {
		return false
	}
	var uses []string
	switch lang {
	case "node":
		uses = []string{"argv", "args", "stdin"}
	case "ruby", "perl":
		for _, w := range args[1:i] {
			if len(w.Text) > 1 && w.Text[0] == '-' && strings.ContainsAny(w.Text, "npia") {
				return false // a loop over the files that are named
			}
		}
		uses = []string{"ARG", "shift", "<>", "$<", "gets", "STDIN", "stdin"}
	default:
		return false // python and its kind end their options with the program
	}
	for _, s := range uses {
		if strings.Contains(text, s) {
			return false
		}
	}
	return true
}

// merge joins the texts of several -e.
func merge(a, b *Word) *Word {
	if a == nil {
		return b
	}
	w := join([]Word{*a, *b}, "\n", b.Span)
	return &w
}

// clusterValue reads a cluster of short options such as -we CODE. It returns
// the program text, if there is some, and how many arguments more it took.
func clusterValue(args []Word, i int, letters, valued, lang string) (took int, text *Word) {
	s := args[i].Prefix()
	for j := 1; j < len(s); j++ {
		switch {
		case strings.IndexByte(letters, s[j]) >= 0:
			rest := j+1 < len(s) || args[i].Kind != Literal
			if lang == "node" && rest && strings.IndexByte(letters, s[min(j+1, len(s)-1)]) >= 0 {
				continue // -pe
			}
			if rest {
				return 0, cutWord(&args[i], j+1)
			}
			if i+1 < len(args) {
				return 1, &args[i+1]
			}
			return 0, nil
		case strings.IndexByte(valued, s[j]) >= 0:
			if j+1 == len(s) && args[i].Kind == Literal {
				return 1, nil
			}
			return 0, nil
		case lang == "perl" && (s[j] == 'i' || s[j] == '0' || s[j] == 'l' || s[j] == 'F'):
			// -i.bak and -0777 take what follows; -ie is the classic mistake.
			if s[j] == 'i' || s[j] == 'F' {
				return 0, nil
			}
		}
	}
	return 0, nil
}

// runsProgram emits an interpreter and follows the literal calls in its text.
func (e *engine) runsProgram(lang string, x *simple, c *ctx, code *Code) output {
	code.Seen, code.Fed = code.Text.Kind == Literal, code.Fed || code.Text.Fed
	x.code = code
	i := e.emit(c, x)
	n := c.step(lang, x.args[0].Span)
	n.in = nil
	out := e.finish(e.program(&x.args[0]), x, c, i)
	var lines *Word
	if in := c.reads(x); in != nil && isListing(&in.Text) {
		lines = &in.Text
	}
	e.followOver(lang, code.Text, lines, n)
	if first, _, _ := strings.Cut(code.Text.Text, "\n"); e.commandLike(first) {
		n.cond = true // node -e 'rm -rf /': no program of that language
		e.script(code.Text, n)
	}
	return out
}

// magics follows the lines of ipython that begin with "!" or "%sx", which python itself
// would refuse.
func (e *engine) magics(text string, span Span, c *ctx) {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		cmd, ok := strings.CutPrefix(line, "!")
		for _, magic := range []string{"%sx ", "%system ", "%"} {
			if rest, is := strings.CutPrefix(line, magic); is && !ok {
				cmd, ok = rest, magic != "%" || strings.HasPrefix(rest, "rm ") || strings.HasPrefix(rest, "mv ")
			}
		}
		if ok && !strings.HasPrefix(cmd, "=") {
			e.script(lit(strings.TrimSpace(cmd), span), c.step("ipython !", span))
		}
	}
}

// follow turns the calls in a program into commands.
func (e *engine) follow(lang string, w Word, c *ctx) { e.followOver(lang, w, nil, c) }

// followOver is follow for a program that reads a list of names; nil is none.
func (e *engine) followOver(lang string, w Word, lines *Word, c *ctx) {
	if w.Kind == Unknown && len(w.Parts) == 1 {
		return
	}
	n := *c
	if n.depth++; n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", w.Span)
		return
	}
	text := w.Text
	if w.Kind != Literal {
		text = e.dig(&w)
	}
	if lang == "applescript" {
		_, after, ok := strings.Cut(text, "do shell script")
		if !ok { // a terminal is told to
			_, after, ok = strings.Cut(text, "do script")
		}
		if ok {
			l := &lexer{e: e, lang: lang, text: after, span: w.Span}
			for _, t := range l.run() {
				if t.kind == tokText {
					e.script(t.word, n.step("do shell script", w.Span))
					return
				}
			}
		}
		return
	}
	if in := e.languageOf(lang); in != nil && in.Lisp {
		e.lisp(lang, text, w.Span, &n)
		return
	}
	if lang == "python" && strings.ContainsAny(text, "!%") {
		e.magics(text, w.Span, &n)
	}
	p := &interp{e: e, lang: lang, c: &n, span: w.Span, lines: lines}
	l := &lexer{e: e, lang: lang, text: text, span: w.Span}
	p.toks = l.run()
	p.heads = p.loopHeads()
	p.seen = make([]bool, len(p.toks))
	p.walk()
}
