package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
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

// mayBringOver reports a call of git that writes files of a commit which is not here yet: what Git ignores may be written over.
func (m *match) mayBringOver() bool {
	c, k := m.c, m.call
	if c.in.Exists == nil || k.away() {
		return false
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok {
		return false
	}
	root := c.repository(dir)
	if root == "" {
		return false
	}
	m.targets = append(m.targets, Target{Path: root, Class: c.classify(root, false), guess: true, picks: func(file string) bool { return lies(file, root) }})
	return true
}

// bringsUnknown is mayBringOver for a commit that only the run of the line will tell: a word of the shell's, a search, or whatever a call
// before it has fetched.
func (m *match) bringsUnknown() bool {
	c, k := m.c, m.call
	if k.unstages() {
		return false
	}
	end := len(k.operands)
	if k.dashdash >= 0 {
		end = min(end, k.dashdash)
	}
	fetched := slices.ContainsFunc(c.calls, func(one call) bool { return one.fetches() })
	unknown := fetched && end <= 1 && !k.sub("reset", nil) // what is merged without a name
	for _, i := range k.operands[min(1, end):end] {
		w := &k.cmd.Args[i]
		here := strings.HasPrefix(w.Text, "HEAD") || strings.HasPrefix(w.Text, "ORIG_HEAD")
		unknown = unknown || w.Kind != shell.Literal || strings.HasPrefix(w.Text, ":/") || strings.Contains(w.Text, "^{/") || fetched && !here
	}
	return unknown && m.mayBringOver()
}

// fetches reports a call of git that brings commits from elsewhere.
func (k *call) fetches() bool {
	return k.name == "git" && (k.sub("fetch", nil) || k.sub("pull", nil) || k.sub("remote update", nil))
}
