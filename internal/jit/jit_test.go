package jit

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
)

// project writes files below a new root; names that end in "/" are directories.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	kit.Tree(t, root, files)
	return root
}

func paths(docs []Doc) []string {
	var out []string
	for _, d := range docs {
		out = append(out, d.Path)
	}
	return out
}

const (
	metadata = ".moai/memory/spec-metadata.md"
	guide    = ".moai/memory/development-guide.md"
	report   = ".moai/memory/sync-report.md"
)

func TestDocuments(t *testing.T) {
	table := contexts(t)
	all := map[string]string{metadata: "m", guide: "g", report: "r", "tests/": "", ".claude/agents/git-manager.md": "a"}
	for _, c := range []struct {
		prompt string
		files  map[string]string
		want   []string
	}{
		{"/alfred:1-plan login", all, []string{metadata}},
		{"/alfred:1-spec login", all, []string{metadata}},
		{"/alfred:2-run AUTH-001", all, []string{guide}},
		{"/alfred:2-build AUTH-001", all, []string{guide}},
		{"/alfred:3-sync", all, []string{report}},
		{"/alfred:3-sync", map[string]string{metadata: ""}, nil},
		{"@agent-tag-agent list", all, []string{metadata}},
		{"@agent-debug-helper why", all, []string{guide}},
		{"@agent-git-manager branch", all, []string{".claude/agents/git-manager.md"}},
		{"@agent-unknown branch", all, nil},
		{"jest and pytest", all, []string{"tests/"}},
		{"test /alfred:2-run and /alfred:1-plan", all, []string{metadata, guide, "tests/"}}, // the order of the rules
		{"/alfred:1-plan and @agent-tag-agent", all, []string{metadata}},
		{"the latest contest", all, nil},
		{"run the tests", map[string]string{"tests": "a file"}, nil},
		{"<command-name>/alfred:2-run</command-name>\n<command-args>AUTH-001</command-args>", all, []string{guide}},
		{"<task-notification>\n<summary>/alfred:2-run tests done</summary>\n</task-notification>", all, nil},
		{"", all, nil},
		{"로그인 테스트", all, []string{"tests/"}}, // decomposed, as macOS file names are
	} {
		root := project(t, c.files)
		got := paths(Parse(table, c.prompt).Documents(root, nil, 0))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("Documents(%q) (-want +got):\n%s", c.prompt, d)
		}
	}
}

// A document is given once, again when it changed, and again when the memory is empty.
func TestDocumentsOnce(t *testing.T) {
	table := contexts(t)
	root := project(t, map[string]string{guide: "one", "tests/": ""})
	seen := map[string]string{}
	ask := func() []string {
		return paths(Parse(table, "/alfred:2-run the tests").Documents(root, seen, 0))
	}
	if got := ask(); len(got) != 2 {
		t.Fatalf("first = %v, want two documents", got)
	}
	if got := ask(); got != nil {
		t.Errorf("second = %v, want none", got)
	}
	path := filepath.Join(root, filepath.FromSlash(guide))
	kit.Write(t, path, "two")
	kit.Must(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)))
	if got := ask(); len(got) != 1 || got[0] != guide {
		t.Errorf("after a change = %v, want the guide", got)
	}
	clear(seen)
	if got := ask(); len(got) != 2 {
		t.Errorf("after a compaction = %v, want two documents", got)
	}
}

func TestDocumentsInline(t *testing.T) {
	table := contexts(t)
	root := project(t, map[string]string{metadata: strings.Repeat("abcd", 100), guide: strings.Repeat("가", 100)})
	docs := Parse(table, "/alfred:1-plan /alfred:2-run").Documents(root, nil, 150)
	if len(docs) != 2 || docs[0].Tokens != 100 || len(docs[0].Text) != 400 {
		t.Fatalf("first document = %+v, want it inlined with 100 tokens", docs)
	}
	if docs[1].Text != "" || docs[1].Tokens != 100 {
		t.Errorf("second document = %+v, want it named only: 50 tokens are left", docs[1])
	}
	docs = Parse(table, "/alfred:1-plan").Documents(root, nil, 0)
	if docs[0].Text != "" {
		t.Errorf("document = %+v, want its path only", docs[0])
	}
}

// Neither a rule nor a link leads out of the root, and CLAUDE.md is never given.
func TestDocumentsStayInside(t *testing.T) {
	outside := project(t, map[string]string{"secret.md": "s"})
	root := project(t, map[string]string{"CLAUDE.md": "c", "ok.md": "o", "d.md/": ""})
	if runtime.GOOS != "windows" {
		kit.Must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(root, "link.md")))
	}
	table := []rule.Context{{
		ID: "x.y", Kind: rule.ContextDocuments, Words: []string{"word"},
		Documents: []string{"../secret.md", "/etc/passwd", "link.md", "CLAUDE.md", "d.md", "ok.md", "ok.md"},
	}}
	if d := cmp.Diff([]string{"ok.md"}, paths(Parse(table, "word").Documents(root, nil, 0))); d != "" {
		t.Errorf("Documents (-want +got):\n%s", d)
	}
	if got := Parse(table, "word").Documents(filepath.Join(root, "none"), nil, 0); got != nil {
		t.Errorf("Documents(no root) = %v, want none", got)
	}
}

func TestForProgram(t *testing.T) {
	table := contexts(t)
	root := project(t, map[string]string{"tests/": ""})
	for _, c := range []struct {
		argv string
		want bool
	}{
		{"go test ./...", true},
		{"go -C sub test ./...", true}, // a word behind an option may be its value
		{"go sub test", false},
		{"go -C=sub test", true},
		{"/usr/bin/pytest -q", true},
		{"npm run -s test", true},
		{"npm run build", false},
		{"go vet", false},
		{"echo test", false},
		{"", false},
	} {
		got := ForProgram(table, strings.Fields(c.argv), root, nil, 0)
		if (len(got) > 0) != c.want {
			t.Errorf("ForProgram(%q) = %v, want %t", c.argv, got, c.want)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{{"", 0}, {"abcd", 1}, {"abcde", 2}, {"가나", 2}, {"検索 abcd", 4}} {
		if got := Tokens(c.text); got != c.want {
			t.Errorf("Tokens(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

// BenchmarkPrompt is a prompt of 10 KB with a few words of the table, prose and pasted code.
func BenchmarkPrompt(b *testing.B) {
	table := contexts(b)
	prose := "Please look at the session handling in src/auth/session.go: the cookie is set twice, and <b>one</b> of them has no path. See https://example.com/x.\n"
	code := "```go\nfunc f() { run(\"test\") }\n```\n> quoted line\n2026-11-21T10:00:00Z INFO started\n"
	prompt := strings.Repeat(prose+code, 10240/len(prose+code)) + "ulw fix the failing test\n"
	if m := Parse(table, prompt).Modes("rare"); len(m) != 1 {
		b.Fatalf("modes = %v", m)
	}
	b.SetBytes(int64(len(prompt)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(table, prompt).Modes("rare")
	}
}
