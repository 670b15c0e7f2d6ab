package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// Interpreters differ in where their program stands: -c, -e, -r, in a cluster with
// other letters, in the first operand, in the input. They agree that everything
// behind it is data.

// interpreterOf returns the interpreter that a program is, nil if it is none.
func (e *engine) interpreterOf(name string) *rule.Interpreter {
	// python3.12 and php8.2 are what their names say without the version.
	bare := strings.TrimRight(name, "0123456789.")
	for i := range e.tables.Interpreters {
		if programs := e.tables.Interpreters[i].Programs; slices.Contains(programs, bare) || bare != name && slices.Contains(programs, name) { // m4
			return &e.tables.Interpreters[i]
		}
	}
	return nil
}

// languageOf returns the interpreter of a language, an empty one if there is none.
func (e *engine) languageOf(lang string) *rule.Interpreter {
	for i := range e.tables.Interpreters {
		if e.tables.Interpreters[i].Lang == lang {
			return &e.tables.Interpreters[i]
		}
	}
	return &rule.Interpreter{}
}

// checksOf are the options with which a program only reads what it is given.
func checksOf(in *rule.Interpreter, name string) argv.List {
	for _, row := range in.Checks {
		if program, options, _ := strings.Cut(row, " "); program == name {
			return argv.List(options)
		}
	}
	return ""
}

// interpreter finds the program that an interpreter runs: -c or -e, a file, or
// its input.
func (e *engine) interpreter(in *rule.Interpreter, name string, x *simple, c *ctx) output {
	if in.Colons {
		x = equals(x)
	}
	args, lang := x.args, in.Lang
	var text, module *Word
	var loads []*Word
	info := false
	r := argv.Reader{Args: words(args), At: 1, Takes: func(name, rest string) argv.Take { return interpreterTakes(in, name, rest) }}
	r.Word = func(word string) bool { return in.Words && len(word) > len("-x") }
	option := func(it argv.Item) bool {
		value := words(args).value(it)
		switch {
		case informs.Has(it.Name), checksOf(in, name).Has(it.Name):
			info = true
		case value != nil && argv.List(in.Code).Has(it.Name):
			text = merge(text, value)
		case value != nil && it.Name == "-m" && in.Modules != "":
			module = value
		case value != nil && argv.List(in.Loads).Has(it.Name):
			loads = append(loads, value)
		}
		// What follows -m belongs to the module, its own -c included; to a program perhaps, too.
		return !info && module == nil && (text == nil || !in.Ends)
	}
	i := r.Options(option)
	first := i
	for i < len(args) && text == nil && args[i].Kind == Literal && slices.Contains(in.Subs, name+" "+args[i].Text) {
		r.At = i + 1 // bun run -e CODE, deno run x.ts
		i = r.Options(option)
	}
	if in.Mixed {
		i = lateOptions(&r, i, option, func() bool { return text != nil })
	}
	if i < len(args)-1 && text == nil && args[i].Kind == Literal && slices.Contains(in.Evals, name+" "+args[i].Text) {
		text, r.At = &args[i+1], i+2 // deno eval CODE
		i = r.Options(option)
	}
	leads := func(sub string) bool { return strings.HasPrefix(sub, name+" ") }
	if info || in.Behind && i == first && slices.ContainsFunc(in.Subs, leads) {
		return e.plainRun(name, x, c)
	}
	for _, w := range loads {
		e.runsModule(in, w, x, c.giving(nil))
	}
	// Of several places the first wins in all of them: option, file, input.
	if text != nil {
		if y := utility(in, text, loads, x.rest(i)); y != nil {
			return e.run(y, c.step(name, x.args[0].Span))
		}
		return e.runsProgram(lang, x, c.giving(args[min(i, len(args)):]), &Code{Lang: lang, From: FromArg, Text: *text, Fed: optionsFed(in, args, i, text.Text, c)})
	}
	stdin := c.reads(x)
	c = c.giving(args[min(i+1, len(args)):])
	if module != nil {
		if argv.List(in.Prompts).Exactly(module.Text) && stdin != nil {
			return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromStdin, Text: stdin.Text})
		}
		if w := moduleText(in.Modules, module.Text, args[i:]); w != nil {
			return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromArg, Text: *w})
		}
		if out, ok := e.runsNamed(in, name, module, args[i-1].Is(module.Text), x.rest(i-1), x, c.giving(args[i:])); ok {
			return out
		}
		return e.plainRun(name, x, c)
	}
	if i < len(args) && !e.tables.Sh.Input.Has(args[i].Text) {
		return e.runsFirst(in, name, i, x, c)
	}
	if stdin != nil {
		return e.runsProgram(lang, x, c, &Code{Lang: lang, From: FromStdin, Text: stdin.Text})
	}
	return e.plainRun(name, x, c)
}

