package shell

import (
	"slices"
	"strings"
)

// A shell reads its script from -c, from a file or from its input, in this order of
// precedence, and runs nothing under -n. Letters come in clusters (-euxc), and -o
// takes the next word, in zsh also the rest of its own.

// shell follows bash -c TEXT, bash FILE and bash with a script on its input.
func (e *engine) shell(name string, x *simple, c *ctx) output {
	args := x.args
	i := 1
	command, stdin, dry := false, false, false
	for ; i < len(args); i++ {
		s := args[i].Prefix()
		// A lone dash ends the options as two do (bash(1), OPTIONS).
		if args[i].Kind == Literal && (s == "--" || s == "-") {
			i++
			break
		}
		// "+x" takes back what "-x" says, and comes in clusters alike.
		if len(s) < 2 || s[0] != '-' && s[0] != '+' {
			break
		}
		if strings.HasPrefix(s, "--") {
			if s == "--rcfile" || s == "--init-file" {
				i++
			}
			command = command || s == "--command" || s == "--commands" // of nu and fish
			if s == "--version" || s == "--help" {
				return e.plainRun(name, x, c)
			}
			continue
		}
		on := s[0] == '-'
		cluster := s[1:]
		if k := strings.IndexAny(cluster, "oO"); k >= 0 {
			if k == len(cluster)-1 {
				i++ // -o NAME, -euo pipefail
			}
			cluster = cluster[:k] // zsh -onotify: the rest is the name
		}
		for _, b := range []byte(cluster) {
			switch b {
			case 'c':
				command = command || on
			case 's':
				stdin = stdin || on
			case 'n':
				dry = on
			}
		}
	}
	if i > len(args) {
		i = len(args)
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
