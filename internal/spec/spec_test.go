package spec

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
)

// table is the vocabulary of the rules, read from their source: the generated one is above this package.
func table(t testing.TB) *rule.Specs {
	t.Helper()
	words, err := rule.LoadSpecs(os.DirFS("../.."))
	kit.Must(t, err)
	return words
}

// project writes SPEC documents by directory; an empty text is a directory without spec.md.
func project(t testing.TB, docs map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range docs {
		dir := filepath.Join(root, filepath.FromSlash(Dir), name)
		kit.Must(t, os.MkdirAll(dir, 0o755))
		if text == "" {
			continue
		}
		kit.Write(t, filepath.Join(dir, "spec.md"), text)
	}
	return root
}

func doc(id, extra string) string {
	return "---\nid: " + id + "\nversion: 0.1.0\n" + extra + "created: 2026-01-01\nupdated: 2026-01-02\nauthor: \"@goos\"\npriority: high\n---\n\n# @SPEC:" + id + ": 제목\n\n## Ubiquitous\n"
}

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       [3]int
	}{
		{"completed", "---\nid: A-001\nstatus: completed\n---\n", [3]int{1, 1, 0}},
		{"capital", "---\nstatus: Completed\n---\n", [3]int{1, 1, 0}},
		{"quoted", "---\r\nstatus: \"completed\" # yes\r\n---\r\n", [3]int{1, 1, 0}},
		{"bom", "\ufeff---\nstatus: 'COMPLETED'\n---\n", [3]int{1, 1, 0}},
		{"prose only", "---\nstatus: draft\n---\nNot yet status: completed\n", [3]int{0, 1, 0}},
		{"history", "---\nstatus: active\n---\n```yaml\nstatus: completed\n```\n", [3]int{0, 1, 0}},
		{"other key", "---\nnot_status: completed\nstatus: draft\n---\n", [3]int{0, 1, 0}},
		{"longer word", "---\nstatus: completed-partly\n---\n", [3]int{0, 1, 0}},
		{"no front matter", "# SPEC-A-001\n\nstatus: completed\n", [3]int{1, 1, 0}},
		{"bold", "# SPEC-A-001\n\n- **Status**: Completed\n", [3]int{1, 1, 0}},
		{"bold inside", "# SPEC-A-001\n\n**Status:** Completed\n", [3]int{1, 1, 0}},
		{"below a section", "# SPEC-A-001\n\n## History\nstatus: completed\n", [3]int{0, 1, 0}},
		{"broken elsewhere", "---\nauthor: @goos\nstatus: completed\n---\n", [3]int{1, 1, 0}},
		{"no spec.md", "", [3]int{0, 1, 1}},
		{"never closed", "---\nstatus: completed\n\n# Title\n", [3]int{1, 1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := project(t, map[string]string{"SPEC-A-001": c.text})
			n := Progress(root, table(t))
			if got := [3]int{n.Completed, n.Total(), n.Missing}; got != c.want {
				t.Errorf("Progress = %v, want %v", got, c.want)
			}
		})
	}
}

func TestProgressDirectories(t *testing.T) {
	root := project(t, map[string]string{
		"SPEC-A-001": "---\nstatus: completed\n---\n", "SPEC-B-001": "---\nstatus: draft\n---\n", "SPEC-C-001": "",
		"notes": "---\nstatus: completed\n---\n", "SPEC-": "---\nstatus: completed\n---\n", "SPEC-로그인-001": "---\nstatus: completed\n---\n",
	})
	kit.Write(t, filepath.Join(root, filepath.FromSlash(Dir), "SPEC-FILE-001"), "")
	outside := project(t, map[string]string{"SPEC-X-001": "---\nstatus: completed\n---\n"})
	if runtime.GOOS != "windows" {
		kit.Must(t, os.Symlink(filepath.Join(outside, filepath.FromSlash(Dir), "SPEC-X-001"), filepath.Join(root, filepath.FromSlash(Dir), "SPEC-X-001")))
	}
	if c := Progress(root, table(t)); c.Completed != 2 || c.Total() != 4 || c.Missing != 1 {
		t.Errorf("Progress = %+v, want 2 of 4, 1 missing", c)
	}
	if c := Progress(t.TempDir(), table(t)); c.Completed+c.Folders+c.Missing != 0 {
		t.Errorf("Progress(no SPECs) = %+v, want zeros", c)
	}
}

// A head that is cut off in the middle of a letter or a line says what stands before.
func TestProgressOfLongHeads(t *testing.T) {
	for shift := range 4 {
		long := "---\nid: A-001\nstatus: completed\nscope: " + strings.Repeat("x", shift) + strings.Repeat("가", headBytes) + "\nversion: 1\n---\n"
		root := project(t, map[string]string{"SPEC-A-001": long})
		if c := Progress(root, table(t)); c.Completed != 1 || c.Total() != 1 {
			t.Errorf("Progress of a head of %d bytes = %v, want 1 of 1", len(long), &c)
		}
	}
	head := "---\nid: A-001\n#"
	head += strings.Repeat("-", headBytes-len(head)-len("\nstatus: completed"))
	cut := head + "\nstatus: completed-partly\n---\n"
	root := project(t, map[string]string{"SPEC-A-001": cut})
	if s := List(root, table(t))[0]; s.Status() == "completed" {
		t.Errorf("status = %q of a line that is cut, want none", s.Status())
	}
}

