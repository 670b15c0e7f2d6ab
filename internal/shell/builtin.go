package shell

import (
	"slices"
	"strings"
)

// builtin follows the builtins that run text or change what later commands
// mean. ok is false for everything else.
func (e *engine) builtin(name string, x *simple, c *ctx) (out output, ok bool) {
	args := x.args[1:]
	switch name {
	case "cd", "chdir", "pushd":
		out = e.plainRun(name, x, c)
		e.changeDir(name, args, c)
	case "popd":
		out = e.plainRun(name, x, c)
		if n := len(c.st.stack); n > 0 {
			c.st.old, c.st.dirs = c.st.dirs[0], []Word{c.st.stack[n-1]}
			c.st.stack = slices.Clip(c.st.stack[:n-1])
		} else {
			c.st.dirs = []Word{unknown("$PWD", Span{})}
		}
	case "eval":
		return e.eval(x, c), true
	case "source", ".":
		return e.source(name, x, c), true
	case "trap":
		return e.trap(x, c), true
	case "alias":
		for i := range args {
			if k := strings.IndexByte(args[i].Prefix(), '='); k > 0 {
				c.st.aliases = append(slices.Clip(c.st.aliases), alias{args[i].Text[:k], *cutWord(&args[i], k+1)})
			}
		}
		out = e.plainRun(name, x, c)
	case "unalias":
		for _, w := range args {
			c.st.aliases = slices.DeleteFunc(slices.Clone(c.st.aliases), func(a alias) bool { return w.Is("-a") || w.Is(a.name) })
		}
		out = e.plainRun(name, x, c)
	case "set":
		for i, w := range args {
			if w.Is("--") || i == 0 && !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "+") {
				if w.Is("--") {
					i++
				}
				c.st.args, c.st.argsSet = slices.Clip(args[i:]), true
				break
			}
		}
		out = e.plainRun(name, x, c)
	case "shift":
		if len(c.st.args) > 0 {
			c.st.args = c.st.args[1:]
		}
		out = e.plainRun(name, x, c)
	case "unset":
		for _, w := range args {
			if w.Kind == Literal && !strings.HasPrefix(w.Text, "-") {
				if args[0].Is("-f") {
					c.st.funcs = slices.DeleteFunc(slices.Clone(c.st.funcs), func(f function) bool { return f.name == w.Text })
				} else {
					c.st.unset(w.Text)
				}
			}
		}
		out = e.plainRun(name, x, c)
	case "break", "continue", "return", "exit":
		e.broke = true
		return output{}, false
	case "read", "mapfile", "readarray":
		out = e.plainRun(name, x, c)
		e.read(name, x, c)
	case "printf":
		if len(args) > 2 && args[0].Is("-v") {
			if w, known := printf(args[2:], x.span); known {
				c.st.set(args[1].Text, value{list: []Word{w}})
			}
		}
		return output{}, false
	case "export", "declare", "typeset", "local", "readonly":
		// Reached through command, builtin or a variable; else it is syntax.
		for i := range args {
			if k := strings.IndexByte(args[i].Prefix(), '='); k > 0 {
				v := c.st.set(args[i].Text[:k], value{list: []Word{*cutWord(&args[i], k+1)}})
				v.exported = v.exported || name == "export"
			}
		}
		out = e.plainRun(name, x, c)
	default:
		return output{}, false
	}
	return out, true
}

func (e *engine) changeDir(name string, args []Word, c *ctx) {
	for len(args) > 0 && args[0].Kind == Literal && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		args = args[1:]
	}
	if name == "pushd" {
		c.st.stack = append(slices.Clip(c.st.stack), c.st.dirs[0])
	}
	switch {
	case len(args) == 0 && name == "pushd":
		if n := len(c.st.stack); n > 1 {
			c.st.chdir(c.st.stack[n-2])
		}
	case len(args) == 0:
		c.st.chdir(e.home(c))
	case args[0].Is("-"):
		if c.st.old.Text == "" {
			c.st.old = unknown("$OLDPWD", args[0].Span)
		}
		c.st.chdir(c.st.old)
	default:
		c.st.chdir(args[0])
	}
}

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
	return e.runsText(x, c, "eval", &Code{Lang: "sh", From: FromArg, Text: text}, c.st)
}

