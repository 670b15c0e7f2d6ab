package lang

import (
	"bytes"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// told fills in what documents for those who work on the project tell them to type, where no task has the plain name of a purpose (named are those
// for which one has): a task in a block of code that is in a runner's file, and by its name does that for the whole of the project.
func (f *folder) told(t *Tools, l *rule.Language, named map[string]bool) {
	for i := range f.t.Work.Runners {
		r := &f.t.Work.Runners[i]
		program, rest, _ := strings.Cut(r.Command, " ")
		file := first(slices.DeleteFunc(slices.Clone(r.Files), func(name string) bool { return !f.exists(name) }))
		if rest != "{task}" || file == "" || f.foreign(r, l) || f.yields(r, t) {
			continue
		}
		data := f.included(file)
		names := taskNames(r.Form, r.Field, data)
		for _, document := range f.t.Work.Documents {
			if !f.exists(document) {
				continue
			}
			for _, words := range typed(f.data(document)) {
				if len(words) != 2 || words[0] != program || !slices.Contains(names, words[1]) || f.idle(data, words[1]) {
					continue
				}
				for j := range f.t.Work.Told {
					task := &f.t.Work.Told[j]
					if named[task.Purpose] || !allOf(task, words[1]) || f.another(task, r, data, words[1]) {
						continue
					}
					named[task.Purpose] = true
					f.put(t, task.Purpose, &Tool{
						Name: r.Name, Command: strings.Join(words, " "), Fixes: f.fixes(task, r, data, words[1]), Because: document + " tells it, and " + file + " has " + words[1],
					})
				}
			}
		}
	}
}

// allOf reports the name of a task that begins with a word for its purpose and has none behind it by which it does only a part, or another thing.
func allOf(task *rule.TaskName, name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:.", r) })
	return len(parts) > 0 && slices.Contains(task.Names, parts[0]) && !slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(task.Aside, part) })
}

// typed are the command lines in a document's blocks of code, each as words, without a prompt and without what is said behind it.
func typed(data []byte) (lines [][]string) {
	within := false
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "```") {
			within = !within
			continue
		}
		if !within {
			continue
		}
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "$ "), " #")
		if words := strings.Fields(text); len(words) > 0 {
			if lines = append(lines, words); len(lines) == maxTasks {
				break
			}
		}
	}
	return lines
}
