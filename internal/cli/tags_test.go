package cli

import (
	"testing"

	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/tag"
)

// The examples of the TAG rules hold with the comment syntax of the language table too.
func TestTagSyntax(t *testing.T) {
	for i := range tables.Kinds {
		for _, fault := range tag.Check(tables.Kinds, i, tagSyntax) {
			t.Errorf("%s: %s", tables.Kinds[i].ID, fault)
		}
	}
	for name, prose := range map[string]bool{"README.md": true, "a.go": false, "Makefile": false, "x.unknown": false} {
		if got := tagSyntax(name); got.Prose != prose || len(got.Line)+len(got.Block) == 0 {
			t.Errorf("tagSyntax(%q) = %+v, want comments, prose %t", name, got, prose)
		}
	}
}