// utility is the program that a module's function of the same kind is, with what stands behind it: ruby -run -e rm -- x. nil is none.
func utility(in *rule.Interpreter, text *Word, loads []*Word, rest *simple) *simple {
	for _, row := range in.Utilities {
		words := strings.Fields(row)
		if !text.Is(words[1]) || !slices.ContainsFunc(loads, func(w *Word) bool { return w.Is(words[0]) }) {
			continue
		}
		y := *rest
		y.args = nil
		for _, w := range words[2:] {
			y.args = append(y.args, lit(w, text.Span))
		}
		args := rest.args
		if len(args) > 0 && args[0].Is("--") {
			args = args[1:]
		}
		y.args = append(y.args, args...)
		return &y
	}
	return nil
}

// lateOptions reads the options behind the operand at i as well, until what is looked for is found: erl -s init stop -eval CODE. It returns
// where the operands begin.
func lateOptions(r *argv.Reader, i int, option func(argv.Item) bool, found func() bool) int {
	for at := i; at < r.Args.Len() && !found(); {
		r.At = at + 1
		if at = r.Options(option); found() {
			return at
		}
	}
	return i
}

// runsNamed follows python -m NAME: a file of the project, or a module that is what a program of that name is. whole tells that the rest
// begins with the name.
func (e *engine) runsNamed(in *rule.Interpreter, name string, module *Word, whole bool, rest, x *simple, c *ctx) (output, bool) {
	n := c.step(name+" -m", x.args[0].Span)
	if whole { // python -m poetry run …
		if row, from := e.wrapperOf(module.Text, rest.args); row != nil {
			return e.unwrap(row, from, rest, n), true
		}
	}
	file := *module
	file.Text = strings.ReplaceAll(file.Text, ".", "/")
	out, ok := e.runsModule(in, &file, x, c)
	switch program := moduleProgram(in, module); {
	case !whole:
	case ok || program == "": // python -m unittest
		p := e.tables.Program(module.Text)
		if p.Tasks {
			e.recipesOf(module.Text, rest, c)
		}
		e.brings(p.Brings, rest, c)
	default: // python -m alembic
		e.emit(c, x)
		y := *rest
		y.args = slices.Clone(rest.args)
		y.args[0] = lit(program, module.Span)
		return e.run(&y, n), true
	}
	return out, ok
}

// moduleProgram is the program that a module of -m is, "" where it is none: of the interpreter's own, or a part of another one.
func moduleProgram(in *rule.Interpreter, module *Word) string {
	if module.Kind != Literal || argv.List(in.Own).Exactly(module.Text) {
		return ""
	}
	for _, row := range in.Named {
		if name, program, _ := strings.Cut(row, " "); name == module.Text {
			return program
		}
	}
	if strings.Contains(module.Text, ".") {
		return ""
	}
	return module.Text
}

