package jit

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/rule"
)

func TestInstructions(t *testing.T) {
	table := contexts(t)
	root := project(t, map[string]string{
		"CLAUDE.md":              "never",
		".claude/rules.md":       "house rules",
		".cursorrules":           "cursor rules",
		".cursor/rules/all.mdc":  "---\ndescription: x\nglobs:\nalwaysApply: true\n---\nall files",
		".cursor/rules/ts.mdc":   "---\ndescription: x\nglobs: *.ts, src/**/*.tsx\nalwaysApply: false\n---\ntypescript",
		".cursor/rules/ask.mdc":  "---\ndescription: only on request\nalwaysApply: false\n---\nnever by itself",
		".cursor/rules/plain.md": "plain",
		".cursor/rules/empty.md": "",
		"AGENTS.md":              "agents",
	})
	seen := map[string]string{}
	docs := Instructions(table, root, nil, seen)
	want := []string{".claude/rules.md", ".cursorrules", ".cursor/rules/plain.md", ".cursor/rules/all.mdc", "AGENTS.md"}
	if d := cmp.Diff(want, paths(docs)); d != "" {
		t.Errorf("Instructions (-want +got):\n%s", d)
	}
	if docs[3].Text != "all files" {
		t.Errorf("text = %q, want it without its head", docs[3].Text)
	}
	if got := Instructions(table, root, nil, seen); got != nil {
		t.Errorf("second time = %v, want none", paths(got))
	}
	if d := cmp.Diff([]string{".cursor/rules/ts.mdc"}, paths(Instructions(table, root, []string{"web/a.ts"}, seen))); d != "" {
		t.Errorf("after touching a .ts file (-want +got):\n%s", d)
	}
	if got := Instructions(table, root, []string{"web/b.ts"}, seen); got != nil {
		t.Errorf("a second .ts file = %v, want none", paths(got))
	}
}

// Heads as people write them, and who is given the file.
func TestHeaded(t *testing.T) {
	for _, c := range []struct {
		name, text, touched string
		want                string // the body when it is given; "" when it is not
	}{
		{"alternatives", "---\nglobs: **/*.{ts,tsx}\n---\nbody", "web/a.tsx", "body"},
		{"alternatives and others", "---\nglobs: \"*.{js,jsx}\", '*.vue'\n---\nbody", "web/a.vue", "body"},
		{"alternatives in a list", "---\nglobs: [\"src/{a,b}/*.go\", \"*.md\"]\n---\nbody", "src/b/x.go", "body"},
		{"a list of lines", "---\nglobs:\n  - \"*.{ts,tsx}\"\n---\nbody", "a.tsx", "body"},
		{"other files", "---\nglobs: **/*.{ts,tsx}\n---\nbody", "web/a.go", ""},
		{"an empty head", "---\n---\nbody", "a.go", ""},
		{"a longer rule in the head", "---\nglobs: *.go\n----\n---\nbody", "a.go", "body"},
		{"carriage returns", "---\r\nalwaysApply: true\r\n---\r\nbody", "a.go", "body"},
		{"no line end behind the head", "---\nglobs: *.go\n---", "a.go", ""},
		{"no head", "body\n---\nmore", "a.go", "body\n---\nmore"},
		{"never closed", "---\nglobs: *.ts\nbody", "a.go", "---\nglobs: *.ts\nbody"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := project(t, map[string]string{".cursor/rules/x.mdc": c.text})
			got := ""
			for _, d := range Instructions(contexts(t), root, []string{c.touched}, nil) {
				got += d.Text
			}
			if got != c.want {
				t.Errorf("given for %s: %q, want %q", c.touched, got, c.want)
			}
		})
	}
}

