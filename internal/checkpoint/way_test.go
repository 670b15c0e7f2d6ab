package checkpoint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestWay(t *testing.T) {
	for want, way := range map[string]Way{
		"moai checkpoint restore 120000.000Z":                       {ID: "120000.000Z"},
		"moai checkpoint restore 120000.000Z --refs --index":        {ID: "120000.000Z", Refs: true, Index: true},
		"moai checkpoint restore x --missing":                       {ID: "x", Missing: true},
		"moai checkpoint restore x --vault ./-p.env 'a b' '*' .env": {ID: "x", Vault: true, Paths: []string{"-p.env", "a b", "*", ".env"}},
		"moai checkpoint restore x --refs --before-git":             {ID: "x", Refs: true, BeforeGit: true},
	} {
		if got := way.String(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if got, want := (Way{ID: "x"}).In("a b"), "(cd 'a b' && moai checkpoint restore x)"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A line that is put together elsewhere would lack what this one knows: options, quotes, names that begin with a dash.
func TestWaysAreMadeInOnePlace(t *testing.T) {
	built := regexp.MustCompile("moai checkpoint restore (%|\" ?\\+)")
	seen := 0
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") || strings.Contains(p, "e2e") {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		seen++
		if found := built.Find(b); found != nil && filepath.Base(p) != "way.go" {
			t.Errorf("%s puts %s… together: use Way", p, found)
		}
		return nil
	})
	if err != nil || seen < 500 {
		t.Errorf("%d files: %v", seen, err)
	}
}
