package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestExamples asserts what the entries of rules/shells claim of themselves: each hit removes x, or what a comment at its end
// names.
func TestExamples(t *testing.T) {
	if len(tables.Examples) == 0 {
		t.Fatal("rules/shells has no examples")
	}
	for _, x := range tables.Examples {
		for _, line := range x.Hits {
			want := "x"
			if i := strings.LastIndex(line, " # "); i >= 0 {
				want = line[i+len(" # "):]
			}
			if got := removed(line); !slices.Contains(got, want) {
				t.Errorf("%s:%d: %s: Parse(%q) = %q, which removes %q, want %q", x.File, x.Line, x.ID, line, show(Parse(line, here)), got, want)
			}
		}
		for _, line := range x.Misses {
			if got := removed(line); got != nil {
				t.Errorf("%s:%d: %s: Parse(%q) = %q, want no rm", x.File, x.Line, x.ID, line, show(Parse(line, here)))
			}
		}
	}
}

// removed lists the operands of each rm that a line would run. What is not known of one is an ellipsis.
func removed(line string) (list []string) {
	for _, c := range Parse(line, here).Commands {
		if c.Name != "rm" {
			continue
		}
		var operands []string
		for _, a := range c.Args[1:] {
			if a.Kind == Unknown && len(a.Parts) < 2 {
				a.Text = "…"
			}
			if !strings.HasPrefix(a.Text, "-") {
				operands = append(operands, a.Text)
			}
		}
		list = append(list, strings.Join(operands, " "))
	}
	return list
}
