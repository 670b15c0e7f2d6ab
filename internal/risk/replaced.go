package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// dataTarget reports that the one file which is replaced is data, and not what a program makes again of what is still there: by its name or that
// of its folder; where the program makes nothing by itself, as a download or a sort, by a name that no archive, program or picture has; else as a
// text with a name that programs do not give what they write.
func (m *match) dataTarget(e *effect) bool {
	c, k := m.c, m.call
	anything := c.set.In("writes-anything", k.name)
	if e.glob || !e.known || c.set.In("writes-over-by-name", k.name) || anything && m.textTarget(e) { // rules of their own speak of those
		return false
	}
	t := c.locate(k, e)
	if t.Class&rule.Unknown != 0 {
		return false
	}
	name := strings.ToLower(path.Base(t.Path))
	switch {
	case c.set.picks("kinds-of-data", name):
		return !c.set.picks("makes-data-again", k.name+" "+name) && !c.set.picks("makes-data-again", k.raw+" "+name)
	case !anything && !c.set.In("compiles", k.name) && c.holdsData(c.rel(t.Path)):
		return true
	case c.set.picks("kinds-made-again", name):
		return false
	case !anything:
		return !c.set.picks("kinds-of-output", name) && m.textTarget(e)
	}
	return c.in.Compiled == nil || !c.in.Compiled(t.Path)
}

// picks reports that a pattern of a group fits a text.
func (s *Set) picks(group, text string) bool {
	for pattern := range s.words(group) {
		if glob(pattern, text) {
			return true
		}
	}
	return false
}
