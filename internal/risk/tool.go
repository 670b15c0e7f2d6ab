package risk

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/term"
)

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
	return lineOf(words)
}

// lineOf makes a line of a list of words; of sh -c it takes what that runs.
func lineOf(words []string) string {
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return argv.Quote(words...)
}

// A tool that does not run by its name alone, whatever it is called with.
var (
	toolDenied = rule.Risk{
		ID: "guard.tools-deny", Action: Deny,
		Why:     "guard.tools_deny names this tool, so it never runs",
		Instead: "another tool; which lists hold and whose they are: `moai config list`",
	}
	toolNotAllowed = rule.Risk{
		ID: "guard.tools-allow", Action: Deny,
		Why:     "guard.tools_allow names the tools that may run, and this one is not among them",
		Instead: "one of those tools; which they are and who says so: `moai config list`",
	}
)

// listed is the rule by which a tool does not run for its name, nil where it does.
func (c *checker) listed() *rule.Risk {
	switch {
	case len(c.in.Denied) > 0 && c.calledAs(c.in.Denied):
		return &toolDenied
	case len(c.in.Only) > 0 && !c.calledAs(c.in.Only):
		return &toolNotAllowed
	}
	return nil
}

// readArgs takes a tool's input apart; false means that it could not be read.
func (c *checker) readArgs() (ok bool) {
	if c.in.Values != nil {
		c.args, ok = c.in.Values()
		return ok
	}
	return len(c.in.Args) == 0 || json.Unmarshal(c.in.Args, &c.args) == nil
}

// toolCall makes the one call that a tool's is.
func (c *checker) toolCall() {
	c.args, c.snake = plainKeys(c.args), snaked(c.in.Tool)
	c.calls = []call{{cmd: &shell.Command{Dir: shell.Word{Text: c.in.Dir}}, name: c.in.Tool, dashdash: -1, tool: true}}
}

// tool judges a call of a tool other than a shell, by what the [[tool]] tables say
// of its arguments: paths, texts, patches, and command lines of its own.
func (c *checker) tool() {
	in := c.in
	if !c.readArgs() {
		c.cutOff, c.failed = true, "the tool's input could not be read" // anything may stand in it
		c.doubts = append(c.doubts, c.failed)
		return
	}
	c.toolCall()
	k := &c.calls[0]
	// The greatest of three numbers counts: texts of this call, its files, the session's minute.
	edits, lines := 0, 0
	for set := c.set; set != nil; set = set.More {
		if set.Project {
			continue
		}
		for i := range set.Tools {
			if t := &set.Tools[i]; c.calledAs(t.Names) && !c.calledAs(t.Except) {
				// Before anything is judged: which rules hold depends on it.
				if t.As != "" {
					c.alias = t.As
				}
				edits += k.readTool(t, c.args, in.Home)
				for _, line := range linesIn(t, c.args) {
					if !c.spend(0) {
						break
					}
					// The first has the budget of a line; thousands of texts share one.
					if work := c.given(line, dirIn(t, c.args)); lines > 0 {
						c.spend(work)
					}
					lines++
				}
			}
		}
	}
	k.edits = max(edits, len(k.effects), in.Edits)
	for set := c.set; set != nil; set = set.More {
		if !set.Project {
			c.toolBy(set)
		}
	}
}

// readTool takes the paths and texts out of a tool's arguments; edits is how many
// texts there were.
func (k *call) readTool(t *rule.ClientTool, args any, home string) (edits int) {
	add := func(kind rule.Kind, p string) {
		if p, _, _ = strings.Cut(p, "\x00"); p == "" { // where C ends it; others refuse the call
			return
		}
		if rest, ok := strings.CutPrefix(p, "file://"); ok {
			if path, err := url.PathUnescape(strings.TrimPrefix(rest, "localhost")); err == nil {
				p = path
			}
		}
		if rest, ok := strings.CutPrefix(p, "~/"); ok && home != "" {
			p = home + "/" + rest // no shell does that here, but most servers do
		}
		// MultiEdit names the file once for each edit.
		for i := range k.effects {
			if k.effects[i].text == p && k.effects[i].kind == kind {
				return
			}
		}
		k.effects = append(k.effects, effect{kind: kind, word: &shell.Word{Text: p, Quoted: true}, text: p, known: true})
		k.kinds |= kind
	}
	args = withItems(args)
	for i := range t.Effects {
		e := &t.Effects[i]
		for _, name := range e.On {
			// "file://url": an address, which is a path only where it says so.
			name, address := strings.CutPrefix(name, "file://")
			eachText(argument(args, name), func(p string) {
				if address {
					if p = fileOf(p); p == "" {
						return
					}
				}
				add(e.Kind, p)
			})
		}
	}
	for _, name := range t.Text {
		eachText(argument(args, name), func(text string) {
			edits++
			k.content = append(k.content, text)
		})
	}
	for _, name := range t.Patches {
		eachText(argument(args, name), func(patch string) {
			for _, f := range patchFiles(patch) {
				add(f.kind, f.path)
			}
			k.content = append(k.content, added(patch))
		})
	}
	return edits
}

