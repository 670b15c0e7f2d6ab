package tag

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

// setOf scans files given as path → text.
func setOf(t *testing.T, files map[string]string, docs ...Doc) *Set {
	t.Helper()
	kinds := tags(t).Kinds
	g := NewGrammar(kinds)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var all []Tag
	for _, name := range names {
		all = append(all, g.File(name, []byte(files[name]), syntaxOf)...)
	}
	return NewSet(kinds, slices.Values(all), docs)
}

func rules(found iter.Seq[Finding]) []string {
	var out []string
	for f := range found {
		out = append(out, fmt.Sprintf("%s:%d %s %s %s", f.Path, f.Line, f.ID, strings.TrimPrefix(f.Rule, "problem."), f.Severity))
	}
	return out
}

func TestVerify(t *testing.T) {
	const spec = ".moai/specs/SPEC-A-001/spec.md"
	whole := map[string]string{spec: "# @SPEC:A-001\n", "a_test.go": "// @TEST:A-001\n", "a.go": "// @CODE:A-001\n"}
	with := func(more map[string]string) map[string]string {
		out := map[string]string{}
		for _, m := range []map[string]string{whole, more} {
			for k, v := range m {
				if v == "" {
					delete(out, k)
				} else {
					out[k] = v
				}
			}
		}
		return out
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		docs  []Doc
		want  []string
	}{
		{name: "complete", files: whole},
		{name: "no code", files: with(map[string]string{"a.go": ""}), want: []string{spec + ":1 A-001 no-code error"}},
		{name: "no code yet", files: with(map[string]string{"a.go": ""}), docs: []Doc{{ID: "A-001", Path: spec, Early: true}}, want: []string{spec + ":1 A-001 no-code warning"}},
		{name: "retired", files: with(map[string]string{"a.go": ""}), docs: []Doc{{ID: "A-001", Path: spec, Dropped: true}}},
		{name: "orphan", files: with(map[string]string{spec: ""}), want: []string{"a_test.go:1 A-001 no-spec error"}},
		{name: "document without a TAG", files: with(map[string]string{spec: ""}), docs: []Doc{{ID: "A-001", Path: spec}}},
		{name: "longer id is another", files: map[string]string{spec: "# @SPEC:A-001\n", "a_test.go": "// @TEST:A-001\n", "a.go": "// @CODE:A-001-002\n"}, want: []string{
			"a.go:1 A-001-002 no-spec error", ".moai/specs/SPEC-A-001/spec.md:1 A-001 no-code error", "a.go:1 A-001-002 no-test error",
		}},
		{name: "parts are no duplicates", files: with(map[string]string{"b.go": "// @CODE:A-001:API\n", "c.go": "// @CODE:A-001:DATA\n// @CODE:A-001:API\n"})},
		{name: "mention is no duplicate", files: with(map[string]string{"README.md": "See @SPEC:A-001.\n", "x.go": "s := \"# @SPEC:A-001\"\n"})},
		{name: "plan in the same folder", files: with(map[string]string{".moai/specs/SPEC-A-001/plan.md": "# @SPEC:A-001 plan\n"})},
		{name: "duplicate", files: with(map[string]string{".moai/specs/SPEC-A-002/spec.md": "# @SPEC:A-001\n"}), want: []string{".moai/specs/SPEC-A-002/spec.md:1 A-001 duplicate error"}},
		{name: "dangling", files: with(map[string]string{"b.go": "// @CODE:A-001 | SPEC: SPEC-A-001.md | TEST: tests/none.go, a_test.go | CHAIN: x\n"}), want: []string{"b.go:1 A-001 dangling error"}},
		{name: "malformed", files: with(map[string]string{"b.go": "// @CODE:A-01\n// write @CODE:A-01\n"}), want: []string{"b.go:1 A-01 format error"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := setOf(t, c.files, c.docs...)
			got := rules(s.Verify(tags(t).Problems, nil, func(p string) bool { return c.files[p] != "" }).All())
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("Verify (-want +got):\n%s", d)
			}
		})
	}
}

// What is open can be counted without the chains, and comes out the same.
func TestOpen(t *testing.T) {
	docs := []Doc{
		{ID: "DOC-001", Status: "active"},
		{ID: "DOC-002", Early: true},
		{ID: "DOC-003", Dropped: true},
		{ID: "DOC-004", Early: true},
		{ID: "DOC-004", Status: "active"},
		{ID: "DOC-005"},
	}
	files := map[string]string{
		"a.md": "# @SPEC:A-001\n# @SPEC:A-002\nSee @SPEC:A-009.\n", "a_test.go": "// @TEST:A-001:X\n// @TEST:DOC-005\n",
		"a.go": "// @CODE:A-001:Y\n// @CODE:A-003\n// @CODE:DOC-005\n// @CODE:BAD-1\n// @MX:NOTE x\n", "d.md": "# @DOC:A-004\n",
	}
	want := 0
	for _, c := range setOf(t, files, docs...).Chains() {
		if c.State != "complete" && (c.doc == nil || !c.doc.Early && !c.doc.Dropped) {
			want++
		}
	}
	g := NewGrammar(tags(t).Kinds)
	var all []Tag
	for name, text := range files {
		all = append(all, g.File(name, []byte(text), syntaxOf)...)
	}
	if got := Open(tags(t).Kinds, slices.Values(all), docs); got != want || got != 4 {
		t.Errorf("Open = %d, want %d: A-002, A-003, A-004, DOC-001", got, want)
	}
}

