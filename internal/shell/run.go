package shell

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/recipe"
)

// Every command passes through run, wherever it was found: on the line, in a
// wrapper, in a script, among the operands of xargs. It is unwrapped one layer at
// a time until a program is left that runs nothing else.

// longestName is how long a file's name may be, in bytes, on every system that has
// a shell. What is longer runs nothing, and is not worth a closer look.
const longestName = 255

// program returns the name of the program that a word runs.
func (e *engine) program(w *Word) string {
	s := w.Text
	if w.Kind != Literal {
		s = w.Suffix()
		if !strings.Contains(s, "/") {
			return "" // "$X" and "pre$X" may be anything
		}
	}
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	if i := strings.IndexByte(s, '@'); i > 0 {
		s = s[:i] // npx rimraf@5
	}
	if len(s) > longestName {
		return s
	}
	if len(s) > 1 && s[0] == '=' {
		s = s[1:] // zsh: the path of the program
	}
	if len(s) > 4 && (s[len(s)-4] == '.' || strings.IndexByte(s, '\\') >= 0) {
		if i := strings.LastIndexByte(s, '\\'); i >= 0 {
			s = s[i+1:]
		}
		switch low := strings.ToLower(s); {
		case strings.HasSuffix(low, ".exe"), strings.HasSuffix(low, ".cmd"), strings.HasSuffix(low, ".bat"), strings.HasSuffix(low, ".com"):
			return low[:len(low)-4]
		}
	}
	if w.Glob && s != "[" && strings.ContainsAny(s, "*?[") {
		if strings.Trim(s, "*") == "" {
			return ""
		}
		for _, name := range e.tables.Hidden {
			if match(s, name) {
				return name
			}
		}
		return ""
	}
	if len(s) > 1 && strings.ToUpper(s) == s {
		s = strings.ToLower(s) // RM is rm where file names ignore case
	}
	if strings.ContainsRune(s, utf8.RuneError) {
		return "" // no character: what a shell makes of it differs
	}
	return s
}

// run follows one command: builtins change the state, wrappers are unwrapped,
// everything else goes to the result.
func (e *engine) run(x *simple, c *ctx) output {
	if !e.tick(c) {
		return output{}
	}
	if len(x.args) == 0 {
		return output{}
	}
	if len(c.via) > e.opt.Limits.Depth+64 {
		e.doubt(TooDeep, "", x.span)
		return output{}
	}
	if e.tables.Sh.Itself.Has(x.args[0].Text) {
		y := *x
		y.args = append([]Word{lit("sh", x.args[0].Span)}, x.args[1:]...)
		x = &y
	}
	w := &x.args[0]
	name := e.program(w)
	if name == "" {
		return e.runUnknown(x, c)
	}
	if n := len(c.via); w.Fed && n > 1 && c.via[n-1].Name != "xargs" && c.via[n-1].Name != "parallel" {
		// xargs sudo, xargs sh -c '"$1"' _: a list names the program.
		return e.runFed(x, c)
	}
	if len(c.st.funcs) > 0 && w.Kind == Literal && !x.bare {
		if f := c.st.function(w.Text); f != nil {
			return e.callFunction(f, x, c)
		}
	}
	if out, ok := e.builtin(name, x, c); ok {
		return out
	}
	if y := e.same(name, x); y != nil {
		return e.run(y, c)
	}
	e.pathed(name, x, c)
	if len(name) > 1 && name[0] == 'g' && slices.Contains(e.tables.Prefixed, name[1:]) {
		name = name[1:] // coreutils on a Mac
	}
	p := e.tables.Program(name)
	if p.Tasks {
		e.recipesOf(name, x, c)
	} else if p.Files != "" && len(c.st.files) > 0 {
		e.ownFile(p.Files, name, x, c)
	}
	e.brings(p.Brings, x, c)
	e.callsGit(p.Calls, x, c)
	e.builds(p.Builds, &p, x, c)
	if row, n := e.wrapperOf(name, x.args); row != nil {
		return e.unwrap(row, n, x, c)
	}
	if w.Kind == Literal && c.depth == 0 && strings.ContainsFunc(w.Text, unicode.IsSpace) && !pathLike(w.Text) {
		return e.runQuoted(x, c)
	}
	if strings.IndexByte(name, '=') >= 0 && len(x.args) > 1 {
		// 1A=2 rm x: not an assignment, and hardly what was meant.
		e.plainRun(name, x, c)
		n := c.step(name, w.Span)
		n.cond = true
		return e.run(x.rest(1), n)
	}
	if strings.Contains(w.Text, "/") {
		if old := c.st.program(w.Text); old != nil && old.Text != w.Text {
			y := *x
			y.args = slices.Clone(x.args)
			y.args[0].Text = old.Text
			return e.run(&y, c.step(w.Text, w.Span))
		}
	}
	if strings.Contains(w.Text, "/") {
		if text, n, ok := e.textOf(w, "", c); ok {
			if y := e.byShebang(&text, x); y != nil && c.levels < maxLevels {
				m := c.step("#!", w.Span)
				m.levels++
				return e.run(y, m)
			}
			if out, ok := e.runsWritten(x, text, n); ok {
				return out
			}
		}
		if out, ok := e.runsBuilt(x, c); ok {
			return out
		}
	}
	if sub, program := e.tables.Dashed(name); program != "" {
		y := *x
		y.args = append([]Word{lit(program, w.Span), lit(sub, w.Span)}, x.args[1:]...)
		return e.run(&y, c)
	}
	return e.carrier(name, x, c)
}