// Titles are shown in terminals, which obey some characters instead of showing them.
func TestTitleIsHarmless(t *testing.T) {
	for _, text := range []string{"# @SPEC:A-001: 로\x1b[31m그\u202e인\x07\n", "---\ntitle: \"로\\x1b[31m그\\u202e인\\x07\"\n---\n", "title: 로\x1b[31m그\u202e인\x07\n"} {
		root := project(t, map[string]string{"SPEC-A-001": text})
		if got := List(root, table(t))[0].Title; got != "로[31m그인" {
			t.Errorf("Title of %q = %q, want it without control characters", text, got)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range [][3]int{{15, 23, 65}, {0, 0, 0}, {2, 3, 66}, {3, 3, 100}, {0, 7, 0}} {
		if got := Percent(c[0], c[1]); got != c[2] {
			t.Errorf("Percent(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestLint(t *testing.T) {
	root := project(t, map[string]string{
		"SPEC-A-001":    doc("A-001", "status: active\ndepends_on: [B-001]\n"),
		"SPEC-B-001":    doc("B-001", "status: active\ndepends_on:\n  - SPEC-C-001\n"),
		"SPEC-C-001":    doc("C-001", "status: active\ndepends_on: A-001, NONE-001\n"),
		"SPEC-D-001":    doc("E-001", "status: polished\nscope: a: b\n"),
		"SPEC-E-001":    "",
		"SPEC-F-001":    strings.Replace(doc("F-001", "status: draft\n"), "@SPEC:F-001", "@SPEC:F-002", 1),
		"SPEC-PY314-01": "---\nid: PY314-01\n---\n",
	})
	var got []string
	for _, f := range Lint(Load(root, table(t))) {
		got = append(got, strings.TrimPrefix(f.Severity[:1]+" "+f.String(), ""))
	}
	want := []string{
		"e .moai/specs/SPEC-A-001/spec.md:5: spec.cycle: depends on itself: A-001 → B-001 → C-001 → A-001",
		"w .moai/specs/SPEC-C-001/spec.md:5: spec.unknown-reference: depends_on names NONE-001, which does not exist",
		"e .moai/specs/SPEC-D-001/spec.md:2: spec.id-directory: the id is E-001, the directory is SPEC-D-001",
		"w .moai/specs/SPEC-D-001/spec.md:4: spec.field-value: status is \"polished\"; expected one of completed, implemented, active, in-progress, review, approved, planned, draft, blocked, deprecated, archived, superseded, rejected, retired",
		"e .moai/specs/SPEC-D-001/spec.md:5: spec.front-matter: a value with a colon needs quotes: \"a: b\"",
		"w .moai/specs/SPEC-E-001/spec.md:1: spec.missing: .moai/specs/SPEC-E-001 has no spec.md",
		"e .moai/specs/SPEC-F-001/spec.md:2: spec.id-tag: the id is F-001, the heading says @SPEC:F-002",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.field-missing: the field version is missing",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.field-missing: the field status is missing",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.field-missing: the field created is missing",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.field-missing: the field updated is missing",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.field-missing: the field author is missing",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.field-missing: the field priority is missing",
		"w .moai/specs/SPEC-PY314-01/spec.md:1: spec.ears: no EARS section or sentence (event-driven, state-driven, optional, unwanted, ubiquitous)",
		"e .moai/specs/SPEC-PY314-01/spec.md:2: spec.id: PY314-01 is not an id like AUTH-001",
	}
	// A document that is nothing but front matter has no sections to miss.
	want = append(want[:13:13], want[14])
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Lint (-want +got):\n%s", d)
	}
}

func TestTitle(t *testing.T) {
	root := project(t, map[string]string{"SPEC-A-001": doc("A-001", "status: draft\n")})
	if got := List(root, table(t))[0].Title; got != "제목" {
		t.Errorf("Title = %q, want %q", got, "제목")
	}
}

func BenchmarkProgress(b *testing.B) {
	docs := map[string]string{}
	for _, d := range "ABCDEFGHIJKLMNOPQRSTUVW" {
		docs["SPEC-"+string(d)+"-001"] = doc(string(d)+"-001", "status: completed\n") + strings.Repeat("prose ", 1000)
	}
	root := project(b, docs)
	words := table(b)
	b.ReportAllocs()
	for b.Loop() {
		if c := Progress(root, words); c.Completed != 23 || c.Total() != 23 {
			b.Fatal(&c)
		}
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{
		"AUTH-001": true, "PY314-001": true, "A-B-C-123": true, "A-1B-001": true,
		"AUTH-01": false, "AUTH-0001": false, "auth-001": false, "001-001": false, "AUTH--001": false, "-001": false, "": false, "AUTH-00A": false, "AÜ-001": false,
	} {
		if got := validID(id); got != want {
			t.Errorf("validID(%q) = %t, want %t", id, got, want)
		}
	}
}
