package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// findsBuild reports that what find picks is no loss: it goes by names alone, and by
// such that a build makes again, or takes what is empty or leads nowhere. The call is find itself, or
// what it runs for each file, or what its output goes to.
func (m *match) findsBuild() bool {
	k := m.call
	for i := k.index - 1; !k.finds() && i >= 0 && reachedThrough(m.call, "find"); i-- {
		if p := &m.c.calls[i]; p.finds() && p.cmd.Span == m.call.cmd.Span {
			k = p
		}
	}
	if !k.finds() {
		k = m.finder()
	}
	if k == nil {
		return false
	}
	names, spared := 0, m.spared(k)
	for i := range k.options {
		o := &k.options[i]
		if spared[o.word] {
			continue
		}
		if m.c.set.In("find-not-by-name", o.name) {
			return false
		}
		switch o.name {
		case "-name", "-iname":
			if m.c.names(o.value, false)&rule.Build == 0 {
				return false
			}
			names++
		case "-empty":
			names++
		case "-xtype":
			if o.value == "l" { // links that lead nowhere
				names++
			}
		case "-o", "-or":
			// "-o -delete" is about everything else.
			next := slices.IndexFunc(k.options[i+1:], func(o option) bool { return o.name != "-type" })
			if next < 0 || k.options[i+1+next].name != "-name" && k.options[i+1+next].name != "-iname" {
				return false
			}
		}
	}
	tested := false
	for i := 1; i < len(k.cmd.Args); i++ {
		switch text := k.cmd.Args[i].Text; {
		case spared[i]:
		case text == "!" || text == ",":
			return false
		case text == "-o" || text == "-or":
			tested = false
		case text == "-name" || text == "-iname" || text == "-empty" || text == "-xtype":
			tested = true
		case !tested && (text == "-delete" || m.c.set.findWords().Runs.Has(text)):
			return false // what it picks by comes too late
		}
	}
	return names > 0
}

// spared are the arguments of find that only leave something out, by no name: "-not -path X".
func (m *match) spared(k *call) map[int]bool {
	words, args, list := m.c.set.findWords(), k.cmd.Args, map[int]bool{}
	for i := 0; i+2 < len(args); i++ {
		if test := args[i+1].Text; words.Spares.Has(args[i].Text) && words.HasValue(test) && test != "-name" && test != "-iname" {
			list[i], list[i+1], list[i+2] = true, true, true
		}
	}
	return list
}

// finder returns the find whose output an effect's path is from, nil if there is none.
func (m *match) finder() *call {
	for i := range m.call.effects {
		for _, p := range m.call.effects[i].word.From() {
			if p >= 0 && p < len(m.c.calls) && m.c.calls[p].finds() {
				return &m.c.calls[p]
			}
		}
	}
	return nil
}