// runsWritten follows ./script, when its text is known. ok is false where nobody can tell who reads it.
func (e *engine) runsWritten(x *simple, text Word, c *ctx) (out output, ok bool) {
	lang, shell := e.shebang(text.Prefix())
	file := &x.args[0]
	switch {
	case lang != "" && !shell:
		return e.runsProgram(lang, x, c.giving(x.args[1:]), &Code{Lang: lang, From: FromFile, Text: text, File: *file}), true
	case c.files != nil && (!shell || lang == "" && !e.scriptName(file.Text)):
		return out, false
	}
	st := c.st.clone()
	st.args, st.argsSet = slices.Clip(x.args[1:]), true
	st.zero, st.argsOpen = lit(c.script, file.Span), c.files != nil
	return e.runsText(x, c, "script", &Code{Lang: LangSh, From: FromFile, Text: text, File: *file}, st), true
}

// scriptName reports a name that shell scripts have: one with their ending, or without any.
func (e *engine) scriptName(name string) bool {
	ending := path.Ext(name)
	return ending == "" || e.tables.Sh.Scripts.Has(ending)
}

// pathLike reports whether a program with spaces in its name is a path.
func pathLike(s string) bool {
	i, k := strings.IndexFunc(s, unicode.IsSpace), strings.IndexAny(s, "/\\")
	return k >= 0 && k < i
}

// runQuoted handles a whole command in quotes in the place of a program. No
// shell runs it, but nobody writes it who did not mean the command.
func (e *engine) runQuoted(x *simple, c *ctx) output {
	out := e.plainRun("", x, c)
	n := c.step("quoted", x.args[0].Span)
	n.cond = true
	e.script(x.args[0], n)
	fields := strings.Fields(x.args[0].Text)
	if joined := strings.Join(fields, " "); joined != x.args[0].Text {
		e.script(lit(joined, x.args[0].Span), n) // over several lines: as one
	}
	if len(fields) > 1 && fields[1][0] == '-' {
		y := &simple{nameless: true, span: x.span}
		for _, f := range fields {
			y.args = append(y.args, lit(f, x.args[0].Span))
		}
		e.emit(n, y)
	}
	return out
}

// runFed handles a program that a list names behind a wrapper: it is unknown, as
// the list is, and followed all the same.
func (e *engine) runFed(x *simple, c *ctx) output {
	y := *x
	y.nameless = true
	out := e.plainRun("", &y, c)
	n := *c
	n.cond = true
	x.args = slices.Clone(x.args)
	x.args[0].Fed = false
	e.run(x, &n)
	return out
}

