package shell

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// Some programs look for a file where they stand, and run what is asked for of it: a Makefile, package.json. Package recipe reads it.

// asked is what the arguments of such a program ask for.
type asked struct {
	row   *rule.Recipes
	args  []Word
	words []Word // operands
	dir   []Word // folders that it goes to, one after another
	file  *Word
	none  bool   // it runs nothing here
	named []Word // tasks that options name
	packs bool   // it works in the packages of a workspace
	pack  []string
	dry   bool   // it only says what it would run, but for what it runs to know that
	texts []Word // what is read in front of the file
	base  string // the folder of the file
}

// recipes follows what a program runs of such a file.
func (e *engine) recipesOf(name string, x *simple, c *ctx) {
	for i := range e.tables.Recipes {
		if row := &e.tables.Recipes[i]; slices.Contains(row.Programs, name) {
			e.recipesIn(name, row, x, c)
		}
	}
}

// recipesIn is recipesOf for one kind of file.
func (e *engine) recipesIn(name string, row *rule.Recipes, x *simple, c *ctx) {
	a := readAsked(row, append(slices.Clip(x.args), e.flags(row, x, c)...))
	if a.none || e.setsTasks(a, c) {
		return
	}
	n := c.step(name, x.args[0].Span)
	n.cond = true
	n.st = c.st.clone()
	n.in = nil
	if a.file == nil || !row.Beside {
		for _, dir := range a.dir {
			n.st.reach(dir)
		}
	}
	if row.Sets != "" {
		for i := range n.st.tasks {
			t := &n.st.tasks[i]
			e.steps(a.steps(e, &t.text, "", n), &t.text, n)
		}
	}
	files := row.Files
	if a.file != nil {
		given := e.tables.Sh.Input.Has(a.file.Text)
		switch in := c.reads(x); {
		case a.file.Kind != Literal, given && in == nil:
			return // make follows what is given to it
		case given && in.Text.Kind != Literal:
			e.script(in.Text, n)
			return
		case given:
			e.asks(a, &in.Text, "", n)
			return
		}
		files = []string{a.file.Text}
	}
	var names strings.Builder // the names of what is to be made
	for i := range a.words {
		names.WriteString(" " + a.words[i].Text)
	}
	how := names.String()
	for range maxUp {
		found := e.lookIn(a, files, how, n)
		if found || !row.Up || a.file != nil || e.opt.Root == "" || !inFolder(n.st.path("."), e.opt.Root) {
			break
		}
		n.st.reach(lit("..", x.args[0].Span))
	}
	if len(a.texts) > 0 {
		e.asks(a, &Word{Span: a.texts[0].Span}, "", n)
	}
	e.scripts(a, n)
	e.inPacks(row, a, how, n)
}

// scripts follows a file whose name is that of the task, in a folder of such.
func (e *engine) scripts(a *asked, c *ctx) {
	words := a.words
	if len(words) > 0 && slices.Contains(a.row.Runs, words[0].Text) {
		words = words[1:]
	}
	if len(words) == 0 || words[0].Kind != Literal {
		return
	}
	for _, dir := range a.row.Scripts {
		w := lit(dir+"/"+strings.ReplaceAll(words[0].Text, ":", "/"), words[0].Span)
		if _, _, ok := e.textOf(&w, "task", c); ok {
			e.run(&simple{args: append([]Word{w}, words[1:]...), span: w.Span}, c)
			return
		}
	}
}

// maxUp is how many folders a program looks in, one above the other.
const maxUp = 8

// lookIn follows what is asked for of the first of some files that is there, or of all of them; false where there is none.
func (e *engine) lookIn(a *asked, files []string, how string, c *ctx) (some bool) {
	for _, file := range e.lookedFor(files, a, c) {
		w := lit(file, a.args[0].Span)
		text, m, there := e.textOf(&w, how, c)
		if !there || !e.spend(len(text.Text)/recipeBytes, c) {
			continue
		}
		some, a.base = true, path.Dir(c.st.path(file))
		if a.file != nil && a.row.Beside {
			m = a.beside(file, m)
		}
		if text.Kind != Literal {
			e.script(text, m) // of a file that the line wrote
			return true
		}
		e.asks(a, &text, file, m)
		if a.texts = nil; !a.row.Every {
			break
		}
	}
	return some
}