// runsModule follows a file of an interpreter, which may be named without its ending. ok is false where its text is not known.
func (e *engine) runsModule(in *rule.Interpreter, name *Word, x *simple, c *ctx) (out output, ok bool) {
	return e.moduleBy(e.textOf, in, name, x, c)
}

// moduleBy is runsModule with what reads the file.
func (e *engine) moduleBy(read reader, in *rule.Interpreter, name *Word, x *simple, c *ctx) (out output, ok bool) {
	file := *name
	text, n, ok := read(&file, "", c)
	for i := 0; i < len(in.Forms) && !ok && name.Kind == Literal; i++ {
		file.Text = strings.Replace(in.Forms[i], "{}", name.Text, 1)
		text, n, ok = read(&file, "", c)
	}
	if ok {
		text.Text = e.outsideTasks(file.Text, text.Text)
		out = e.runsProgram(in.Lang, x, n, &Code{Lang: in.Lang, From: FromFile, Text: text, File: file})
	}
	return out, ok
}

// outsideTasks is what a file does that another one loads: of tasks it only says what they are (load "lib/tasks/a.rake").
func (e *engine) outsideTasks(file, text string) string {
	for i := range e.tables.Recipes {
		r := &e.tables.Recipes[i]
		if r.Form == "rakefile" && slices.ContainsFunc(r.Files, func(f string) bool { return strings.HasPrefix(path.Base(f), "*") && path.Ext(f) == path.Ext(file) }) {
			return recipe.OutsideTasks(text, r.Mark, r.Unless)
		}
	}
	return text
}

// brings follows the files that a program runs whatever it is asked for, as test runners do: those of a name, operands that end so, and,
// behind "./", all that end so where it stands or that the line has written.
func (e *engine) brings(rows rule.Texts, x *simple, c *ctx) {
	for row := range rows.All() {
		sub, file, lang := sourceRow(row)
		args, mine := x.args[1:], true
		for sub != "" && sub[0] != '-' && len(args) > 1 && args[0].Kind == Literal && args[0].Text != "" && strings.ContainsAny(args[0].Text[:1], "-+") {
			args = args[1:] // cargo -q run, cargo +nightly run
		}
		for word := range strings.FieldsSeq(sub) {
			if mine = mine && len(args) > 0 && args[0].Is(word); mine {
				args = args[1:]
			}
		}
		if !mine {
			continue
		}
		n := c.step(x.args[0].Text, x.args[0].Span)
		n.cond, n.st, n.given = true, c.st.clone(), nil
		if strings.Contains(file, "#") {
			e.setRuns(file, lang, x, n)
			continue
		}
		if options, is := strings.CutPrefix(file, "%"); is {
			e.runsCodeOf(options, lang, args, x, n)
			continue
		}
		if d, ok := definingRow(file); ok {
			e.runsDefined(d, lang, args, x, n)
			continue
		}
		named, found := e.brought(file, strings.Contains(row, "*"), args, x, c)
		for i, w := range append(named, found...) {
			read := e.textOf
			if i >= len(named) {
				read = e.textFound
			}
			if lang == LangSh {
				if text, m, ok := read(&w, "", n); ok {
					if _, shell := e.shebang(text.Prefix()); shell {
						e.script(text, m)
					}
				}
				continue
			}
			e.moduleBy(read, e.languageOf(lang), &w, &simple{args: []Word{lit(lang, x.span)}, span: x.span}, n)
		}
	}
}

// runsCodeOf follows program text among the arguments: the value of one of some options, or, where a row names none, the first operand that is no
// file's name.
func (e *engine) runsCodeOf(options, lang string, args []Word, x *simple, c *ctx) {
	var text *Word
	if options != "" {
		text = optionValue(args, argv.List(strings.ReplaceAll(options, ",", " ")))
	} else if i := slices.IndexFunc(args, func(w Word) bool { return !strings.HasPrefix(w.Text, "-") && strings.ContainsAny(w.Text, "(;[ '\"") }); i >= 0 {
		text = &args[i]
	}
	if in := e.languageOf(lang); text != nil && in.Code != "" {
		e.run(&simple{args: []Word{lit(lang, x.span), lit("-"+in.Code[:1], x.span), *text}, span: x.span}, c)
	}
}

