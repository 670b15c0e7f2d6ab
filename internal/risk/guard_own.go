package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// loosensGuard reports verbs of moai after which it stops less.
func (m *match) loosensGuard() bool {
	k := m.call
	word := func(n int) string {
		if n < len(k.operands) {
			return k.operand(n)
		}
		return ""
	}
	switch word(0) {
	case "config":
		if word(1) == "confirm" {
			return !k.dry(m.c.set)
		}
		name := word(2)
		return strings.HasPrefix(name, "guard.") || strings.HasPrefix(name, "checkpoint.") || strings.HasPrefix(name, "verify.") || strings.HasPrefix(name, "tracking.") || strings.HasPrefix(name, "ports.") || name == "env.trust" || name == "hook.timeout"
	case "init":
		// A file for everybody calls whatever moai is on PATH, if there is one: less than what a person has chosen.
		return k.givenOf(m.c.set.members("options-loosening-init")) && !k.dry(m.c.set)
	case "checkpoint":
		return !k.dry(m.c.set)
	case "risk":
		return !m.onlyLooks()
	}
	return true
}

// dry reports that a verb of moai is only to say what it would do.
func (k *call) dry(s *Set) bool {
	for i := range k.options {
		if o := &k.options[i]; o.name == "--dry-run" && s.negated(o) {
			return false
		}
	}
	return k.given([]string{"--dry-run"})
}

// onlyLooks reports "moai risk allow list", word for word: options of "allow" take
// values, so that a "list" or a "--dry-run" anywhere else may be one of those.
func (m *match) onlyLooks() bool {
	args := m.call.cmd.Args
	for i, want := range [...]string{"risk", "allow", "list"} {
		if i+1 >= len(args) || !args[i+1].Is(want) {
			return false
		}
	}
	return len(args) == 4 || len(args) == 5 && args[4].Is("--json")
}

// switchesGuardOff reports settings of an agent under which its hooks, or this
// guard, do less: in what a tool writes, or anywhere on the line that writes.
func (m *match) switchesGuardOff() bool {
	k := m.call
	texts := k.content
	for i := range k.cmd.Args {
		texts = append(texts, k.cmd.Args[i].Text)
	}
	if k.cmd.Stdin != nil {
		texts = append(texts, k.cmd.Stdin.Text.Text)
	}
	for _, text := range texts {
		if m.c.offText.says(m.c, text, m.c.set.members("names-guard-off")) {
			return true
		}
	}
	return m.c.res != nil && m.c.offLine.says(m.c, m.c.in.Command, m.c.set.members("names-hooks-off"))
}

// remembered is a text that was looked through, and whether something was found in it. The
// calls of a line often have one text in common, as long as the line.
type remembered struct {
	text  string
	found bool
}

// says reports whether one of words is in text.
func (r *remembered) says(c *checker, text string, words rule.Texts) bool {
	if r.text == text {
		return r.found
	}
	if !c.spend(len(text) / wordBytes) {
		return false
	}
	r.text = text
	r.found = words.Meets(func(word string) bool { return strings.Contains(text, word) })
	return r.found
}
