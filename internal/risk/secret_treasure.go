package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Treasure reports a file of credentials, by its name, in a folder that a build makes again. path is relative to the project. What lies in
// the folders of one that programs alone fill, such as node_modules, came with what they fetched.
func (s *Set) Treasure(path string) bool {
	c := checker{set: s}
	return c.treasure(path)
}

// Hoard reports whether a Treasure may lie in a folder.
func (s *Set) Hoard(dir string) bool {
	c := checker{set: s}
	return c.filled(dir) < 1
}

func (c *checker) treasure(p string) bool {
	is := c.names(p, false)
	if c.names(path.Dir(p), false)&rule.Build == 0 {
		return false
	}
	switch c.filled(path.Dir(p)) {
	case -1:
		return is&(rule.Secret|rule.SecretDir|rule.Key) != 0
	case 0:
		return is&rule.Secret != 0
	}
	return false
}

// filled is how many folders lead from one that programs alone fill to p, -1 without such a one.
func (c *checker) filled(p string) int {
	parts := strings.Split(p, "/")
	for i, name := range parts {
		if name != "" && c.made(name, true) {
			return len(parts) - 1 - i
		}
	}
	return -1
}

// holdsTreasure reports credentials in a folder that a build makes again, which goes: by its name, with what a pattern picks in it, or found
// by its name.
func (m *match) holdsTreasure(e *effect) bool {
	c := m.c
	t, dir := m.madeFolder(e)
	return dir != "" && c.in.Treasures != nil && c.in.Treasures(dir, c.entered(), func(p string) bool {
		return (c.treasure(c.rel(p)) || c.set.Laid(c.rel(p), c.rel(dir))) && t.Picks(p)
	})
}

// holdsRepository reports a work tree with work of its own in such a folder. In one that programs alone fill, those directly in it are looked
// at, and those in the folder of a scope of packages.
func (m *match) holdsRepository(e *effect) bool {
	c := m.c
	t, dir := m.madeFolder(e)
	if dir == "" || c.in.Inner == nil {
		return false
	}
	enter := c.entered()
	found := c.in.Inner(dir, 1, func(p string) bool { return scope(p) || enter(p) }, t.Takes)
	if len(found) > 0 {
		m.detail = c.rel(found[0])
	}
	return len(found) > 0
}

// entered tells of a folder, by an absolute path, whether what people keep may lie in it. Most that are asked about lie in one folder.
func (c *checker) entered() func(dir string) bool {
	last, full := "", false
	return func(dir string) bool {
		if up := path.Dir(dir); up != last {
			last, full = up, c.filled(c.rel(up)) >= 0
		}
		return !full && c.filled(c.rel(dir)) < 1
	}
}

// scope reports the folder of a scope of packages, in which they lie as they do in the one around it.
func scope(dir string) bool { return strings.HasPrefix(path.Base(dir), "@") }

// Enters reports whether work trees are looked for in a folder of what a build makes again. dir is relative to the project.
func (s *Set) Enters(dir string) bool { return scope(dir) || s.Hoard(dir) }

// rel is a path as it is named in the project.
func (c *checker) rel(p string) string {
	rest, _ := c.under(p, c.in.Root)
	return strings.TrimPrefix(rest, "/")
}

// madeFolder is the folder that a build makes again and of which something goes, "" where that is another one.
func (m *match) madeFolder(e *effect) (t Target, dir string) {
	c := m.c
	t = *c.locate(m.call, e)
	if m.call.away() || t.Class&(rule.Inside|rule.Project|rule.Unknown) == 0 || t.Class&rule.Dotgit != 0 {
		return t, ""
	}
	t.takes = m.taker(e, &t)
	dir = orPattern(&t)
	through := false
	switch {
	case t.Found() && m.findsBuild():
		if dir = t.Path; !path.IsAbs(dir) {
			dir = c.in.Root
		}
		through = true
	case t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 || t.Names&rule.Build == 0:
		return t, ""
	}
	for strings.ContainsAny(dir, "*?[") {
		dir, through = path.Dir(dir), true
	}
	switch {
	case c.absent(m.call, dir):
		return t, ""
	case through:
		return t, into(dir)
	}
	return t, dir
}

// into names a folder that a call works in, or whose names it goes through: one that a link leads to is meant by the link.
func into(dir string) string { return strings.TrimSuffix(dir, "/") + "/." }