// plainRun emits the command as it is.
func (e *engine) plainRun(name string, x *simple, c *ctx) output {
	i := e.emit(c, x)
	return e.finish(name, x, c, i)
}

// runUnknown handles a program whose name is not known. An unquoted variable
// in front, as in "$SUDO rm x", may be empty: what follows may be the command.
func (e *engine) runUnknown(x *simple, c *ctx) output {
	w := &x.args[0]
	if w.Kind == Literal && w.Text == "" && !w.Quoted && len(x.args) > 1 {
		return e.run(x.rest(1), c)
	}
	out := e.plainRun("", x, c)
	if w.Kind == Unknown && (len(w.From()) > 0 || slices.ContainsFunc(w.Parts, func(p Part) bool { return p.Read })) {
		c.st.doubt() // what a program prints may be a builtin that sets any of them
	}
	if w.Kind == Unknown && w.Many && len(x.args) > 1 && e.prefixName(w.Text) {
		if next := x.args[1]; next.Kind == Literal && next.Text != "" && next.Text[0] != '-' {
			n := c.step(w.Text, w.Span)
			n.cond = true
			e.run(x.rest(1), n)
		}
	}
	return out
}

// prefixName tells the variables that people put in front of a command.
func (e *engine) prefixName(written string) bool {
	name := strings.ToUpper(written)
	return slices.ContainsFunc(e.tables.Prefixes, func(part string) bool { return strings.Contains(name, part) })
}

// callFunction follows the body of a function of the line.
func (e *engine) callFunction(f *function, x *simple, c *ctx) output {
	if c.calls.has(f.name) {
		i := e.emit(c, x)
		if i < len(e.res.Commands) {
			e.res.Commands[i].Recursive = true
		}
		return output{}
	}
	n := c.step("function "+f.name, x.span)
	n.calls = &frame{f.name, c.calls}
	n.src = f.src
	if n.depth++; n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", x.span)
		return output{}
	}
	if x.in != nil {
		n.in = x.in
	}
	if rs := slices.DeleteFunc(slices.Clone(x.redirs), harmless); len(rs) > 0 {
		e.emit(c, &simple{redirs: rs, span: x.span})
	}
	args, set, open, unsure := c.st.args, c.st.argsSet, c.st.argsOpen, c.st.argsUnsure
	c.st.args, c.st.argsSet, c.st.argsOpen, c.st.argsUnsure = x.args[1:], true, false, false
	locals := e.locals
	e.locals = &[]variable{}
	n.round, n.returns = nil, true
	returned := e.returned
	e.returned = false
	out := e.alone(n, func(n *ctx) output { return e.stmt(f.body, n) })
	if c.st.over != leavesFile || c.cond || e.returned {
		c.st.over = runsOn
	}
	if e.returned {
		c.st.unsettle(e.touches(c, f.body)) // it may have ended before it set them
	}
	e.returned = returned
	for _, v := range slices.Backward(*e.locals) {
		c.st.restore(v)
	}
	e.locals = locals
	c.st.args, c.st.argsSet, c.st.argsOpen, c.st.argsUnsure = args, set, open, unsure
	return out
}

// unwrap takes a wrapper off a command, and follows what its options run beside it.
func (e *engine) unwrap(row *wrapper, from int, x *simple, c *ctx) output {
	at, info, facts := row.scan(x.args, from)
	if facts.chdir.Text == "" {
		facts.chdir = led(globals(e.tables.Globals, row.word()), x.args[:from])
	}
	if e.tables.Sh.Fills.Has(row.word()) {
		c = c.sub()
		c.st.foreign = true
	}
	if row.Placed != "" && !slices.ContainsFunc(facts.assigns, func(a Assign) bool { return a.Name == variablesPlace }) {
		facts.placed(true, &Word{Text: row.Placed, Span: x.span})
	}
	e.fills(row, x.args[:from], &facts, x, c)
	out := e.unwrapped(row, at, info, &facts, x, c)
	for i := range facts.assigns {
		e.held(facts.assigns[i].Name, &facts.assigns[i].Value, c)
	}
	for _, w := range facts.aside {
		n := c.step(row.Name, x.args[0].Span).sub()
		n.in, n.want, n.cond = nil, false, true
		e.script(e.given(w, row.Gives), n)
	}
	return out
}

