package risk

import (
	"path"

	"github.com/modu-ai/moai/internal/rule"
)

// unsaved reports that an effect would destroy content that Git does not hold, so
// that only a snapshot brings it back. What only the shell will know is not asked
// about: rules for unknown targets are there for that.
func (m *match) unsaved(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if t.Class&(rule.Inside|rule.Project) == 0 || t.Class&rule.Unknown != 0 {
		return false
	}
	p := t.Path
	if e.glob {
		abs, ok := c.absolute(m.call, e.text)
		if !ok {
			return false
		}
		p = abs
	}
	if c.holdsUnsaved(p, e.glob) {
		return true
	}
	if e.kind&rule.Move != 0 && !e.glob && c.in.Regular != nil && c.in.Exists != nil && c.in.Exists(p) && !c.in.Regular(p) {
		return true // a whole folder, as "rm -r" of one: nobody looks at each file in it
	}
	return m.intoFolder(e, p, func(file string) bool { return c.holdsUnsaved(file, false) })
}

// intoFolder asks about the files that a program would write into the folder p, as
// "mv a docs/" replaces docs/a.
func (m *match) intoFolder(e *effect, p string, is func(file string) bool) bool {
	if e.kind&rule.Write == 0 || e.redirect || e.glob {
		return false
	}
	for i := range m.call.effects {
		from := &m.call.effects[i]
		if from.kind&(rule.Read|rule.Move|rule.Link) == 0 || from.redirect || from.glob || !from.known {
			continue
		}
		if is(path.Join(p, path.Base(from.text))) {
			return true
		}
	}
	return false
}

// replacesFile reports that a file is there which would be replaced: the target, or
// one of the same name in the folder that is the target.
func (m *match) replacesFile(e *effect) bool {
	t := m.c.locate(m.call, e)
	if m.c.in.Regular == nil || e.glob || t.Class&rule.Unknown != 0 || m.call.away() {
		return false
	}
	return m.c.in.Regular(t.Path) || m.intoFolder(e, t.Path, m.c.in.Regular)
}

// holdsUnsaved is true when nobody can tell and the file is there.
func (c *checker) holdsUnsaved(p string, pattern bool) bool {
	if c.in.Unsaved != nil {
		return c.in.Unsaved(p)
	}
	return c.in.Exists == nil || pattern || c.in.Exists(p)
}

// savedFile reports that a plain file goes, whose content Git holds: "rm -rf" of it is
// "rm" of it.
func (m *match) savedFile(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if e.glob || !e.known || t.Class&rule.Inside == 0 || c.in.Regular == nil || c.in.Unsaved == nil {
		return false
	}
	return c.in.Regular(t.Path) && !c.in.Unsaved(t.Path)
}

// intoTemp reports that what is moved ends in a place for throw-away files.
func (m *match) intoTemp() bool {
	for i := range m.call.effects {
		e := &m.call.effects[i]
		if e.kind&rule.Write == 0 {
			continue
		}
		// "/tmp" may hold the project as well, and is its parent folder first then; what
		// lies in a project there is not in a place for throw-away files.
		t := m.c.locate(m.call, e)
		if t.Class&(rule.Temp|rule.Drop) != 0 || t.Class&rule.Parent != 0 && isTemp(t.Path) || isTrash(t.Path) {
			return true
		}
	}
	return false
}
