package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// What types into a terminal runs commands: tmux (tmux.go) and screen hand words to a shell,
// expect starts programs and answers them.

// line joins words by blanks.
func line(words []Word) Word {
	return join(words, " ", Span{words[0].Span[0], max(words[0].Span[1], words[len(words)-1].Span[1])})
}

// keys is what a terminal gets where a text is typed that writes its keys as ^M, \r or \015.
func keys(w Word) Word {
	if w.Kind != Literal {
		return w
	}
	return lit(strings.NewReplacer("\r", "\n", "^M", "\n", "^J", "\n").Replace(ansi(w.Text)), w.Span)
}

// typedCode is a text that is typed where a shell reads it, if it does not stand on the line: a hook sees nothing of what it says then.
func typedCode(text Word) *Code {
	if text.Kind == Literal {
		return nil
	}
	return &Code{Lang: LangSh, From: FromArg, Text: text}
}

// screen runs its operands, and what -X stuff types.
func (e *engine) screen(x *simple, c *ctx) output {
	// Options of screen with a value, -X not among them: its command follows as words.
	row := wrapper{Value: "cehpsStT"}
	at, _, _ := row.scan(x.args, 1)
	// Behind these stands the name of a session, and no command (screen(1)).
	if _, given := sorted(x.args[1:at], argv.List(row.Value)); at < len(x.args) && given.has("rRx") && !given.has("X") {
		at, _, _ = row.scan(x.args, at+1)
	}
	if at+1 < len(x.args) && x.args[at].Is("stuff") {
		x.code = typedCode(x.args[at+1])
	}
	out := e.plainRun("screen", x, c)
	if at >= len(x.args) {
		return out
	}
	n := c.step("screen", x.args[0].Span)
	switch rest := x.args[at+1:]; {
	case len(rest) > 0 && x.args[at].Is("stuff"):
		e.script(keys(rest[0]), n)
	case len(rest) > 1 && x.args[at].Is("register"): // which paste types
		e.script(keys(rest[1]), n)
	case len(rest) > 0 && x.args[at].Is("eval"): // each word is a command of screen's
		for _, w := range rest {
			e.script(join([]Word{lit("screen -X", w.Span), w}, " ", w.Span), n)
		}
	default:
		e.run(x.rest(at), n)
	}
	return out
}

// expect follows what its script spawns and sends.
func (e *engine) expect(name string, x *simple, c *ctx) output {
	var code *Code
	in := c.reads(x)
	if w := optionValue(x.args[1:], "c"); w != nil {
		code = &Code{Lang: "tcl", From: FromArg, Text: *w}
	} else if i := len(x.args); in != nil && (i == 1 || x.args[i-1].Is("-")) {
		code = &Code{Lang: "tcl", From: FromStdin, Text: in.Text}
	} else if operands, _ := sorted(x.args[1:], "cf"); len(operands) > 0 {
		if text, m, ok := e.textOf(&operands[0], "", c); ok {
			code, c = &Code{Lang: "tcl", From: FromFile, Text: text, File: operands[0]}, m
		}
	}
	if code == nil {
		return e.plainRun(name, x, c)
	}
	code.Seen = code.Text.Kind == Literal
	x.code = code
	out := e.plainRun(name, x, c)
	n := c.step(name, x.args[0].Span)
	n.in, n.cond = nil, true
	if n.depth++; n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", x.span)
		return out
	}
	for _, s := range e.tclStatements(code.Text.Text) {
		if !e.tick(c) {
			break
		}
		e.script(lit(s, code.Text.Span), n)
	}
	return out
}

// tclStatements returns the commands of other programs in a Tcl script: behind
// spawn and exec as they stand, behind send as it is typed; and what file delete
// equals.
func (e *engine) tclStatements(text string) []string {
	var out []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimLeft(strings.TrimSpace(line), "{[ ")
		line = strings.NewReplacer("$env(HOME)", "$HOME", "$::env(HOME)", "$HOME").Replace(line)
		verb, rest, _ := strings.Cut(line, " ")
		switch words := &e.tables.Tcl; {
		case words.Starts.Has(verb):
			for rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "-"); rest = strings.TrimSpace(rest) {
				_, rest, _ = strings.Cut(rest, " ") // -noecho, -ignore HUP
			}
			out = append(out, strings.NewReplacer("{", "'", "}", "'").Replace(rest))
		case verb == "file" && e.tclFile(rest) != "":
			out = append(out, e.tclFile(rest))
		case verb == "file": // file delete -force x
			if rest, ok := strings.CutPrefix(strings.TrimSpace(rest), "delete "); ok {
				force, plain := strings.CutPrefix(strings.TrimSpace(rest), "-force ")
				if plain {
					out = append(out, "rm -rf "+force)
				} else {
					out = append(out, "rm "+rest)
				}
			}
		case words.Types.Has(verb):
			if i, k := strings.IndexByte(rest, '"'), strings.LastIndexByte(rest, '"'); i >= 0 && k > i {
				out = append(out, strings.TrimSpace(ansi(rest[i+1:k])))
			}
		}
	}
	return out
}

// tclFile is what file copy and file rename amount to.
func (e *engine) tclFile(rest string) string {
	verb, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	i := slices.IndexFunc(e.tables.Tcl.Files, func(row string) bool { return strings.HasPrefix(row, verb+" ") })
	if i < 0 {
		return ""
	}
	_, program, _ := strings.Cut(e.tables.Tcl.Files[i], " ")
	return program + " " + strings.TrimPrefix(strings.TrimSpace(rest), "-force ")
}
