package shell

import (
	"slices"

	"github.com/modu-ai/moai/internal/argv"
)

// A shell reads its script from -c, from a file or from its input, in this order of
// precedence, and runs nothing under -n. Letters come in clusters (-euxc), and -o
// takes the next word, in zsh also the rest of its own.

// shell follows bash -c TEXT, bash FILE and bash with a script on its input.
func (e *engine) shell(name string, x *simple, c *ctx) output {
	args := x.args
	command, stdin, dry, info := false, false, false, false
	takes := argv.List(e.tables.Sh.Value).Takes
	if row, _ := e.wrapperOf(name, args); row != nil { // fish, whose letters mean other things
		takes = func(name, rest string) argv.Take {
			if e.tables.Sh.Command.Has(name) {
				return argv.None
			}
			return row.takes(name, rest)
		}
	}
	r := argv.Reader{Args: words(args), At: 1, Plus: true, Takes: takes}
	i := r.Options(func(it argv.Item) bool {
		switch {
		case informs.Has(it.Name):
			info = true
		case e.tables.Sh.Command.Has(it.Name):
			command = true
		case it.Name == "-s":
			stdin = true
		case it.Name == "-n", it.Name == "+n": // "+x" takes back what "-x" says
			dry = it.Name == "-n"
		}
		return !info
	})
	if info {
		return e.plainRun(name, x, c)
	}
	// A lone dash ends the options as two do (bash(1), OPTIONS).
	if i < len(args) && !r.Ended && args[i].Is("-") {
		i++
	}
	// -n reads the script for its syntax and runs none of it.
	if dry {
		return e.plainRun(name, x, c)
	}
	in := c.reads(x)
	st := c.st.clone()
	switch {
	case command && i < len(args):
		st.args, st.argsSet = nil, true
		// The word behind the text is its $0, and $1 stands behind that.
		if i+1 < len(args) {
			st.zero = args[i+1]
		}
		if i+2 < len(args) {
			st.args = slices.Clip(args[i+2:])
		}
		return e.runsText(x, c, name+" -c", &Code{Lang: LangSh, From: FromArg, Text: args[i]}, st)
	case !stdin && !command && i < len(args) && !e.tables.Sh.Input.Has(args[i].Text):
		st.args, st.argsSet = slices.Clip(args[i+1:]), true
		return e.runsFile(x, &args[i], c, name, st)
	// -s reads the input although there are operands, which are its $1 and so on.
	case in != nil:
		if i < len(args) {
			st.args, st.argsSet = slices.Clip(args[i:]), true
		}
		return e.runsText(x, c, name, &Code{Lang: LangSh, From: FromStdin, Text: in.Text}, st)
	case command:
		x.code = &Code{Lang: LangSh, From: FromArg, Text: unknown("", x.span)}
	}
	return e.plainRun(name, x, c)
}
