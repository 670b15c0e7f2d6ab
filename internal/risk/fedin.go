package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// inputUnseen reports a call whose input the line does not show: a file, or what another program reads from one. Words that the line prints
// itself, and here-documents, are there to be read.
func (m *match) inputUnseen() bool {
	c, k := m.c, m.call
	if in := k.cmd.Stdin; in != nil && in.Op == "<" {
		file := in.File.Text
		if !strings.HasPrefix(file, "/") {
			file = path.Join(c.in.Dir, file)
		}
		return file != "/dev/null" && !c.readable(file)
	}
	return c.upstream(k, make([]bool, len(c.calls)), func(p *call) bool {
		return slices.ContainsFunc(p.effects, func(e effect) bool { return e.kind&rule.Read != 0 && !c.readable(c.locate(p, &e).Path) })
	})
}

// readable reports a file whose statements are judged, since it is a text of the project.
func (c *checker) readable(file string) bool {
	if c.in.Source == nil {
		return false
	}
	_, ok := c.in.Source(file)
	return ok
}
