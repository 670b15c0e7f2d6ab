package risk

import (
	"cmp"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Commands in the hands of others: programs whose name only the shell will know, and
// programs that moai does not know, given a command to run.

// actsDestructively looks at the arguments of a program whose name is unknown:
// what deletes by name under rm or git would be no accident here.
func (m *match) actsDestructively() bool {
	k := m.call
	if k.given([]string{"-r", "-R", "--recursive"}) && k.given([]string{"-f", "--force"}) || k.given([]string{"--hard"}) || k.given([]string{"--no-preserve-root"}) {
		return true
	}
	if !k.given(m.c.set.members("options-destructive")) {
		return false
	}
	return m.aimsAt(rule.DeleteTree, rule.Root|rule.Home|rule.System|rule.Parent)
}

// aimsAt reports an operand that lies in one of the classes, if it is taken for a path.
func (m *match) aimsAt(kind rule.Kind, classes rule.Class) bool {
	k := m.call
	for _, i := range k.operands {
		w := &k.cmd.Args[i]
		e := effect{kind: kind, word: w, text: w.Text, known: w.Kind == shell.Literal, glob: w.Glob}
		if m.c.placeOf(k, &e).Class&classes != 0 {
			return true
		}
	}
	return false
}

// carriesCommand judges what follows the name of a program that moai knows
// nothing about as if that program ran it, as proxies and runners do.
func (m *match) carriesCommand() bool {
	k := m.call
	if k.prog != nil || k.name == "" || k.carried || m.c.set.In("prints-words", k.name) || len(m.c.set.ByProgram(k.name)) > 0 {
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Literal || w.Quoted || !m.c.carriable(w.Text) {
			continue
		}
		line := make([]string, 0, len(k.cmd.Args)-i)
		for _, a := range k.cmd.Args[i:] {
			if a.Kind != shell.Literal {
				return false
			}
			line = append(line, a.Text)
		}
		inner := *m.c.in
		inner.Command, inner.Mode = argv.Quote(line...), Standard
		sub := checker{set: m.c.set, named: m.c.named, in: &inner, carried: true, budget: m.c.budget}
		sub.line()
		if sub.cutOff {
			m.c.cutOff, m.c.failed, m.c.doubts = true, cmp.Or(m.c.failed, sub.failed), append(m.c.doubts, sub.doubts...)
		}
		for j := range sub.hits {
			if sub.hits[j].Rule != m.rule {
				m.detail = sub.hits[j].Rule.ID
				return true
			}
		}
		return false
	}
	return false
}

// dangerousCmdlet reports a cmdlet whose verb takes something away, by the naming
// rules of PowerShell, unless its noun is known to be harmless. There are thousands
// of them, one for each thing that a module manages.
func (m *match) dangerousCmdlet() bool {
	k := m.call
	if k.cmd.Dialect != shell.PowerShell || k.prog != nil {
		return false
	}
	name := strings.ToLower(k.raw)
	verb, noun, ok := strings.Cut(name, "-")
	if !ok || noun == "" || m.c.set.In("harmless-cmdlets", name) || !m.c.set.In("cmdlet-verbs", verb) && !m.c.set.In("dangerous-cmdlets", name) {
		return false
	}
	for i := range k.cmd.Args {
		if strings.EqualFold(k.cmd.Args[i].Text, "-WhatIf") {
			return false
		}
		// A process by its number is one that the agent has looked up, mostly its own; rules on kill speak of the others.
		if i+1 < len(k.cmd.Args) && strings.EqualFold(k.cmd.Args[i].Text, "-Id") && numeral(&k.cmd.Args[i+1]) && m.c.set.In("ends-processes", name) {
			return false
		}
	}
	return !m.c.set.In("ends-processes", name) || !m.holdsOwnPort()
}

// holdsOwnPort reports a call about what holds one port of one's own: Get-Process -Id (Get-NetTCPConnection -LocalPort 3000).OwningProcess
// | Stop-Process.
func (m *match) holdsOwnPort() bool {
	c := m.c
	asks := func(p *call) bool {
		if !c.set.In("tells-port-holders", strings.ToLower(p.raw)) {
			return false
		}
		for i := 1; i+1 < len(p.cmd.Args); i++ {
			if strings.EqualFold(p.cmd.Args[i].Text, "-LocalPort") && c.ownPorts(p.cmd.Args[i+1].Text) {
				return true
			}
		}
		return false
	}
	from := func(p *call) bool { return asks(p) || c.wordsFrom(p, asks) }
	return c.wordsFrom(m.call, asks) || c.upstream(m.call, make([]bool, len(c.calls)), from)
}

// numeral reports whether a word is known and has digits alone.
func numeral(w *shell.Word) bool {
	return w.Kind == shell.Literal && w.Text != "" && strings.Trim(w.Text, "0123456789") == ""
}

// carriable reports a program whose name after another program's is taken for a
// command.
func (c *checker) carriable(name string) bool {
	return c.set.In("runs-anything", name[strings.LastIndexByte(name, '/')+1:]) || strings.HasPrefix(name, "mkfs.")
}
