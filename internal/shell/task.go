package shell

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// Some programs look for a file where they stand, and run what is asked for of it: a Makefile, package.json. Where the line has written that
// file, it is text of the line.

// ownFile follows what a program runs of such a file.
func (e *engine) ownFile(name string, x *simple, c *ctx) {
	p := e.tables.Program(name)
	if p.Files == "" || e.makefileOf(x) != nil {
		return
	}
	n := c.step(name, x.args[0].Span)
	n.cond = true
	n.st = c.st.clone()
	if dir := optionValue(x.args[1:], "C directory prefix cwd"); dir != nil {
		n.st.reach(*dir)
	}
	goals, _ := sorted(x.args[1:], argv.List(p.Value))
	for file := range strings.FieldsSeq(p.Files) {
		text, ok := n.st.written(file)
		switch {
		case !ok || !e.spend(len(text.Text)/8, c):
		case strings.HasSuffix(file, ".json"):
			e.packageScripts(text, goals, n)
		default:
			text.Text = asked(text.Text, goals)
			e.recipes(text, n)
		}
	}
}

// packageScripts follows the scripts of a package.json that a call names, and those that run before and behind one. What runs when
// packages are installed runs by many names.
func (e *engine) packageScripts(text Word, goals []Word, c *ctx) {
	var doc struct{ Scripts map[string]string }
	if json.Unmarshal([]byte(text.Text), &doc) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Scripts)) {
		event := strings.TrimPrefix(strings.TrimPrefix(name, "pre"), "post")
		if slices.ContainsFunc(goals, func(w Word) bool { return w.Kind != Literal || w.Text == name || w.Text == event }) || strings.Contains(name, "install") || name == "prepare" {
			e.script(lit(doc.Scripts[name], text.Span), c)
		}
	}
}

// asked leaves of a makefile the recipes of the goals of a call and of what they need, and all lines that are no recipes. Without goals it
// is the first one. Where names only come out when make runs, all of them stay.
func asked(text string, goals []Word) string {
	type rule struct {
		needs []string
		lines []string
	}
	var other []string
	var first *rule
	rules := map[string][]*rule{}
	var now *rule
	for line := range strings.Lines(text) {
		names, rest, ok := strings.Cut(line, ":")
		switch {
		case now != nil && (line[0] == '\t' || line[0] == ' '):
			now.lines = append(now.lines, line)
		case !ok || strings.ContainsAny(names, "#=\"'") || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":="):
			now, other = nil, append(other, line)
		case strings.ContainsAny(line, "$%") && strings.ContainsAny(names+rest[:strings.IndexByte(rest+";", ';')], "$%"):
			return text
		default:
			needs, _, _ := strings.Cut(rest, ";")
			now = &rule{needs: strings.Fields(needs), lines: []string{line}}
			for name := range strings.FieldsSeq(names) {
				rules[name] = append(rules[name], now)
				if first == nil && name[0] != '.' {
					first = now
				}
			}
		}
	}
	var queue []string
	out := other
	add := func(r *rule) {
		queue, out = append(queue, r.needs...), append(out, r.lines...)
		r.needs, r.lines = nil, nil
	}
	for i := range goals {
		if goals[i].Kind != Literal {
			return text
		}
		queue = append(queue, goals[i].Text)
	}
	if len(goals) == 0 && first != nil {
		add(first)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, r := range rules[queue[0]] {
			add(r)
		}
	}
	return strings.Join(out, "")
}
