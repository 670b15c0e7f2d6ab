package shell

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// Some programs look for a file where they stand, and run what is asked for of it: a Makefile, package.json. Package recipe reads it.

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
	if len(a.named) == 0 {
		for _, variable := range row.Chosen {
			if w := c.holds(variable, x); w != nil && w.Text != "" {
				a.named = append(a.named, *w)
				break
			}
		}
	}
	n := c.step(name, x.args[0].Span)
	n.cond = true
	n.st = c.st.clone()
	n.st.foreign = n.st.foreign || row.Form != "json" // makefiles and the like export variables; manifests in JSON set none
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
	named, found := e.lookedFor(files, a, c)
	for i, file := range append(named, found...) {
		w := lit(file, a.args[0].Span)
		read := e.textOf
		if i >= len(named) {
			if read = e.textFound; !e.marked(file, a.row, c) {
				continue
			}
		}
		text, m, there := read(&w, how, c)
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

// marked reports that a file which a pattern finds has the mark without which it gives no steps.
func (e *engine) marked(p string, row *rule.Recipes, c *ctx) bool {
	if _, read := e.look.texts[p]; read || row.Form != "lines" || e.opt.Source == nil || e.look.tried == maxDefining || e.look.bytes > definingBytes {
		return true
	}
	text, _ := e.opt.Source(p)
	e.look.bytes += len(text)
	return e.spend(len(text)/copyBytes, c) && strings.Contains(text, strings.TrimSpace(row.Mark))
}

// asks follows what is asked for of a file.
func (e *engine) asks(a *asked, text *Word, file string, c *ctx) {
	list := a.steps(e, text, file, c)
	e.loads(a, list, text, c)
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

// loads puts the variables of files that options name in front of those that steps have.
func (e *engine) loads(a *asked, list []recipe.Step, text *Word, c *ctx) {
	var vars []recipe.Var
	for i := range a.envs {
		if s, ok := e.included(a.envs[i].Text, text, c); ok {
			vars = append(vars, recipe.Dotenv(s)...)
		}
	}
	if len(vars) == 0 || !e.spend(len(list), c) {
		return
	}
	for i := range list {
		if old := list[i].Env; len(old) == 0 {
			list[i].Env = vars
		} else if i > 0 && len(list[i-1].Env) > len(vars) && &old[len(old)-1] == &list[i-1].Env[len(list[i-1].Env)-1] {
			list[i].Env = list[i-1].Env
		} else {
			list[i].Env = append(slices.Clip(vars), old...)
		}
	}
}

// lookedFor are the files that a program looks for, and those that it finds by a pattern, where it stands and in folders that it is given.
func (e *engine) lookedFor(files []string, a *asked, c *ctx) (named, found []string) {
	for _, file := range files {
		if !strings.Contains(file, "*") {
			named = append(named, file)
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
				named = append(named, p)
			}
		}
		if e.opt.Root != "" && !c.remote {
			e.running(c)
		}
		if strings.Contains(file, "/") { // whatever is asked for
			pattern := lit(file, c.st.dirs[0].Span)
			pattern.Glob = true
			found = append(found, e.fitting(&pattern, c)...)
			continue
		}
		for _, w := range append(slices.Clone(where), lit(".", c.st.dirs[0].Span)) {
			if w.Text == "." && len(where) > 0 {
				continue
			}
			if strings.HasSuffix(w.Text, strings.TrimPrefix(file, "*")) && !w.Glob {
				named = append(named, w.Text)
				continue
			}
			pattern := w
			if pattern.Glob = true; !strings.HasSuffix(w.Text, strings.TrimPrefix(file, "*")) {
				pattern.Text = strings.TrimSuffix(w.Text, "/...") + "/" + file
			}
			found = append(found, e.fitting(&pattern, c)...)
			if len(found) >= maxDefining {
				break
			}
		}
	}
	return named, found
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
