package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Trees that are written over a folder: an archive or a copy replaces files that the line
// does not name.

// registeredFile calls is for the files of agents' settings of the home and the project,
// and reports one that it takes and in which the guard is registered.
func (c *checker) registeredFile(is func(p, base string) bool) bool {
	for _, base := range [...]string{c.in.Home, c.in.Root} {
		if base == "" {
			continue
		}
		for name := range c.set.words("registered-settings") {
			p := base + "/" + name
			if is(p, base) && c.spend(costPlace) && (c.in.Registers == nil || c.in.Registers(p)) {
				return true
			}
		}
	}
	return false
}

// aboveGuard is the cheap question before: it reads no file.
func (c *checker) aboveGuard(dir string) bool {
	all, _ := c.guarded()
	for _, p := range all {
		if _, ok := c.under(p, dir); ok {
			return true
		}
		if _, ok := c.under(dir, p); ok {
			return true
		}
	}
	for _, p := range c.in.Own { // those that are not there, too
		if _, ok := c.under(p, dir); ok || c.equal(p, dir) {
			return true
		}
	}
	for _, base := range [...]string{c.in.Home, c.in.Root} {
		for name := range c.set.words("registered-settings") {
			if _, ok := c.under(base+"/"+name, dir); ok && base != "" {
				return true
			}
		}
	}
	return false
}

// overGuard reports a folder in which one of the guard's things lies that a tree of files
// could replace. could tells, of a path below the folder, whether it may be in the tree.
// What is unpacked in the project stays what it is: only an agent's own folder counts there.
func (m *match) overGuard(t *Target, could func(rest string) bool) bool {
	c := m.c
	if t.Class&(rule.Root|rule.Unknown) != 0 || t.Class&(rule.Inside|rule.Project) != 0 && t.Names&rule.AgentDir == 0 {
		return false
	}
	_, ofHome := c.under(t.Path, c.in.Home)
	all, programs := c.guarded()
	for i, p := range all {
		// Archives are unpacked in /usr/local and /opt every day; none of them holds the guard.
		if i < programs && !ofHome && path.Dir(p) != t.Path {
			continue
		}
		if rest, ok := c.under(p, t.Path); ok && could(rest) {
			return true
		}
	}
	if m.overAbsent(t, could) {
		return true
	}
	return c.registeredFile(func(p, base string) bool {
		rest, ok := c.under(p, t.Path)
		return ok && (base == c.in.Home || t.Names&rule.AgentDir != 0) && could(rest)
	})
}

// overAbsent is overGuard for folders of the guard's that are not there yet: settings that come would hold, too.
func (m *match) overAbsent(t *Target, could func(rest string) bool) bool {
	c := m.c
	return slices.ContainsFunc(c.in.Own, func(p string) bool {
		rest, ok := c.under(p, t.Path)
		return ok && could(rest) && (c.in.Exists == nil || c.spend(costPlace) && !c.in.Exists(p))
	})
}

// leadsGuard reports a link in the place of a folder in which one of the guard's lies, or would lie: it finds other settings behind it. What is
// a folder already gets the link inside.
func (m *match) leadsGuard(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if t.Class&(rule.Root|rule.Home|rule.Unknown) != 0 || !e.known {
		return false
	}
	return slices.ContainsFunc(c.in.Own, func(p string) bool {
		rest, ok := c.under(p, t.Path)
		return ok && rest != "" && !c.realFolder(t.Path)
	})
}

// becomesHolder reports a name that is not there, and that a folder of the guard's lies below.
func (c *checker) becomesHolder(p string) bool {
	_, ofHome := c.under(p, c.in.Home)
	return ofHome && p != c.in.Home && c.in.Exists != nil && slices.ContainsFunc(c.in.Own, func(own string) bool {
		rest, ok := c.under(own, p)
		return ok && rest != "" && c.spend(costPlace) && !c.in.Exists(p)
	})
}

// realFolder reports a name that is there and is no link.
func (c *checker) realFolder(p string) bool {
	if c.in.Exists == nil || c.in.Follow == nil || !c.spend(costPlace) || !c.in.Exists(p) {
		return false
	}
	return c.in.Follow(p) == path.Join(c.in.Follow(path.Dir(p)), path.Base(p))
}