// beside is the context of a file that an option names: where it lies, or where another option says.
func (a *asked) beside(file string, c *ctx) *ctx {
	n := *c
	n.st = c.st.clone()
	if len(a.dir) == 0 {
		n.st.reach(lit(path.Dir(file), a.args[0].Span))
	}
	for _, dir := range a.dir {
		n.st.reach(dir)
	}
	return &n
}

// asks follows what is asked for of a file.
func (e *engine) asks(a *asked, text *Word, file string, c *ctx) {
	list := a.steps(e, text, file, c)
	if len(a.texts) > 0 {
		onLine := func(s recipe.Step) bool { return s.File == recipe.OnLine }
		given := slices.DeleteFunc(slices.Clone(list), func(s recipe.Step) bool { return !onLine(s) })
		for i := range given {
			given[i].File = ""
		}
		e.steps(given, &a.texts[0], c)
		list = slices.DeleteFunc(list, onLine)
	}
	e.steps(list, text, c)
}

// lookedFor are the files that a program looks for: of a pattern those that fit it, where it stands and in folders that it is given.
func (e *engine) lookedFor(files []string, a *asked, c *ctx) (list []string) {
	for _, file := range files {
		if !strings.Contains(file, "*") {
			list = append(list, file)
			continue
		}
		where := a.words
		if len(a.row.Runs) > 0 {
			if len(where) == 0 || !slices.Contains(a.row.Runs, where[0].Text) {
				continue
			}
			where = where[1:]
		}
		for i := range c.st.files {
			if p := c.st.files[i].path; strings.HasSuffix(p, file[strings.LastIndexByte(file, '*')+1:]) {
				list = append(list, p)
			}
		}
		if e.opt.Root != "" && !c.remote {
			e.running(c)
		}
		if strings.Contains(file, "/") { // whatever is asked for
			pattern := lit(file, c.st.dirs[0].Span)
			pattern.Glob = true
			list = append(list, e.fitting(&pattern, c)...)
			continue
		}
		for _, w := range append(slices.Clone(where), lit(".", c.st.dirs[0].Span)) {
			if w.Text == "." && len(where) > 0 {
				continue
			}
			if strings.HasSuffix(w.Text, strings.TrimPrefix(file, "*")) && !w.Glob {
				list = append(list, w.Text)
				continue
			}
			pattern := w
			if pattern.Glob = true; !strings.HasSuffix(w.Text, strings.TrimPrefix(file, "*")) {
				pattern.Text = strings.TrimSuffix(w.Text, "/...") + "/" + file
			}
			list = append(list, e.fitting(&pattern, c)...)
			if len(list) >= maxLooks {
				break
			}
		}
	}
	return list
}

// setsTasks notes the tasks that a call writes into the manifest, each as a manifest of its own: npm pkg set scripts.a='rm x'.
func (e *engine) setsTasks(a *asked, c *ctx) bool {
	sub := strings.Fields(a.row.Sets)
	if len(sub) == 0 || len(a.words) <= len(sub) {
		return false
	}
	for i := range sub {
		if !a.words[i].Is(sub[i]) {
			return false
		}
	}
	for _, w := range a.words[len(sub):] {
		key, value, ok := strings.Cut(w.Text, "=")
		name, mine := strings.CutPrefix(key, a.row.Field+".")
		if !ok || !mine || w.Kind != Literal || len(c.st.tasks) == maxProbes || !e.spend(len(value)/recipeBytes+1, c) {
			continue
		}
		text, err := json.Marshal(map[string]any{a.row.Field: map[string]string{name: value}})
		if err == nil {
			c.st.tasks = append(slices.Clip(c.st.tasks), file{name, lit(string(text), w.Span)})
		}
	}
	return true
}

// recipeBytes are those of a file that are read as recipes for one unit.
const recipeBytes = 4

