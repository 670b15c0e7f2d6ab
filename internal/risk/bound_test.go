package risk

import (
	"strings"
	"testing"
)

// Filling a line up until it is not read to its end must not get anything past.
func TestLongLinesAreAskedAbout(t *testing.T) {
	set := &Set{ByProgram: func(string) []uint16 { return nil }, Program: func(string) int { return -1 }}
	for name, line := range map[string]string{
		"many commands": strings.Repeat("x; ", 20000) + "rm -rf /",
		"deep":          strings.Repeat("$(", 80) + "rm -rf /" + strings.Repeat(")", 80),
		"long":          strings.Repeat("a", 200<<10) + "; rm -rf /",
	} {
		if v := set.Check(&Input{Command: line, Dir: "/", Root: "/srv/app"}); v.Action != Ask || len(v.Hits) != 1 {
			t.Errorf("%s: action %v with %d hits, want to ask", name, v.Action, len(v.Hits))
		}
	}
	if v := set.Check(&Input{Command: strings.Repeat("echo a; ", 200), Dir: "/", Root: "/srv/app"}); v.Action != Allow {
		t.Errorf("an ordinary line: %v %v, want allow", v.Action, v.Doubts)
	}
}
