package tag

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

// An index that cannot be kept is a warning, and the answer is the same.
func TestIndexWithoutAPlace(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	kit.Tree(t, root, map[string]string{"a.go": "// @CODE:A-001\n"})
	kit.Tree(t, other, map[string]string{"file": "x", "folder/in/x": "x"})
	want := found(collect(t, root, ""))
	for _, index := range []string{filepath.Join(other, "file", "tags.idx"), filepath.Join(other, "folder")} {
		r, err := Collect(Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(tags(t).Kinds), Index: index, Exclude: [][]byte{[]byte("none\n")}})
		kit.Must(t, err)
		if d := cmp.Diff(want, found(r)); d != "" {
			t.Errorf("index at %s (-want +got):\n%s", index, d)
		}
		if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "index not saved: ") || strings.Contains(r.Warnings[0], other) {
			t.Errorf("index at %s: warnings %q, want one without the path", index, r.Warnings)
		}
	}
}

// What an index holds of a file may be cut or changed anywhere: it is read as far as it goes, or not at all, and never beyond its end.
func TestDecodeDamaged(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	s := scanner{g: g, path: "a.go", of: syntaxOf}
	s.whole([]byte("// @CODE:AUTH-001:API | SPEC: x.md | TEST: y_test.go\n\n// see @SPEC:AUTH-001\n// @MX:NOTE text\n// @CODE:BAD-1\n"))
	whole := string(s.out.b)
	read := func(data string) (list []Tag) {
		g.decode("a.go", data, func(t Tag) bool { list = append(list, t); return true })
		return list
	}
	all := read(whole)
	if len(all) != 4 {
		t.Fatalf("%d TAGs, want 4", len(all))
	}
	for cut := range len(whole) {
		for i, tag := range read(whole[:cut]) {
			if i >= len(all) || tag.Line != all[i].Line {
				t.Errorf("cut at %d: TAG %d = %+v", cut, i, tag)
			}
		}
		for _, b := range []byte{0x00, 0x7f, 0x80, 0xff} {
			read(whole[:cut] + string([]byte{b}) + whole[cut+1:])
		}
	}
	n := 0
	if g.decode("a.go", whole, func(Tag) bool { n++; return false }); n != 1 {
		t.Errorf("decode went on for %d TAGs after it was told to stop", n)
	}
}

// A renaming that is none is refused before anything is looked at.
func TestPlanRenameRefuses(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct{ root, from, to, want string }{
		{root, "auth-1", "A-001", "an id is like AUTH-001: auth-1 → A-001"},
		{root, "A-001", "A-1", "an id is like AUTH-001: A-001 → A-1"},
		{root, "A-001", "A-001", "both ids are the same"},
		{filepath.Join(root, "none"), "A-001", "B-001", "none"},
	} {
		if _, err := PlanRename(c.root, c.from, c.to, slices.Values([]Tag{}), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("PlanRename(%s → %s) = %v, want %q", c.from, c.to, err, c.want)
		}
	}
	// What is no id counts neither as the old one nor as the new one.
	kit.Tree(t, root, map[string]string{"a.go": "// @CODE:A-001\n"})
	bad := Tag{Kind: "CODE", ID: "B-001", Path: "x.go", Line: 1, Malformed: true}
	edits, err := PlanRename(root, "A-001", "B-001", slices.Values([]Tag{bad, {Kind: "CODE", ID: "A-001", Path: "a.go", Line: 1}}), nil)
	if err != nil || len(edits) != 1 {
		t.Errorf("PlanRename = %v, %v, want one edit", edits, err)
	}
	// A file that is gone since it was found holds nothing to rename.
	if err := os.Remove(filepath.Join(root, "a.go")); err != nil {
		t.Fatal(err)
	}
	if edits, err := PlanRename(root, "A-001", "B-001", slices.Values([]Tag{{Kind: "CODE", ID: "A-001", Path: "a.go", Line: 1}}), nil); err != nil || len(edits) != 0 {
		t.Errorf("PlanRename of a file that is gone = %v, %v", edits, err)
	}
}

// Links of header lines may name an address, a line of a file, a heading, or a SPEC by its folder; a name that leads nowhere is told.
func TestVerifyLinks(t *testing.T) {
	files := map[string]string{
		".moai/specs/SPEC-A-001/spec.md": "# @SPEC:A-001\n", "a_test.go": "// @TEST:A-001\n", "docs/x.md": "x\n",
		"a.go": "\ufeff// @CODE:A-001 | SPEC: https://example.com/a | TEST: a_test.go:12 | DOC: docs/x.md#part\n",
		"b.go": "// @CODE:A-001 | SPEC: SPEC-B-009.md | DOC: docs/y.md:3\n",
	}
	s := setOf(t, files)
	got := rules(s.Verify(tags(t).Problems, nil, func(p string) bool { return files[p] != "" }).All())
	want := []string{"b.go:1 A-001 dangling error", "b.go:1 A-001 dangling error"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Verify (-want +got):\n%s", d)
	}
	// Whoever reads them may stop, and a problem that no table knows is an error of the last priority.
	found := s.Verify(nil, nil, func(string) bool { return false })
	for f := range found.All() {
		if f.Severity != "error" || f.Hint != "" {
			t.Errorf("finding without a table = %+v", f)
		}
		break
	}
}

// A kind whose examples are not what they are said to be is told, with the example.
func TestCheckFindsWrongExamples(t *testing.T) {
	kinds := slices.Clone(tags(t).Kinds)
	kinds[0].Hits = []string{"a.go: s := \"@SPEC:A-001\""}
	kinds[0].Misses = []string{"a.go: // @SPEC:A-001"}
	if got := Check(kinds, 0, syntaxOf); len(got) != 2 || !strings.Contains(got[0], "holds a mention; expected a definition") || !strings.Contains(got[1], "holds a definition; expected nothing") {
		t.Errorf("Check = %q", got)
	}
}