// readAsked sorts the arguments of a program.
func readAsked(row *rule.Recipes, args []Word) *asked {
	a := &asked{row: row, args: args}
	list := words(args)
	r := argv.Reader{Args: list, At: 1, Takes: argv.List(row.Value).Takes}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		value := list.value(it)
		switch {
		case it.Name == argv.Mark:
		case it.Name == "":
			a.words = append(a.words, args[it.Arg])
		case argv.List(row.Reads).Has(it.Name):
			a.dry = true
		case argv.List(row.Apart).Has(it.Name), argv.List(row.Dry).Has(it.Name):
			a.none = true
		case argv.List(row.Spread).Has(it.Name):
			if a.packs = true; value != nil {
				a.pack = append(a.pack, value.Text)
			}
		case value == nil:
		case argv.List(row.Dir).Has(it.Name):
			a.dir = append(a.dir, *value)
		case argv.List(row.File).Has(it.Name):
			a.file = value
		case argv.List(row.Text).Has(it.Name):
			a.texts = append(a.texts, *value)
		case argv.List(row.Named).Has(it.Name):
			a.named = append(a.named, *value)
		}
	}
	a.led()
	if len(a.words) == 0 && row.Alone != "" {
		a.words = []Word{lit(row.Alone, args[0].Span)}
	}
	a.none = a.none || row.Named != "" && !row.Bare && len(a.named) == 0
	return a
}

// led passes over the words that lead to the packages of a workspace, or to what a row is about: yarn workspace NAME, docker compose.
func (a *asked) led() {
	row := a.row
	a.packs = a.packs || len(row.Packs) > 0 && row.Spread == "" && len(row.Leads) == 0
	for _, lead := range row.Leads {
		list := strings.Fields(lead)
		fits := len(a.words) >= len(list)
		for i := 0; fits && i < len(list); i++ {
			fits = list[i] == "*" || a.words[i].Is(list[i])
		}
		if !fits {
			continue
		}
		if i := slices.Index(list, "*"); i >= 0 {
			a.pack = append(a.pack, a.words[i].Text)
		}
		a.packs, a.words = len(row.Packs) > 0, a.words[len(list):]
		return
	}
	a.none = a.none || len(row.Leads) > 0 && !row.Bare
}

// split are the names that a word stands for: of project:task also its parts.
func (a *asked) split(name string) []string {
	if parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(a.row.Splits, r) }); len(parts) > 1 || len(parts) == 1 && parts[0] != name {
		return append(parts, name)
	}
	return []string{name}
}

// steps are the command lines of a file that are asked for.
func (a *asked) steps(e *engine, text *Word, file string, c *ctx) []recipe.Step {
	row := a.row
	switch row.Form {
	case "makefile":
		return e.makeSteps(a, text, file, c)
	case "justfile":
		b := recipe.Just(text.Text, a.base, &e.tables.Justfile, func(name string) (string, bool) { return e.included(name, text, c) },
			func(term, file string) (string, bool) { return e.justTerm(term, file, text.Span, c) })
		if a.dry {
			return b.Always
		}
		names := a.names(b, b.First)
		if len(a.words) > 1 {
			names = append(names, a.words[0].Text+"::"+a.words[1].Text)
		}
		return b.Run(names)
	case "rakefile":
		b := recipe.Rake(text.Text, row.Mark, row.Unless)
		if a.dry {
			return b.Always
		}
		return b.Run(a.names(b, row.Default))
	}
	if list, is := e.sourceSteps(row, text.Text); is {
		if len(row.Runs) > 0 && (len(a.words) == 0 || !slices.Contains(row.Runs, a.words[0].Text)) {
			return nil
		}
		return list
	}
	field, names, env := row.Field, a.words, row.Default
	if before, after, ok := strings.Cut(field, "{env}"); ok {
		if len(names) > 1 {
			if first, rest, ok := strings.Cut(names[1].Text, ":"); ok {
				env, names = first, slices.Clone(names)
				names[1].Text = rest
			}
		}
		field = before + env + after
	}
	form := recipe.Form{Kind: row.Form, Field: field, Steps: row.Steps, Needs: row.Needs, Unless: row.Unless, Mark: row.Mark, Words: row.Words, Argv: row.Argv, Dir: row.Within, Base: a.base, Always: row.Always, Imports: row.Imports}
	if a.dry {
		form.Steps, form.Inner = row.Reading, true
	}
	if row.Imports != "" {
		form.Include = func(name string) (string, string, bool) { return e.importedBy(name, row, text, c) }
	}
	if len(row.Blanks) == 2 {
		form.Open, form.Closed = row.Blanks[0], row.Blanks[1]
	}
	b := recipe.Manifest(text.Text, &form)
	if b == nil {
		return nil
	}
	one := *a
	one.words = names
	one.hand(b)
	return b.Run(one.names(b, row.Default))
}

