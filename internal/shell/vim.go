package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// vim and its relatives take commands by -c, --cmd and +, and in ex mode (ex, -e, -es)
// from their input. Of their language is read what runs something, and what writes to a
// file of another name; that "w" and "x" write back the file itself, rules say.

func (e *engine) vim(name string, x *simple, c *ctx) output {
	out := e.plainRun(name, x, c)
	// Only in ex mode is the input a list of commands; else it is keys, or nothing.
	silent := name == "ex"
	args := words(x.args)
	r := argv.Reader{Args: args, At: 1, Takes: argv.List(e.tables.Vim.Value).Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		w := args.value(it)
		switch s := x.args[it.Arg].Prefix(); {
		case it.Name == "" && strings.HasPrefix(s, "+"):
			w = cutWord(&x.args[it.Arg], 1)
		case !e.tables.Vim.Runs.Has(it.Name):
			silent = silent || e.tables.Vim.Ex.Has(it.Name)
			continue
		}
		if w != nil {
			n := c.step(name+" -c", x.args[it.Arg].Span)
			n.in = nil
			e.vimCommand(*w, n)
		}
	}
	if in := c.reads(x); silent && in != nil && in.Text.Kind == Literal {
		n := c.step(name, x.args[0].Span)
		n.in = nil
		for line := range strings.Lines(in.Text.Text) {
			if !e.tick(n) {
				break
			}
			e.vimCommand(lit(strings.TrimSpace(line), in.Text.Span), n)
		}
	}
	return out
}

// vimCommand follows one line of commands, with a bar between them.
func (e *engine) vimCommand(w Word, c *ctx) {
	for e.tick(c) {
		s := w.Prefix()
		for _, word := range e.tables.Vim.Quiet {
			s = strings.TrimLeft(strings.TrimPrefix(s, word), " ")
		}
		rest := *cutWord(&w, len(w.Prefix())-len(s))
		switch {
		// The bar is the shell's there, as it is Lua's and an expression's (:help :bar).
		case strings.HasPrefix(s, "!"):
			e.script(*cutWord(&rest, 1), c)
			return
		case strings.HasPrefix(s, "lua "):
			e.follow("lua", *cutWord(&rest, len("lua ")), c)
			return
		case strings.HasPrefix(s, "call "), strings.HasPrefix(s, "let "):
			e.follow("vim", rest, c)
			return
		}
		bar := strings.IndexByte(s, '|')
		piece := s
		if bar >= 0 {
			piece = s[:bar]
		}
		e.vimWrite(strings.Fields(strings.TrimLeft(piece, "0123456789,.$'<>+-")), w.Span, c)
		if bar < 0 {
			return
		}
		w = *cutWord(&rest, bar+1)
	}
}

// vimWrite follows ":w name", ":saveas name" and ":w !command".
func (e *engine) vimWrite(words []string, span Span, c *ctx) {
	// Without a name it writes the file that is open, which the rules for vim are about.
	if len(words) < 2 {
		return
	}
	if !e.tables.Vim.Writes.Has(strings.TrimRight(words[0], "!")) {
		return
	}
	op, file := ">", words[1]
	if file == ">>" && len(words) > 2 {
		op, file = ">>", words[2]
	}
	if cmd, ok := strings.CutPrefix(strings.Join(words[1:], " "), "!"); ok {
		e.script(lit(cmd, span), c) // it gets the text as its input
		return
	}
	e.emit(c, &simple{redirs: []Redirect{{Op: op, Fd: 1, Target: lit(file, span)}}, span: span})
}
