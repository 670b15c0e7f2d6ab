package shell

import (
	"slices"
	"testing"
)

// TestExamples asserts what the entries of rules/shells claim of themselves.
func TestExamples(t *testing.T) {
	if len(tables.Examples) == 0 {
		t.Fatal("rules/shells has no examples")
	}
	removes := func(line string) bool {
		return slices.ContainsFunc(Parse(line, here).Commands, func(c Command) bool { return c.Name == "rm" })
	}
	for _, x := range tables.Examples {
		for _, line := range x.Hits {
			if !removes(line) {
				t.Errorf("%s:%d: %s: Parse(%q) = %q, want rm among it", x.File, x.Line, x.ID, line, show(Parse(line, here)))
			}
		}
		for _, line := range x.Misses {
			if removes(line) {
				t.Errorf("%s:%d: %s: Parse(%q) = %q, want no rm", x.File, x.Line, x.ID, line, show(Parse(line, here)))
			}
		}
	}
}
