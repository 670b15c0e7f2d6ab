package shell

import (
	"strings"
	"testing"
)

// TestEveryWrapperIsSeenThrough builds the plainest call for each row.
func TestEveryWrapperIsSeenThrough(t *testing.T) {
	for _, w := range tables.Wrappers {
		line := w.Name
		switch {
		case w.Skip < 0 || w.Text != "" && w.Skip == 0 && !w.Assigns:
			line += " -c 'rm x'"
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
