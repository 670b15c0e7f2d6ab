package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Git runs programs of the repository by itself: its hooks. Which of them a subcommand runs is a table, where they are the place says,
// and they are judged as "sh .git/hooks/pre-commit" is.

// hookFolder is the setting that names the folder of hooks.
const hookFolder = "core.hookspath"

// hooksPath returns the folder of hooks that "core.hooksPath=FOLDER" names, nil if it is another setting.
func hooksPath(w *Word) *Word {
	if key, _, ok := strings.Cut(w.Prefix(), "="); ok && strings.EqualFold(key, hookFolder) {
		return cutWord(w, len(key)+1)
	}
	return nil
}

// hooksRun are the events at which a subcommand runs hooks.
func (e *engine) hooksRun(sub string, args []Word) (events []string) {
	if sub == "hook" && len(args) > 1 && args[0].Is("run") { // git hook run NAME
		return []string{args[1].Text}
	}
	for _, row := range e.tables.Git.Hooks {
		subs, list, _ := strings.Cut(row, ": ")
		if slices.Contains(strings.Fields(subs), sub) {
			events = strings.Fields(list)
			break
		}
	}
	for _, row := range e.tables.Git.Unhooked {
		given, list, _ := strings.Cut(row, ": ")
		words, off := strings.Fields(given), strings.Fields(list)
		if words[0] == sub && givesPlainly(args, words[1:]) {
			events = slices.DeleteFunc(events, func(event string) bool { return slices.Contains(off, event) })
		}
	}
	return events
}

// givesPlainly reports an option that is no value of another: what stands behind an option may be.
func givesPlainly(args []Word, names []string) bool {
	for i := range args {
		switch {
		case args[i].Is("--"):
			return false
		case hasArg(args[i:i+1], names...) && (i == 0 || !strings.HasPrefix(args[i-1].Prefix(), "-")):
			return true
		}
	}
	return false
}

// gitHooks follows what a subcommand runs by itself. given is the folder of hooks that the call names, nil for none.
func (e *engine) gitHooks(dir string, given *Word, sub *Word, args []Word, c *ctx) {
	if e.opt.Hooks == nil || sub.Kind != Literal || c.remote {
		return
	}
	events := e.hooksRun(sub.Text, args)
	if len(events) == 0 || !e.tick(c) {
		return
	}
	if a := c.st.alias("git " + hookFolder); given == nil && a != nil {
		given = &a.text
	}
	named := ""
	if given != nil {
		named = given.Text
	}
	top, folder, there, lines := e.opt.Hooks(dir, named, events)
	if folder == "" {
		return
	}
	n := c.step("git "+sub.Text, sub.Span)
	n.cond, n.in, n.st = true, nil, c.st.clone()
	n.st.dirs, n.st.stayed = []Word{lit(top, sub.Span)}, nil
	e.look.hooks = folder
	for _, event := range events {
		file := lit(path.Join(folder, event), sub.Span)
		if _, written := c.st.written(file.Text); written || slices.Contains(there, event) {
			e.runsHook(file, n)
		}
	}
	for _, text := range lines {
		if m := *n; !m.calls.has("git " + text) {
			e.running(c)
			m.calls = &frame{"git " + text, m.calls}
			e.script(lit(text, sub.Span), &m)
		}
	}
}

// callsGit follows the hooks of subcommands of Git that another program calls, as gh pr checkout does.
func (e *engine) callsGit(rows rule.Texts, x *simple, c *ctx) {
	for row := range rows.All() {
		own, subs, _ := strings.Cut(row, ":")
		args := x.args[1:]
		mine := true
		for word := range strings.FieldsSeq(own) {
			i := slices.IndexFunc(args, func(w Word) bool { return w.Is(word) })
			if mine = mine && i >= 0; mine {
				args = args[i+1:]
			}
		}
		for sub := range strings.FieldsSeq(subs) {
			if w := lit(sub, x.args[0].Span); mine {
				e.gitHooks(c.st.dirs[len(c.st.dirs)-1].Text, nil, &w, nil, c)
			}
		}
	}
}

// runsHook follows a file that Git runs: by the program that its first line names.
func (e *engine) runsHook(file Word, c *ctx) {
	text, _, ok := e.textOf(&file, "", c)
	if !ok {
		return
	}
	if y := e.byShebang(&text, &simple{args: []Word{file}, span: file.Span}); y != nil {
		e.run(y, c)
		return
	}
	program := lit("sh", file.Span)
	if lang, shell := e.shebang(text.Prefix()); !shell {
		programs := e.languageOf(lang).Programs
		if len(programs) == 0 {
			return
		}
		program.Text = programs[0]
	}
	// What Git tells it, no more than three words, is not known: "case $1" may be any of its cases.
	x := &simple{args: []Word{program, file}, span: file.Span}
	for _, name := range [...]string{"$1", "$2", "$3"} {
		x.args = append(x.args, unknown(name, file.Span))
	}
	e.run(x, c)
}