// programsAlone reports what Git ignores and compilers make again: programs, and a folder for programs in which nothing else is, or that
// lies beside a project whose build fills it. A script in it is somebody's work.
func (m *match) programsAlone(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	p := orPattern(t)
	if c.in.Compiled == nil || c.in.Treasures == nil || c.in.Names == nil || !e.known && !e.glob || t.Class&rule.Unknown != 0 || t.Class&rule.Inside == 0 || m.call.away() || strings.ContainsAny(path.Dir(p), "*?[") {
		return false
	}
	if c.ignored(t); !t.Ignored {
		return false
	}
	if t.Pattern == "" {
		return c.onlyPrograms(p)
	}
	names, ok := c.in.Names(p)
	return ok && c.spend(len(names)) && c.set.In("folders-of-programs", path.Base(path.Dir(p))) &&
		!slices.ContainsFunc(names, func(name string) bool { return !c.onlyPrograms(path.Join(path.Dir(p), name)) })
}

// onlyPrograms reports a compiled program, or a folder of such.
func (c *checker) onlyPrograms(p string) bool {
	if c.in.Regular != nil && c.in.Regular(p) {
		return c.in.Compiled(p)
	}
	if !c.set.In("folders-of-programs", path.Base(p)) {
		return false
	}
	if c.set.members("fills-folders-of-programs").Meets(func(project string) bool {
		names, ok := c.in.Names(path.Join(path.Dir(p), project))
		return ok && len(names) > 0
	}) {
		return true
	}
	return !c.in.Treasures(p, func(string) bool { return true }, func(one string) bool { return !c.in.Compiled(one) && !c.made(path.Base(one), false) })
}

// cleansNothing reports that git clean -x and its like would find nothing but what programs make again. Where there is more than a look
// takes, nobody can tell.
func (m *match) cleansNothing() bool {
	c := m.c
	if c.in.Treasures == nil || c.in.Compiled == nil || m.call.away() {
		return false
	}
	names := 0
	rel := func(p string) string {
		rest, _ := c.under(p, c.in.Root)
		return strings.TrimPrefix(rest, "/")
	}
	enter := func(p string) bool { names++; return c.filled(rel(p)) < 1 }
	kept := func(p string) bool {
		names++
		if c.set.members("moai-makes-again").Meets(func(own string) bool { return glob(own, rel(p)) }) {
			return false
		}
		return c.names(rel(p), false)&rule.Build == 0 && !c.in.Compiled(p) || c.treasure(rel(p))
	}
	for _, dir := range m.cleaned() {
		if c.in.Treasures(into(dir), enter, kept) || names >= mostCleaned {
			return false
		}
	}
	return c.in.Looks == nil || c.in.Looks.Fits(work.Disk*3/4)
}

// sparesIgnored reports a git sparse-checkout that finds nothing which Git ignores in the folders that go, but for what programs make again. Git empties
// those that it tracks something in, outside of what is chosen: what lies at the top stays.
func (m *match) sparesIgnored() bool {
	c, k, here := m.c, m.call, m.worksIn()
	root := c.repository(here)
	if c.in.Treasures == nil || c.in.Compiled == nil || c.in.Ignored == nil || k.away() || root == "" {
		return false
	}
	chosen := map[string]bool{}
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Literal || strings.ContainsAny(w.Text, `*?[\!`) {
			return false
		}
		chosen[path.Join(here, w.Text)] = true
	}
	names := 0
	rel := func(p string) string {
		rest, _ := c.under(p, root)
		return strings.TrimPrefix(rest, "/")
	}
	enter := func(p string) bool {
		names++
		top := !strings.Contains(rel(p), "/") && c.in.Ignored(p)
		return !chosen[p] && !top && c.filled(rel(p)) < 1
	}
	goes := func(p string) bool {
		names++
		return strings.Contains(rel(p), "/") && c.in.Ignored(p) && (c.names(rel(p), false)&rule.Build == 0 && !c.in.Compiled(p) || c.treasure(rel(p)))
	}
	return !c.in.Treasures(into(root), enter, goes) && names < mostCleaned && (c.in.Looks == nil || c.in.Looks.Fits(work.Disk*3/4))
}

// cleaned lists the folders that git clean goes over: those that it is told, where they are plain paths, else the one it works in.
func (m *match) cleaned() []string {
	c, k, here := m.c, m.call, m.worksIn()
	var dirs []string
	for _, i := range k.operands[min(1, len(k.operands)):] {
		w := &k.cmd.Args[i]
		dir := path.Join(here, w.Text)
		if w.Kind != shell.Literal || path.IsAbs(w.Text) || strings.ContainsAny(w.Text, `:*?[\`) || c.in.Regular == nil || c.in.Regular(dir) {
			return []string{here}
		}
		dirs = append(dirs, dir)
	}
	if len(dirs) == 0 {
		return []string{here}
	}
	return dirs
}

// mostCleaned is how many names cleansNothing believes a look to have seen all of.
const mostCleaned = 2000
