package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// What the client does about a mistake was seen on Claude Code 2.1.329 and 2.1.330: it
// skips a file with a comment or a trailing comma altogether, and one with a mistake in
// a hook that may guard something; another entry with a mistake it skips by itself. In
// unattended sessions it says no word of either.

// Problem is something in a settings file that the client does not take, or
// that would keep moai from being called.
type Problem struct {
	Line  int    // from 1; 0 for the whole file
	Text  string // what is wrong and what comes of it
	Fatal bool   // the client runs no hook of this file
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Text)
}

// hookTypes are the kinds of hooks that the client knows.
var hookTypes = []string{"agent", "command", "http", "mcp_tool", "prompt"}

// Check looks for what the client would not take. Known tells the events of
// the client; nil accepts all. What switches hooks off is a question to all files: see Off.
func Check(data []byte, known func(event string) bool) []Problem {
	if isBlank(data) {
		return nil
	}
	d, err := parse(data)
	if err != nil {
		return []Problem{{Text: err.Error(), Fatal: true}}
	}
	c := &checker{document: d}
	if !d.root.IsStandard() {
		c.add(d.commentOffset(), true, "comments and trailing commas are not JSON: the client skips the whole file")
	}
	if v := member(d.object, HooksOff); v != nil {
		if _, known := boolean(v); !known {
			c.add(v.StartOffset, true, HooksOff+" must be true or false, it is "+kindName(*v)+": the client skips the whole file")
		}
	}
	c.forms()
	if v := member(d.object, "env"); v != nil {
		if env, ok := v.Value.(*hujson.Object); ok {
			if path := member(env, "PATH"); path != nil {
				c.add(path.StartOffset, false, "env.PATH replaces the user's PATH for every command and hook")
			}
		}
	}
	hooks, err := d.hooks()
	if err != nil {
		return append(c.problems, Problem{Text: err.Error(), Fatal: true})
	}
	if hooks == nil {
		return c.problems
	}
	for i := range hooks.Members {
		m := &hooks.Members[i]
		if event := text(&m.Name); known != nil && !known(event) {
			c.add(m.Name.StartOffset, false, fmt.Sprintf("the client knows no event %q and ignores it", event))
		}
		c.event(text(&m.Name), &m.Value)
	}
	return c.problems
}

type checker struct {
	*document
	problems []Problem
	guards   bool // the event at hand is one whose hooks may guard something
}

// skips reports a hook that the client does not load.
func (c *checker) skips(offset int, text string) {
	if c.guards {
		c.add(offset, true, text+"; the client skips the whole file, since this may be what guards the rest")
		return
	}
	c.add(offset, false, text+"; the client ignores it")
}

// maxProblems bounds a list that nobody reads to its end.
const maxProblems = 100

func (c *checker) add(offset int, fatal bool, text string) {
	if len(c.problems) == maxProblems {
		return
	}
	c.problems = append(c.problems, Problem{Line: c.line(offset), Text: text, Fatal: fatal})
}

func (c *checker) event(event string, v *hujson.Value) {
	c.guards = event == "PreToolUse" || event == "PermissionRequest"
	groups, ok := v.Value.(*hujson.Array)
	if !ok {
		c.skips(v.StartOffset, fmt.Sprintf("%q must be a list, it is %s", event, kindName(*v)))
		return
	}
	for i := range groups.Elements {
		g := &groups.Elements[i]
		group, ok := g.Value.(*hujson.Object)
		if !ok {
			c.skips(g.StartOffset, fmt.Sprintf("an element of %q must be an object, it is %s", event, kindName(*g)))
			continue
		}
		if m := member(group, "matcher"); m != nil && m.Value.Kind() != '"' {
			c.skips(m.StartOffset, "a matcher must be a text, it is "+kindName(*m))
		}
		list := member(group, "hooks")
		if list == nil {
			c.skips(g.StartOffset, fmt.Sprintf("an element of %q has no \"hooks\"", event))
			continue
		}
		entries, ok := list.Value.(*hujson.Array)
		if !ok {
			c.skips(list.StartOffset, `"hooks" of an event must be a list, it is `+kindName(*list))
			continue
		}
		for n := range entries.Elements {
			c.entry(&entries.Elements[n])
		}
	}
}

// entry looks at one hook: its type, and the fields of command hooks.
func (c *checker) entry(v *hujson.Value) {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		c.skips(v.StartOffset, "a hook must be an object, it is "+kindName(*v))
		return
	}
	kind := text(member(obj, "type"))
	if !slices.Contains(hookTypes, kind) {
		c.skips(v.StartOffset, fmt.Sprintf("the client knows no type of hook %q (it knows %s)", kind, strings.Join(hookTypes, ", ")))
		return
	}
	if t := member(obj, "timeout"); t != nil && (t.Value.Kind() != '0' || t.Value.(hujson.Literal).Float() <= 0) {
		c.skips(t.StartOffset, "a timeout must be a number of seconds above 0")
	}
	if kind != "command" {
		return
	}
	command := text(member(obj, "command"))
	if command == "" {
		c.skips(v.StartOffset, "a command hook needs a command")
	}
	if a := member(obj, "args"); a != nil {
		if _, ok := stringList(a); !ok {
			c.skips(a.StartOffset, "args must be a list of texts")
		}
	}
	if f := member(obj, "onFailure"); f != nil && text(f) != "block" && text(f) != "continue" {
		c.skips(f.StartOffset, `onFailure must be "block" or "continue"`)
	}
	if _, own := ownCall(v); own && strings.Contains(command, "{{") {
		c.add(v.StartOffset, false, "a template was never filled in: "+command)
	}
}

// commentOffset finds the first thing that is not standard JSON.
func (d *document) commentOffset() int {
	standard, err := hujson.Standardize(append([]byte(nil), d.text...))
	if err != nil {
		return 0
	}
	for i := range standard {
		if standard[i] != d.text[i] {
			return i
		}
	}
	return 0
}