// hand gives the last command of the task that is asked for what the line has behind its name: npm run clean -- src.
func (a *asked) hand(b *recipe.Book) {
	at := 0
	switch row := a.row; {
	case row.Hands == "" || len(a.words) == 0:
		return
	case slices.Contains(row.Runs, a.words[0].Text):
		at = 1
	}
	if at >= len(a.words) {
		return
	}
	name := a.words[at]
	given := a.words[at+1:]
	if a.row.Hands == "all" {
		given = a.args[slices.IndexFunc(a.args, func(w Word) bool { return w.Span == name.Span })+1:]
		if len(given) > 0 && given[0].Is("--") {
			given = given[1:]
		}
	}
	t := b.Task(name.Text)
	if t == nil || len(t.Steps) == 0 || len(given) == 0 || t.Steps[len(t.Steps)-1].Lang != "" {
		return
	}
	last := &t.Steps[len(t.Steps)-1]
	last.Parts = slices.Clone(last.Parts)
	for i := range given {
		w := &given[i]
		last.Parts = append(last.Parts, recipe.Part{Text: " "})
		switch {
		case w.Kind != Literal:
			last.Parts = append(last.Parts, recipe.Part{Text: w.Text, Unknown: true})
		case w.Glob:
			last.Parts = append(last.Parts, recipe.Part{Text: w.Text})
		default:
			last.Parts = append(last.Parts, recipe.Part{Text: argv.Quote(w.Text)})
		}
	}
}

// names are the tasks that a call runs.
func (a *asked) names(b *recipe.Book, first string) (names []string) {
	row := a.row
	add := func(name string) {
		for _, before := range row.Around {
			if row.Around[0] == before {
				names = append(names, before+name)
			}
		}
		names = append(names, name)
		if len(row.Around) > 1 {
			names = append(names, row.Around[1]+name)
		}
	}
	if row.All && (len(row.Runs) == 0 || len(a.words) > 0 && slices.Contains(row.Runs, a.words[0].Text)) {
		for k := range b.Tasks {
			names = append(names, b.Tasks[k].Name)
		}
		return names
	}
	if len(a.named) > 0 {
		for i := range a.named {
			for name := range strings.SplitSeq(a.named[i].Text, ",") {
				names = append(names, name)
			}
		}
		if len(row.Runs) == 0 {
			return names
		}
	}
	if len(a.words) == 0 {
		return append(names, first)
	}
	word := &a.words[0]
	for _, also := range row.Also {
		subs, runs, _ := strings.Cut(also, ": ")
		if argv.List(" " + subs).Exactly(word.Text) {
			for name := range strings.FieldsSeq(runs) {
				add(name)
			}
		}
	}
	rest := a.words[:1]
	switch {
	case slices.Contains(row.Runs, word.Text):
		if rest = a.words[1:min(2, len(a.words))]; len(rest) == 0 && first != "" {
			add(first)
		}
	case !row.Bare:
		return names
	case row.Many || row.Field == "" || row.Form == "yaml": // several at once
		rest = a.words
	}
	if row.Many && len(row.Runs) > 0 && slices.Contains(row.Runs, word.Text) {
		rest = a.words[1:]
	}
	for i := range rest {
		name, mine := rest[i].Text, len(row.Marks) == 0
		for _, mark := range row.Marks {
			if after, ok := strings.CutPrefix(name, mark); ok {
				name, mine = after, true
			}
		}
		switch {
		case !mine:
			continue
		case rest[i].Kind == Literal && row.Many && strings.ContainsAny(name, "*?"):
			for k := range b.Tasks {
				if match(name, b.Tasks[k].Name) {
					add(b.Tasks[k].Name)
				}
			}
			continue
		case rest[i].Kind == Literal:
			for _, one := range a.split(name) {
				add(one)
			}
			continue
		}
		for k := range b.Tasks { // whichever it may be
			names = append(names, b.Tasks[k].Name)
		}
	}
	return names
}

