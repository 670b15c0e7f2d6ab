package secret

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestFilesAreKeptBack asks about the content of files of all kinds that hold a secret.
func TestFilesAreKeptBack(t *testing.T) {
	table := New(builtin(t))
	a := archive(t, "withheld.txtar")
	if len(a) < 80 {
		t.Fatalf("%d files", len(a))
	}
	for name, text := range a {
		for _, whole := range []string{text, "# notes\n" + text, "\ufeff" + text, strings.ReplaceAll(text, "\n", "\r\n")} {
			whole = strings.NewReplacer("HIDDEN", word, "DIGITS", "84736251").Replace(whole)
			if strings.HasPrefix(name, "bare") && strings.HasPrefix(whole, "#") {
				continue // with more beside it a word is a word
			}
			if !table.HoldsIn(name, whole) {
				t.Errorf("published: %s\n%s", name, whole)
				break
			}
		}
	}
}

// TestOrdinaryFilesArePublished asks about files that hold none.
func TestOrdinaryFilesArePublished(t *testing.T) {
	table := New(builtin(t))
	for name, text := range archive(t, "published.txtar") {
		if table.HoldsIn(name, text) {
			t.Errorf("kept back: %s\n%s", name, text)
		}
	}
}

func archive(t *testing.T, name string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range a.Files {
		if files[f.Name] != "" {
			t.Errorf("%s: two of this name", f.Name)
		}
		files[f.Name] = string(f.Data)
	}
	return files
}
