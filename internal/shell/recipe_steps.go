package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

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
	if len(row.Heads) > 0 {
		b := (&recipe.Source{Heads: row.Heads, Mark: row.Mark, Before: row.Before, Always: row.Always, Named: row.Linked, Calls: row.Calls}).Read(text.Text)
		list := b.Run(a.names(b, row.Default))
		if row.Before == "" {
			list = slices.DeleteFunc(list, func(s recipe.Step) bool { return !e.commandLike(s.Parts[0].Text) })
		}
		return list
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
	form := recipe.Form{Kind: row.Form, Field: field, Steps: row.Steps, Needs: row.Needs, Unless: row.Unless, Mark: row.Mark, Words: row.Words, Argv: row.Argv, Dir: row.Within, Base: a.base, Always: row.Always, Imports: row.Imports, Group: row.Group, Listed: row.Listed}
	if a.dry {
		form.Steps, form.Inner = row.Reading, true
	}
	if row.Imports != "" {
		form.Include = func(name string) (string, string, bool) { return e.importedBy(name, row, text, c) }
	}
	form.Rest, form.Behind = row.Rest, a.behind()
	form.Vars, form.Puts, form.Loads, form.Prints = row.Vars, row.Puts, row.Loads, row.Prints
	form.Text = func(name string) (string, bool) { return e.included(name, text, c) }
	for i := range names {
		if name, _, ok := strings.Cut(names[i].Prefix(), "="); ok {
			form.Given = append(form.Given, name)
		}
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
	var values []Word
	for i := range list {
		w, n := words[i], c.sub()
		if slices.ContainsFunc(list[i].Parts, func(p recipe.Part) bool { return p.Unknown }) {
			w = wordOf(list[i].Parts, w.Span)
		}
		if env := list[i].Env; len(env) > 0 {
			fresh := i == 0 || len(list[i-1].Env) == 0 || &env[0] != &list[i-1].Env[0]
			if fresh {
				values = e.valuesOf(env, w.Span, n)
			}
			e.puts(env, values, fresh, n)
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
