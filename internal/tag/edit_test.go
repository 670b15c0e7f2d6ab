package tag

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

func TestEdited(t *testing.T) {
	table := tags(t)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "package a\n", nil},
		{"good", "// @CODE:A-001\n", nil},
		{"mention", "// see @SPEC:NONE-001\n", nil},
		{"no such SPEC", "\n// @CODE:NONE-001\n", []string{"src/new.go:2 NONE-001 no-spec error"}},
		{"malformed", "// @CODE:A-1\n", []string{"src/new.go:1 A-1 format error"}},
		{"second SPEC", "// @SPEC:A-001\n", []string{"src/new.go:1 A-001 duplicate error"}},
		{"names another SPEC", "// @CODE:A-001 | SPEC: @SPEC:B-001, SPEC-B-001.md#login\n", nil},
		{"names a SPEC that is none", "// @CODE:A-001 | SPEC: @SPEC:C-001\n", []string{"src/new.go:1 A-001 dangling error"}},
		{"dangling", "// @CODE:A-001 | TEST: none.go\n", []string{"src/new.go:1 A-001 dangling error"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			kit.Tree(t, root, map[string]string{
				".moai/specs/SPEC-A-001/spec.md": "# @SPEC:A-001\n", "old.go": "// @CODE:OTHER-001\n// @CODE:x-1\n", "b.md": "# @SPEC:B-001\n", "src/new.go": c.text,
			})

			o := Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(table.Kinds)}
			exists := func(p string) bool { _, err := os.Stat(filepath.Join(root, p)); return err == nil }
			got := rules(slices.Values(Edited(o, table, "src/new.go", func() []Doc { return nil }, exists)))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("Edited (-want +got):\n%s", d)
			}
		})
	}
}

func TestSpecless(t *testing.T) {
	table := tags(t)
	root := t.TempDir()
	kit.Tree(t, root, map[string]string{".moai/specs/SPEC-A-001/spec.md": "no TAG\n", "docs/b.md": "# @SPEC:B-001\n"})
	o := Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(table.Kinds)}
	exists := func(p string) bool { _, err := os.Stat(filepath.Join(root, p)); return err == nil }
	known := Known(o, table.Kinds, exists)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"// @CODE:A-001\n// @CODE:B-001\n", nil},
		{"// @CODE:C-001\n// @TEST:C-001\n", []string{"C-001"}},
		{"// @SPEC:C-001\n// @CODE:C-001\n", nil},
		{"// mentions @CODE:C-001\n", nil},
	} {
		if d := cmp.Diff(c.want, Specless(table, "x.go", c.text, syntaxOf, known)); d != "" {
			t.Errorf("Specless(%q) (-want +got):\n%s", c.text, d)
		}
	}
}

func TestMay(t *testing.T) {
	table, err := loadForFuzz()
	kit.Must(t, err)
	for text, want := range map[string]bool{
		"": false, "@": false, "a@b.org @Override": false, "@COD": false, "CODE:A-001": false,
		"@CODE:A-001": true, "@@SPEC:A-001": true, "@Override\n// @TEST:A-001": true,
	} {
		if got := May(table, []byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
