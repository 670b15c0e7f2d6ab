package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// TestEveryWrapperIsSeenThrough builds the plainest call for each row that brings
// no examples of its own.
func TestEveryWrapperIsSeenThrough(t *testing.T) {
	for _, w := range tables.Wrappers {
		if slices.ContainsFunc(tables.Examples, func(x rule.ShellExample) bool { return x.ID == w.Name }) {
			continue // see Verify
		}
		line := strings.ReplaceAll(w.Name, "*", "a")
		switch {
		case w.Only != "":
			line += " shx rm x"
		case w.Aside != "":
			line += option(w.Aside)
		case w.Text != "" && w.Skip <= 0 && !w.Assigns:
			line += option(w.Text)
		case w.Sep:
			line += " a -- rm x"
		default:
			line += strings.Repeat(" 1", w.Skip) + " rm x"
		}
		found := false
		r := Parse(line, here)
		for i := range r.Commands {
			found = found || r.Commands[i].Name == "rm" && r.Commands[i].Remote == w.Remote
		}
		if !found {
			t.Errorf("Parse(%q) = %q, want rm among it", line, show(r))
		}
	}
}

// option gives the first option of a list a command as its value.
func option(list string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(list), " ")
	if list[0] == ' ' || strings.ContainsAny(name, ".-") || len(name) > 2 {
		return " --" + name + "='rm x'"
	}
	return " -" + name[:1] + " 'rm x'"
}
