package recipe

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/toml"
)

// Manifests give names to command lines in JSON, TOML or YAML. All three become nodes, and what a node comes to is said by a form.

// node is a value of a document: text, a list, or members.
type node struct {
	text string
	list []*node
	keys []string // of members, which list holds
	line int
}

// member finds one; nil where there is none.
func (n *node) member(key string) *node {
	if n == nil {
		return nil
	}
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.list[i]
	}
	return nil
}

// maxDeep is how far members of a task are followed.
const maxDeep = 8

// Form says how tasks stand in a manifest.
type Form struct {
	Kind    string   // "json", "toml", "yaml" or "ini"
	Field   string   // the members that are tasks, by their path with dots; "" for those of the document
	Steps   []string // members of a task that hold command lines, by their paths with dots; * is any
	Unless  []string // "member value" of what holds none
	Needs   []string // members that name other tasks
	Mark    string   // what stands in front of such a name among command lines
	Words   bool     // the first word of a command line may be one
	Argv    []string // members that are one command together, in this order; where there are any, a list of texts in a list is the words of one
	Dir     string   // the member that names the folder in which a task runs
	Always  []string // members of the document that hold command lines which run whatever is asked for, by their paths
	Group   string   // what the names of tasks begin with that stand in a member of their own: "env." for those in env
	Listed  []string // members of the document that list names of tasks, by their paths
	Imports string   // the member of a yaml document that names other files, whose tasks have a name and a colon in front of theirs
	Include func(name string) (text, file string, ok bool)
	Inner   bool     // only members hold command lines, not a task that is one itself
	Base    string   // the folder of the manifest
	Vars    []string // members that give names values, of a task, and behind a slash of the document
	Puts    []string // members that give them to variables of the environment
	Loads   []string // members that name files of such variables
	Prints  string   // the member of such a value that is a command line which prints it
	Given   []string // names that the line gives other values
	Rest    string   // the name of a blank that holds the words of the line behind a mark
	Behind  []Part   // that; nil where it gives nothing
	Text    func(name string) (string, bool)
	within  scope
	Open    string // what stands around what only comes out when it runs
	Closed  string
}

// Manifest reads the tasks of one; nil where it has none.
func Manifest(s string, f *Form) *Book {
	var root *node
	b := &Book{}
	switch f.Kind {
	case "json":
		root = jsonNode(s, f.Field)
	case "toml":
		root = tomlNode(s, f.Field)
	case "ini":
		root = iniNode(s)
	case "yaml":
		root = yamlNode(s)
		if doc := root; doc != nil && (f.Imports != "" || len(f.Always) > 0) {
			f.around(b, doc, "", 0)
		}
		for key := range strings.SplitSeq(f.Field, ".") {
			if key != "" {
				root = root.member(key)
			}
		}
	}
	switch {
	case root == nil || len(root.list) == 0:
		if len(b.Tasks) > 0 || len(b.Always) > 0 {
			return b
		}
		return nil
	case len(root.keys) == 0: // work without names
		b.Tasks = []Task{{}}
		f.fill(&b.Tasks[0], root, f.Steps, nil, true, 0)
		return b
	}
	f.document(s)
	f.tasks(b, root)
	b.listed(root, f.Listed)
	return b
}

// document reads what the document gives names, whatever the task.
func (f *Form) document(s string) {
	if len(f.Vars)+len(f.Puts)+len(f.Loads) == 0 {
		return
	}
	var doc *node
	if f.Kind == "yaml" {
		doc = yamlNode(s)
	}
	f.within = f.inner(scope{}, func(path string) *node {
		path, is := strings.CutPrefix(path, "/")
		switch {
		case !is:
			return nil
		case f.Kind == "toml":
			return tomlNode(s, path)
		}
		return doc.member(path)
	})
}

// tasks adds those of a node.
func (f *Form) tasks(b *Book, root *node) {
	f.tasksIn(b, root, "")
}

// tasksIn is tasks for a node whose members have names that begin with front.
func (f *Form) tasksIn(b *Book, root *node, front string) {
	for i, key := range root.keys[:min(len(root.keys), maxTasks)] {
		if front == "" && f.Group != "" && key+"." == f.Group && len(root.list[i].keys) > 0 {
			f.tasksIn(b, root.list[i], f.Group)
			continue
		}
		t := Task{Name: front + key, Borrows: root.list[i].borrows(0)}
		outer := f.within
		if len(f.Vars)+len(f.Puts)+len(f.Loads) > 0 {
			f.within = f.inner(outer, root.list[i].member)
		}
		f.fill(&t, root.list[i], f.Steps, root.keys, !f.Inner, 0)
		for k := range t.Steps {
			t.Steps[k].Env = f.within.env
		}
		f.within = outer
		if dir := root.list[i].member(f.Dir); f.Dir != "" && dir != nil && dir.text != "" {
			for k := range t.Steps {
				t.Steps[k].Dir = []string{dir.text}
			}
		}
		b.Tasks = append(b.Tasks, t)
	}
}

// fill adds what a node comes to, of whose members steps hold command lines; ends tells that a path of them ends at the node.
func (f *Form) fill(t *Task, n *node, steps, names []string, ends bool, deep int) {
	switch {
	case deep > maxDeep || len(t.Steps) >= maxSteps || f.excused(n):
	case len(n.keys) > 0:
		f.words(t, n)
		for i, key := range n.keys {
			if inner := inside(steps, key); len(inner) > 0 {
				whole := inner[0] == ""
				if whole {
					inner = f.Steps
				}
				f.fill(t, n.list[i], inner, names, whole, deep+1)
			} else if slices.Contains(f.Needs, key) {
				t.Needs = append(t.Needs, n.list[i].names(f.Needs)...)
			}
		}
	case !ends && len(n.list) == 0:
	case ends && len(n.list) > 0 && len(f.Argv) > 0 && deep > 1 && n.list[0].text != "":
		f.command(t, n)
	case len(n.list) > 0:
		for _, one := range n.list {
			f.fill(t, one, steps, names, ends, deep+1)
		}
	default:
		f.step(t, n, names)
	}
}

