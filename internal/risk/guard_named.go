package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Words that name one of the guard's files to a program of which no table says what it
// does with it. A program that is not known to only read is taken to write.

// named reports such a word: with own one of the guard's program, settings, exceptions and
// record, else settings in which it is registered, or rules.
func (m *match) named(own bool) bool {
	c, k := m.c, m.call
	if c.res == nil || k.name == "" || k.away() {
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		w := &k.cmd.Args[i]
		text := w.Text
		option, value, ok := strings.Cut(text, "=")
		if ok && !strings.Contains(option, "/") {
			text = value // --output=x, of=x
		} else if option = ""; i > 1 {
			option = k.cmd.Args[i-1].Text
		}
		if !c.likeGuard(text) || strings.ContainsAny(text, " \n") && text[0] != '/' || w.Kind != shell.Literal {
			continue
		}
		if m.tells(w, text) || m.readsOnly(option) || c.otherCallHas(k, w) || !c.spend(costPlace) {
			continue
		}
		e := effect{kind: rule.Write, word: w, text: text, known: true, glob: w.Glob}
		t := c.locate(k, &e)
		if m.isOwn(t) == own && (own || m.isRegistration(t)) {
			m.targets = append(m.targets, *t)
			return true
		}
	}
	return false
}

func (m *match) isOwn(t *Target) bool { return m.ownBinary(t) || m.inOwnFolder(t) }

func (m *match) isRegistration(t *Target) bool {
	return t.Class&rule.Temp == 0 && t.Pattern == "" && (t.Names&rule.Guard != 0 || t.Names&rule.Agent != 0 && m.registers(t))
}

// couldName reports that a word of a call is like the name of something of the guard's.
func (c *checker) couldName(k *call) bool {
	if k.names == 0 {
		k.names = 1
		for i := 1; i < len(k.cmd.Args); i++ {
			text := k.cmd.Args[i].Text
			if _, value, ok := strings.Cut(text, "="); ok && c.likeGuard(value) || c.likeGuard(text) {
				k.names = 2
				break
			}
		}
	}
	return k.names == 2
}

// likeGuard is the cheap question before a place is looked for: the text ends in a name
// that files of the guard's have.
func (c *checker) likeGuard(text string) bool {
	if text == "" || len(text) > 4096 {
		return false
	}
	if strings.Contains(text, "moai") {
		return true
	}
	base := text[strings.LastIndexByte(text, '/')+1:]
	for _, p := range c.in.program() {
		if base == path.Base(p) {
			return true
		}
	}
	return strings.HasSuffix(base, "n") && (c.set.In("registers-hooks", base) || c.set.In("own-files", base)) || strings.HasSuffix(base, "l") && c.set.In("own-files", base)
}

// tells reports that a table says what the program does to a word; rules about effects
// judge that. That a script is given files to read is a guess: nobody knows what it does.
func (m *match) tells(w *shell.Word, text string) bool {
	k := m.call
	script := k.cmd.Code != nil && k.cmd.Code.From != shell.FromArg && len(k.operands) > 1 && &k.cmd.Args[k.operands[0]] != w && m.c.set.In("runs-files", k.name) && !k.given([]string{"-m"})
	for i := range k.effects {
		if e := &k.effects[i]; k.prog != nil && e.word == w && e.text == text && !(script && e.kind == rule.Read) {
			return true
		}
	}
	return false
}

// readsOnly reports a program that does not write what it is given, but for the values of
// options that say so.
func (m *match) readsOnly(option string) bool {
	set, k := m.c.set, m.call
	if !set.In("only-reads", k.name) && !set.In("only-reads", k.raw) && !set.In("prints-words", k.name) {
		return false
	}
	if strings.HasPrefix(option, "-") {
		for name := range set.words("writes-to") {
			if glob(name, option) {
				return false
			}
		}
	}
	return true
}

// otherCallHas reports a word that stands in a call that this one runs: sudo's are judged
// with what sudo runs.
func (c *checker) otherCallHas(k *call, w *shell.Word) bool {
	if !c.spend(len(c.calls) / 8) {
		return false
	}
	for i := k.index + 1; i < len(c.calls); i++ {
		p := &c.calls[i]
		if p.cmd.Span[0] > w.Span[1] {
			break
		}
		for j := range p.cmd.Args {
			if p.cmd.Args[j].Span == w.Span {
				return true
			}
		}
	}
	return false
}

