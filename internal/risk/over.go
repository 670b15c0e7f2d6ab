package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// bringsOver reports a call of git that writes files of a commit over what stands there and is not Git's. What is not ignored Git
// itself refuses to write over; what is goes without a word.
func (m *match) bringsOver() bool {
	c, k := m.c, m.call
	if c.in.Replaced == nil || k.away() {
		return false
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok || k.unstages() {
		return false
	}
	specs := m.onlyPaths()
	for _, revision := range m.revisions() {
		if !c.spend(costSettings) {
			return false
		}
		for _, p := range c.in.Replaced(dir, revision) {
			p = slashes(p, c.in.Windows)
			if len(specs) > 0 && !slices.ContainsFunc(specs, func(spec string) bool { _, below := c.under(p, spec); return below }) {
				continue
			}
			name := p // what lies above the project says nothing about what is in it
			if rest, in := c.under(p, c.in.Root); in && c.in.Root != "" {
				name = rest
			}
			t := Target{Path: p, Class: c.classify(p, false), Names: c.names(name, false)}
			if c.ignored(&t); t.Ignored && t.Names&rule.Build == 0 { // a build makes these again
				m.targets = append(m.targets, t)
			}
		}
	}
	return len(m.targets) > 0
}