// brought are the files of one row, and those that its pattern finds.
func (e *engine) brought(file string, ending bool, args []Word, x *simple, c *ctx) (list, found []Word) {
	around, all := strings.CutPrefix(file, "./")
	in, packed := strings.CutPrefix(file, "{}/")
	packed = packed && !strings.Contains(in, "*")
	switch option, name, valued := strings.Cut(file, "="); {
	case valued: // files that an option names in part: cargo run --example NAME
		letters, long := strings.CutPrefix(option[1:], "-")
		if long {
			letters = " " + letters
		}
		if w := optionValue(args, argv.List(letters)); w != nil && w.Kind == Literal {
			list = []Word{{Text: strings.Replace(name, "{}", w.Text, 1), Span: w.Span}}
		}
	case !packed && strings.Contains(file, "{}"): // … or an operand: mise run NAME
		for _, w := range args {
			if w.Kind == Literal && !strings.HasPrefix(w.Text, "-") {
				w.Text = strings.Replace(file, "{}", strings.ReplaceAll(w.Text, ":", "/"), 1)
				if w.Glob = strings.Contains(file, "*"); !w.Glob {
					return []Word{w}, nil
				}
				e.running(c)
				list = e.deepFitting(w, c)
				break
			}
		}
	case packed: // in the folders that are named: pip install -e '.[dev]'
		for _, w := range args {
			dir, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "-e"), "[")
			if w.Text = path.Join(dir, in); w.Kind == Literal && (dir == "." || strings.ContainsRune(dir, '/')) {
				list = append(list, w)
			}
		}
	case file == ":": // modules: wsgi:app, --app=wsgi
		for _, w := range args {
			name, _, _ := strings.Cut(w.Text[strings.LastIndexByte(w.Text, '=')+1:], ":")
			if strings.HasPrefix(name, "-") {
				continue
			}
			file := w
			file.Text, w.Text = name, strings.ReplaceAll(name, ".", "/")
			if w.Kind == Literal && name != "" && name[0] != '.' && plainName(name) {
				list = append(list, file, w) // a.py:app, too
			}
		}
	case all:
		for i := range c.st.files {
			if p := c.st.files[i].path; match("*/"+around, "/"+p) {
				list = append(list, lit(p, x.span))
			}
		}
		pattern := lit(around, x.args[0].Span)
		pattern.Glob = true
		if e.opt.Root != "" && !c.remote {
			e.running(c)
		}
		for _, p := range e.fitting(&pattern, c) {
			found = append(found, lit(p, x.span))
		}
		if dir, base := path.Split(around); strings.Contains(dir, "*") && !strings.Contains(base, "*") && e.opt.Folders != nil {
			dirs, _ := e.opt.Folders(c.st.path(path.Clean(dir)))
			for _, dir := range dirs {
				found = append(found, lit(path.Join(dir, base), x.span))
			}
		}
	case !ending:
		list = []Word{lit(file, x.args[0].Span)}
	default:
		for _, w := range args {
			if w.Text, _, _ = strings.Cut(w.Text, "::"); w.Kind == Literal && w.Text[:min(1, len(w.Text))] != "-" && strings.HasSuffix(w.Text, file) {
				list = append(list, w)
			}
		}
	}
	return list[:min(len(list), maxLooks)], found
}

// equals writes long options as others do: --eval:TEXT as --eval=TEXT.
func equals(x *simple) *simple {
	y := *x
	y.args = slices.Clone(x.args)
	for i := range y.args {
		name, value, ok := strings.Cut(y.args[i].Text, ":")
		if ok && strings.HasPrefix(name, "--") && !strings.Contains(name, "=") && y.args[i].Kind == Literal {
			y.args[i].Text = name + "=" + value
		}
	}
	return &y
}

