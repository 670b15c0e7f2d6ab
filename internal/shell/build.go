package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// A program that is compiled and then run is judged by its source, as scripts are: gcc x.c -o x && ./x. The line says which source
// that is, or, where it only runs the program, the name does: ./x, with x.c beside it.

// built is a program whose source the line tells.
type built struct {
	path, lang string
	source     Word
	text       *Word // what the compiler reads from its input
}

// builds notes which programs a compiler makes, and of what.
func (e *engine) builds(rows rule.Texts, p *rule.ShellProgram, x *simple, c *ctx) {
	args := x.args[1:]
	for row := range rows.All() {
		sub, ending, lang := sourceRow(row)
		operands, _ := sorted(args, argv.List(p.Value))
		if sub != "" {
			if len(operands) == 0 || !operands[0].Is(sub) {
				continue
			}
			operands = operands[1:]
		}
		outputs := optionValues(args, argv.List(p.Output), argv.List(p.Value))
		for _, source := range e.sources(operands, ending, lang, x, c) {
			names := []string{"a.out", strings.TrimSuffix(path.Base(source.source.Text), ending), path.Base(c.st.path(path.Dir(source.source.Text)))}
			if len(outputs) > 0 {
				names = names[:0]
			}
			for _, w := range outputs {
				names = append(names, w.Text)
			}
			for _, name := range names {
				if source.path = c.st.path(name); len(c.st.built) < maxProbes {
					c.st.built = append(slices.Clip(c.st.built), source)
				}
			}
		}
	}
}

// sourceRow takes a row of builds or brings apart: subcommands that a program may have, the files, and their language.
func sourceRow(row string) (sub, file, lang string) {
	words := strings.Fields(row)
	n := len(words) - 2
	return strings.Join(words[:n], " "), strings.TrimPrefix(words[n], "*"), words[n+1]
}

// sources are the files that a compiler is given, or what it looks for in a folder that it is given.
func (e *engine) sources(operands []Word, ending, lang string, x *simple, c *ctx) (list []built) {
	for i := range operands {
		w := operands[i]
		switch in := c.reads(x); {
		case w.Kind != Literal || len(list) == maxLooks:
		case e.tables.Sh.Input.Has(w.Text) && in != nil:
			list = append(list, built{lang: lang, source: w, text: &in.Text})
		case strings.HasSuffix(w.Text, ending):
			w.Text = c.st.path(w.Text)
			list = append(list, built{lang: lang, source: w})
		}
	}
	if len(list) > 0 {
		return list
	}
	if len(operands) == 0 {
		operands = []Word{lit(".", x.span)}
	}
	for _, form := range e.languageOf(lang).Forms {
		w := operands[0]
		w.Text = c.st.path(strings.Replace(form, "{}", w.Text, 1))
		list = append(list, built{lang: lang, source: w})
	}
	return list
}

// runsBuilt follows the sources of a program that is run by its path; ok is false where none is known.
func (e *engine) runsBuilt(x *simple, c *ctx) (out output, ok bool) {
	w := &x.args[0]
	if w.Kind != Literal || !e.spend(1+len(c.st.built)/copyWords, c) {
		return out, false
	}
	c = c.giving(x.args[1:])
	p := c.st.path(w.Text)
	for i := range c.st.built {
		b := &c.st.built[i]
		if b.path != p {
			continue
		}
		y, done := *x, true
		if in := e.languageOf(b.lang); b.text != nil {
			out = e.runsProgram(b.lang, &y, c, &Code{Lang: b.lang, From: FromFile, Text: *b.text, File: *w})
		} else {
			out, done = e.runsModule(in, &b.source, &y, c)
		}
		ok = ok || done
	}
	if ok || len(c.st.built) > 0 {
		return out, ok
	}
	for _, row := range e.tables.Sources {
		_, ending, lang := sourceRow(row)
		source := *w
		source.Text += ending
		if out, ok = e.runsModule(e.languageOf(lang), &source, x, c); ok {
			return out, true
		}
	}
	return out, false
}
