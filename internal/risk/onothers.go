package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// onOthers reports a call that runs on a machine or in a container elsewhere, which serves somebody: no word of what leads there says that things
// are tried out on it.
func (m *match) onOthers() bool {
	c, k := m.c, m.call
	if !k.away() || !m.reachedBy("enters-others") || !c.spend(k.index/costCalls) {
		return false
	}
	for i := range c.calls[:min(k.index, len(c.calls))] {
		p := &c.calls[i]
		leads := !p.cmd.Remote && len(p.cmd.Args) > 0 && slices.ContainsFunc(k.cmd.Via, func(s shell.Step) bool { return s.Span == p.cmd.Args[0].Span })
		if leads && (c.leadsToStage(p, k) || c.thisMachine(p)) {
			return false
		}
	}
	return !m.testEnvironment()
}

// leadsToStage reports a word in front of what a call has another machine run that names a place where things are tried out. What stands behind
// is the command's own.
func (c *checker) leadsToStage(p, k *call) bool {
	return !production(p) && slices.ContainsFunc(p.cmd.Args[1:], func(w shell.Word) bool {
		return w.Span[0] < k.cmd.Span[0] && w.Span[1] <= k.cmd.Span[0] && c.holdsWord(saysOf(w.Text), "stages")
	})
}

// thisMachine reports a word that names this machine.
func (c *checker) thisMachine(k *call) bool {
	return slices.ContainsFunc(k.operands, func(i int) bool {
		word := k.cmd.Args[i].Text
		return c.set.isLocal(word[strings.LastIndexByte(word, '@')+1:])
	})
}
