package lang

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// TestNeeds follows targets without a recipe: so many as a person lists, and not the thousands, or the circles, of a file that is made to take time.
func TestNeeds(t *testing.T) {
	r := &rule.Runner{Form: "make"}
	if got := scriptOf(r, []byte("all: lint test\nlint:\n\tvet\ntest: unit\nunit:\n\trun\n"), "all"); got != "vet ;run ;" {
		t.Errorf("all is %q", got)
	}
	got := scriptOf(r, []byte("all:"+strings.Repeat(" a", 32_000)+"\na:\n\tx\n"), "all")
	if n := strings.Count(got, "x"); n != maxNeeds {
		t.Errorf("%d targets of 32000 are followed, want %d", n, maxNeeds)
	}
	if got := scriptOf(r, []byte("all: a b\na: b\nb: a\n"), "all"); got != "" {
		t.Errorf("a circle is %q", got)
	}
}
