package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// skipsNoHook reports a call of Git that is to run no hooks in a repository without any: neither its folder of hooks nor its settings have one that
// would be switched off, and no file of the project's is for one of the programs that put some there. It is false where the repository cannot be read.
func (m *match) skipsNoHook() bool { return m.noHook(false) }

// runsNoHook is skipsNoHook for hooks that are switched off whatever they are, by a variable or a setting.
func (m *match) runsNoHook() bool { return m.noHook(true) }

func (m *match) noHook(whatever bool) bool {
	c, k := m.c, m.call
	dir, ok := c.absolute(k, k.folder())
	if c.in.Hooks == nil || !ok || k.cmd.Dir.Kind != shell.Literal || k.away() || len(k.operands) == 0 || !c.spend(costSettings) {
		return false
	}
	if top := c.repository(dir); top != "" && c.in.Exists != nil && c.set.members("declares-hooks").Meets(func(name string) bool { return c.spend(costPlace) && c.in.Exists(top+"/"+name) }) {
		return false // who sets the project up has them
	}
	sub := k.operand(0)
	for _, row := range c.set.Shells.Git.Unhooked {
		given, events, _ := strings.Cut(row, ": ")
		words := strings.Fields(given)
		if !whatever && (words[0] != sub || !k.given(words[1:])) {
			continue
		}
		_, folder, there, lines := c.in.Hooks(dir, "", strings.Fields(events))
		if folder == "" || len(there)+len(lines) > 0 || c.makesHook(k, folder) {
			return false
		}
	}
	return true
}

// makesHook reports a call before this one that writes into the folder of hooks, or says where it is.
func (c *checker) makesHook(k *call, folder string) bool {
	return c.spend(k.index) && slices.ContainsFunc(c.calls[:k.index], func(p call) bool {
		return p.sub("config", nil) || slices.ContainsFunc(p.effects, func(e effect) bool {
			_, in := c.under(c.locate(&p, &e).Path, folder)
			return in && e.kind&destroys == 0
		})
	})
}
