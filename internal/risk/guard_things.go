package risk

import (
	"iter"
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What the guard needs to go on: its program, its folders, and its registration in the
// settings of agents. Rules say what may not be done to them; here is what they are.

// guarded lists the programs and folders that the guard works with, each also as the
// links in it lead, the first of them (programs) before the folders. A folder that is not
// there is nothing that could be taken away.
func (c *checker) guarded() (all []string, programs int) {
	if c.kept != nil {
		return c.kept, c.programs
	}
	c.kept = []string{}
	add := func(p string) {
		if p == "" || contains(c.kept, p) {
			return
		}
		c.kept = append(c.kept, p)
		if c.in.Follow == nil || !c.spend(costPlace) {
			return
		}
		if real := c.spelled(c.in.Follow(p)); !contains(c.kept, real) {
			c.kept = append(c.kept, real)
		}
	}
	for _, p := range c.in.program() {
		add(p)
	}
	c.programs = len(c.kept)
	for _, p := range c.in.Own {
		if p != "" && (c.in.Exists == nil || c.in.Exists(p)) {
			add(p)
		}
	}
	return c.kept, c.programs
}

// ownBinary reports the installed program, not a file of its source tree. The one that
// runs is that wherever it lies and whatever its name is.
func (m *match) ownBinary(t *Target) bool {
	c := m.c
	all, n := c.guarded()
	for _, p := range all[:n] {
		if c.equal(t.Path, p) || t.Pattern != "" && glob(t.Pattern, p) {
			return true
		}
	}
	if t.Class&(rule.Inside|rule.Temp) != 0 {
		return false
	}
	return strings.Contains(path.Dir(t.Path)+"/", "/bin/") && c.ownProgram(t.Path)
}

// ownProgram reports the name of the guard's program, with a folder before it or without.
func (c *checker) ownProgram(p string) bool {
	return c.set.In("own-programs", strings.TrimSuffix(p[strings.LastIndexByte(p, '/')+1:], ".exe"))
}

// inOwnFolder reports something in the user's folders of settings, rules, exceptions and
// state, or such a folder itself, by their own names or where links lead.
func (m *match) inOwnFolder(t *Target) bool {
	all, n := m.c.guarded()
	for _, dir := range all[n:] {
		if _, ok := m.c.under(t.Path, dir); ok {
			return true
		}
	}
	return m.c.ownFolder(t.Path)
}

// holdsGuard reports a folder, or a pattern that picks folders, in which the guard's
// program or one of its folders lies. Of what a search found only names count that these
// could have.
func (m *match) holdsGuard(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if t.Class&(rule.Root|rule.Home) != 0 { // other rules have the last word there
		return false
	}
	all, _ := c.guarded()
	for _, p := range all {
		if strings.ContainsAny(t.Pattern, "*?[") {
			for up := p; len(up) > 1; up = path.Dir(up) {
				if glob(t.Pattern, up) {
					return true
				}
			}
		}
		rest, ok := c.under(p, t.Path)
		if !ok || rest == "" || t.Class&rule.Unknown != 0 {
			continue
		}
		if e.kind&rule.Delete == 0 && !reachedThrough(m.call, "find") || m.findsGuard(e, path.Base(p)) {
			return true
		}
	}
	return false
}

// findsGuard reports that a search by names, as of find -delete, may have found a file of
// the guard's: one that is called base, or as one of its files is.
func (m *match) findsGuard(e *effect, base string) bool {
	pattern, known := m.foundBy(e)
	if !known || pattern == "" || globFold(pattern, base) {
		return known
	}
	for name := range m.c.set.words("own-files") {
		if globFold(pattern, name) {
			return true
		}
	}
	return false
}

// foundBy is the pattern of the names that a search picks, "" for all; known is false where that cannot be told, and for what is no search.
func (m *match) foundBy(e *effect) (pattern string, known bool) {
	c, k := m.c, m.call
	// What find deletes or hands on is a call of its own, from the same words.
	for i := k.index - 1; !k.finds() && i >= 0 && reachedThrough(m.call, "find"); i-- {
		if p := &c.calls[i]; p.finds() && p.cmd.Span == m.call.cmd.Span {
			k = p
		}
	}
	switch {
	case k.finds():
		for i := range k.options {
			switch o := &k.options[i]; {
			case c.set.In("find-by-name", o.name):
				pattern = o.value[strings.LastIndexByte(o.value, '/')+1:]
			case pattern == "" && c.set.In("find-otherwise", o.name):
				return "", false // what it picks cannot be told, and most such searches are for old logs
			}
		}
	case !e.known && e.word.Listed():
		if n := len(e.word.Parts); n > 0 && !e.word.Parts[n-1].Unknown {
			end := e.word.Parts[n-1].Text
			pattern = end[strings.LastIndexByte(end, '/')+1:]
		}
	default:
		return "", false
	}
	return pattern, true
}

// namesGuard reports one of the guard's own things among the operands and values of options,
// for programs of which no table says what they do to each. With unread those that a
// table says are only read do not count; with above, folders above them do.
func (m *match) namesGuard(unread, above bool) bool {
	c, k := m.c, m.call
	is := func(w *shell.Word, text string) bool {
		for i := range k.effects {
			if e := &k.effects[i]; unread && k.prog != nil && e.word == w && e.kind&^(rule.Read|rule.Look|rule.Send|rule.Run) == 0 {
				return false
			}
		}
		text = strings.TrimPrefix(text, "file:")
		if text == "" || len(text) > 4096 || !c.spend(costPlace) {
			return false
		}
		e := effect{kind: rule.Write | rule.Move, word: w, text: text, known: w.Kind == shell.Literal, glob: w.Glob}
		t := c.locate(k, &e)
		if m.ownBinary(t) || m.inOwnFolder(t) || m.foundOwn(w) || above && m.holdsGuard(&e) || t.Names&rule.Guard != 0 && t.Class&rule.Temp == 0 || (t.Names&rule.Agent != 0 || !unread && t.Names&rule.AgentDir != 0) && t.Names&rule.Guard == 0 && m.registers(t) {
			m.targets = append(m.targets, *t)
			return true
		}
		return false
	}
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		if w := &k.cmd.Args[i]; is(w, w.Text) {
			return true
		}
	}
	for i := range k.options {
		o := &k.options[i]
		// What is left out is left alone: git clean -e .claude.
		if o.name == "--exclude" || o.name == "-e" && k.sub("clean", nil) {
			continue
		}
		if o.has && !k.global(o) && is(&k.cmd.Args[o.word], o.value) {
			return true
		}
	}
	return false
}

