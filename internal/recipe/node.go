package recipe

import (
	"encoding/json"
	"slices"
	"strings"

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

// Form says how tasks stand in a manifest.
type Form struct {
	Kind   string   // "json", "toml" or "yaml"
	Field  string   // the members that are tasks, by their path with dots
	Steps  []string // members of a task that hold command lines
	Needs  []string // members that name other tasks
	Mark   string   // what stands in front of such a name among command lines
	Words  bool     // the first word of a command line may be one
	Open   string   // what stands around what only comes out when it runs
	Closed string
}

// Manifest reads the tasks of one; nil where it has none.
func Manifest(s string, f *Form) *Book {
	var root *node
	switch f.Kind {
	case "json":
		root = jsonNode(s, f.Field)
	case "toml":
		root = tomlNode(s, f.Field)
	case "yaml":
		root = yamlNode(s)
		for key := range strings.SplitSeq(f.Field, ".") {
			root = root.member(key)
		}
	}
	if root == nil || len(root.keys) == 0 {
		return nil
	}
	b := &Book{}
	for i, key := range root.keys[:min(len(root.keys), maxTasks)] {
		t := Task{Name: key}
		f.fill(&t, root.list[i], root.keys, 0)
		b.Tasks = append(b.Tasks, t)
	}
	return b
}

// fill adds what a node comes to.
func (f *Form) fill(t *Task, n *node, names []string, deep int) {
	switch {
	case deep > 8 || len(t.Steps) >= maxSteps:
	case len(n.keys) > 0:
		for i, key := range n.keys {
			if slices.Contains(f.Steps, key) {
				f.fill(t, n.list[i], names, deep+1)
			} else if slices.Contains(f.Needs, key) {
				t.Needs = append(t.Needs, n.list[i].names(f.Needs)...)
			}
		}
	case len(n.list) > 0:
		for _, one := range n.list {
			f.fill(t, one, names, deep+1)
		}
	default:
		f.step(t, n, names)
	}
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
	parts := text(line)
	if f.Open != "" {
		parts = filled(line, f.Open, f.Closed, func(string) (string, bool) { return "", false })
	}
	t.Steps = append(t.Steps, Step{Parts: parts, Line: n.line, Rows: f.Kind == "yaml"})
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
	for key := range strings.SplitSeq(field, ".") {
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
	in, some := false, false
	for l := range strings.Lines(s) {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "[") && !strings.HasPrefix(l, " ") && strings.HasSuffix(strings.TrimSpace(strings.SplitN(t, "#", 2)[0]), "]") {
			name := strings.Trim(strings.SplitN(t, "#", 2)[0], "[] \t")
			in = name == field || strings.HasPrefix(name, field+".")
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
	path := strings.Split(field, ".")
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
