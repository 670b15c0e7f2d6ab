package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// scriptSends reports a program of the project that is told to send what it reads, and whose text has the option and a request that does so.
func (m *match) scriptSends() bool {
	c, k := m.c, m.call
	if k.away() || m.publishesHere() || !c.set.picksAny("options-told-to-send", k) {
		return false
	}
	sends := func(text string) bool {
		return c.spend(1+len(text)/textBytes) && c.set.mentions("options-told-to-send", text) && (c.set.mentions("code-request-posts", text) || c.set.mentions("code-request-puts", text))
	}
	if code := k.cmd.Code; code != nil && code.Seen && sends(code.Text.Text) {
		return true
	}
	return c.in.Source != nil && slices.ContainsFunc(k.effects, func(e effect) bool {
		if e.kind&rule.Run == 0 || !e.known || !c.spend(costSettings) {
			return false
		}
		t := c.locate(k, &e)
		text, ok := c.in.Source(t.Path)
		return ok && t.Class&rule.Inside != 0 && sends(text)
	})
}

// picksAny reports a word of a call that is one of a group's, alone or with a value behind it.
func (s *Set) picksAny(group string, k *call) bool {
	for i := range k.cmd.Args {
		word := k.cmd.Args[i].Prefix()
		if name, _, _ := cutAny(word, "="); s.In(group, name) {
			return true
		}
	}
	return false
}

// fedFromElsewhere reports that a dump of a database on another machine flows into a call.
func (m *match) fedFromElsewhere() bool {
	c := m.c
	return c.upstream(m.call, make([]bool, len(c.calls)), func(p *call) bool {
		return c.set.In("dumps-data", p.raw) && (p.away() && (&match{c: c, call: p}).onOthers() || (&match{c: c, call: p}).dataElsewhere())
	})
}