// words adds the command that some members are together: command = "sh", args = ["-c", "ls"].
func (f *Form) words(t *Task, n *node) {
	all := &node{}
	for _, key := range f.Argv {
		switch m := n.member(key); {
		case m == nil:
		case m.text != "":
			all.line, all.list = m.line, append(all.list, m)
		default:
			all.list = append(all.list, m.list...)
		}
	}
	if len(all.list) > 0 {
		f.command(t, all)
	}
}

// command adds the command of which a node lists the words.
func (f *Form) command(t *Task, n *node) {
	list := make([]string, len(n.list))
	for i := range n.list {
		list[i] = n.list[i].text
	}
	t.Steps = append(t.Steps, Step{Parts: text(argv.Quote(list...)), Line: max(n.line, n.list[0].line)})
}

// inside are the paths that go on in a member; "" first for one that ends there.
func inside(paths []string, key string) (list []string) {
	for _, p := range paths {
		switch first, rest, _ := strings.Cut(p, "."); {
		case first != key && first != "*":
		case rest == "":
			return []string{""}
		default:
			list = append(list, rest)
		}
	}
	return list
}

// excused reports a node of which a member says that it holds no command line.
func (f *Form) excused(n *node) bool {
	return slices.ContainsFunc(f.Unless, func(s string) bool {
		key, value, _ := strings.Cut(s, " ")
		m := n.member(key)
		return m != nil && m.text == value
	})
}

// step adds a command line, or the task that it names.
func (f *Form) step(t *Task, n *node, names []string) {
	line := strings.TrimSpace(n.text)
	if rest, ok := strings.CutPrefix(line, f.Mark); ok && f.Mark != "" {
		word, _, _ := strings.Cut(rest, " ")
		if slices.Contains(names, word) {
			t.Needs = append(t.Needs, word)
			return
		}
		line = rest // composer's @php
	} else if word, _, _ := strings.Cut(line, " "); f.Words && word != t.Name && slices.Contains(names, word) {
		t.Needs = append(t.Needs, word)
		return
	}
	if line == "" {
		return
	}
	t.Steps = append(t.Steps, Step{Parts: spoken(f.filled(line, &f.within)), Line: n.line, Rows: f.Kind == "yaml"})
}

// names are the words of a node that name tasks.
func (n *node) names(needs []string) (list []string) {
	if len(n.keys) > 0 {
		for i, key := range n.keys {
			if slices.Contains(needs, key) {
				list = append(list, n.list[i].names(nil)...)
			}
		}
		return list
	}
	for _, one := range n.list {
		list = append(list, one.names(needs)...)
	}
	if n.text != "" {
		list = append(list, n.text)
	}
	return list
}

// jsonNode reads the members of a path of a JSON document.
func jsonNode(s, field string) *node {
	raw, at := json.RawMessage(s), 0
	for key := range strings.FieldsFuncSeq(field, func(r rune) bool { return r == '.' }) {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return nil
		}
		raw = members[key]
		at += max(0, strings.Index(s[at:], `"`+key+`"`))
	}
	var members map[string]any
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return treeNode(members, 1, func(key string, _ int) int {
		quoted, _ := json.Marshal(key)
		from := max(0, strings.Index(s[at:], string(quoted)+":"))
		if from == 0 {
			from = max(0, strings.Index(s[at:], string(quoted)))
		}
		return 1 + strings.Count(s[:at+from], "\n")
	}, 0)
}

// tomlNode reads the members of a table. Only the lines of that table are read: a document may be long.
func tomlNode(s, field string) *node {
	var b strings.Builder
	in, some := field == "", false
	for l := range strings.Lines(s) {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "[") && !strings.HasPrefix(l, " ") && strings.HasSuffix(strings.TrimSpace(strings.SplitN(t, "#", 2)[0]), "]") {
			name := strings.Trim(strings.SplitN(t, "#", 2)[0], "[] \t")
			in = field == "" || name == field || strings.HasPrefix(name, field+".")
			some = some || in
		}
		if in {
			b.WriteString(l)
		} else {
			b.WriteByte('\n')
		}
	}
	if !some {
		return nil
	}
	doc, err := toml.Parse([]byte(b.String()))
	if err != nil {
		return nil
	}
	path := strings.FieldsFunc(field, func(r rune) bool { return r == '.' })
	tree := doc.Tree()
	for _, key := range path {
		tree, _ = tree[key].(map[string]any)
	}
	return treeNode(tree, 1, func(key string, deep int) int {
		if deep > 0 {
			return 0
		}
		return doc.Line(append(path[:len(path):len(path)], key)...)
	}, 0)
}

// treeNode makes a node of what decoders make; where tells the line of a member, 0 for that of the one around it.
func treeNode(v any, line int, where func(key string, deep int) int, deep int) *node {
	n := &node{line: line}
	switch v := v.(type) {
	case string:
		n.text = v
	case []any:
		for _, one := range v {
			n.list = append(n.list, treeNode(one, line, where, deep+1))
		}
	case map[string]any:
		for key := range v {
			n.keys = append(n.keys, key)
		}
		slices.Sort(n.keys)
		for _, key := range n.keys {
			at := line
			if deep == 0 {
				at = max(1, where(key, deep))
			}
			n.list = append(n.list, treeNode(v[key], at, where, deep+1))
		}
	}
	return n
}
