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
	var files, commands []Word
	r := argv.Reader{Args: args, At: 1, Takes: argv.List(e.tables.Vim.Value).Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		w := args.value(it)
		switch s := x.args[it.Arg].Prefix(); {
		case it.Name == "" && strings.HasPrefix(s, "+"):
			w = cutWord(&x.args[it.Arg], 1)
		case w != nil && (e.tables.Vim.Files.Has(it.Name) || e.tables.Vim.Adds.Has(it.Name)):
			op := ">"
			if e.tables.Vim.Adds.Has(it.Name) {
				op = ">>"
			}
			e.emit(c.step(name, w.Span), &simple{redirs: []Redirect{{Op: op, Fd: 1, Target: *w}}, span: x.span})
			continue
		case w != nil && e.tables.Vim.Reads.Has(it.Name):
			n := c.step(name+" "+it.Name, w.Span)
			n.in = nil
			if text, n, ok := e.textOf(w, "", n); ok {
				e.vimLines(&text, n)
			}
			continue
		case it.Name == "":
			files = append(files, x.args[it.Arg])
			continue
		case !e.tables.Vim.Runs.Has(it.Name):
			silent = silent || e.tables.Vim.Ex.Has(it.Name)
			continue
		}
		if w != nil {
			commands = append(commands, *w)
		}
	}
	for i := range commands {
		n := c.step(name+" -c", commands[i].Span)
		n.in = nil
		e.vimCommand(edited(&commands[i], files), n)
	}
	if in := c.reads(x); silent && in != nil && in.Text.Kind == Literal {
		n := c.step(name, x.args[0].Span)
		n.in = nil
		e.vimLines(&in.Text, n)
	}
	return out
}

// vimLines follows a text of commands, one a line.
func (e *engine) vimLines(text *Word, c *ctx) {
	at, exact := text.Span[0], text.Span[1]-text.Span[0] == len(text.Text)
	for line := range strings.Lines(text.Text) {
		if !e.tick(c) {
			break
		}
		w := lit(strings.TrimSpace(line), text.Span)
		if exact {
			w.Span = Span{at, at + len(strings.TrimRight(line, "\n"))}
		}
		at += len(line)
		e.vimCommand(w, c)
	}
}

// edited returns a command of the editor with the files that it edits in the place of "%".
func edited(w *Word, files []Word) Word {
	before, after, ok := strings.Cut(w.Text, " %")
	if !ok || w.Kind != Literal || len(files) == 0 || !strings.Contains(before, "!") || after != "" && nameByte(after[0]) {
		return *w
	}
	return join([]Word{lit(before+" ", w.Span), join(files, " ", w.Span), lit(after, w.Span)}, "", w.Span)
}

// vimCommand follows one line of commands, with a bar between them.
func (e *engine) vimCommand(w Word, c *ctx) {
	for e.tick(c) {
		s := w.Prefix()
		for _, word := range e.tables.Vim.Quiet {
			s = strings.TrimLeft(strings.TrimPrefix(s, word), " ")
		}
		if first, after, ok := strings.Cut(s, " "); ok && e.tables.Vim.Each.Has(first) {
			s = strings.TrimLeft(after, " ")
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

// vimWrite follows ":w name", ":saveas name", ":w !command", and ":e name".
func (e *engine) vimWrite(words []string, span Span, c *ctx) {
	// Without a name it writes the file that is open, which the rules for vim are about.
	if len(words) < 2 {
		return
	}
	name := strings.TrimRight(words[0], "!")
	if e.tables.Vim.Opens.Has(name) {
		for _, file := range words[1:] {
			w := lit(file, span)
			w.Glob = strings.ContainsAny(file, "*?[")
			if file[0] != '!' {
				e.emit(c, &simple{redirs: []Redirect{{Op: "<", Target: w}}, span: span})
			}
		}
		return
	}
	if !e.tables.Vim.Writes.Has(name) {
		return
	}
	op, file := ">", words[1]
	switch named := strings.TrimLeft(file, ">"); {
	case strings.HasPrefix(words[0], "redi") && named == file:
		return // END, or a register
	case file != named && named != "":
		op, file = file[:len(file)-len(named)], named
	case file != named && len(words) > 2:
		op, file = file, words[2]
	}
	if cmd, ok := strings.CutPrefix(strings.Join(words[1:], " "), "!"); ok {
		e.script(lit(cmd, span), c) // it gets the text as its input
		return
	}
	e.emit(c, &simple{redirs: []Redirect{{Op: op, Fd: 1, Target: lit(file, span)}}, span: span})
}
