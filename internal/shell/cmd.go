package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// The command line of Windows has no grammar worth the name: each builtin splits
// its own arguments. What is read here is what decides about files: separators,
// quotes, the escape ^, %VARIABLES%, redirections, and the words that begin a
// condition or a loop. Commands that touch files are also given as the command of
// Unix that they equal, so that one rule on rm is enough for rd and del.

// cmd follows a line of cmd.exe or of a batch file.
func (e *engine) cmd(text string, src *source, c *ctx) output {
	n := *c
	n.dialect = Cmd
	n.src = src
	var words []Word
	var b wordBuilder
	var redirs []Redirect
	start, first, open, quote := 0, -1, false, false
	redir := ""
	var in *Input
	var out output
	word := func(end int) {
		if open || !b.empty() {
			e.work.Take(costWord)
			w := b.done(src.at(start, end))
			w.Glob = strings.ContainsAny(w.Text, "*?")
			if redir != "" {
				redirs = append(redirs, Redirect{Op: redir, Fd: 1, Target: w})
				redir = ""
			} else {
				words = append(words, w)
			}
		}
		b = wordBuilder{}
		open = false
	}
	flush := func(end int, piped bool) {
		word(end)
		m := n
		m.in = in
		m.want = true
		if len(words) > 0 || len(redirs) > 0 {
			x := &simple{args: words, redirs: redirs, span: src.at(max(first, 0), end)}
			out = e.batch(x, &m)
		}
		in = nil
		if piped {
			e.work.Take(costPipe)
			t := out.text
			if !out.known {
				t = unknown("…", src.whole(), out.from...)
			}
			in = &Input{Text: t, From: out.from, Op: "|"}
		}
		words, redirs, first = nil, nil, -1
	}
	begin := func(i int) {
		if !open && b.empty() {
			start = i
		}
		if first < 0 {
			first = i
		}
		open = true
	}
	for i := 0; i < len(text) && e.tick(&n); i++ {
		ch := text[i]
		switch {
		case ch == '"':
			begin(i)
			quote = !quote
			b.w.Quoted = true
		case ch == '%':
			e.work.Take(costPart)
			end := strings.IndexByte(text[i+1:], '%')
			if end > 0 && !strings.ContainsAny(text[i+1:i+1+end], " \t\n") {
				begin(i)
				w := e.winEnv(text[i+1:i+1+end], text[i:i+end+2], &n)
				b.word(&w)
				i += end + 1
				continue
			}
			begin(i)
			b.unknown(text[i:min(len(text), i+2)], nil) // %i of a for loop
			if i+2 < len(text) && text[i+1] == '%' {
				i++
			}
			i++
		case quote:
			b.text(text[i : i+1])
		case ch == '^' && i+1 < len(text):
			begin(i)
			// At the end of a line the caret joins it to the next.
			if i++; text[i] != '\n' {
				b.text(text[i : i+1])
			}
		case ch == '&':
			flush(i, false)
			e.work.Take(costWord)
			if i+1 < len(text) && text[i+1] == '&' {
				i++
				n.cond = true
			}
		case ch == '|':
			or := i+1 < len(text) && text[i+1] == '|'
			flush(i, !or)
			if or {
				i++
				n.cond = true
			}
		case ch == '\n' || ch == '\r':
			flush(i, false)
		case (ch == '(' && !open || ch == ')') && loopHead(words):
			word(i)
		case ch == '(' && !open || ch == ')':
			flush(i, false)
			n.cond = true
		case ch == '>':
			// 2> is a stream and no word, as in any shell.
			if t := b.one; open && len(t) == 1 && t[0] >= '0' && t[0] <= '9' {
				b, open = wordBuilder{}, false
			}
			word(i)
			redir = ">"
			if i+1 < len(text) && text[i+1] == '>' {
				redir = ">>"
				i++
			}
			if i+2 < len(text) && text[i+1] == '&' {
				redir = ""
				i += 2
			}
		case ch == '<':
			word(i)
			redir = "<"
		case ch == ' ' || ch == '\t' || ch == ',' || ch == ';' || ch == '=' && len(words) > 0:
			word(i)
		default:
			begin(i)
			b.text(text[i : i+1])
		}
	}
	flush(len(text), false)
	return out
}

// loopHead reports whether words begin a loop whose list is not over: the
// brackets of "for %i in (*) do" group no commands.
func loopHead(words []Word) bool {
	if len(words) == 0 || !strings.EqualFold(words[0].Text, "for") {
		return false
	}
	return !strings.EqualFold(words[len(words)-1].Text, "do")
}