func TestInstructionsLoadedByTheClient(t *testing.T) {
	table := contexts(t)
	root := project(t, map[string]string{"CLAUDE.md": "# Rules\n@AGENTS.md\n", "AGENTS.md": "agents"})
	if got := Instructions(table, root, nil, nil); got != nil {
		t.Errorf("imported by CLAUDE.md = %v, want none", paths(got))
	}
	// Imports are relative to the file in which they stand.
	root = project(t, map[string]string{".claude/CLAUDE.md": "@../AGENTS.md\n", "AGENTS.md": "agents"})
	if got := Instructions(table, root, nil, nil); got != nil {
		t.Errorf("imported by .claude/CLAUDE.md = %v, want none", paths(got))
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	root = project(t, map[string]string{"CLAUDE.md": "rules"})
	if err := os.Symlink("CLAUDE.md", filepath.Join(root, "AGENTS.md")); err != nil {
		t.Fatal(err)
	}
	if got := Instructions(table, root, nil, nil); got != nil {
		t.Errorf("a link to CLAUDE.md = %v, want none", paths(got))
	}
}

// An AGENTS.md below the root is for the files of its folder, the outer one before the inner one; globs in its head narrow it.
func TestInstructionsOfFolders(t *testing.T) {
	table := contexts(t)
	root := project(t, map[string]string{
		"web/AGENTS.md":         "web",
		"web/ui/AGENTS.md":      "---\nglobs: [\"*.tsx\"]\n---\nui",
		"api/AGENTS.md":         "---\ntitle: a head without globs\n---\napi",
		"client/AGENTS.md":      "client",
		"client/CLAUDE.md":      "See @AGENTS.md.",
		"web/ui/view/AGENTS.md": "",
	})
	seen := map[string]string{}
	for _, c := range []struct {
		touched []string
		want    []string
	}{
		{nil, nil},
		{[]string{"README.md", "../web/x.ts", "/web/x.ts"}, nil},
		{[]string{"web/ui/view/a.ts"}, []string{"web/AGENTS.md"}},
		{[]string{"web/ui/view/a.ts", "web/ui/view/a.tsx"}, []string{"web/ui/AGENTS.md"}},
		{[]string{"web/ui/view/a.tsx", "api/a.go", "client/a.go"}, []string{"api/AGENTS.md"}},
	} {
		docs := Instructions(table, root, c.touched, seen)
		if d := cmp.Diff(c.want, paths(docs)); d != "" {
			t.Errorf("after touching %v (-want +got):\n%s", c.touched, d)
		}
		if len(docs) == 1 && docs[0].Path == "web/ui/AGENTS.md" && docs[0].Text != "ui" {
			t.Errorf("text = %q, want it without its head", docs[0].Text)
		}
	}
}

func TestInstructionsBudget(t *testing.T) {
	root := project(t, map[string]string{".cursorrules": strings.Repeat("가", InstructionTokens+1), "AGENTS.md": "short"})
	docs := Instructions(contexts(t), root, nil, nil)
	if len(docs) != 2 || docs[0].Text != "" || docs[1].Text != "short" {
		t.Errorf("docs = %v, want the long one named and the short one inlined", paths(docs))
	}
}

// Files of a context are named by the same patterns as everything that people write: alternatives in braces, at the root and in folders.
func TestFilesInBraces(t *testing.T) {
	table, err := rule.LoadContexts(fstest.MapFS{"rules/contexts/x.toml": {Data: []byte(`[[rule]]
id = "x.files"
why = "w"
since = "0.1.0"
kind = "instructions"
files = [".agent/{a,b*}.md", "**/{NOTES,RULES}.md"]
hits = ["a", "b"]
misses = ["c", "d"]
`)}})
	if err != nil {
		t.Fatal(err)
	}
	root := project(t, map[string]string{
		".agent/a.md": "a", ".agent/bee.md": "bee", ".agent/c.md": "c", "web/NOTES.md": "notes", "web/RULES.md": "rules", "web/OTHER.md": "other",
	})
	got := paths(Instructions(table, root, []string{"web/x.go"}, nil))
	if want := []string{".agent/a.md", ".agent/bee.md", "web/NOTES.md", "web/RULES.md"}; !slices.Equal(got, want) {
		t.Errorf("given = %q, want %q", got, want)
	}
	if _, err := rule.LoadContexts(fstest.MapFS{"rules/contexts/x.toml": {Data: []byte("[[rule]]\nid = \"x\"\nfiles = [\"" + strings.Repeat("{a,b}", 9) + "\"]\n")}}); err == nil || !strings.Contains(err.Error(), "stands for more than") {
		t.Errorf("too many alternatives: %v, want them refused", err)
	}
}
