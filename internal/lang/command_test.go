package lang_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// TestCommands: what is told of small projects, to the letter. Each archive of
// testdata/commands has projects: NAME/want has a line for each thing asked for,
// "test: mix test", with nothing behind the colon for none.
func TestCommands(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("..", "..", "testdata", "commands", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives: %q, %v", archives, err)
	}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		kit.Must(t, err)
		trees, wants := map[string]map[string]string{}, map[string]string{}
		for _, f := range a.Files {
			name, path, _ := strings.Cut(f.Name, "/")
			if trees[name] == nil {
				trees[name] = map[string]string{}
			}
			if path == "want" {
				wants[name] = strings.TrimSpace(string(f.Data))
			} else {
				trees[name][path] = string(f.Data)
			}
		}
		for name, tree := range trees {
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				for path, text := range tree {
					put(t, dir, path, text)
				}
				if diff := cmp.Diff(wants[name], told(detect(t, dir, lang.Options{}), wants[name])); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// told writes of a report what a list asks for, in its order.
func told(r *lang.Report, asked string) string {
	says := map[string]string{"ecosystem": r.Ecosystem, "version": r.EcosystemVersion}
	if p := r.Primary; p != nil {
		says["primary"], says["version"] = p.ID, p.Version
	}
	for what, tool := range map[string]*lang.Tool{
		"install": r.Tools.Manager, "test": r.Tools.Test, "lint": r.Tools.Linter, "format": r.Tools.Formatter,
		"typecheck": r.Tools.Typecheck, "build": r.Tools.Build, "start": r.Tools.Start,
	} {
		if tool != nil {
			says[what] = tool.Command
		}
	}
	if m := r.Tools.Manager; m != nil {
		says["manager"] = m.Name
	}
	var lines []string
	for line := range strings.Lines(asked) {
		what, _, _ := strings.Cut(line, ":")
		lines = append(lines, strings.TrimSpace(what+": "+says[what]))
	}
	return strings.Join(lines, "\n")
}
