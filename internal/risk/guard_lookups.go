package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// The guard's program need not be named where it is: other programs print its place.

// foundOwn reports a word that holds what another program printed about the guard's
// program: "$(which moai)".
func (m *match) foundOwn(w *shell.Word) bool {
	if w == nil || len(m.c.lookups("finds-programs")) == 0 {
		return false
	}
	if w.Kind == shell.Literal && m.c.res != nil {
		// The shell engine takes "$(which moai)" for the name alone. Where that is written
		// out, it is a file of the folder one stands in.
		text := cut(m.c.in.Command, w.Span)
		if !m.c.spend(len(text) / scanBytes) {
			return false
		}
		expands := strings.IndexByte(text, '$') >= 0 || strings.IndexByte(text, '`') >= 0
		own := m.c.ownProgram(w.Text) && (expands || !strings.Contains(text, w.Text))
		if !own && !expands {
			return false
		}
		for _, i := range m.c.lookups("finds-programs") {
			if at := m.c.calls[i].cmd.Span; own || at[0] >= w.Span[0] && at[1] <= w.Span[1] {
				return true
			}
		}
		return false
	}
	// "$(dirname $(which moai))": what it prints was made of that.
	looks := m.looksFor("finds-programs")
	return m.c.wordFrom(w, func(p *call) bool { return looks(p) || m.c.wordsFrom(p, looks) })
}

// foundOwnBy reports that a call is given what a program of a group printed about the
// guard: among its words, or by xargs.
func (m *match) foundOwnBy(group string) bool {
	if len(m.c.lookups(group)) == 0 {
		return false
	}
	if reachedThrough(m.call, "xargs", "parallel") {
		return true
	}
	looks := m.looksFor(group)
	if m.c.wordsFrom(m.call, func(p *call) bool { return looks(p) || m.c.wordsFrom(p, looks) }) {
		return true
	}
	for i := 1; i < len(m.call.cmd.Args); i++ {
		w := &m.call.cmd.Args[i]
		if _, value, ok := strings.Cut(w.Text, "="); ok && value != "" && w.Kind == shell.Literal {
			own := *w // of=$(which moai)
			own.Text = value
			w = &own
		}
		if m.foundOwn(w) {
			return true
		}
	}
	return false
}

// looksFor returns what reports a call of a program of that group with the guard's name.
func (m *match) looksFor(group string) func(*call) bool {
	return func(p *call) bool { return slices.Contains(m.c.lookups(group), p.index) }
}

// lookups lists the calls of programs of a group that are given the guard's name. It is
// found out once for a line.
func (c *checker) lookups(group string) []int {
	list, ok := c.looked[group]
	if ok {
		return list
	}
	c.spend(len(c.calls))
	for i := range c.calls {
		p := &c.calls[i]
		if !c.set.In(group, p.raw) {
			continue
		}
		for j := 1; j < len(p.cmd.Args); j++ {
			if c.ownProgram(p.cmd.Args[j].Text) {
				list = append(list, i)
				break
			}
		}
	}
	if c.looked == nil {
		c.looked = map[string][]int{}
	}
	c.looked[group] = list
	return list
}
