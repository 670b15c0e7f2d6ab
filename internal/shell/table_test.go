package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestWrappersAreSorted(t *testing.T) {
	if !slices.IsSortedFunc(wrappers, func(a, b wrapper) int { return strings.Compare(a.word(), b.word()) }) {
		for i := 1; i < len(wrappers); i++ {
			if wrappers[i-1].word() > wrappers[i].word() {
				t.Errorf("wrappers: %q stands before %q", wrappers[i-1].name, wrappers[i].name)
			}
		}
	}
	seen := map[string]bool{}
	for _, w := range wrappers {
		if seen[w.name] {
			t.Errorf("wrappers: %q is there twice", w.name)
		}
		seen[w.name] = true
	}
}

// TestEveryWrapperIsSeenThrough builds the plainest call for each row.
func TestEveryWrapperIsSeenThrough(t *testing.T) {
	for _, w := range wrappers {
		line := w.name
		switch {
		case w.skip == anyNumber || w.text != "" && w.skip == 0 && !w.assigns:
			line += " -c 'rm x'"
		case w.sep:
			line += " a -- rm x"
		default:
			line += strings.Repeat(" 1", w.skip) + " rm x"
		}
		found := false
		r := Parse(line, here)
		for i := range r.Commands {
			found = found || r.Commands[i].Name == "rm" && r.Commands[i].Remote == w.remote
		}
		if !found {
			t.Errorf("Parse(%q) = %q, want rm among it", line, show(r))
		}
	}
}

func TestCallsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range calls {
		if key := c.lang + " " + c.name; seen[key] {
			t.Errorf("calls: %s is there twice", key)
		} else {
			seen[key] = true
		}
	}
}
