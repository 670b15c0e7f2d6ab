package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
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
	t := *c.locate(m.call, e)
	if c.in.Treasures == nil || m.call.away() || t.Class&(rule.Inside|rule.Project|rule.Unknown) == 0 || t.Class&rule.Dotgit != 0 {
		return false
	}
	m.taker(e, &t)
	dir := orPattern(&t)
	switch {
	case t.Found() && m.findsBuild():
		if dir = t.Path; !path.IsAbs(dir) {
			dir = c.in.Root
		}
	case t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 || t.Names&rule.Build == 0:
		return false
	}
	for strings.ContainsAny(dir, "*?[") {
		dir = path.Dir(dir)
	}
	if dir == "" || c.absent(m.call, dir) {
		return false
	}
	rel := func(p string) string {
		rest, _ := c.under(p, c.in.Root)
		return strings.TrimPrefix(rest, "/")
	}
	return c.in.Treasures(dir, func(p string) bool { return c.filled(rel(p)) < 1 }, func(p string) bool { return c.treasure(rel(p)) && t.Picks(p) })
}
