package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Text becomes commands in eval, source, trap and everywhere a script is read. The
// command that runs the text is in the result with Code, which says where the text
// is from and whether all of it is known; what it runs follows.

// eval joins its arguments and follows the text in the same shell.
func (e *engine) eval(x *simple, c *ctx) output {
	args := x.args[1:]
	if len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) == 0 {
		return e.plainRun("eval", x, c)
	}
	text := args[0]
	if len(args) > 1 {
		text = join(args, " ", Span{args[0].Span[0], max(args[0].Span[1], args[len(args)-1].Span[1])})
	}
	return e.runsText(x, c, "eval", &Code{Lang: LangSh, From: FromArg, Text: text}, c.st)
}

// runsText emits a command that runs text, and then follows the text.
func (e *engine) runsText(x *simple, c *ctx, step string, code *Code, st *state) output {
	code.Seen, code.Fed = code.Text.Kind == Literal, code.Text.Fed
	x.code = code
	i := e.emit(c, x)
	n := c.step(step, x.args[0].Span)
	n.st = st
	if x.in != nil && code.From == FromArg {
		n.in = x.in
	}
	if st == c.st && code.Text.Kind != Literal {
		st.doubt() // what it sets is not known
	}
	refused := e.refused
	var out output
	if follow := func(n *ctx) output { return e.script(code.Text, n) }; st != c.st {
		n.round, n.returns, n.st.argsUnsure = nil, false, false
		out = e.alone(n, follow)
	} else {
		out = follow(n)
	}
	code.Unread = e.unread(e.program(&x.args[0]), code.Text.Text, e.refused > refused)
	if st != c.st {
		c.st.files, c.st.built = st.files, st.built
	}
	if code.Text.Kind == Unknown {
		out.from = append(out.from, i)
	}
	return out
}

// unread reports that another shell is given text which names what takes something away,
// in words that are not read here as that shell reads them.
func (e *engine) unread(name, text string, refused bool) bool {
	sh := &e.tables.Sh
	if !sh.Others.Has(name) || !e.spend(len(text)/8, &ctx{src: &source{}}) {
		return false
	}
	if slices.ContainsFunc(sh.Forms, func(form string) bool { return strings.Contains(text, form) }) {
		return true
	}
	return refused && slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !nameRune(r) }), sh.Takes.Has)
}

// nameRune tells the characters of a program's name.
func nameRune(r rune) bool { return r > 127 || r == '-' || r == '.' || nameByte(byte(r)) }

// source follows a file that the line itself wrote, or process substitution.
func (e *engine) source(name string, x *simple, c *ctx) output {
	args := x.args[1:]
	if len(args) > 2 && args[0].Is("-p") { // bash 5.3: source -p PATH FILE
		if args[1].Kind != Literal {
			x.code = &Code{Lang: LangSh, From: FromFile, Text: args[1], File: args[2]}
			return e.plainRun(name, x, c)
		}
		args = args[2:]
	}
	if len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) == 0 && c.reads(x) != nil {
		args = []Word{lit("-", x.span)} // fish reads its input
	} else if len(args) == 0 {
		return e.plainRun(name, x, c)
	}
	return e.runsFile(x, &args[0], c, name, c.st)
}

// runsFile emits a command that runs a script file. Where the line itself says
// what is in the file, the text is followed.
func (e *engine) runsFile(x *simple, file *Word, c *ctx, step string, st *state) output {
	in := c.reads(x)
	var text Word
	n, ok := c, true
	if e.tables.Sh.Input.Has(file.Text) && in != nil {
		text = in.Text
	} else if d := c.st.descriptor(e.fdOf(file.Text)); d != nil && d.in != nil {
		text = d.in.Text
	} else if text, n, ok = e.textOf(file, "", c); ok && st != c.st {
		st.zero, st.argsOpen = lit(n.script, file.Span), n.files != c.files
	}
	if !ok {
		if st == c.st {
			st.doubt() // what the file sets is not known
		}
		x.code = &Code{Lang: LangSh, From: FromFile, Text: *file, File: *file}
		return e.plainRun(step, x, c)
	}
	if st != c.st {
		return e.runsText(x, n, step, &Code{Lang: LangSh, From: FromFile, Text: text, File: *file}, st)
	}
	m, returned := *n, e.returned
	m.round, m.returns, e.returned = nil, true, false
	out := e.runsText(x, &m, step, &Code{Lang: LangSh, From: FromFile, Text: text, File: *file}, st)
	if st.over != leavesFile || c.files == nil || e.returned {
		st.over = runsOn // it has left the file
	}
	if e.returned {
		st.doubt() // it may have ended before it set what it sets
	}
	e.returned = returned
	return out
}

// fdOf returns the descriptor that a path stands for.
func (e *engine) fdOf(name string) string {
	for _, dir := range e.tables.Sh.Fds {
		if fd, ok := strings.CutPrefix(name, dir); ok {
			return fd
		}
	}
	return ""
}

// trap follows the command that it registers; it runs later, or never.
func (e *engine) trap(x *simple, c *ctx) output {
	args := x.args[1:]
	for len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) < 2 || args[0].Is("-") || strings.HasPrefix(args[0].Prefix(), "-") {
		return e.plainRun("trap", x, c)
	}
	x.code = &Code{Lang: LangSh, From: FromArg, Text: args[0], Seen: args[0].Kind == Literal}
	if slices.ContainsFunc(args[1:], func(w Word) bool { return w.Is("DEBUG") || w.Is("ERR") || w.Is("RETURN") }) {
		c.st.doubt() // it runs between the commands that follow
	} else if slices.ContainsFunc(args[1:], func(w Word) bool { return !w.Is("EXIT") && !w.Is("0") }) {
		e.interrupts(args[0], c)
	}
	out := e.plainRun("trap", x, c)
	if len(e.traps) < maxLoop {
		n := c.step("trap", x.args[0].Span)
		n.cond = true
		e.traps = append(e.traps, trapped{args[0], n})
	}
	return out
}

// interrupts notes what a signal may set at any time.
func (e *engine) interrupts(text Word, c *ctx) {
	file, err := readShell(text.Text, syntax.NewParser(), func(string) bool { return true })
	if text.Kind != Literal || err != nil || !e.spend(len(text.Text)/copyBytes, c) {
		c.st.doubt()
		return
	}
	r := &changing{e: e, c: c}
	r.node(file)
	if r.all {
		c.st.doubt()
	}
	c.st.late = append(slices.Clip(c.st.late), r.names...)
	for _, s := range file.Stmts {
		c.st.late = append(c.st.late, callName(s)) // a function that is defined later
	}
}

// trapped is a command that runs when its shell ends, with the values that its variables have then.
type trapped struct {
	text Word
	c    *ctx
}

// ends follows the traps from a given one on, as the shell that has set them ends.
func (e *engine) ends(from int) {
	list := e.traps[from:]
	e.traps = e.traps[:from:from]
	for i := range list {
		c := list[i].c.sub()
		c.st.over = runsOn
		e.script(list[i].text, c)
	}
}
