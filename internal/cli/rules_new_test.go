package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// TestNewRulesPassCheck begins a rule of every kind in a copy of the source tree:
// rules check refuses it as it is, and takes it once it is filled in.
func TestNewRulesPassCheck(t *testing.T) {
	root := t.TempDir()
	kit.Must(t, os.CopyFS(filepath.Join(root, "rules"), os.DirFS(filepath.Join("..", "..", "rules"))))
	kit.Write(t, filepath.Join(root, "go.mod"), "module github.com/modu-ai/moai\n")
	kit.Must(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	run := func(args ...string) (out string, code int) {
		var b, talk bytes.Buffer
		code = Run(args, &env{in: strings.NewReader(""), out: &b, err: &talk, dir: root, getenv: func(string) string { return "" }})
		return b.String() + talk.String(), code
	}
	if out, code := run("rules", "check"); code != 0 {
		t.Fatalf("rules check of the source tree as it is: %d\n%s", code, out)
	}
	for _, row := range []struct {
		family, id, file string
		fill             []string // old, new, …
	}{
		{"risk", "zagit.production", "rules/risks/zagit.toml", []string{
			`subcommand = "", flags = [""]`, `subcommand = "prod"`, `why     = ""`, `why     = "changes what customers see"`,
			`instead = ""`, "instead = \"`zagit staging`\"", `hits    = ["", ""]`, `hits    = ["zagit prod", "sudo zagit prod"]`,
			`misses  = ["", ""]`, `misses  = ["zagit staging", "echo zagit prod"]`,
		}},
		{"language", "zag", "rules/languages/zag.toml", []string{
			`extensions = []`, `extensions = [".zag"]`, "[[example]]                   # a file that is this language\npath = \"\"", "[[example]]\npath = \"a.zag\"",
			"[[near]]                      # a file that looks like it and is not; is = \"what it is\"\npath = \"\"", "",
			`comment    = { line = [], block = [] }`, `comment    = { line = ["//"] }`,
		}},
		{"context", "documents.zagging", "rules/contexts/documents.toml", []string{
			`commands  = [] `, `commands  = ["/team:release"] `, `documents = [] `, `documents = ["docs/release.md"] `,
			`why       = ""`, `why       = "who releases follows the list"`, `hits      = ["", ""]`, `hits      = ["/team:release", "/team:release 1.2"]`,
			`misses    = ["", ""]`, `misses    = ["/team:releases", "see /team"]`,
		}},
		{"tag", "chain.omen", "rules/tags/chain.toml", []string{
			`order    = 0`, `order    = 5`, `why      = ""`, `why      = "what is to come"`,
			`hits     = ["", ""]`, `hits     = ["docs/a.md: # @OMEN:AUTH-001", "docs/b.md: # @OMEN:AUTH-002"]`,
			`misses   = ["", ""]`, `misses   = ["docs/a.md: @OMENS:AUTH-001", "docs/a.md: @OMEN:1"]`,
		}},
		{"tag", "mx.hint", "rules/tags/mx.toml", []string{
			`why      = ""`, `why      = "what helps"`,
			`hits     = ["", ""]`, `hits     = ["a.go: // @MX:HINT: x", "a.go: // @MX:HINT: y"]`,
			`misses   = ["", ""]`, `misses   = ["a.go: // MX:HINT", "a.go: // @MX:HINTS: y"]`,
		}},
	} {
		out, code := run("rules", "new", row.family, row.id, "--write", "--json")
		var got stubJSON
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || !got.Written || got.File != filepath.Join(root, filepath.FromSlash(row.file)) {
			t.Fatalf("rules new %s %s = %d, %s", row.family, row.id, code, out)
		}
		if out, code := run("rules", "check", row.file); code != 1 || !strings.Contains(out, row.file+":") {
			t.Errorf("rules check of an unfilled %s = %d, want 1 and its place:\n%s", row.family, code, out)
		}
		data := kit.Read(t, got.File)
		before := strings.TrimSuffix(data, got.Text)
		filled := before + strings.NewReplacer(row.fill...).Replace(got.Text)
		kit.Write(t, got.File, filled)
		if out, code := run("rules", "check", row.file); code != 0 {
			t.Errorf("rules check of %s %s filled in = %d:\n%s\n%s", row.family, row.id, code, out, filled[len(before):])
		}
	}
	if out, code := run("rules", "test", "rules/risks/zagit.toml"); code != 0 || !strings.Contains(out, "4 examples of 1 rule") {
		t.Errorf("rules test of the new risk = %d:\n%s", code, out)
	}
	if out, code := run("rules", "new", "language", "zag", "--write"); code == 0 {
		t.Errorf("a second zag was written over the first:\n%s", out)
	}
}