// runsText emits a command that runs text, and then follows the text.
func (e *engine) runsText(x *simple, c *ctx, step string, code *Code, st *state) output {
	code.Seen = code.Text.Kind == Literal
	x.code = code
	i := e.emit(c, x)
	n := c.step(step, x.args[0].Span)
	n.st = st
	if x.in != nil && code.From == FromArg {
		n.in = x.in
	}
	out := e.script(code.Text, n)
	if code.Text.Kind == Unknown {
		out.from = append(out.from, i)
	}
	return out
}

// source follows a file that the line itself wrote, or process substitution.
func (e *engine) source(name string, x *simple, c *ctx) output {
	args := x.args[1:]
	if len(args) > 1 && args[0].Is("-p") {
		args = args[2:] // bash 5.3: source -p PATH FILE
	}
	if len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) == 0 {
		return e.plainRun(name, x, c)
	}
	return e.runsFile(x, &args[0], c, name, c.st)
}

// runsFile emits a command that runs a script file. Where the line itself says
// what is in the file, the text is followed.
func (e *engine) runsFile(x *simple, file *Word, c *ctx, step string, st *state) output {
	text, ok := c.st.written(file.Text)
	in := c.in
	if x.in != nil {
		in = x.in
	}
	if stdinFile(file.Text) && in != nil {
		text, ok = in.Text, true
	} else if d := c.st.descriptor(fdOf(file.Text)); d != nil && d.in != nil {
		text, ok = d.in.Text, true
	}
	if !ok {
		x.code = &Code{Lang: "sh", From: FromFile, Text: *file, File: *file}
		return e.plainRun(step, x, c)
	}
	return e.runsText(x, c, step, &Code{Lang: "sh", From: FromFile, Text: text, File: *file}, st)
}

// fdOf returns the descriptor that a path stands for.
func fdOf(name string) string {
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"} {
		if fd, ok := strings.CutPrefix(name, dir); ok {
			return fd
		}
	}
	return ""
}

func stdinFile(name string) bool {
	switch name {
	case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}

// trap follows the command that it registers; it runs later, or never.
func (e *engine) trap(x *simple, c *ctx) output {
	args := x.args[1:]
	for len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	out := e.plainRun("trap", x, c)
	if len(args) < 2 || args[0].Is("-") || strings.HasPrefix(args[0].Prefix(), "-") {
		return out
	}
	n := c.step("trap", x.args[0].Span).sub()
	n.cond = true
	e.script(args[0], n)
	return out
}

// read sets variables from standard input.
func (e *engine) read(name string, x *simple, c *ctx) {
	in := c.in
	if x.in != nil {
		in = x.in
	}
	var alts []value
	if in != nil && in.Text.Kind == Literal {
		for _, line := range strings.Split(strings.TrimSuffix(in.Text.Text, "\n"), "\n") {
			if len(alts) < maxAlts {
				alts = append(alts, value{list: []Word{lit(line, in.Text.Span)}})
			}
		}
	} else {
		var from []int
		if in != nil {
			from = in.From
		}
		alts = []value{{list: []Word{unknown("…", x.span, from...)}}}
	}
	var names []string
	for i := 1; i < len(x.args); i++ {
		s := x.args[i].Text
		if strings.HasPrefix(s, "-") {
			if strings.ContainsAny(s[len(s)-1:], "adinNptu") && s != "-t0" {
				if strings.HasSuffix(s, "a") {
					continue
				}
				i++
			}
			continue
		}
		names = append(names, s)
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
		if name != "read" {
			names = []string{"MAPFILE"}
		}
	}
	for _, n := range names {
		c.st.set(n, slices.Clone(alts)...)
	}
}
