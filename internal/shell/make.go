package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// make, just and ninja run the recipes of their files, and what variables and options name.

// make runs the recipes of a makefile that comes from its input or from a
// substitution, what --eval adds to it, and the shell that SHELL= names.
func (e *engine) make(name string, x *simple, c *ctx) output {
	code := e.makefile(x, c)
	if code != nil {
		x.code = code
	} else if w := optionValue(x.args[1:], "E eval"); w != nil && w.Kind == Unknown {
		x.code = &Code{Lang: LangSh, Text: *w}
	}
	out := e.plainRun(name, x, c)
	if code != nil && code.File.Kind != Literal { // make -f <(…)
		e.recipes(code.Text, c.step(name+" -f", x.args[0].Span))
	}
	n := c.step(name, x.args[0].Span)
	n.cond = true
	for i := range x.args {
		switch s := x.args[i].Prefix(); {
		case name == "just" && (s == "--command" || s == "-c") && i+1 < len(x.args):
			e.run(x.rest(i+1), n)
			return out
		case strings.HasPrefix(s, "-"): // --eval='X = …' is read with the file
		case strings.HasPrefix(s, "SHELL="), strings.HasPrefix(s, ".SHELLFLAGS="):
			e.script(*cutWord(&x.args[i], strings.IndexByte(s, '=')+1), n)
		case i > 0 && e.runsVariable(s):
			e.script(*cutWord(&x.args[i], strings.IndexByte(s, '=')+1), n)
		case i > 0 && strings.Contains(s, "=") && strings.Contains(s, "$("):
			e.recipes(x.args[i], n) // X='$(shell …)' is expanded wherever a makefile names X
		}
	}
	return out
}

// runsVariable reports an operand of make that sets a variable which recipes run by
// convention (GNU make manual, "Variables Used by Implicit Rules" and "Variables for
// Specifying Commands"), or any variable to what only a command looks like.
func (e *engine) runsVariable(s string) bool {
	name, value, ok := strings.Cut(s, "=")
	return ok && (e.tables.RunsSetting("make", strings.TrimRight(name, ":?+"), value) || e.commandLike(value))
}

// makefile returns the makefile that the line itself holds, nil if there is none.
func (e *engine) makefile(x *simple, c *ctx) *Code {
	w := e.makefileOf(x)
	if w == nil {
		return nil
	}
	code := &Code{Lang: LangMake, From: FromFile, File: *w}
	in := c.reads(x)
	switch text, ok := c.st.written(w.Text); {
	case e.tables.Sh.Input.Has(w.Text) && in != nil:
		code.From, code.Text = FromStdin, in.Text
	case ok:
		code.Text = text
	default:
		return nil
	}
	code.Seen = code.Text.Kind == Literal
	return code
}

// makefileOf is the makefile that a call of make names, nil where it names none.
func (e *engine) makefileOf(x *simple) *Word {
	if e.tables.Program(e.program(&x.args[0])).Grammar != rule.GrammarMake {
		return nil
	}
	return optionValue(x.args[1:], "f file makefile justfile")
}

// recipes follows the recipe lines of a makefile and its $(shell …) calls.
func (e *engine) recipes(w Word, c *ctx) {
	if w.Kind != Literal {
		e.script(w, c)
		return
	}
	n := *c
	n.cond = true
	for _, line := range strings.Split(w.Text, "\n") {
		body := ""
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, " ") { // just indents by blanks, too
			body = strings.TrimLeft(line, "\t @-+")
		} else if _, after, ok := strings.Cut(line, ";"); ok && strings.Contains(line, ":") {
			body = strings.TrimLeft(after, " @-+")
		} else if _, after, ok := strings.Cut(line, "$(shell "); ok {
			body = strings.TrimSuffix(strings.TrimSpace(after), ")")
		}
		// Of ninja, whose rules name their command (ninja manual, "Rule variables").
		if name, cmd, ok := strings.Cut(body, "="); ok && strings.TrimSpace(name) == "command" {
			body = strings.TrimSpace(cmd)
		}
		if body != "" {
			e.script(lit(strings.ReplaceAll(body, "$$", "$"), w.Span), &n)
		}
	}
}

// ownFile follows the rules in a file of a name that the line itself has written, where a program looks for it: build.ninja.
func (e *engine) ownFile(files, name string, x *simple, c *ctx) {
	if e.makefileOf(x) != nil {
		return
	}
	n := c.step(name, x.args[0].Span)
	n.st = c.st.clone()
	if dir := optionValue(x.args[1:], "C"); dir != nil {
		n.st.reach(*dir)
	}
	for file := range strings.FieldsSeq(files) {
		if text, ok := n.st.written(file); ok && e.spend(len(text.Text)/8, c) {
			e.recipes(text, n)
		}
	}
}
