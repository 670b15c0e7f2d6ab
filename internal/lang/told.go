package lang

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/rule"
)

// typing is a command line that a document tells people to type.
type typing struct {
	document string
	words    []string
}

// told fills in what documents for those who work on the project tell them to type, where no task has the plain name of a purpose (named are those
// for which one has): a task in a block of code that is in a runner's file, and by its name does that for the whole of the project.
func (f *folder) told(t *Tools, l *rule.Language, named map[string]bool) {
	said := sync.OnceValue(f.typings)
	for i := range f.t.Work.Runners {
		r := &f.t.Work.Runners[i]
		program, rest, _ := strings.Cut(r.Command, " ")
		file := first(slices.DeleteFunc(slices.Clone(r.Files), func(name string) bool { return !f.exists(name) }))
		if rest != "{task}" || file == "" || f.foreign(r, l) || f.yields(r, t) {
			continue
		}
		data := f.included(file)
		names := taskNames(r.Form, r.Field, data)
		for _, line := range said() {
			words := line.words
			if len(words) != 2 || words[0] != program || !slices.Contains(names, words[1]) || f.idle(data, words[1]) {
				continue
			}
			for j := range f.t.Work.Told {
				task := &f.t.Work.Told[j]
				if named[task.Purpose] || !allOf(task, words[1]) || f.another(task, r, data, words[1]) {
					continue
				}
				named[task.Purpose] = true
				tool := &Tool{
					Name: r.Name, Command: strings.Join(words, " "), Fixes: f.fixes(task, r, data, words[1]),
					Because: line.document + " tells it, and " + file + " has " + words[1],
				}
				f.tests(tool, task, r, data, words[1])
				f.put(t, task.Purpose, tool)
			}
		}
	}
	for j := range f.t.Work.Told {
		if task := &f.t.Work.Told[j]; len(task.Starts) > 0 && !named[task.Purpose] && t.Manager != nil && *t.of(task.Purpose) == nil {
			f.toldWhole(t, task, said)
		}
	}
}

// toldWhole takes a command of the project's own package manager that documents tell people to type, with words of Only: what work on the project
// needs beyond the project.
func (f *folder) toldWhole(t *Tools, task *rule.TaskName, said func() []typing) {
	manager := strings.ToLower(t.Manager.Name)
	begins := func(line string) bool {
		return slices.ContainsFunc(task.Starts, func(words string) bool { return strings.HasPrefix(line, words+" ") && strings.Contains(words, manager) })
	}
	if !slices.ContainsFunc(task.Starts, func(words string) bool { return strings.Contains(words, manager) }) {
		return
	}
	for _, one := range said() {
		line := strings.Join(one.words, " ")
		has := func(text string) bool { return strings.Contains(line, text) }
		if begins(line) && slices.ContainsFunc(task.Only, has) && !slices.ContainsFunc(task.Aside, has) && extras(line) {
			*t.of(task.Purpose) = &Tool{Name: t.Manager.Name, Command: line, Because: one.document + " tells it"}
			return
		}
	}
}

// extras reports a command that can be pasted, in which brackets and the quotes around them may stand as well: pip install -e ".[dev]". Without
// quotes some shells take brackets for a pattern, and find none.
func extras(line string) bool {
	quotes := strings.Count(line, `"`) + strings.Count(line, "'")
	return quotes%2 == 0 && pasted(strings.NewReplacer(`"`, "", "'", "", "[", "", "]", "").Replace(line))
}

// allOf reports the name of a task that begins with a word for its purpose and has none behind it by which it does only a part, or another thing.
func allOf(task *rule.TaskName, name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:.", r) })
	return len(parts) > 0 && slices.Contains(task.Names, parts[0]) && !slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(task.Aside, part) })
}

// typings are the command lines of all documents that are there.
func (f *folder) typings() (list []typing) {
	for _, document := range f.t.Work.Documents {
		if !f.exists(document) {
			continue
		}
		for _, words := range typed(f.data(document)) {
			list = append(list, typing{document, words})
		}
	}
	return list
}

// typed are the command lines in a document's blocks of code, each as words, without a prompt and without what is said behind it. A block of
// reStructuredText is what is indented below a line that ends in two colons.
func typed(data []byte) (lines [][]string) {
	fenced, indented := false, false
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "```") {
			fenced = !fenced
			continue
		}
		if text != "" && line[0] != ' ' && line[0] != '\t' {
			indented = false
		}
		plain, prompt := strings.CutPrefix(text, "$ ")
		if fenced || indented || prompt {
			plain, _, _ = strings.Cut(plain, " #")
			if words := strings.Fields(plain); len(words) > 0 {
				if lines = append(lines, words); len(lines) == maxTasks {
					break
				}
			}
		}
		if strings.HasSuffix(text, "::") || strings.HasPrefix(text, ".. code") {
			indented = true
		}
	}
	return lines
}
