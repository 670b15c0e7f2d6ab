package format_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/format"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
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
		kit.Tree(t, root, row.files)
		got := ""
		if c := format.Choose(&quality.Table, root, filepath.Join(root, filepath.FromSlash(row.path)), format.Edited); c != nil {
			got = c.ID
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// One that writes its file gets a copy with the settings that lie on the way to it, and the file itself is not touched; one that is silent has nothing to
// change.
func TestWrites(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		".settings": "above", "a/.settings": "beside", "a/b/x.src": "on disk\n", "a/b/other": "",
		"tool": "#!/bin/sh\ncd \"$(dirname \"$1\")\" && cat ../../.settings ../.settings >>\"$1\" && ls -A >>\"$1\"\n", "none": "#!/bin/sh\ncat >/dev/null\n",
		"empties": "#!/bin/sh\n: >\"$1\"\n", "away": "#!/bin/sh\nrm \"$1\"\nln -s /etc/passwd \"$1\"\n",
	} {
		write(t, filepath.Join(root, filepath.FromSlash(name)), text, 0o755)
	}
	run := func(f rule.Formatter) string {
		f.ID, f.Local, f.Config = "x", []string{"."}, []string{".settings"}
		c := &format.Choice{Formatter: &f, Dir: root, Root: root}
		out, err := c.Run(t.Context(), filepath.Join(root, "a/b/x.src"), []byte("new\n"), nil, func(string) string { return "" })
		return fmt.Sprintf("%q %v", out, err)
	}
	for want, f := range map[string]rule.Formatter{
		`"new\nabovebesidex.src\n" <nil>`: {Argv: []string{"tool", "{file}"}, Writes: true},
		`"" it gave nothing back`:         {Argv: []string{"empties", "{file}"}, Writes: true},
		`"" it gave nothing back `:        {Argv: []string{"away", "{file}"}, Writes: true},
		`"new\n" <nil>`:                   {Argv: []string{"none"}, Silent: true},
		`"" it gave nothing back` + "\t":  {Argv: []string{"none"}},
	} {
		if got := run(f); got != strings.TrimSpace(want) {
			t.Errorf("%v: %s, want %s", f.Argv, got, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "moai-format-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if b, err := os.ReadFile(filepath.Join(root, "a/b/x.src")); err != nil || string(b) != "on disk\n" {
		t.Errorf("%q %v", b, err)
	}
}
