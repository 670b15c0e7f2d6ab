package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// pushesProtected reports a push that names no branch, or only HEAD, where the one that it then writes is a team's.
func (m *match) pushesProtected() bool {
	c, k := m.c, m.call
	if c.in.Pushed == nil || k.away() || !k.sub("push", nil) {
		return false
	}
	ops := k.operands[min(m.skip, len(k.operands)):]
	if len(ops) > 1 {
		head := func(i int) bool {
			s := strings.TrimPrefix(k.cmd.Args[i].Text, "+")
			return s == "HEAD" || s == "@"
		}
		if !slices.ContainsFunc(ops[1:], head) {
			return false
		}
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok || !c.spend(1) {
		return false
	}
	branch := c.in.Pushed(dir)
	if branch == "" || !c.protectedRef(branch) {
		return false
	}
	m.detail = "of " + branch
	return true
}

// mirrorsBySetting reports a push that takes hidden references along by a setting: one of its own line, or one that the repository
// keeps. Git refuses a mirror where references are named, so these are no such push.
func (m *match) mirrorsBySetting() bool {
	c, k := m.c, m.call
	if k.given([]string{"--no-mirror"}) {
		return false
	}
	ops := k.operands[min(m.skip, len(k.operands)):]
	if len(ops) > 1 {
		return false
	}
	for i := range k.options {
		o := &k.options[i]
		if o.name != "-c" && o.name != "--config-env" {
			continue
		}
		name, value, has := strings.Cut(o.value, "=")
		if isMirror(name) && (o.name == "--config-env" || !has || !m.c.isFalse(value)) {
			m.detail = o.value
			return true
		}
	}
	for i := range k.cmd.Assigns {
		if a := &k.cmd.Assigns[i]; strings.HasPrefix(a.Name, "GIT_CONFIG_KEY_") && isMirror(a.Value.Text) {
			m.detail = a.Value.Text
			return true
		}
	}
	if c.in.Publishes == nil || k.away() {
		return false
	}
	remote := ""
	if len(ops) > 0 {
		if w := &k.cmd.Args[ops[0]]; w.Kind == shell.Literal {
			remote = w.Text
		} else {
			remote = "*"
		}
	}
	// Variables may name another repository than the one that is stood in.
	for _, t := range c.byVariables(k) {
		if c.in.Publishes(t.Path, remote) {
			return true
		}
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok {
		// "cd $(pwd)": most likely the project, and nothing says that it is not.
		dir = c.in.Dir
	}
	return dir != "" && c.in.Publishes(dir, remote)
}

// isMirror reports the setting that makes each push to a remote one of all references.
func isMirror(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "remote.") && strings.HasSuffix(name, ".mirror")
}

// isFalse reports what git reads as no. A number is yes, but for 0.
func (c *checker) isFalse(value string) bool {
	return c.set.In("git-no", strings.ToLower(value)) || strings.Trim(value, "0") == ""
}
