package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// Builtins are the commands whose effect stays in the shell: directories,
// variables, positional parameters, aliases. Each is judged like any command
// first, and then changes the state for those behind it on the line.

// builtin follows the builtins that run text or change what later commands
// mean. ok is false for everything else.
func (e *engine) builtin(name string, x *simple, c *ctx) (out output, ok bool) {
	args := x.args[1:]
	switch name {
	case "cd", "chdir", "pushd":
		out = e.plainRun(name, x, c)
		e.changeDir(name, x, c)
	case "popd":
		out = e.plainRun(name, x, c)
		if n := len(c.st.stack); n > 0 {
			c.st.old, c.st.dirs = c.st.dirs[0], []Word{c.st.stack[n-1]}
			c.st.stack = slices.Clip(c.st.stack[:n-1])
		} else {
			// Nothing of this line was pushed: it leads back to before the line.
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
			if k := strings.IndexByte(args[i].Prefix(), '='); k > 0 && e.spend(len(c.st.aliases)/copyWords, c) {
				c.st.aliases = append(slices.Clip(c.st.aliases), alias{args[i].Text[:k], *cutWord(&args[i], k+1)})
			}
		}
		out = e.plainRun(name, x, c)
	// Reading a name from hash is how a program is hidden without a file of its own.
	case "hash":
		if len(args) > 2 && args[0].Is("-p") && args[2].Kind == Literal && e.spend(len(c.st.aliases)/copyWords, c) { // hash -p PATH NAME
			c.st.aliases = append(slices.Clip(c.st.aliases), alias{args[2].Text, args[1]})
		}
		out = e.plainRun(name, x, c)
	case "unalias":
		for _, w := range args {
			if !e.spend(len(c.st.aliases)/copyWords, c) {
				break
			}
			c.st.aliases = slices.DeleteFunc(slices.Clone(c.st.aliases), func(a alias) bool { return w.Is("-a") || w.Is(a.name) })
		}
		out = e.plainRun(name, x, c)
	case "set":
		e.optPhysical(args, c)
		for i, w := range args {
			// set -e and its kind change no parameter; set a b does, with or without "--".
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
		c.st.shift(args)
		out = e.plainRun(name, x, c)
	case "unset":
		// unset 'a[$(rm x)]' runs rm: a subscript is evaluated wherever it is named.
		e.subscripts(args, c)
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
	case "getopts":
		out = e.plainRun(name, x, c)
		c.optarg()
	case "read", "mapfile", "readarray":
		at := len(e.res.Commands)
		for i := range args {
			if c.st.doubtOne(args[i].Text); args[i].Kind != Literal {
				c.st.doubt()
			}
		}
		out = e.plainRun(name, x, c)
		e.read(name, x, at, c)
		for i := range args {
			if args[i].Kind == Literal && !strings.HasPrefix(args[i].Text, "-") {
				c.st.declared(args[i].Text).unsure = true
			}
		}
		e.subscripts(args, c)
		// mapfile -C runs a callback for each so many lines (help mapfile).
		if w := optionValue(args, "C"); w != nil && name != "read" {
			n := c.step(name+" -C", w.Span).sub()
			n.in, n.want, n.cond = nil, false, true
			e.script(*w, n)
		}
	case "printf":
		if len(args) > 2 && args[0].Is("-v") {
			e.subscripts(args[1:2], c)
			// printf -v writes to a variable and nothing to the output.
			if w, known := printf(args[2:], x.span); known {
				c.st.set(args[1].Text, value{list: []Word{w}})
			}
			if c.st.declared(args[1].Text).unsure = true; args[1].Kind != Literal {
				c.st.doubt()
			}
		}
		return output{}, false
	// -v evaluates the index of its operand; the other tests take none, and text that
	// has both a bracket and a substitution is in no everyday test.
	case "test", "[":
		e.subscripts(args, c)
		return output{}, false
	// Words to complete are expanded before they are matched.
	case "compgen", "complete":
		if w := optionValue(args, "W"); w != nil {
			n := c.step(name+" -W", w.Span).sub()
			n.in, n.want = nil, false
			e.expansion(*w, n)
		}
		return output{}, false
	// A key binding runs later or never, like a trap.
	case "bind":
		out = e.plainRun(name, x, c)
		if w := optionValue(args, "x"); w != nil {
			if _, cmd, ok := strings.Cut(w.Prefix(), `":`); ok { // "key":command
				n := c.step("bind -x", w.Span).sub()
				n.in, n.want, n.cond = nil, false, true
				e.script(*cutWord(w, len(w.Prefix())-len(cmd)), n)
			}
		}
	default:
		e.leave(name, args, c)
		if e.tables.Sh.Options.Has(name) {
			c.st.physical = c.st.physical || slices.ContainsFunc(args, func(w Word) bool { return e.tables.Sh.Physical.Has(w.Text) })
		}
		if !e.tables.Sh.Declares.Has(name) {
			return output{}, false
		}
		// Reached through command, builtin or a variable; else it is syntax.
		for i := range args {
			if k := strings.IndexByte(args[i].Prefix(), '='); k > 0 {
				v := c.st.set(args[i].Text[:k], value{list: []Word{*cutWord(&args[i], k+1)}})
				v.exported = v.exported || name == "export"
				if v.exported {
					e.held(v.name, cutWord(&args[i], k+1), c)
				}
			}
		}
		out = e.plainRun(name, x, c)
	}
	return out, true
}

// optPhysical notes options of set with which cd goes where links lead from here on, or all that is set is exported, and those that end it.
func (e *engine) optPhysical(args []Word, c *ctx) {
	is, exports := e.tables.Sh.Physical.Has, e.tables.Sh.Exporting.Has
	for i, w := range args {
		text := w.Text
		if len(text) < 2 || text[0] != '-' && text[0] != '+' || text == "--" {
			return
		}
		for k := range len(text) - 1 {
			letter := text[k+1 : k+2]
			if is(letter) || letter == "o" && i+1 < len(args) && is(args[i+1].Text) {
				c.st.physical = text[0] == '-'
			}
			if exports(letter) || letter == "o" && i+1 < len(args) && exports(args[i+1].Text) {
				c.st.exports = text[0] == '-'
			}
		}
	}
}

// changeDir follows cd and pushd.
func (e *engine) changeDir(name string, x *simple, c *ctx) {
	args := x.args[1:]
	physical := c.st.physical
	r := argv.Reader{Args: words(args), Takes: argv.List("").Takes}
	args = args[r.Options(func(it argv.Item) bool {
		physical = it.Name == "-P" || physical && it.Name != "-L"
		return true
	}):]
	if name == "pushd" {
		c.st.stack = append(slices.Clip(c.st.stack), c.st.dirs[0])
	}
	switch {
	// Alone it swaps the two topmost.
	case len(args) == 0 && name == "pushd":
		if n := len(c.st.stack); n > 1 {
			c.st.chdir(c.st.stack[n-2])
		}
	case len(args) == 0:
		c.st.chdir(e.home(c))
	case args[0].Is("-"):
		c.st.chdir(c.st.before())
	default:
		lead := Resolve
		if physical {
			lead = Reach
		}
		if !e.byPath(args[0], lead, x, c) {
			e.enterBy(args[0], lead, len(args) > 1 && name == "cd", c)
		}
	}
}

// read sets variables from standard input; at is its own place in the result, for what a file gives it.
func (e *engine) read(name string, x *simple, at int, c *ctx) {
	lines := name != "read" // mapfile
	in := c.reads(x)
	var alts []value
	if in != nil && in.Text.Kind == Literal {
		end := "\n"
		if d := optionValue(x.args[1:], "d"); d != nil && lines && d.Kind == Literal {
			end = (d.Text + "\x00")[:1]
		}
		for _, line := range strings.Split(strings.TrimSuffix(strings.TrimSuffix(in.Text.Text, "\n"), end), end) {
			// Each line is a value that the loop around may give: "while read f" is followed for all of them.
			if len(alts) < maxAlts {
				alts = append(alts, value{list: []Word{lit(line, in.Text.Span)}})
			}
		}
	} else {
		var from []int
		if in != nil {
			from = in.From
			if in.Op == "<" && len(from) == 0 {
				from = []int{at}
			}
		}
		w := unknown("…", x.span, from...)
		w.Parts[0].Read = true
		if in != nil && isListing(&in.Text) {
			w = trimNewlines(in.Text)
		}
		alts = []value{{list: []Word{w}}}
	}
	// Letters that take a value; the two families differ (help read, help mapfile).
	list, valued := lines, argv.List("dinNptua")
	if list {
		valued = "dnOsuCc"
	}
	var names []string
	r := argv.Reader{Args: words(x.args), At: 1, Takes: valued.Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		switch {
		case it.Name == "":
			names = append(names, x.args[it.Arg].Text)
		case it.Name == "-a" && it.Value >= 0:
			list = true // what follows is an array
			names = append(names, words(x.args).value(it).Text)
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
		if lines {
			names = []string{"MAPFILE"}
		}
	}
	switch {
	// The lines are the elements of one array, which may be a command with its arguments.
	case lines && in != nil && in.Text.Kind == Literal:
		a := value{array: true}
		for _, v := range alts {
			a.list = append(a.list, v.list...)
		}
		alts = []value{a}
	case list && len(alts) == 1 && len(alts[0].list) == 1:
		alts[0].array, alts[0].list[0].Many = true, true
	}
	for _, n := range names {
		c.st.set(n, slices.Clone(alts)...)
	}
}