// batch follows one command of cmd.exe.
func (e *engine) batch(x *simple, c *ctx) output {
	if len(x.args) == 0 {
		if len(x.redirs) > 0 {
			e.emit(c, x)
		}
		return output{}
	}
	if strings.HasPrefix(x.args[0].Prefix(), "@") { // not to be echoed
		y := *x
		y.args = append([]Word{*cutWord(&x.args[0], 1)}, x.args[1:]...)
		if y.args[0].Is("") {
			y.args = y.args[1:]
		}
		return e.batch(&y, c)
	}
	if c.depth++; c.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", x.span)
		return output{}
	}
	name := strings.ToLower(e.program(&x.args[0]))
	// rd/s/q and del/f are written without a space.
	if i := strings.IndexByte(x.args[0].Prefix(), '/'); i > 0 && x.args[0].Kind == Literal {
		head, tail := x.args[0], *cutWord(&x.args[0], i)
		head.Text = head.Text[:i]
		if len(head.Text) < longestName && e.tables.Cmd.Glued.Has(strings.ToLower(head.Text)) {
			y := *x
			y.args = append([]Word{head, tail}, x.args[1:]...)
			return e.batch(&y, c)
		}
	}
	switch name {
	case "rem", "":
		return output{}
	case "for":
		for i := range x.args {
			if strings.EqualFold(x.args[i].Text, "do") && i+1 < len(x.args) {
				y := *x
				y.args = x.args[i+1:]
				return e.batch(&y, c.step("for", x.args[0].Span))
			}
		}
		return output{}
	case "set":
		return e.plainRun(name, x, c)
	// cd /d changes the drive as well; without it a cd to another drive changes nothing yet.
	case "cd", "chdir", "pushd":
		e.emit(c, x)
		for _, w := range x.args[1:] {
			if !strings.HasPrefix(w.Text, "/") || len(w.Text) > 3 {
				w.Glob = strings.ContainsAny(w.Text, "*?") // cmd.exe looks for it itself
				e.enter(w, false, c)
				break
			}
		}
		return output{}
	case "echo":
		i := e.emit(c, x)
		w := join(x.args[1:], " ", x.span)
		return output{text: w, known: true, from: []int{i}}
	}
	if e.tables.Cmd.Before.Has(name) {
		return e.batchBefore(name, x, c)
	}
	if e.tables.Program(name).Grammar == rule.GrammarWindows {
		return e.windowsShell(name, x, c)
	}
	for i := range e.tables.Batch {
		if row := &e.tables.Batch[i]; row.Names.Has(name) {
			return e.batchFiles(name, row, x, c)
		}
	}
	// cmd.exe knows no tilde: it is a letter like any other.
	x.args[0].Tilde = false
	return e.run(x, c)
}

// batchBefore follows the command behind a word that stands before one.
func (e *engine) batchBefore(name string, x *simple, c *ctx) output {
	rest := x.args[1:]
	cond := *c
	cond.cond = c.cond || name != "call" && name != "start"
	// if [/i] [not] exist FILE cmd, if a==b cmd, if a EQU b cmd: what is asked takes two words or three (help if).
	if name == "if" {
		for len(rest) > 0 && (strings.EqualFold(rest[0].Text, "not") || strings.EqualFold(rest[0].Text, "/i")) {
			rest = rest[1:]
		}
		n := 2 // exist FILE, a==b
		if len(rest) > 1 && len(rest[1].Text) < longestName && e.tables.Cmd.Compares.Has(strings.ToLower(rest[1].Text)) {
			n = 3
		}
		rest = rest[min(n, len(rest)):]
	}
	// start takes the first quoted word for a window's title.
	for name == "start" && len(rest) > 0 && (strings.HasPrefix(rest[0].Text, "/") || rest[0].Quoted) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return output{}
	}
	y := *x
	y.args = rest
	return e.batch(&y, (&cond).step(name, x.args[0].Span))
}

// batchFiles emits a command on files and the command of Unix that it equals.
func (e *engine) batchFiles(name string, row *rule.Batch, x *simple, c *ctx) output {
	i := e.emit(c, x)
	var files []Word
	given := "" // the letters of the switches
	for _, w := range x.args[1:] {
		if w.Kind == Literal && !w.Quoted && switches(strings.ToLower(w.Text)) {
			given += strings.ToLower(w.Text)
			continue
		}
		files = append(files, w)
	}
	prog := []string{row.As}
	for _, flag := range row.Flags {
		letters, option, _ := strings.Cut(flag, " ")
		if strings.ContainsAny(given, letters) {
			prog = append(prog, option)
		}
	}
	if row.Flat != "" && !strings.Contains(given, "s") {
		prog = []string{row.Flat}
	}
	e.unix(c.step(name, x.args[0].Span), x.span, x.args[0].Span, files, prog...)
	return output{from: []int{i}}
}

// switches reports whether a word is /s, /q or /s/q and not a path.
func switches(s string) bool {
	if len(s) < 2 || s[0] != '/' {
		return false
	}
	for part := range strings.SplitSeq(s[1:], "/") {
		// /s, /s/q, /a:h; a longer word is a path that begins with a slash.
		if len(part) != 1 && !strings.Contains(part, ":") && part != "-y" {
			return false
		}
	}
	return true
}
