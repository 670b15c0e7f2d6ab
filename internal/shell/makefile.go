package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// makeSteps are the command lines that make runs for its goals.
func (e *engine) makeSteps(a *asked, text *Word, file string, c *ctx) []recipe.Step {
	given := map[string]*Word{}
	var goals, names []string
	for i := range a.words {
		w := &a.words[i]
		if name, _, ok := strings.Cut(w.Prefix(), "="); ok {
			name = strings.TrimRight(name, ":?+!")
			given[name], names = cutWord(w, strings.IndexByte(w.Prefix(), '=')+1), append(names, name)
		} else if w.Kind == Literal {
			goals = append(goals, w.Text)
		}
	}
	var before []string
	for i := range a.texts {
		if a.texts[i].Kind == Literal {
			before = append(before, a.texts[i].Text)
		}
	}
	return recipe.Make(text.Text, goals, recipe.Env{
		Given: func(name string) ([]recipe.Part, bool) {
			w := given[name]
			return partsOf(w), w != nil
		},
		Names: names, Inherited: func(name string) ([]recipe.Part, bool) { return e.inheritedBy(name, c) },
		Builtin: a.row.Builtin, Words: &e.tables.Makefile, File: file, Before: before, Dry: a.dry,
		Include: func(name string) (string, bool) { return e.included(name, text, c) },
		Fitting: func(pattern string) []string { return e.including(pattern, c) },
		Shell:   func(program string) bool { return e.tables.Program(path.Base(program)).Grammar == rule.GrammarShell },
		Prints:  func(line string) (string, bool) { return e.wouldPrint(line, text.Span, c) },
		Absolute: func(name string) (string, bool) {
			p := c.st.path(name)
			return p, absolute(p)
		},
	})
}

// inheritedBy is what a makefile gets of a variable from the environment.
func (e *engine) inheritedBy(name string, c *ctx) ([]recipe.Part, bool) {
	if name == "CURDIR" {
		return partsOf(&c.st.dirs[0]), true
	}
	if v := c.st.find(name); v != nil && len(v.alts) == 1 && len(v.alts[0].list) == 1 {
		return partsOf(&v.alts[0].list[0]), true
	}
	if e.opt.Env != nil {
		if value, ok := e.opt.Env(name); ok {
			return []recipe.Part{{Text: value}}, true
		}
	}
	return nil, false
}

// included is the text of a file that another names.
func (e *engine) included(name string, by *Word, c *ctx) (string, bool) {
	w := lit(name, by.Span)
	t, _, ok := e.packText(&w, "", c)
	return t.Text, ok && t.Kind == Literal && e.spend(len(t.Text)/recipeBytes, c)
}

// importedBy is the text of a file that a manifest names, which may be the folder of one.
func (e *engine) importedBy(name string, row *rule.Recipes, by *Word, c *ctx) (text, file string, ok bool) {
	if text, ok = e.included(name, by, c); ok {
		return text, name, true
	}
	for _, one := range row.Files[:min(len(row.Files), 4)] {
		file = path.Join(name, one)
		if text, ok = e.included(file, by, c); ok {
			return text, file, true
		}
	}
	return "", "", false
}

// including are the files that a pattern of a makefile stands for.
func (e *engine) including(pattern string, c *ctx) (list []string) {
	here := c.st.path(".")
	for i := range c.st.files {
		if p := c.st.path(c.st.files[i].path); match(c.st.path(pattern), p) {
			list = append(list, c.st.files[i].path)
		}
	}
	w := lit(pattern, c.st.dirs[0].Span)
	w.Glob = true
	for _, p := range e.fitting(&w, c) {
		if name := strings.TrimPrefix(p, here+"/"); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// flags are the options that variables hold for a call: MAKEFLAGS.
func (e *engine) flags(row *rule.Recipes, x *simple, c *ctx) (list []Word) {
	for _, name := range row.Environ {
		w := c.holds(name, x)
		if w == nil || w.Kind != Literal || !e.spend(len(w.Text)/copyBytes, c) {
			continue
		}
		for i, word := range flagWords(w.Text) {
			switch dash, is := strings.HasPrefix(word, "-"), strings.Contains(word, "="); {
			case i == 0 && !dash && !is:
				list = append(list, lit("-"+word, w.Span))
			case dash && word != "--" || is:
				list = append(list, lit(word, w.Span))
			}
		}
	}
	return list
}

// holds is the value of a variable as a call gets it; nil where the line does not say.
func (c *ctx) holds(name string, x *simple) *Word {
	for i := len(x.assigns) - 1; i >= 0; i-- {
		if x.assigns[i].Name == name {
			return &x.assigns[i].Value
		}
	}
	for i := range x.args {
		if key, _, ok := strings.Cut(x.args[i].Prefix(), "="); ok && i > 0 && strings.TrimRight(key, ":?+") == name {
			return cutWord(&x.args[i], strings.IndexByte(x.args[i].Text, '=')+1)
		}
	}
	if v := c.st.find(name); v != nil && v.exported && !v.unset && len(v.alts) > 0 && len(v.alts[0].list) == 1 {
		return &v.alts[0].list[0]
	}
	return nil
}

// flagWords are the words of such a value, in which a backslash, or a bracket around it, takes a blank into one.
func flagWords(s string) (list []string) {
	var b strings.Builder
	within := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			within++
		case ')':
			within--
		}
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] != ' ' && s[i] != '\t' || within > 0:
			b.WriteByte(s[i])
		case b.Len() > 0:
			list = append(list, b.String())
			b.Reset()
		}
	}
	if b.Len() > 0 {
		list = append(list, b.String())
	}
	return list
}

// puts sets the variables that a program gives to what it runs; fresh tells that their values were not followed yet.
func (e *engine) puts(env []recipe.Var, values []Word, fresh bool, c *ctx) {
	if !e.spend(1+len(env)/4, c) {
		return
	}
	for i := range env[:min(len(env), len(values))] {
		if v := c.st.find(env[i].Name); env[i].Weak && v != nil && v.exported && !v.unset {
			continue
		}
		w := values[i]
		w.Quoted = true
		if c.st.set(env[i].Name, value{list: []Word{w}}).exported = true; fresh {
			e.held(env[i].Name, &w, c)
		}
	}
}

// valuesOf are the values of such variables. What a command line prints is one as well.
func (e *engine) valuesOf(env []recipe.Var, span Span, c *ctx) []Word {
	list := make([]Word, len(env))
	for i := range env {
		if list[i] = wordOf(env[i].Parts, span); len(env[i].Parts) == 1 && env[i].Parts[0].Prints != nil && e.tick(c) {
			list[i] = e.outputOf(wordOf(env[i].Parts[0].Prints, span), list[i], c)
		}
	}
	return list
}

// outputOf is what a command line prints; where that cannot be told, it is otherwise.
func (e *engine) outputOf(line, otherwise Word, c *ctx) Word {
	n := c.sub()
	n.want, n.subst, n.in = true, true, nil
	out := e.script(line, n)
	if !out.known {
		return unknown(otherwise.Text, otherwise.Span, out.from...)
	}
	w := trimNewlines(out.text)
	w.Unsure = true
	return w
}

// wordOf is a text of a file as a word.
func wordOf(list []recipe.Part, span Span) Word {
	parts := make([]Word, len(list))
	for i, p := range list {
		if parts[i] = lit(p.Text, span); p.Unknown {
			parts[i] = unknown(p.Text, span)
		}
	}
	return join(parts, "", span)
}
