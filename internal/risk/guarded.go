package risk

import (
	"path"
	"slices"
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
	for _, p := range c.in.Program {
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
	c, k := m.c, m.call
	// What find deletes or hands on is a call of its own, from the same words.
	for i := k.index - 1; k.name != "find" && i >= 0 && reachedThrough(m.call, "find"); i-- {
		if p := &c.calls[i]; p.name == "find" && p.cmd.Span == m.call.cmd.Span {
			k = p
		}
	}
	pattern := ""
	switch {
	case k.name == "find":
		for i := range k.options {
			switch o := &k.options[i]; o.name {
			case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename":
				pattern = o.value[strings.LastIndexByte(o.value, '/')+1:]
			case "-regex", "-iregex", "-mtime", "-mmin", "-newer", "-size", "-user", "-perm", "-empty":
				if pattern == "" {
					return false // what it picks cannot be told, and most such searches are for old logs
				}
			}
		}
	case !e.known && e.word.Listed():
		if n := len(e.word.Parts); n > 0 && !e.word.Parts[n-1].Unknown {
			end := e.word.Parts[n-1].Text
			pattern = end[strings.LastIndexByte(end, '/')+1:]
		}
	default:
		return false
	}
	if pattern == "" || globFold(pattern, base) {
		return true
	}
	for name := range c.set.words("own-files") {
		if globFold(pattern, name) {
			return true
		}
	}
	return false
}

// registers reports a file of an agent's settings in which the guard is registered, or
// a folder or pattern with such a file among what it means.
func (m *match) registers(t *Target) bool {
	c := m.c
	asked := func(p string) bool { return c.in.Registers == nil || c.in.Registers(p) }
	if t.Pattern == "" && t.Names&rule.Agent != 0 && asked(t.Path) {
		return true
	}
	dir := t.Path
	if t.Pattern != "" {
		dir = path.Dir(t.Pattern)
	}
	if t.Names&rule.AgentDir == 0 && t.Pattern == "" {
		return false
	}
	for name := range c.set.words("registers-hooks") {
		p := dir + "/" + name
		if (t.Pattern == "" || glob(t.Pattern, p)) && c.names(p, false)&rule.Agent != 0 && c.spend(costPlace) && asked(p) {
			return true
		}
	}
	return false
}

// dropsRegistration reports that the guard is no longer named in a file of settings after
// what a call writes, as far as the line or the tool's input shows it: the file is
// emptied, replaced by a text without the guard, or edited just there.
func (m *match) dropsRegistration(e *effect) bool {
	k := m.call
	if m.c.res == nil {
		return m.toolDropsRegistration()
	}
	if e.kind&rule.Append != 0 {
		return false
	}
	// In place: the words say what is looked for. What a program is given to do otherwise is not known.
	if !e.redirect && k.name != "tee" {
		if k.name == "truncate" {
			return true
		}
		for i := 1; i < len(k.cmd.Args); i++ {
			w := &k.cmd.Args[i]
			if w != e.word && (takesAway(w.Text) || w.Is("/dev/null")) {
				return true
			}
		}
		return false
	}
	// jq 'del(.hooks)' x | sponge x
	if len(k.cmd.PipeFrom) > 0 && m.c.upstream(k, make([]bool, len(m.c.calls)), func(p *call) bool {
		return p.name == "jq" && slices.ContainsFunc(p.cmd.Args, func(w shell.Word) bool { return takesAway(w.Text) })
	}) {
		return true
	}
	text, known := m.written()
	return known && !mentionsGuard(text)
}

// written is what a redirection or tee writes, where the line shows all of it.
func (m *match) written() (text string, known bool) {
	k := m.call
	switch {
	case m.c.set.In("shows-words", k.name) && len(k.operands) > 0 && k.name != "cat":
		var b strings.Builder
		for _, i := range k.operands {
			if k.cmd.Args[i].Kind != shell.Literal {
				return "", false
			}
			b.WriteString(k.cmd.Args[i].Text + " ")
		}
		return b.String(), true
	case k.cmd.Stdin != nil && (k.name == "tee" || k.name == "cat" && len(k.operands) == 0):
		return k.cmd.Stdin.Text.Text, k.cmd.Stdin.Text.Kind == shell.Literal && len(k.cmd.Stdin.Text.Text) > 0
	case len(k.cmd.Args) == 0 || k.name == ":" || k.name == "true" || k.name == "false" || k.name == "exec":
		return "", true // the shell empties the file
	}
	return "", false
}

// toolDropsRegistration is dropsRegistration for tools that write files.
func (m *match) toolDropsRegistration() bool {
	c := m.c
	found, hooks := false, false
	for _, text := range m.call.content {
		if mentionsGuard(text) {
			return false
		}
		hooks = hooks || strings.Contains(text, `"hooks"`)
	}
	for name := range c.set.words("replaces-file") {
		eachText(argument(c.args, name), func(string) { found = true })
	}
	for name := range c.set.words("replaces-text") {
		eachText(argument(c.args, name), func(old string) { found = found || mentionsGuard(old) || !hooks && strings.Contains(old, `"hooks"`) })
	}
	return found
}

// mentionsGuard reports the guard's name in a text, which its registration has.
func mentionsGuard(text string) bool { return strings.Contains(text, "moai") }

// takesAway reports the words of an edit that is about the guard's registration, and
// does not only add to what is there.
func takesAway(text string) bool {
	return mentionsGuard(text) || strings.Contains(text, "hooks") && !strings.Contains(text, "+=")
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
		if m.ownBinary(t) || m.inOwnFolder(t) || m.foundOwn(w) || above && m.holdsGuard(&e) || (t.Names&rule.Agent != 0 || !unread && t.Names&rule.AgentDir != 0) && t.Names&rule.Guard == 0 && m.registers(t) {
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
		if o := &k.options[i]; o.has && !k.global(o) && is(&k.cmd.Args[o.word], o.value) {
			return true
		}
	}
	return false
}

// copiesOnto calls is for what a program that copies or moves into a folder makes there:
// "cp x/moai ~/.local/bin" names the folder alone.
func (m *match) copiesOnto(is func(t *Target) bool) bool {
	c, k := m.c, m.call
	from, to := k.operands, ""
	var dir *shell.Word
	for i := range k.options {
		if o := &k.options[i]; o.has && (o.name == "-t" || o.name == "--target-directory") {
			to, dir = o.value, &k.cmd.Args[o.word]
		}
	}
	if n := len(from); dir == nil && n > 1 {
		from, dir = from[:n-1], &k.cmd.Args[from[n-1]]
		to = dir.Text
	}
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

// foundOwn reports a word that holds what another program printed about the guard's
// program: "$(which moai)".
func (m *match) foundOwn(w *shell.Word) bool {
	if w == nil {
		return false
	}
	looks := m.looksFor("finds-programs")
	if w.Kind == shell.Literal && m.c.res != nil {
		// The shell engine takes "$(which moai)" for the name alone. Where that is written
		// out, it is a file of the folder one stands in.
		text := cut(m.c.in.Command, w.Span)
		expands := strings.ContainsAny(text, "$`")
		own := m.c.ownProgram(w.Text) && (expands || !strings.Contains(text, w.Text))
		if !own && !expands || !m.c.spend(len(m.c.calls)/16) {
			return false
		}
		return slices.ContainsFunc(m.c.calls, func(p call) bool {
			return (own || p.cmd.Span[0] >= w.Span[0] && p.cmd.Span[1] <= w.Span[1]) && looks(&p)
		})
	}
	// "$(dirname $(which moai))": what it prints was made of that.
	return m.c.wordFrom(w, func(p *call) bool { return looks(p) || m.c.wordsFrom(p, looks) })
}

// foundOwnBy reports that a call is given what a program of a group printed about the
// guard: among its words, or by xargs.
func (m *match) foundOwnBy(group string) bool {
	looks := m.looksFor(group)
	if m.c.wordsFrom(m.call, func(p *call) bool { return looks(p) || m.c.wordsFrom(p, looks) }) {
		return true
	}
	if reachedThrough(m.call, "xargs", "parallel") && slices.ContainsFunc(m.c.calls, func(p call) bool { return looks(&p) }) {
		return true
	}
	for i := 1; i < len(m.call.cmd.Args); i++ {
		w := &m.call.cmd.Args[i]
		if _, value, ok := strings.Cut(w.Text, "="); ok && value != "" && w.Kind == shell.Literal {
			own := *w // of=$(which moai)
			own.Text = value
			w = &own
		}
		if m.foundOwn(w) {
			return true
		}
	}
	return false
}

// looksFor returns what reports a call of a program of that group with the guard's name.
func (m *match) looksFor(group string) func(*call) bool {
	return func(p *call) bool {
		if !m.c.set.In(group, p.raw) {
			return false
		}
		for i := 1; i < len(p.cmd.Args); i++ {
			if m.c.ownProgram(p.cmd.Args[i].Text) {
				return true
			}
		}
		return false
	}
}

// codeNamesGuard looks for text in quotes that names one of the guard's own things, in a
// short program with a word that changes files. What a call does that the tables know is
// judged by what it amounts to; this is for those that they do not know.
func (m *match) codeNamesGuard() bool {
	const short = 4 << 10 // bytes
	text := m.call.programText()
	if text == "" || len(text) > short || !m.c.set.mentions("code-changes-files", text) {
		return false
	}
	if !m.c.spend(len(text) / 16) {
		return false
	}
	for _, p := range quotedPaths(text) {
		if m.c.guardName(p) && m.reads(p) < max(1, strings.Count(text, p)) {
			m.detail = p
			return true
		}
	}
	return false
}

// reads counts the calls of a program that read a file and do nothing else to it, as far
// as the tables know them: such a call is a command of its own, of the same words.
func (m *match) reads(name string) (n int) {
	if !m.c.spend(len(m.c.calls) / 8) {
		return 0
	}
	for i := range m.c.calls[m.call.index:] {
		k := &m.c.calls[m.call.index+i]
		if at := k.cmd.Span; at[0] >= m.call.cmd.Span[0] && at[1] <= m.call.cmd.Span[1] && k.name == "cat" && len(k.operands) == 1 && k.operand(0) == name {
			n++
		}
	}
	return n
}

// guardName reports a path, perhaps without its beginning, of one of the guard's own
// things: "/.config/moai/x", ".local/bin/moai", "~/.claude/settings.json".
func (c *checker) guardName(p string) bool {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && c.in.Home != "" {
		p = c.in.Home + "/" + rest
	}
	all, n := c.guarded()
	for i, own := range all {
		// The folder above is part of it: "moai" alone is a word like others.
		end := own[strings.LastIndexByte(path.Dir(own), '/')+1:]
		if c.equal(p, own) || strings.HasSuffix(p, "/"+end) || p == end {
			return true
		}
		if i >= n && (within(p, end) || within(p, strings.TrimPrefix(own, "/"))) {
			return true
		}
	}
	if strings.Contains(path.Dir(p)+"/", "bin/") && c.ownProgram(p) && !strings.HasPrefix(p, "bin/") {
		return true
	}
	if c.names(p, false)&rule.Guard != 0 {
		return true
	}
	return c.names(p, false)&rule.Agent != 0 && (c.in.Registers == nil || c.in.Registers(c.cleaned(c.in.Dir+"/"+p)) || c.in.Registers(p))
}

// quotedPaths lists what stands in quotes in a program and may be a path. Pieces with
// nothing but a comma, a plus or a slash between them are joined: 'a', 'b' is a/b.
func quotedPaths(text string) (list []string) {
	joined, last := "", -1
	flush := func() {
		if joined != "" {
			list = append(list, joined)
		}
		joined = ""
	}
	for i := 0; i < len(text) && len(list) < 64; i++ {
		q := text[i]
		if q != '\'' && q != '"' && q != '`' {
			continue
		}
		end := strings.IndexByte(text[i+1:], q)
		if end < 0 {
			break
		}
		piece := text[i+1 : i+1+end]
		between := ""
		if last >= 0 {
			between = strings.Trim(text[last:i], " \t")
		}
		switch {
		case strings.ContainsAny(piece, " \t\n<>"):
			flush()
			last, i = -1, i+1+end
			continue
		case joined != "" && (between == "," || between == "/" || between == "+"):
			list = append(list, joined) // they may be two names as well
			joined = strings.TrimSuffix(joined, "/") + "/" + strings.TrimPrefix(piece, "/")
		default:
			flush()
			joined = piece
		}
		list = append(list, piece)
		i += 1 + end
		last = i + 1
	}
	flush()
	return list
}
