package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Agents call the guard because their settings say so: what is done to those files.

// registers reports a file of an agent's settings in which the guard is registered, or
// a folder or pattern with such a file among what it means.
func (m *match) registers(t *Target) bool {
	c := m.c
	asked := func(p string) bool { return c.in.Registers == nil || c.in.Registers(p) }
	if t.Pattern == "" && t.Names&rule.Agent != 0 && asked(t.Path) {
		return true
	}
	dir := t.Path
	if t.Pattern != "" {
		dir = path.Dir(t.Pattern)
	}
	if t.Names&rule.AgentDir == 0 && t.Pattern == "" {
		return false
	}
	for name := range c.set.words("registers-hooks") {
		p := dir + "/" + name
		if (t.Pattern == "" || glob(t.Pattern, p)) && c.names(p, false)&rule.Agent != 0 && c.spend(costPlace) && asked(p) {
			return true
		}
	}
	return false
}

// dropsRegistration reports that the guard is no longer named in a file of settings after
// what a call writes, as far as the line or the tool's input shows it: the file is
// emptied, replaced by a text without the guard, or edited just there.
func (m *match) dropsRegistration(e *effect) bool {
	k := m.call
	if m.c.res == nil {
		return m.toolDropsRegistration()
	}
	if e.kind&rule.Append != 0 {
		return false
	}
	// In place: the words say what is looked for. What a program is given to do otherwise is not known.
	if !e.redirect && k.name != "tee" {
		if k.name == "truncate" {
			return true
		}
		for i := 1; i < len(k.cmd.Args); i++ {
			w := &k.cmd.Args[i]
			if w != e.word && (takesAway(w.Text) || w.Is("/dev/null")) {
				return true
			}
		}
		return false
	}
	// jq 'del(.hooks)' x | sponge x
	if len(k.cmd.PipeFrom) > 0 && m.c.upstream(k, make([]bool, len(m.c.calls)), func(p *call) bool {
		return p.name == "jq" && slices.ContainsFunc(p.cmd.Args, func(w shell.Word) bool { return takesAway(w.Text) })
	}) {
		return true
	}
	text, known := m.written()
	return known && !mentionsGuard(text)
}

// written is what a redirection or tee writes, where the line shows all of it.
func (m *match) written() (text string, known bool) {
	k := m.call
	switch {
	case m.c.set.In("shows-words", k.name) && len(k.operands) > 0:
		var b strings.Builder
		for _, i := range k.operands {
			if k.cmd.Args[i].Kind != shell.Literal {
				return "", false
			}
			b.WriteString(k.cmd.Args[i].Text + " ")
		}
		return b.String(), true
	case k.cmd.Stdin != nil && (k.name == "tee" || m.c.set.In("shows-files", k.name) && len(k.operands) == 0):
		return k.cmd.Stdin.Text.Text, k.cmd.Stdin.Text.Kind == shell.Literal && len(k.cmd.Stdin.Text.Text) > 0
	case len(k.cmd.Args) == 0 || k.name == ":" || k.name == "true" || k.name == "false" || k.name == "exec":
		return "", true // the shell empties the file
	}
	return "", false
}

// toolDropsRegistration is dropsRegistration for tools that write files.
func (m *match) toolDropsRegistration() bool {
	c := m.c
	found, hooks := false, false
	for _, text := range m.call.content {
		if mentionsGuard(text) {
			return false
		}
		hooks = hooks || strings.Contains(text, `"hooks"`)
	}
	for name := range c.set.words("replaces-file") {
		eachText(argument(c.args, name), func(string) { found = true })
	}
	for name := range c.set.words("replaces-text") {
		eachText(argument(c.args, name), func(old string) { found = found || mentionsGuard(old) || !hooks && strings.Contains(old, `"hooks"`) })
	}
	return found
}

// mentionsGuard reports the guard's name in a text, which its registration has.
func mentionsGuard(text string) bool { return strings.Contains(text, "moai") }

// takesAway reports the words of an edit that is about the guard's registration, and
// does not only add to what is there.
func takesAway(text string) bool {
	return mentionsGuard(text) || strings.Contains(text, "hooks") && !strings.Contains(text, "+=")
}
