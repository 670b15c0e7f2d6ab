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

// refspecs are what a push names behind its remote: what is pushed and where to, "" for what the line does not tell. "tag NAME" is refs/tags/NAME.
func (m *match) refspecs() (list [][2]string) {
	k := m.call
	ops := k.operands[min(m.skip, len(k.operands)):]
	for n, i := range ops[min(1, len(ops)):] {
		text := k.cmd.Args[i].Text
		if tag := n > 0 && k.cmd.Args[ops[n]].Text == "tag"; text == "tag" {
			continue
		} else if tag {
			text = "refs/tags/" + text
		}
		from, to, both := strings.Cut(strings.TrimPrefix(text, "+"), ":")
		if !both {
			to = from
		}
		list = append(list, [2]string{from, to})
	}
	return list
}

// ontoShared reports a push that puts what is on another branch straight onto one that a team works from: git push origin topic:main. HEAD is the
// branch that is checked out.
func (m *match) ontoShared() bool {
	c, k := m.c, m.call
	return slices.ContainsFunc(m.refspecs(), func(spec [2]string) bool {
		from, to := strings.TrimPrefix(spec[0], "refs/heads/"), strings.TrimPrefix(spec[1], "refs/heads/")
		if from == "" || from == to || strings.HasPrefix(to, "refs/") || !c.protectedRef(to) {
			return false
		}
		if dir, ok := c.absolute(k, k.folder()); (from == "HEAD" || from == "@") && ok && c.in.Pushed != nil && !k.away() && c.spend(1) {
			from = c.in.Pushed(dir)
		}
		m.detail = "onto " + to
		return from != to
	})
}

// ontoPublished reports a push to a branch that a service shows to everybody.
func (m *match) ontoPublished() bool {
	return slices.ContainsFunc(m.refspecs(), func(spec [2]string) bool {
		return spec[0] != "" && m.c.set.In("branches-published", strings.TrimPrefix(spec[1], "refs/heads/"))
	})
}

// addedRemote reports a push to a remote that the line itself makes, or leads elsewhere: git remote add x URL && git push x main.
func (m *match) addedRemote() bool {
	c, k := m.c, m.call
	if m.setRemote() {
		return true
	}
	ops := k.operands[min(m.skip, len(k.operands)):]
	name := "origin" // mostly, where none is named
	if len(ops) > 0 {
		name = k.cmd.Args[ops[0]].Text
	}
	c.spend(1 + k.index/costCalls)
	return slices.ContainsFunc(c.calls[:min(k.index, len(c.calls))], func(p call) bool {
		n := 0
		if p.name != k.name || !p.sub("remote add", &n) && !p.sub("remote set-url", &n) || len(p.operands) < n+2 || p.operand(n) != name {
			return false
		}
		m.detail = p.operand(n + 1)
		_, _, far := m.elsewhere(m.detail)
		return far && strings.Contains(m.detail, ":") // a folder has none
	})
}

// setRemote reports a setting of the call that leads a remote elsewhere, or every address that begins so: git -c remote.origin.url=URL push.
func (m *match) setRemote() bool {
	return slices.ContainsFunc(m.call.options, func(o option) bool {
		name, value, _ := strings.Cut(o.value, "=")
		name = strings.ToLower(name)
		if o.name != "-c" {
			return false
		}
		m.detail = value
		if to, ok := strings.CutPrefix(name, "url."); ok && strings.HasSuffix(name, "insteadof") {
			to = to[:strings.LastIndexByte(to, '.')]
			if gitHost(to) == gitHost(value) {
				return false
			}
			m.detail = to
		} else if !strings.HasPrefix(name, "remote.") || !strings.HasSuffix(name, "url") {
			return false
		}
		_, _, far := m.elsewhere(m.detail)
		return far && strings.Contains(m.detail, ":")
	})
}