// namesHooks reports an operand that is a file or folder from which an agent takes settings or hooks.
func (m *match) namesHooks() bool {
	c, k := m.c, m.call
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		w := &k.cmd.Args[i]
		if w.Text == "" || len(w.Text) > 4096 || !c.spend(costPlace) {
			continue
		}
		e := effect{kind: rule.Write, word: w, text: w.Text, known: w.Kind == shell.Literal, glob: w.Glob}
		if t := c.locate(k, &e); t.Names&rule.Agent != 0 && t.Class&rule.Temp == 0 {
			m.targets = append(m.targets, *t)
			return true
		}
	}
	return false
}

// worksOnGuard reports a call of git in a repository, other than the project's, in which the guard's program, settings or
// own folders lie: what it takes out of the working tree may be these.
func (m *match) worksOnGuard() bool {
	c := m.c
	for _, t := range c.elsewhere(m.call) {
		top := c.repository(t.Path)
		if top == "" {
			top = t.Path // made by the line itself, or nobody can look
		}
		own, n := c.guarded()
		for _, p := range own {
			if rest, ok := c.under(p, top); ok && rest != "" {
				m.targets = append(m.targets, t)
				return true
			}
		}
		for _, dir := range own[n:] {
			if _, ok := c.under(top, dir); ok {
				m.targets = append(m.targets, t)
				return true
			}
		}
		for p := range c.homeSettings() {
			if _, ok := c.under(p, top); ok && c.spend(costPlace) && (c.in.Registers == nil || c.in.Registers(p)) {
				m.targets = append(m.targets, t)
				return true
			}
		}
	}
	return false
}

// homeSettings are the files of the user's own in which agents' hooks are registered.
func (c *checker) homeSettings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range c.set.Files {
			f := &c.set.Files[i]
			if f.Is&rule.AgentDir == 0 {
				continue
			}
			for _, dir := range f.Globs {
				for name := range c.set.words("registers-hooks") {
					if !yield(c.in.Home + "/" + dir + "/" + name) {
						return
					}
				}
			}
		}
	}
}

// destination takes the operands of a program that copies or moves apart: what it copies,
// and the word and path of the place. The word is nil where there is none.
func (k *call) destination() (from []int, dir *shell.Word, to string) {
	from = k.operands
	for i := range k.options {
		if o := &k.options[i]; o.has && (o.name == "-t" || o.name == "--target-directory") {
			to, dir = o.value, &k.cmd.Args[o.word]
		}
	}
	if n := len(from); dir == nil && n > 1 {
		from, dir = from[:n-1], &k.cmd.Args[from[n-1]]
		to = dir.Text
	}
	return from, dir, to
}

// copiesOnto calls is for what a program that copies or moves into a folder makes there:
// "cp x/moai ~/.local/bin" names the folder alone.
func (m *match) copiesOnto(is func(t *Target) bool) bool {
	c, k := m.c, m.call
	from, dir, to := k.destination()
	if dir == nil || dir.Kind != shell.Literal {
		return false
	}
	for _, i := range from {
		w := &k.cmd.Args[i]
		base := path.Base(w.Text)
		if w.Kind != shell.Literal || base == "." || base == "/" || !c.spend(costPlace) {
			continue
		}
		e := effect{kind: rule.Write, word: dir, text: strings.TrimRight(to, "/") + "/" + base, known: true}
		if t := c.locate(k, &e); is(t) {
			m.targets = append(m.targets, *t)
			return true
		}
	}
	return false
}

// program is Program, where it is known.
func (in *Input) program() []string {
	if in.Program == nil {
		return nil
	}
	return in.Program()
}