// fileOf is the address of a file in the form that readTool takes paths from; "" for another address. Browsers show its text as view-source.
func fileOf(address string) string {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(address), ":")
	if strings.EqualFold(scheme, "view-source") {
		scheme, rest, ok = strings.Cut(rest, ":")
	}
	if !ok || !strings.EqualFold(scheme, "file") {
		return ""
	}
	return "file://" + strings.TrimPrefix(rest, "//")
}

// toolBy tries the rules of one set that are about no program.
func (c *checker) toolBy(set *Set) {
	k := &c.calls[0]
	for i := range set.General {
		g := &set.General[i]
		// A project's rules are bounded in time, whatever they are about.
		if c.late() || len(g.Tools) > 0 && !c.isFor(g.Tools) {
			continue
		}
		if g.Args {
			r := set.Rules[g.Rule].Get()
			if text, ok := argsHold(r.When.Args, c.args); ok {
				c.add(Hit{Rule: r, Action: r.Action, Text: c.in.Tool, Detail: text})
			}
			continue
		}
		// Variables belong to a shell; a tool has none that it shows.
		if g.Effect&k.kinds == 0 && g.Effect != 0 || g.Env {
			continue
		}
		c.try(set.Rules[g.Rule].Get(), k)
	}
}

type patchFile struct {
	path string
	kind rule.Kind
}

// patchFiles lists the files that a patch touches: the headers of apply_patch
// ("*** Update File: x") and of unified diffs ("+++ b/x").
func patchFiles(patch string) []patchFile {
	var files []patchFile
	before := ""
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if p, ok := strings.CutPrefix(before, "--- a/"); ok && strings.HasPrefix(line, "+++ /dev/null") {
			files = append(files, patchFile{strings.TrimSpace(p), rule.Delete})
		}
		before = line
		for _, h := range [...]struct {
			prefix string
			kind   rule.Kind
		}{
			{"*** Add File: ", rule.Write},
			{"*** Update File: ", rule.Write},
			{"*** Delete File: ", rule.Delete},
			{"*** Move to: ", rule.Write},
			// Git's form. A deleted file has /dev/null there, and its name in "--- a/" only: see above.
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
		// What a patch takes away may hold the key that is being removed.
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") {
			b.WriteString(line[1:])
		}
	}
	return b.String()
}

// argsHold tries each condition on the argument it names, dots leading into
// objects. Text is compared with globs, and with statements after "says:".
func argsHold(conditions []rule.Arg, args any) (detail string, ok bool) {
	for i := range conditions {
		a := &conditions[i]
		found := false
		for name := range strings.SplitSeq(a.Name, "|") {
			eachText(argument(args, name), func(s string) {
				for _, g := range a.Globs {
					if p, is := strings.CutPrefix(g, "says:"); is && says(p, s) || !is && globFold(g, s) {
						found, detail = true, term.OneLine(s, 80)
					}
				}
			})
		}
		if !found {
			return "", false
		}
	}
	return detail, true
}

// argument finds a value by its name; dots lead into objects, through lists, and
// "*" is everything that is there.
func argument(v any, name string) any {
	for name != "" && name != "*" {
		// "edits.new_string" means that of each edit.
		if list, ok := v.([]any); ok {
			var all []any
			for _, one := range list {
				if found := argument(one, name); found != nil {
					all = append(all, found)
				}
			}
			return all
		}
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		var part string
		part, name, _ = strings.Cut(name, ".")
		v = object[plainKey(part)]
	}
	return v
}

// withItems is a tool's arguments, and behind them the items of every list among them: a list of files with their paths is as
// many calls for one file.
func withItems(args any) any {
	object, _ := args.(map[string]any)
	all := []any{args}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if list, ok := object[name].([]any); ok {
			all = append(all, list...)
		}
	}
	return all
}

// plainKeys gives the names in a decoded value the form in which argument looks for them: servers write oldPath, old_path and
// old-path, and read some of them in any case. What two names have in common then is a list of both values.
func plainKeys(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plainKeys(v[i])
		}
	case map[string]any:
		plain := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			key, value := plainKey(name), plainKeys(v[name])
			if first, twice := plain[key]; twice {
				value = []any{first, value}
			}
			plain[key] = value
		}
		return plain
	}
	return v
}

// plainKey is the name of an argument in small letters, without what joins its words.
func plainKey(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < 'a' || c > 'z' {
			return strings.Map(func(r rune) rune {
				if r == '_' || r == '-' || r <= ' ' || argv.Invisible(r) {
					return -1
				}
				return unicode.ToLower(r)
			}, name)
		}
	}
	return name
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
	case float64: // as people write it: an amount of 1e6 is 1000000
		yield(strconv.FormatFloat(v, 'f', -1, 64))
	case []any:
		for _, one := range v {
			eachText(one, yield)
		}
	case map[string]any:
		// In order, so that the same call has the same verdict, down to its words.
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachText(v[name], yield)
		}
	}
}
