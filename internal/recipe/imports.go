package recipe

import "strings"

// around adds what a document says beside its tasks: what always runs, and the tasks of files that it names.
func (f *Form) around(b *Book, doc *node, file string, deep int) {
	var always Task
	f.fill(&always, doc, f.Always, nil, false, 0)
	b.Always = append(b.Always, always.Steps...)
	list := doc.member(f.Imports)
	if list == nil || f.Include == nil || deep > 3 {
		return
	}
	for i, name := range list.keys[:min(len(list.keys), maxImports)] {
		n := list.list[i]
		from := n.text
		if m := n.member("taskfile"); m != nil {
			from = m.text
		}
		if from == "" || len(b.Tasks) >= maxTasks {
			continue
		}
		if text, at, ok := f.Include(beside(f.Base, file, from)); ok {
			f.imported(b, name, n, text, at, deep)
		}
	}
}

// imported adds the tasks of one file by the name that it has in another.
func (f *Form) imported(b *Book, name string, n *node, text, file string, deep int) {
	inner, doc := &Book{}, yamlNode(text)
	if doc == nil {
		return
	}
	f.around(inner, doc, file, deep+1)
	if tasks := doc.member(f.Field); tasks != nil {
		f.tasks(inner, tasks)
	}
	b.Always = append(b.Always, f.placed(inner.Always, n, file)...)
	front := name + ":"
	if m := n.member("flatten"); m != nil && m.text == "true" {
		front = ""
	}
	for _, t := range inner.Tasks {
		t.Name = front + t.Name
		for k, need := range t.Needs {
			if own, top := strings.CutPrefix(need, ":"); top {
				t.Needs[k] = own
			} else {
				t.Needs[k] = front + need
			}
		}
		t.Steps = f.placed(t.Steps, n, file)
		if b.Tasks = append(b.Tasks, t); len(b.Tasks) >= maxTasks {
			return
		}
	}
	b.Tasks = append(b.Tasks, Task{Name: name, Needs: []string{front + "default"}})
}

// placed are steps of a file that another names, where they run.
func (f *Form) placed(steps []Step, n *node, file string) []Step {
	dir := n.member(f.Dir)
	for k := range steps {
		if steps[k].File == "" {
			steps[k].File = file
		}
		if dir != nil && dir.text != "" {
			steps[k].Dir = append([]string{dir.text}, steps[k].Dir...)
		}
	}
	return steps
}