// overSettings reports an agent's folder of the user's in which the guard is registered,
// or one of the guard's own.
func (m *match) overSettings(t *Target) bool {
	return t.Class&(rule.Inside|rule.Project) == 0 && t.Names&rule.AgentDir != 0 && m.registers(t) || m.inOwnFolder(t)
}

// unpacksOver is overGuard or overSettings for a tree that a program's table tells of.
func (m *match) unpacksOver(e *effect, itself bool) bool {
	k := m.call
	if m.c.set.In("copies-names", k.name) {
		return false // of these the words say more
	}
	t := m.c.locate(k, e)
	if e.kind&rule.WriteTree == 0 { // it replaces nothing without asking
		return !itself && m.c.set.In("asks-before-replacing", k.name) && m.overAbsent(t, m.unpacks)
	}
	if itself {
		return m.overSettings(t) && m.unpacks("settings.json")
	}
	return m.overGuard(t, m.unpacks)
}

// unpacks reports that what a program unpacks may hold a path, as far as it is told which
// parts of the archive are meant: "tar xf x.tar -C ~/.local/bin gh".
func (m *match) unpacks(rest string) bool {
	k := m.call
	if !m.c.set.In("unpacks-members", k.name) || len(k.operands) == 0 {
		return true
	}
	for _, i := range k.operands {
		w := &k.cmd.Args[i]
		member := strings.TrimSuffix(strings.TrimPrefix(w.Text, "./"), "/")
		if w.Kind != shell.Literal || member == "" || strings.ContainsAny(member, "*?[") || rest == member || strings.HasPrefix(rest, member+"/") || strings.HasPrefix(member, rest+"/") {
			return true
		}
	}
	return false
}

// copiesTree is overGuard or overSettings for programs that copy or move by names: "x" becomes
// a folder of that name, "x/." and "x/*" replace what is there.
func (m *match) copiesTree(itself bool) bool {
	c, k := m.c, m.call
	from, dir, to := k.destination()
	if dir == nil || dir.Kind != shell.Literal {
		return false
	}
	whole := c.set.In("takes-trees", k.name) || k.givenOf(c.set.members("options-copying-trees"))
	place := func(text string) *Target {
		e := effect{kind: rule.Write, word: dir, text: text, known: true}
		return c.locate(k, &e)
	}
	there := ""
	for i := range k.effects {
		if e := &k.effects[i]; e.word == dir && e.text == to {
			there = c.locate(k, e).Path // for other rules it is looked for anyway
		}
	}
	for _, i := range from {
		w := &k.cmd.Args[i]
		text := w.Suffix()
		if text == "" || !c.spend(1) {
			continue
		}
		base := text[strings.LastIndexByte(text, '/')+1:]
		could := func(string) bool { return true }
		target := to
		switch {
		case w.Glob && strings.ContainsAny(base, "*?["):
			could = func(rest string) bool {
				name, _, deeper := strings.Cut(rest, "/")
				return picks(base, name) && (whole || !deeper)
			}
		case !whole:
			continue
		case base == "." || base == "" && m.c.set.In("copies-contents", k.name) || k.givenOf(c.set.members("options-replacing-place")):
		case len(from) == 1 && c.becomesHolder(there): // it gets that name
		default:
			if base = path.Base(text); base == "." || base == "/" || base == ".." || w.Kind != shell.Literal {
				continue
			}
			target = strings.TrimRight(to, "/") + "/" + base
		}
		if there != "" && !c.aboveGuard(c.cleaned(there+"/"+strings.TrimPrefix(target, to))) || !c.spend(costPlace) {
			continue
		}
		t := place(target)
		if itself && m.overSettings(t) && could("settings.json") || !itself && m.overGuard(t, could) {
			m.targets = append(m.targets, *t)
			return true
		}
	}
	return false
}

// picks reports that a pattern of the shell picks a name: a dot at the beginning is only
// picked by a dot.
func picks(pattern, name string) bool {
	return strings.HasPrefix(name, ".") == strings.HasPrefix(pattern, ".") && len(pattern) <= 256 && shell.Picks(pattern, name)
}
