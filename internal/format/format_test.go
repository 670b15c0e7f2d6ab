package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/format"
)

func TestChoose(t *testing.T) {
	for _, row := range []struct {
		name  string
		files map[string]string
		path  string
		want  string
	}{
		{"nothing says so", map[string]string{"package.json": `{"name":"x"}`}, "a.ts", ""},
		{"its configuration", map[string]string{".prettierrc": ""}, "src/a.ts", "prettier"},
		{"a dependency", map[string]string{"package.json": `{"devDependencies":{"prettier": "3"}}`}, "a.css", "prettier"},
		{"not a file of its", map[string]string{".prettierrc": ""}, "a.py", ""},
		{"the nearest", map[string]string{".prettierrc": "", "web/biome.json": "{}"}, "web/src/a.ts", "biome"},
		{"beside each other", map[string]string{".prettierrc": "", "biome.json": "{}"}, "a.ts", "biome"},
		{"what hooks name", map[string]string{".prettierrc": "", "biome.json": "{}", "lefthook.yml": "run: prettier --write"}, "a.ts", "prettier"},
		{"a configuration before a mention", map[string]string{"package.json": `{"devDependencies":{"prettier": "3"}}`, "biome.json": "{}"}, "a.ts", "biome"},
		{"treefmt above all", map[string]string{"treefmt.toml": "", "web/.prettierrc": ""}, "web/a.ts", "treefmt"},
		{"black", map[string]string{"pyproject.toml": "[tool.black]\n[tool.ruff]\n"}, "a.py", "black"},
		{"ruff as a linter", map[string]string{"pyproject.toml": "[tool.ruff]\n"}, "a.py", ""},
		{"ruff", map[string]string{"pyproject.toml": "[tool.ruff.format]\n"}, "a.py", "ruff"},
		{"ruff by a hook", map[string]string{"pyproject.toml": "[tool.black]", ".pre-commit-config.yaml": "- id: ruff-format"}, "a.py", "ruff"},
		{"gofmt", map[string]string{"go.mod": "module x"}, "a/b.go", "gofmt"},
		{"gofumpt by a hook", map[string]string{"go.mod": "module x", ".pre-commit-config.yaml": "id: gofumpt"}, "b.go", "gofumpt"},
		{"rustfmt", map[string]string{"Cargo.toml": ""}, "src/a.rs", "rustfmt"},
		{"above the root", map[string]string{"../.prettierrc": ""}, "a.ts", ""},
		{"a folder of that name", map[string]string{".prettierrc/x": ""}, "a.ts", ""},
		{"names with blanks and letters", map[string]string{".prettierrc": ""}, "한글/-a 'b'\n.ts", "prettier"},
	} {
		root := filepath.Join(t.TempDir(), "root")
		for name, text := range row.files {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if c := format.Choose(&quality.Table, root, filepath.Join(root, filepath.FromSlash(row.path)), format.Edited); c != nil {
			got = c.ID
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