// textNamesGuard looks for the guard's files in what a program is told in a language of its
// own, where a statement may write a file.
func (m *match) textNamesGuard() bool {
	const most = 16 << 10 // bytes
	k := m.call
	try := func(w *shell.Word) bool {
		if len(w.Text) > most || !strings.ContainsAny(w.Text, " (.") || !m.c.spend(len(w.Text)/64) {
			return false
		}
		for _, name := range strings.FieldsFunc(w.Text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`(),;=", r) }) {
			if !m.c.likeGuard(name) || !m.c.spend(costPlace) {
				continue
			}
			// psql and others know the home themselves.
			if rest, ok := strings.CutPrefix(name, "~/"); ok && m.c.in.Home != "" {
				name = m.c.in.Home + "/" + rest
			}
			e := effect{kind: rule.Write, word: w, text: name, known: true}
			if t := m.c.locate(k, &e); m.isOwn(t) || m.isRegistration(t) {
				m.targets = append(m.targets, *t)
				return true
			}
		}
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		if try(&k.cmd.Args[i]) {
			return true
		}
	}
	return k.cmd.Stdin != nil && try(&k.cmd.Stdin.Text)
}

// picksGuard reports a pattern that fits one of the guard's files or settings in which it is
// registered, or a name out of a list from a folder that holds such.
func (m *match) picksGuard(e *effect) bool {
	c, k := m.c, m.call
	if k.away() {
		return false
	}
	t := c.locate(k, e)
	if e.known && t.Pattern != "" {
		return strings.ContainsAny(t.Pattern, "*?[") && m.patternPicks(t.Pattern)
	}
	parts := e.word.Parts
	if e.known || e.text != e.word.Text || len(parts) < 2 || parts[0].Unknown || e.word.Fresh() {
		return false
	}
	// A listing stands for the whole paths: ~/.claude/$f is also ~/.claude//home/dev/.claude/…
	start := parts[0].Text
	if i := strings.Index(start, "//"); i >= 0 {
		start = start[:i+1]
	}
	rest := parts[1].Text
	name := rest[strings.LastIndexByte(rest, '/')+1:]
	dir, ok := c.absolute(k, start)
	switch {
	case !ok || !strings.HasSuffix(start, "/"):
		return false
	case !e.word.Listed():
		// ~/.claude/$f.json: all names that end so, and no other folder.
		if c.names(dir, false)&rule.AgentDir == 0 {
			return false
		}
		name = "*"
	case strings.HasPrefix(rest, "{}"): // a search, at any depth
		if name == "{}" {
			name = "*"
		}
	case strings.ContainsAny(rest, "*?["): // for f in ~/.c*/s*.json
		return len(parts) == 2 && m.patternPicks(dir+"/"+rest)
	default:
		name = "*"
	}
	end := ""
	if last := parts[len(parts)-1]; !last.Unknown && len(parts) > 2 {
		end = last.Text[strings.LastIndexByte(last.Text, '/')+1:]
	}
	return m.holdsFile(dir, func(base string) bool { return strings.HasSuffix(base, end) && shell.Picks(name, base) })
}

// holdsFile reports that a folder, or one below it, has a file of the guard's or settings in
// which it is registered, of a name that fits. A project is full of files: there only an
// agent's own folder counts.
func (m *match) holdsFile(dir string, fits func(base string) bool) bool {
	c := m.c
	if c.in.Home == "" || !c.spend(costPlace) {
		return false
	}
	return c.registeredFile(func(p, base string) bool {
		_, ok := c.under(p, dir)
		return ok && (base != c.in.Root || c.names(dir, false)&rule.AgentDir != 0) && fits(path.Base(p))
	}) || m.holdsOwn(dir, fits)
}

func (m *match) holdsOwn(dir string, fits func(base string) bool) bool {
	c := m.c
	all, programs := c.guarded()
	for i, p := range all {
		if _, ok := c.under(p, dir); !ok {
			continue
		}
		if i < programs {
			if _, ofHome := c.under(dir, c.in.Home); ofHome && fits(path.Base(p)) {
				return true
			}
			continue
		}
		for name := range c.set.words("own-files") {
			if strings.Contains(name, ".") && fits(name) {
				return true
			}
		}
	}
	return false
}

// patternPicks holds a pattern against the guard's files, name by name.
func (m *match) patternPicks(pattern string) bool {
	c := m.c
	if len(pattern) > 4096 || !c.spend(costPlace) {
		return false
	}
	all, programs := c.guarded()
	for i, p := range all {
		if picksPath(pattern, p, i >= programs) {
			return true
		}
	}
	return c.registeredFile(func(p, _ string) bool { return picksPath(pattern, p, false) })
}

// picksPath is picks for each name of a path. With more the pattern may lead further than
// the path.
func picksPath(pattern, p string, more bool) bool {
	for {
		one, rest, deeper := strings.Cut(pattern, "/")
		name, below, further := strings.Cut(p, "/")
		if one != name && !picks(one, name) {
			return false
		}
		if !further {
			return more && deeper || !deeper
		}
		if !deeper {
			return false
		}
		pattern, p = rest, below
	}
}