// A tree of a million TAGs may hold as many mistakes: none is put into words before it is asked for.
func TestVerifyMemory(t *testing.T) {
	const chains = 20000
	var b strings.Builder
	for i := range chains {
		fmt.Fprintf(&b, "// @CODE:D%d-%03d\n", i/1000, i%1000)
	}
	s := setOf(t, map[string]string{"a.go": b.String()})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := s.Verify(tags(t).Problems, nil, func(string) bool { return false })
	runtime.ReadMemStats(&after)
	if found.Len() != 2*chains || !found.Errors() {
		t.Fatalf("%d mistakes, want no SPEC and no test for each of %d", found.Len(), chains)
	}
	// 64 bytes a mistake, four times as much while the list grows, and the text of its rule's id.
	if got := (after.TotalAlloc - before.TotalAlloc) / uint64(found.Len()); got > 350 {
		t.Errorf("a mistake takes %d bytes, want 350 at most", got)
	}
}

// A document may say anything in its id; a domain is asked for all the same.
func TestNextBesideOddIDs(t *testing.T) {
	docs := []Doc{{ID: "A"}, {ID: "AB"}, {ID: ""}, {ID: "-"}, {ID: "AB-7"}, {ID: "로그인-001"}}
	if got, err := NewSet(tags(t).Kinds, slices.Values([]Tag(nil)), docs).Next("AB"); got != "AB-001" || err != nil {
		t.Errorf("Next(AB) = %q, %v, want AB-001", got, err)
	}
}

// Names of files come from macOS with their letters taken apart, and from elsewhere whole.
func TestSuggestComposes(t *testing.T) {
	s := setOf(t, map[string]string{"src/\u1105\u1169\u1100\u1173\u110b\u1175\u11ab.go": "// @CODE:A-001\n", "src/caf\u00e9.go": "// @CODE:B-001\n"})
	for keyword, want := range map[string]string{"로그인": "A-001", "cafe\u0301": "B-001"} {
		if list := s.Suggest(keyword); len(list) != 1 || list[0].ID != want {
			t.Errorf("Suggest(%q) = %v, want %s", keyword, list, want)
		}
	}
}

func TestNextAndSuggest(t *testing.T) {
	s := setOf(t, map[string]string{
		"a.md": "# @SPEC:AUTH-001: 로그인 유지\n# @SPEC:AUTH-007: Password reset\n# @SPEC:PAY-001: Card payment\n",
		"a.go": "// see @CODE:AUTH-009\n",
	}, Doc{ID: "DOC-999", Path: "x"})
	for _, c := range []struct{ domain, want string }{{"AUTH", "AUTH-010"}, {"auth", "AUTH-010"}, {"NEW", "NEW-001"}, {"PY314", "PY314-001"}, {"DOC", ""}, {"1X", ""}, {"", ""}, {"A_B", ""}} {
		got, err := s.Next(c.domain)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Next(%q) = %q, %v, want %q", c.domain, got, err, c.want)
		}
	}
	for _, c := range []struct{ keyword, want string }{{"로그인", "AUTH-001"}, {"로그인을", "AUTH-001"}, {"pay", "PAY-001"}, {"password", "AUTH-007"}, {"nothing", ""}} {
		got := ""
		if list := s.Suggest(c.keyword); len(list) > 0 {
			got = list[0].ID
		}
		if got != c.want {
			t.Errorf("Suggest(%q) = %q, want %q", c.keyword, got, c.want)
		}
	}
}

