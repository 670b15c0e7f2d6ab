package risk

import (
	"strings"
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
		name := word(2)
		return strings.HasPrefix(name, "guard.") || strings.HasPrefix(name, "checkpoint.") || name == "hook.timeout"
	case "init":
		// A file for everybody calls whatever moai is on PATH, if there is one: less than what a person has chosen.
		return k.given([]string{"--uninstall", "--remove", "--on-failure", "--shared"}) && !k.dry()
	case "checkpoint":
		return !k.dry()
	case "risk":
		return !m.onlyLooks()
	}
	return true
}

// dry reports that a verb of moai is only to say what it would do.
func (k *call) dry() bool {
	for i := range k.options {
		if o := &k.options[i]; o.name == "--dry-run" && o.negated() {
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
		if !m.c.spend(len(text) / 512) {
			return false
		}
		if strings.Contains(text, "disableAllHooks") || strings.Contains(text, "MOAI_") {
			return true
		}
	}
	return m.c.res != nil && m.c.spend(len(m.c.in.Command)/512) && strings.Contains(m.c.in.Command, "disableAllHooks")
}