// fills adds the variables of the files that a wrapper reads for its command. Those that are there already stay.
func (e *engine) fills(row *wrapper, before []Word, f *facts, x *simple, c *ctx) {
	var files []string
	for _, w := range optionValues(before[1:], argv.List(row.Envfile), "") {
		files = append(files, w.Text)
	}
	for i := range f.assigns {
		if a := &f.assigns[i]; a.Name == variablesFile && a.Value.Kind == Literal {
			files = append(files, a.Value.Text)
		}
	}
	if len(files) == 0 && row.Envs != "" {
		files = []string{row.Envs}
	}
	for _, name := range files {
		text, ok := e.included(name, &Word{Span: x.span}, c)
		if !ok {
			continue
		}
		for _, v := range recipe.Dotenv(text) {
			same := func(a Assign) bool { return a.Name == v.Name }
			if old := c.st.find(v.Name); old != nil && old.exported && !old.unset || slices.ContainsFunc(f.assigns, same) || slices.ContainsFunc(x.assigns, same) || !e.tick(c) {
				continue
			}
			f.assigns = append(f.assigns, Assign{v.Name, wordOf(v.Parts, x.span)})
		}
	}
}

// given returns a command line with the file that its caller adds to it.
func (e *engine) given(w Word, gives bool) Word {
	if !gives {
		return w
	}
	return join([]Word{w, unknown("…", w.Span)}, " ", w.Span)
}

