package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// Rules that are added are about the programs that they name: built-in ones share a row where programs take their arguments alike, and
// who writes "npm" means neither pnpm nor yarn.

// about lists the rules of a set that name the program of a call.
func (c *checker) about(set *Set, k *call) []uint16 {
	if set == c.set || set.Program(k.raw) >= 0 { // an added row has names of its own
		return set.ByProgram(k.name)
	}
	if list := set.ByProgram(k.raw); len(list) > 0 {
		return list
	}
	return set.ByProgram(unversioned(k.raw))
}

// unversioned is a name without the version behind it: pip3 is pip, python3.12 python.
func unversioned(name string) string {
	if short := strings.TrimRight(name, "0123456789.-"); len(short) > 1 {
		return short
	}
	return name
}

// judgeModule tries added rules about a program that an interpreter runs as a module of its own: python -m pip. Built-in ones name both.
func (c *checker) judgeModule(set *Set, k *call) {
	if set == c.set || set.Program(k.name) >= 0 {
		return
	}
	at := c.moduleAt(k)
	if at < 0 {
		return
	}
	cmd := *k.cmd
	cmd.Args = slices.Clone(cmd.Args[at:])
	name := strings.TrimPrefix(cmd.Args[0].Text, "-m")
	second := call{cmd: &cmd, index: k.index, name: name, raw: name, dashdash: -1, carried: k.carried, prog: c.program(name)}
	if second.prog != nil {
		second.name = second.prog.Names.First()
	}
	second.split(c.set)
	for _, i := range c.about(set, &second) {
		c.try(set.Rules[i].Get(), &second)
	}
}

// moduleAt is the argument that names the module which an interpreter is told to run; -1 where there is none.
func (c *checker) moduleAt(k *call) int {
	if c.set.Shells == nil || len(k.options) == 0 {
		return -1
	}
	short := unversioned(k.raw)
	for i := range c.set.Shells.Interpreters {
		in := &c.set.Shells.Interpreters[i]
		if in.Modules == "" || !slices.Contains(in.Programs, short) {
			continue
		}
		for j := range k.options {
			o := &k.options[j]
			if o.name != "-m" {
				continue
			}
			at := o.word
			if !o.has { // no row says which options of an interpreter's launcher take a value
				at++
			}
			if at < len(k.cmd.Args) && k.cmd.Args[at].Kind == shell.Literal && (len(k.operands) == 0 || at <= k.operands[0]) {
				return at
			}
			return -1
		}
	}
	return -1
}
