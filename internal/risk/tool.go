package risk

import (
	"encoding/json"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// toolInput is the union of what the tools that write files send. Everything
// else in their input is of no concern here.
type toolInput struct {
	Command      string `json:"command"`
	FilePath     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
	Path         string `json:"path"`
	Content      string `json:"content"`
	NewString    string `json:"new_string"`
	NewSource    string `json:"new_source"`
	Edits        []struct {
		FilePath  string `json:"file_path"`
		NewString string `json:"new_string"`
	} `json:"edits"`
	Input string `json:"input"` // the patch of apply_patch
	Patch string `json:"patch"`
}

// commandOf takes the command line out of a tool's input; Codex sends a list.
func commandOf(args []byte) string {
	var one struct {
		Command json.RawMessage `json:"command"`
	}
	if json.Unmarshal(args, &one) != nil {
		return ""
	}
	var text string
	if json.Unmarshal(one.Command, &text) == nil {
		return text
	}
	var words []string
	if json.Unmarshal(one.Command, &words) != nil {
		return ""
	}
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return Quote(words)
}

// Quote joins words to a line that a shell takes apart into them again.
func Quote(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

func quote(w string) string {
	if w != "" && !strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()*?[]{}~#!") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// tool judges a call of a tool that does not take a command line.
func (c *checker) tool() {
	in := c.in
	if strings.HasPrefix(in.Tool, "mcp__") {
		c.mcp()
		return
	}
	kind := toolKind(in.Tool)
	if kind == 0 {
		return
	}
	var t toolInput
	if err := json.Unmarshal(in.Args, &t); err != nil {
		c.doubts = append(c.doubts, "the tool's input could not be read")
		return
	}
	k := call{cmd: &shell.Command{Dir: shell.Word{Text: in.Dir}}, name: in.Tool, dashdash: -1}
	var texts []string
	add := func(p string) {
		if p != "" {
			k.effects = append(k.effects, effect{kind: kind, word: &shell.Word{Text: p, Quoted: true}, text: p, known: true})
			k.kinds |= kind
		}
	}
	add(t.FilePath)
	if t.FilePath == "" {
		add(t.NotebookPath)
		add(t.Path)
	}
	texts = append(texts, t.Content, t.NewString, t.NewSource)
	for _, e := range t.Edits {
		texts = append(texts, e.NewString)
		if e.FilePath != "" && e.FilePath != t.FilePath {
			add(e.FilePath)
		}
	}
	files := len(k.effects)
	for _, patch := range [...]string{t.Input, t.Patch, t.Command} {
		if patch == "" {
			continue
		}
		for _, f := range patchFiles(patch) {
			w := &shell.Word{Text: f.path, Quoted: true}
			k.effects = append(k.effects, effect{kind: f.kind, word: w, text: f.path, known: true})
			k.kinds |= f.kind
			files++
		}
		texts = append(texts, added(patch))
	}
	c.calls = []call{k}
	call := &c.calls[0]
	call.edits = max(len(t.Edits), files, in.Edits)
	if kind != rule.Read {
		call.content = texts
	}
	for set := c.set; set != nil; set = set.More {
		if !set.Project {
			c.toolBy(set, call)
		}
	}
}

func (c *checker) toolBy(set *Set, call *call) {
	for _, i := range set.General {
		r := &set.Rules[i]
		if r.When.Effect != 0 && r.When.Effect&call.kinds == 0 || len(r.When.Env) > 0 {
			continue
		}
		c.try(r, call)
	}
}

// toolKind says what a tool does to the path it names; 0 for tools that are no
// concern here.
func toolKind(tool string) rule.Kind {
	switch tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit", "apply_patch", "write_file", "replace", "edit_file", "create_file", "str_replace":
		return rule.Write
	case "Read", "NotebookRead", "read_file":
		return rule.Read
	}
	return 0
}

type patchFile struct {
	path string
	kind rule.Kind
}

// patchFiles lists the files that a patch touches: the headers of apply_patch
// ("*** Update File: x") and of unified diffs ("+++ b/x").
func patchFiles(patch string) []patchFile {
	var files []patchFile
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		for _, h := range [...]struct {
			prefix string
			kind   rule.Kind
		}{
			{"*** Add File: ", rule.Write},
			{"*** Update File: ", rule.Write},
			{"*** Delete File: ", rule.Delete},
			{"*** Move to: ", rule.Write},
			{"+++ b/", rule.Write},
		} {
			if p, ok := strings.CutPrefix(line, h.prefix); ok {
				files = append(files, patchFile{strings.TrimSpace(p), h.kind})
			}
		}
	}
	return files
}

// added is the text that a patch brings in.
func added(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") {
			b.WriteString(line[1:])
		}
	}
	return b.String()
}

// mcp judges a call of a server's tool by the rules that name it.
func (c *checker) mcp() {
	var args any
	if len(c.in.Args) > 0 && json.Unmarshal(c.in.Args, &args) != nil {
		c.doubts = append(c.doubts, "the tool's input could not be read")
	}
	for set := c.set; set != nil; set = set.More {
		if !set.Project {
			c.mcpBy(set, args)
		}
	}
}

func (c *checker) mcpBy(set *Set, args any) {
	for _, i := range set.General {
		r := &set.Rules[i]
		if c.late() || len(r.Tools) == 0 || !strings.HasPrefix(r.Tools[0], "mcp__") || !forTool(r.Tools, c.in.Tool) {
			continue
		}
		if text, ok := argsHold(r.When.Args, args); ok {
			c.add(Hit{Rule: r, Action: r.Action, Text: c.in.Tool, Detail: text})
		}
	}
}

// argsHold tries each condition on the argument it names, dots leading into
// objects. Text is compared with globs, and with statements after "says:".
func argsHold(conditions []rule.Arg, args any) (detail string, ok bool) {
	for i := range conditions {
		a := &conditions[i]
		v := args
		for _, part := range strings.Split(a.Name, ".") {
			if part == "*" {
				break
			}
			object, is := v.(map[string]any)
			if !is {
				return "", false
			}
			v = object[part]
		}
		found := false
		eachText(v, func(s string) {
			for _, g := range a.Globs {
				if p, is := strings.CutPrefix(g, "says:"); is && says(p, s) || !is && globFold(g, s) {
					found, detail = true, shorten(s, 80)
				}
			}
		})
		if !found {
			return "", false
		}
	}
	return detail, true
}

// eachText walks all text in a decoded value.
func eachText(v any, yield func(string)) {
	switch v := v.(type) {
	case string:
		yield(v)
	case bool:
		if v {
			yield("true")
		} else {
			yield("false")
		}
	case []any:
		for _, one := range v {
			eachText(one, yield)
		}
	case map[string]any:
		for _, one := range v {
			eachText(one, yield)
		}
	}
}