// informs are the options with which a program tells something of itself.
const informs argv.List = " version help"

// interpreterTakes is what an option of an interpreter takes.
func interpreterTakes(in *rule.Interpreter, name, rest string) argv.Take {
	letters, _, _ := strings.Cut(in.Code, " ")
	switch {
	case in.Pairs && rest != "" && strings.IndexByte(letters, rest[0]) >= 0 && argv.List(in.Code).Has(name):
		return argv.None // node -pe CODE
	case argv.List(in.Code).Has(name), argv.List(in.Values).Has(name), name == "-m" && in.Modules != "":
		return argv.One
	case argv.List(in.Attached).Has(name):
		return argv.Rest
	}
	return argv.None
}

// moduleText returns the operands of a module that takes program text, as timeit does.
func moduleText(modules, name string, args []Word) *Word {
	if !argv.List(modules).Exactly(name) {
		return nil
	}
	var text *Word
	list := words(args)
	r := argv.Reader{Args: list, Takes: argv.List("nrus").Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		if it.Name == "" {
			text = merge(text, &args[it.Arg])
		} else if value := list.value(it); value != nil && it.Name == "-s" {
			text = merge(text, value)
		}
	}
	return text
}

// optionsFed reports that a list is appended to a program that does not read its
// arguments: what it can do there is to be taken for an option, such as a
// second -e.
func optionsFed(in *rule.Interpreter, args []Word, i int, text string, c *ctx) bool {
	if n := len(c.via); n == 0 || i >= len(args) || args[i-1].Is("--") || args[i].Kind != Unknown || !args[i].Many || c.via[n-1].Name != "xargs" && c.via[n-1].Name != "parallel" {
		return false
	}
	// A loop over the files that are named.
	if slices.ContainsFunc(args[1:i], func(w Word) bool { return len(w.Text) > 1 && w.Text[0] == '-' && strings.ContainsAny(w.Text, in.Each) }) {
		return false
	}
	// Of some, as python, the program ends the options.
	return len(in.Reads) > 0 && !slices.ContainsFunc(in.Reads, func(s string) bool { return strings.Contains(text, s) })
}

// merge joins the texts of several -e.
func merge(a, b *Word) *Word {
	if a == nil {
		return b
	}
	w := join([]Word{*a, *b}, "\n", b.Span)
	return &w
}

// runsProgram emits an interpreter and follows the literal calls in its text.
func (e *engine) runsProgram(lang string, x *simple, c *ctx, code *Code) output {
	code.Seen, code.Fed = code.Text.Kind == Literal, code.Fed || code.Text.Fed
	x.code = code
	i := e.emit(c, x)
	n := c.step(lang, x.args[0].Span)
	n.in = nil
	was := c.st.foreign
	c.st.foreign = true // it may give what it runs an environment of its own making
	defer func() { c.st.foreign = was }()
	out := e.finish(e.program(&x.args[0]), x, c, i)
	var lines *Word
	if in := c.reads(x); in != nil && (isListing(&in.Text) || in.Text.Kind == Literal && in.Text.Text != "" && code.From != FromStdin) {
		lines = &in.Text
	}
	e.followOver(lang, code.Text, lines, n)
	if first, _, _ := strings.Cut(code.Text.Text, "\n"); c.files == nil && e.commandLike(first) {
		n.cond = true // node -e 'rm -rf /': no program of that language
		e.script(code.Text, n)
	}
	return out
}

// follow turns the calls in a program into commands.
func (e *engine) follow(lang string, w Word, c *ctx) { e.followOver(lang, w, nil, c) }