// sourceSteps are the command lines of a file in which they have no names.
func (e *engine) sourceSteps(row *rule.Recipes, text string) (list []recipe.Step, is bool) {
	switch row.Form {
	case "lines":
		list = recipe.Lines(text, row.Mark)
	case "strings":
		list = slices.DeleteFunc(recipe.Strings(text, row.Mark), func(s recipe.Step) bool { return !e.commandLike(s.Parts[0].Text) })
	case "cmake":
		list = recipe.CMake(text, row.Mark, row.Marks)
	case "blocks":
		list = recipe.Blocks(text, row.Marks)
	case "compose":
		list = recipe.Compose(text, row.Mark, row.Argv)
	default:
		return nil, false
	}
	return list, true
}

// partsOf is a word as a file has it.
func partsOf(w *Word) (parts []recipe.Part) {
	if w == nil {
		return nil
	}
	if w.Kind == Literal {
		return []recipe.Part{{Text: w.Text}}
	}
	for i := range w.Parts {
		parts = append(parts, recipe.Part{Text: w.Parts[i].Text, Unknown: w.Parts[i].Unknown})
	}
	return parts
}

// ByService is how a command is run that stands for a service of a file.
const ByService = "service"

// steps follows command lines of a file, each in a shell of its own.
func (e *engine) steps(list []recipe.Step, text *Word, c *ctx) {
	words := make([]Word, len(list))
	file, _, placed := e.place(text.Span)
	texts, from := make([]string, len(list)), make([]Looked, len(list))
	for i := range list {
		s := &list[i]
		from[i] = Looked{Line: s.Line, Fixed: !s.Rows}
		if placed {
			if from[i].Path = file.Path; s.File != "" {
				w := lit(s.File, text.Span)
				from[i].Path, _ = e.projectFile(&w, c)
			}
		}
		var b strings.Builder
		for _, p := range s.Parts {
			b.WriteString(p.Text)
		}
		texts[i] = b.String()
		if !e.spend(len(texts[i])/copyBytes, c) {
			return
		}
	}
	if placed {
		words = e.places(texts, from)
	} else {
		for i := range list {
			words[i] = lit(texts[i], text.Span)
		}
	}
	for i := range list {
		w, n := words[i], c.sub()
		if slices.ContainsFunc(list[i].Parts, func(p recipe.Part) bool { return p.Unknown }) {
			w = wordOf(list[i].Parts, w.Span)
		}
		if env := list[i].Env; len(env) > 0 {
			e.puts(env, i == 0 || len(list[i-1].Env) == 0 || &env[0] != &list[i-1].Env[0], w.Span, n)
		}
		for _, dir := range list[i].Dir {
			n.st.reach(wordOf([]recipe.Part{{Text: dir, Unknown: strings.Contains(dir, "{{")}}, w.Span))
		}
		if list[i].Service {
			n = n.step(ByService, w.Span)
		}
		if list[i].Lang != "" {
			e.follow(list[i].Lang, w, n)
		} else if lang, shell := e.shebang(texts[i]); !list[i].Whole || shell {
			e.script(w, n)
		} else if lang != "" {
			e.follow(lang, w, n)
		}
	}
}

// place tells which file a span of the line as it is now is from.
func (e *engine) place(s Span) (at *Looked, line int, ok bool) {
	r := Result{Text: e.line, Looked: e.look.list}
	return r.At(s)
}