// A renaming that cannot be finished leaves every file as it was.
func TestRenameIsAtomic(t *testing.T) {
	root := t.TempDir()
	kit.Tree(t, root, map[string]string{".moai/specs/SPEC-A-001/spec.md": "# @SPEC:A-001\n", "a.go": "// @CODE:A-001\n", "b.go": "// @CODE:A-001\n"})
	before := collect(t, root, "")
	edits, err := PlanRename(root, "A-001", "B-001", before.All(), nil)
	kit.Must(t, err)
	kit.Tree(t, root, map[string]string{"b.go": "// @CODE:A-001 changed meanwhile\n"})
	if err := ApplyRename(root, edits); err == nil {
		t.Fatal("ApplyRename over a changed file = nil, want an error")
	}
	if d := cmp.Diff(found(before), found(collect(t, root, ""))); d != "" {
		t.Errorf("after a failure (-want +got):\n%s", d)
	}
	edits, err = PlanRename(root, "A-001", "B-001", before.All(), nil)
	kit.Must(t, err)
	// The folder's new name is taken at the last moment: the files are taken back too.
	kit.Tree(t, root, map[string]string{".moai/specs/SPEC-B-001/x": "x"})
	if err := ApplyRename(root, edits); err == nil {
		t.Fatal("ApplyRename onto a folder in use = nil, want an error")
	}
	if d := cmp.Diff(found(before), found(collect(t, root, ""))); d != "" {
		t.Errorf("after a late failure (-want +got):\n%s", d)
	}
	kit.Must(t, os.RemoveAll(filepath.Join(root, ".moai/specs/SPEC-B-001")))
	kit.Must(t, ApplyRename(root, edits))
	want := []string{".moai/specs/SPEC-B-001/spec.md:1 @SPEC:B-001", "a.go:1 @CODE:B-001", "b.go:1 @CODE:B-001"}
	if d := cmp.Diff(want, found(collect(t, root, ""))); d != "" {
		t.Errorf("after renaming (-want +got):\n%s", d)
	}
}

// Only the id itself is renamed: neither a part of another id that reads like it, nor an address.
func TestRenameLeavesOthers(t *testing.T) {
	root := t.TempDir()
	const text = "// @CODE:A-001 @CODE:AUTH-001:A-001 @CODE:A-001:A-001\n// @NEW:A-001 git@host:A-001 SPEC-A-001 MYSPEC-A-001 A-001 A-0010\n"
	kit.Tree(t, root, map[string]string{"a.go": text})
	edits, err := PlanRename(root, "A-001", "B-001", collect(t, root, "").All(), nil)
	kit.Must(t, err)
	kit.Must(t, ApplyRename(root, edits))
	want := "// @CODE:B-001 @CODE:AUTH-001:A-001 @CODE:B-001:A-001\n// @NEW:B-001 git@host:A-001 SPEC-B-001 MYSPEC-A-001 A-001 A-0010\n"
	if data, _ := os.ReadFile(filepath.Join(root, "a.go")); string(data) != want {
		t.Errorf("a.go =\n%swant\n%s", data, want)
	}
}

// A SPEC may be one file instead of a folder: header lines that name it would point nowhere if it kept its name.
func TestRenameFlatSpec(t *testing.T) {
	root := t.TempDir()
	kit.Tree(t, root, map[string]string{".moai/specs/SPEC-A-001.md": "# @SPEC:A-001\n", "a.go": "// @CODE:A-001 | SPEC: SPEC-A-001.md\n"})
	edits, err := PlanRename(root, "A-001", "B-001", collect(t, root, "").All(), nil)
	kit.Must(t, err)
	kit.Must(t, ApplyRename(root, edits))
	after := collect(t, root, "")
	want := []string{".moai/specs/SPEC-B-001.md:1 @SPEC:B-001", "a.go:1 @CODE:B-001"}
	if d := cmp.Diff(want, found(after)); d != "" {
		t.Errorf("after renaming (-want +got):\n%s", d)
	}
	kit.Tree(t, root, map[string]string{".moai/specs/SPEC-C-001.md": "no TAG\n"})
	if _, err := PlanRename(root, "B-001", "C-001", after.All(), nil); !errors.Is(err, ErrTaken) {
		t.Errorf("PlanRename onto a file in use = %v, want ErrTaken", err)
	}
}

// FuzzFile: whatever the bytes, a TAG that is found stands on its line, and is malformed or has a valid id.
func FuzzFile(f *testing.F) {
	table, err := loadForFuzz()
	kit.Must(f, err)
	g := NewGrammar(table)
	for _, s := range []string{"# @CODE:AUTH-001:API | SPEC: x", "@@SPEC:A-001", "/* @DOC:A-B-001 */", "```\n@SPEC:A-001\n```", "@MX:NOTE x", "\xff@CODE:A-001\xff", "'@CODE:A-001", "\"\"\"@CODE:A-001\n"} {
		f.Add("a.py", s)
		f.Add("a.md", s)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		lines := strings.Split(text, "\n")
		for _, tag := range g.File(name, []byte(text), syntaxOf) {
			if !May(table, []byte(text)) {
				t.Fatalf("%q is in a text that can hold none", tag.String())
			}
			if tag.Line < 1 || tag.Line > len(lines) {
				t.Fatalf("line %d of %d", tag.Line, len(lines))
			}
			if !tag.Malformed && !strings.Contains(lines[tag.Line-1], tag.String()) {
				t.Fatalf("%q is not in line %q", tag.String(), lines[tag.Line-1])
			}
			if tag.ID != "" && ValidID(tag.ID) == tag.Malformed {
				t.Fatalf("id %q, malformed %t", tag.ID, tag.Malformed)
			}
		}
	})
}
