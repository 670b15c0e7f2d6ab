package tag

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What encloses lines in prose and in code, and where it ends.
func TestFences(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	for _, c := range []struct {
		name, path, text string
		want             []string // definitions
	}{
		{"a block in a block", "a.md", "````markdown\n```\n# @SPEC:IN-001\n```\n# @SPEC:IN-002\n````\n# @SPEC:OUT-001\n", []string{"OUT-001"}},
		{"a longer mark closes", "a.md", "```\n# @SPEC:IN-001\n`````\n# @SPEC:OUT-001\n", []string{"OUT-001"}},
		{"a line of inline code", "a.md", "```not a block```\n# @SPEC:OUT-001\n", []string{"OUT-001"}},
		{"tildes take any name", "a.md", "~~~a`b\n# @SPEC:IN-001\n~~~\n# @SPEC:OUT-001\n", []string{"OUT-001"}},
		{"carriage returns", "a.md", "```\r\n# @SPEC:IN-001\r\n```\r\n# @SPEC:OUT-001\r\n", []string{"OUT-001"}},
		{"a quote in a comment of many lines", "a.go", "/*\nlike `this one\n*/\n// @CODE:OUT-001\nvar s = `\n// @CODE:IN-001\n`\n", []string{"OUT-001"}},
		{"a TAG in a comment of many lines", "a.js", "/**\n * the `a\n * @CODE:OUT-001\n */ let s = `\n// @CODE:IN-001\n`\n", []string{"OUT-001"}},
		{"a comment between code", "a.js", "f(/* ` */) // `\n// @CODE:OUT-001\n", []string{"OUT-001"}},
		{"a comment in a literal", "a.go", "var s = `/*`\nvar r = `\n// @CODE:IN-001\n`\n// @CODE:OUT-001\n", []string{"OUT-001"}},
	} {
		var got []string
		for _, tag := range g.File(c.path, []byte(c.text), syntaxOf) {
			if tag.Definition {
				got = append(got, tag.ID)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q defines %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

// A comment that closes on the line of its TAG ends what the TAG says.
func TestTailOfClosedComments(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	for _, c := range []struct{ path, text string }{
		{"a.hs", "{- @CODE:A-001 login | SPEC: SPEC-A-001.md -}\n"},
		{"a.lua", "--[[ @CODE:A-001 login | SPEC: SPEC-A-001.md ]]\n"},
		{"a.c", "/* @CODE:A-001 login | SPEC: SPEC-A-001.md */ int x;\n"},
		{"a.html", "<!-- @CODE:A-001 login | SPEC: SPEC-A-001.md --> <p>\n"},
		{"a.py", "\"\"\"@CODE:A-001 login | SPEC: SPEC-A-001.md\"\"\"\n"},
	} {
		list := g.File(c.path, []byte(c.text), syntaxOf)
		if len(list) != 1 || list[0].Text != "login" || len(list[0].Links) != 1 || list[0].Links[0].Target != "SPEC-A-001.md" {
			t.Errorf("File(%q) = %+v, want the text login and a link to SPEC-A-001.md", c.text, list)
		}
	}
}

// Titles are shown in terminals, which obey some characters instead of showing them.
func TestTitleIsHarmless(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	list := g.File("a.md", []byte("# @SPEC:A-001: 로\x1b[31m그\u202e인\x07\u0085 | TEST: a\x1b]0;x\x07b.go\n"), syntaxOf)
	if len(list) != 1 {
		t.Fatalf("File = %v, want one TAG", list)
	}
	if shown := fmt.Sprint(list[0].Text, list[0].Links); strings.ContainsAny(shown, "\x1b\x07\u202e\u0085") || !strings.Contains(shown, "로[31m그인") {
		t.Errorf("title and links = %q, want no control characters", shown)
	}
}