// unwrapped follows the command that a wrapper's arguments are from at on.
func (e *engine) unwrapped(row *wrapper, at int, info bool, facts *facts, x *simple, c *ctx) output {
	packs := e.spreads(row, x.args[:min(at, len(x.args))])
	if outer := c.st; facts.chdir.Text != "" || len(facts.assigns) > 0 || packs != nil {
		n := *c
		n.st = outer.clone()
		c = &n
		defer func() { outer.files, outer.built = n.st.files, n.st.built }() // what it writes stays
	}
	if facts.chdir.Text != "" {
		if facts.chdir.Glob {
			e.enter(facts.chdir, false, c)
			c.st.stayed = nil // the program fails instead
		} else {
			c.st.reach(facts.chdir)
		}
	}
	if packs != nil {
		e.spread(packs, c)
	}
	if len(facts.assigns) > 0 {
		y := *x
		y.assigns = append(slices.Clip(x.assigns), facts.assigns...)
		x = &y
		for _, a := range facts.assigns {
			if !e.tick(c) {
				break
			}
			c.st.set(a.Name, value{list: []Word{a.Value}}).exported = true
		}
	}
	if info && row.Name == "command" && at+2 < len(x.args) && slices.ContainsFunc(x.args[at+2:], func(w Word) bool { return strings.HasPrefix(w.Text, "-") && len(w.Text) > 1 }) {
		// command -v git reset --hard prints names, but whoever gives options
		// to one of them means to run it.
		info, at = false, at+1
		if x.args[at].Is("--") {
			at++
		}
	}
	if info || at >= len(x.args) && facts.text == nil {
		if in := c.reads(x); in != nil && !info && row.shellOn(x.args) {
			return e.wrappedShell(row, x, in, c)
		}
		return e.carrier(row.word(), x, c)
	}
	if row.Only != "" {
		if facts.text == nil && !argv.List(row.Only).Exactly(e.program(&x.args[at])) && e.same(e.program(&x.args[at]), x.rest(at)) == nil {
			return e.carrier(row.word(), x, c)
		}
		if at+1 < len(x.args) && x.args[at+1].Is("--") { // npm run prisma -- migrate reset
			y := *x
			y.args = append(slices.Clip(x.args[:at+1]), x.args[at+2:]...)
			x = &y
		}
	}
	if row.Also {
		if row.Types && facts.text == nil {
			x.code = typedCode(line(x.args[at:]))
		}
		e.emit(c, x)
		if escape := e.escapeOf(row.word()); escape != nil {
			e.clientLines(row.word(), escape, x, c, c)
		}
	}
	n := c.step(row.Name, x.args[0].Span)
	if row.Remote {
		n = e.machine(row, x.args[:at], n)
	}
	n.bare = n.bare || row.given(row.Clears, x.args[:at])
	if facts.text != nil {
		// env -S, su -c, flock -c: a text is run, by the shell or as words.
		e.compoundRedirs(x, c)
		if x.in != nil {
			n.in = x.in
		}
		text := *facts.text
		if at+1 < len(x.args) && facts.joins && x.args[at].Is("--") {
			at++
		}
		if at < len(x.args) && facts.joins && slices.ContainsFunc(x.args[at:], respaced) {
			y := x.rest(at - 1)
			y.args = append([]Word{text}, x.args[at:]...)
			e.run(y, n) // start-stop-daemon -x sh -- -c 'rm x'
		}
		if at < len(x.args) && facts.joins {
			text = join(append([]Word{text}, x.args[at:]...), " ", x.span)
		}
		if facts.joins && strings.HasPrefix(text.Prefix(), "-") {
			text = join([]Word{lit("env", x.span), text}, " ", x.span) // env -S '-i rm'
		}
		return e.script(text, n)
	}
	if row.Script || row.Types {
		e.compoundRedirs(x, c)
		if x.in != nil {
			n.in = x.in
		}
		return e.wrappedLine(row, x, at, n)
	}
	y := x.rest(at)
	y.bare = row.Name == "command"
	if program := e.entry(row, x.args[:at]); program != nil {
		y.args = append([]Word{*program}, x.args[at:]...)
	} else if program := row.runner(x.args[:at], &x.args[at]); program != "" {
		y.args = append([]Word{lit(program, x.args[0].Span)}, x.args[at:]...)
	}
	if k := strings.IndexByte(y.args[0].Prefix(), ':'); k > 0 && row.Name == "hatch run" {
		y.args = slices.Clone(y.args)
		y.args[0] = *cutWord(&y.args[0], k+1) // hatch run test:pytest names an environment
	}
	return e.run(y, n)
}

// wrappedLine follows the words from at on, which a wrapper gives to a shell: one line, or a line each.
func (e *engine) wrappedLine(row *wrapper, x *simple, at int, n *ctx) output {
	words := x.args[at:]
	if row.Each {
		var out output
		for _, w := range words {
			out = e.script(w, n)
		}
		return out
	}
	if row.Remote && len(words) == 1 && words[0].Kind == Literal && words[0].Text == "" {
		return output{}
	}
	text := words[0]
	if len(words) > 1 {
		text = join(words, " ", Span{words[0].Span[0], max(words[len(words)-1].Span[1], words[0].Span[1])})
		if slices.ContainsFunc(words, respaced) {
			// watch sh -c 'rm x': the shell splits the quoted word again.
			// Whoever writes it means it as it stands, so that counts too.
			e.run(x.rest(at), n)
		}
	}
	if row.Types {
		text = keys(text)
	}
	return e.script(text, n)
}

// wrappedShell follows what a wrapper's own shell reads: ssh host <<EOF, su <<EOF.
func (e *engine) wrappedShell(row *wrapper, x *simple, in *Input, c *ctx) output {
	x.code = &Code{Lang: LangSh, From: FromStdin, Text: in.Text, Seen: in.Text.Kind == Literal}
	e.emit(c, x)
	n := c.step(row.Name, x.args[0].Span)
	if n.in = nil; row.Remote {
		n = e.machine(row, x.args, n)
	}
	return e.script(in.Text, n)
}

// respaced tells words that a shell reads differently once they are joined.
func respaced(w Word) bool { return w.Quoted && strings.ContainsAny(w.Text, " \t\n;&|") }
