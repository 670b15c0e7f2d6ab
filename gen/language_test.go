package main

import (
	"os"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
)

// TestNewLanguage: one TOML file is all that a language takes. As the scaffold
// leaves it, it says what is missing; filled in, it is in the tables and lookups.
func TestNewLanguage(t *testing.T) {
	root := t.TempDir()
	kit.Must(t, os.CopyFS(root+"/rules", os.DirFS("../rules")))
	file := root + "/" + rule.LanguageFile("zag")
	stub := rule.LanguageStub("zag")
	filled := strings.NewReplacer(`extensions = []`, `extensions = [".zag"]`, `path = ""`, `path = "src/a.zag"`).Replace(stub)
	// The stub ends in the near miss, which must be something else.
	if i := strings.LastIndex(filled, `path = "src/a.zag"`); i >= 0 {
		filled = filled[:i] + `path = "src/a.zagged"` + filled[i+len(`path = "src/a.zag"`):]
	}
	for _, step := range []struct {
		text string
		ok   bool
	}{{stub, false}, {filled, true}} {
		kit.Write(t, file, step.text)
		outputs, err := languages(&input{root: os.DirFS(root)})
		if (err == nil) != step.ok {
			t.Fatalf("languages with\n%s: %v, want ok = %v", step.text, err, step.ok)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "rules/languages/zag.toml") {
				t.Errorf("%v, want the file's name in it", err)
			}
			continue
		}
		for _, o := range outputs {
			if !strings.HasSuffix(o.path, "_test.go") && !strings.Contains(string(o.data), "zag") {
				t.Errorf("%s does not know the new language", o.path)
			}
		}
	}
}