// followOver is follow for a program that reads a list of names; nil is none.
func (e *engine) followOver(lang string, w Word, lines *Word, c *ctx) {
	if w.Kind == Unknown && len(w.Parts) == 1 {
		return
	}
	n := *c
	if n.depth++; n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", w.Span)
		return
	}
	text := w.Text
	if w.Kind != Literal {
		text = e.dig(&w)
	}
	in := e.languageOf(lang)
	if len(in.Phrases) > 0 {
		e.phrases(lang, in, text, w.Span, &n)
		return
	}
	if in.Bracket {
		return
	}
	if in.Lisp {
		e.lisp(in, text, w.Span, &n)
		return
	}
	if len(in.Magics) > 0 && strings.ContainsAny(text, "!%") && e.magics(in, text, w.Span, &n) {
		return
	}
	p := &interp{e: e, lang: lang, in: in, c: &n, span: w.Span, lines: lines, text: text}
	l := &lexer{e: e, lang: lang, text: text, span: w.Span}
	p.toks = l.run()
	if _, _, placed := e.place(w.Span); placed && w.Kind == Literal {
		p.plain = l.plain
	}
	p.stood()
	if in.Computed != "" {
		p.computed()
	}
	if in.Unpacks {
		p.unpacked()
	}
	p.heads, p.funcs = p.loopHeads(), p.definitions()
	p.importsOnly()
	p.decides()
	p.seen = make([]bool, len(p.toks))
	p.walk()
}

// phrases reads a program of which only the texts behind certain words matter: shell code in brackets, or in the next string.
func (e *engine) phrases(lang string, in *rule.Interpreter, text string, span Span, c *ctx) {
	if in.Bracket {
		for _, phrase := range in.Phrases {
			for _, after := range strings.Split(text, phrase)[1:] {
				body := strings.TrimRight(strings.TrimLeft(after[:bracketEnd(after)], "`"), "'")
				e.script(lit(body, span), c.step(strings.TrimRight(phrase, "("), span))
			}
		}
		return
	}
	for _, phrase := range in.Phrases {
		_, after, ok := strings.Cut(text, phrase)
		if !ok {
			continue
		}
		l := &lexer{e: e, lang: lang, text: after, span: span}
		for _, t := range l.run() {
			if t.kind == tokText {
				e.script(t.word, c.step(in.Phrases[0], span))
				break
			}
		}
		return
	}
}

// editorText returns the program that awk or sed is given, nil if there is none, and the files that it reads; unread is a
// file with a part of it that the line does not hold.
func (e *engine) editorText(t *rule.Editor, x *simple, c *ctx) (text, unread *Word, files []*Word) {
	args := words(x.args)
	r := argv.Reader{Args: args, At: 1, Takes: func(name, _ string) argv.Take {
		if argv.List(t.Attached).Has(name) {
			return argv.Rest
		}
		return argv.List(t.Value).Takes(name, "")
	}}
	for it, ok := r.Next(); ok && (len(files) == 0 || t.Permutes); it, ok = r.Next() {
		switch value := args.value(it); {
		case it.Name == "":
			files = append(files, &x.args[it.Arg])
		case informs.Has(it.Name):
			return nil, nil, nil
		case value == nil:
		case argv.List(t.Text).Has(it.Name):
			text = merge(text, value)
		case argv.List(t.Files).Has(it.Name):
			program, known := e.programIn(value, x, c)
			if !known {
				unread = value
			}
			text = merge(text, &program)
		}
	}
	// Without one of these the first operand is the program (POSIX awk, sed); what follows is files.
	if text == nil && len(files) > 0 {
		text, files = files[0], files[1:]
	}
	return text, unread, files
}

// programIn returns the text of a program that a file of the line holds, or the input.
func (e *engine) programIn(file *Word, x *simple, c *ctx) (Word, bool) {
	if e.tables.Sh.Input.Has(file.Text) {
		if in := c.reads(x); in != nil {
			return in.Text, true
		}
		return Word{}, false
	}
	text, _, ok := e.textOf(file, "", c)
	return text, ok
}
