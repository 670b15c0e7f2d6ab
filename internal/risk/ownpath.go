package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// ownPath reports that the folder which a PATH begins with is the user's or the
// project's own, though that lies below /tmp: nobody else writes there. One below /tmp is
// as good as that where nothing in it takes the place of the program that is called.
func (m *match) ownPath() bool {
	for i := range m.call.cmd.Assigns {
		if a := &m.call.cmd.Assigns[i]; a.Name == "PATH" {
			first, _, _ := strings.Cut(a.Value.Prefix(), ":")
			if !strings.HasPrefix(first, "/") {
				return false
			}
			switch dir := m.c.cleaned(first); m.c.classify(dir, false) & (rule.Temp | rule.Parent) {
			case 0:
			case rule.Temp:
				if m.c.set.isWholeTemp(dir) || m.putInFront(dir) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// putInFront reports that a folder holds a program by the name of this call, or that the line has put one there.
func (m *match) putInFront(dir string) bool {
	c, name := m.c, m.call.raw
	if c.in.Exists == nil || strings.Contains(name, "/") {
		return c.in.Exists == nil
	}
	p := path.Join(dir, name)
	if c.in.Exists(p) || !c.spend(len(c.calls)) {
		return true
	}
	for i := range c.calls {
		for j := range c.calls[i].effects {
			if e := &c.calls[i].effects[j]; e.kind&(rule.Write|rule.Append|rule.Link|rule.NewName) != 0 && path.Base(e.text) == name && c.locate(&c.calls[i], e).Path == p {
				return true
			}
		}
	}
	return false
}
