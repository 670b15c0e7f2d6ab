package moaid

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// moaid goes by what the user adds as hooks do: by what a query has compiled, and by nothing where moai names no folder of his.
func TestLanguagesOfTheUser(t *testing.T) {
	e, _ := room(t)
	e.config = t.TempDir()
	added := lang.Added{Config: e.config, State: filepath.Join(e.state, "cache")}
	kit.Must(t, os.MkdirAll(added.Dir(), 0o700))
	text := "id = \"zag\"\nname = \"Zag\"\nkind = \"programming\"\nextensions = [\".zag\"]\n\n[[example]]\npath = \"a.zag\"\n"
	kit.Must(t, os.WriteFile(filepath.Join(added.Dir(), "zag.toml"), []byte(text), 0o600))
	known := e.languages()
	if got := known().Classify("a.zag", nil, false).ID; got != "" {
		t.Errorf("before a query: %q", got)
	}
	if _, problems := added.Table(&languages.Table); len(problems) > 0 {
		t.Fatal(problems)
	}
	if got := known().Classify("a.zag", nil, false).ID; got != "zag" {
		t.Errorf("after a query: %q", got)
	}
	e.config = ""
	if got := e.languages()().Classify("a.zag", nil, false).ID; got != "" {
		t.Errorf("without a folder: %q", got)
	}
}
