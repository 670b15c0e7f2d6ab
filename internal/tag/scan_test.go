package tag

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/rule"
)

// syntaxOf is the real table of languages.
func syntaxOf(name string) Syntax { return Syntax(languages.Table.Syntax(name)) }

// tags is the real table, read from the rules.
func tags(t testing.TB) *rule.Tags {
	t.Helper()
	table, err := rule.LoadTags(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRules(t *testing.T) {
	table := tags(t)
	for i := range table.Kinds {
		for _, f := range Check(table.Kinds, i, syntaxOf) {
			t.Errorf("%s: %s", table.Kinds[i].ID, f)
		}
	}
}

func TestFile(t *testing.T) {
	g := NewGrammar(tags(t).Kinds)
	for _, c := range []struct {
		path, text string
		want       []string // line kind id sub d(efinition)/m(ention)/x(malformed) text links
	}{
		{"a.py", "x = 1\n# @CODE:AUTH-001 | SPEC: SPEC-AUTH-001.md | TEST: tests/test_auth.py\n", []string{"2 CODE AUTH-001 d SPEC=SPEC-AUTH-001.md TEST=tests/test_auth.py"}},
		{"a.py", "\"\"\"Module.\n\n@CODE:AUTH-001: login\n\"\"\"\n", []string{"3 CODE AUTH-001 d login"}},
		{"a.py", "x = \"\"\"\n# @CODE:AUTH-001\n\"\"\"\n# @CODE:AUTH-002\n", []string{"2 CODE AUTH-001 m", "4 CODE AUTH-002 d"}},
		{"a.go", "var x = `\n// @CODE:AUTH-001\n`\n// @CODE:AUTH-002\n", []string{"2 CODE AUTH-001 m", "4 CODE AUTH-002 d"}},
		{"a.go", "// run `x`\n// @CODE:AUTH-002\n", []string{"2 CODE AUTH-002 d"}},
		{"a.go", "// it's @CODE:AUTH-002\n", []string{"1 CODE AUTH-002 m"}},
		{"a.md", "# @SPEC:AUTH-001: 로그인\n\n```\n# @SPEC:AUTH-002\n```\n\nSee @SPEC:AUTH-003을 보라.\n", []string{"1 SPEC AUTH-001 d 로그인", "4 SPEC AUTH-002 m", "7 SPEC AUTH-003 m"}},
		{"a.go", "// @CODE:AUTH-001:API @CODE:AUTH-001:DATA\r\n", []string{"1 CODE AUTH-001 API d @CODE:AUTH-001:DATA", "1 CODE AUTH-001 DATA d"}},
		{"a.go", "// @SPEC:AUTH-001 -> @TEST:AUTH-001\n", []string{"1 SPEC AUTH-001 m", "1 TEST AUTH-001 m"}},
		{"a.go", "// @CODE:AUTH-0010\n// @CODE:auth-001\n// @CODE:ID\n// say @CODE:auth-001\n", []string{"1 CODE AUTH-0010 x", "2 CODE auth-001 x"}},
		{"a.go", "// @CODE:로그인-001\n// @CODE:AUTH로그인-01: x\n// @CODE:로그인-001을 보라\n// @CODE:auth-1을\n", []string{"1 CODE 로그인-001 x", "2 CODE AUTH로그인-01 x x", "3 CODE 로그인-001 x 을 보라", "4 CODE auth-1 x 을"}},
		{"a.go", "// @CODE:도메인\n// @CODE:도메인-번호\n// 글에 @CODE:로그인-001\n// @CODE:AUTH-001을\n", []string{"4 CODE AUTH-001 d 을"}},
		{"a.go", "// @CODE:\u1105\u1169\u1100\u1173-001\n", []string{"1 CODE \u1105\u1169\u1100\u1173-001 x"}}, // NFD
		{"a.go", "//@CODE:AUTH-001:Add a login\n", []string{"1 CODE AUTH-001 d Add a login"}},
		{"a.html", "<!--@CODE:UI-001-->\n", []string{"1 CODE UI-001 d"}},
		{"a.go", "// such as <!-- @CODE:UI-001 --> in a page\n//<!--@CODE:UI-002: list --> x\n", []string{"1 CODE UI-001 m", "2 CODE UI-002 d list"}},
		{"a.lua", "-- @CODE:UI-001: a[b[1]] of */ it\n--[[ @CODE:UI-002: list ]] x\n", []string{"1 CODE UI-001 d a[b[1]] of */ it", "2 CODE UI-002 d list"}},
		{"a.rs", "fn f<'a>(x: &'a str) {} // @CODE:LIFE-001\n", []string{"1 CODE LIFE-001 d"}},
		{"a.sh", "echo ${x#@CODE:A-001}\n", []string{"1 CODE A-001 m"}},
		{"a.md", "@SPEC:AUTH-001 is done.\n* @SPEC:AUTH-002\n@DOC:AUTH-003: Title\n@DOC:AUTH-004\n", []string{"1 SPEC AUTH-001 m", "2 SPEC AUTH-002 m", "3 DOC AUTH-003 d Title", "4 DOC AUTH-004 d"}},
		{"a.bin", "\x00// @CODE:AUTH-001\n", nil},
		{"a.txt", "no tag\n", nil},
		{"a.go", "// @CODE:AUTH-001\xff\n", []string{"1 CODE AUTH-001 d \ufffd"}},
		{"a.go", "// @CODE:AUTH-001", []string{"1 CODE AUTH-001 d"}},
		{"a.go", "// @MX:WARN: not safe\n", []string{"1 MX:WARN  d not safe"}},
	} {
		var got []string
		for _, tag := range g.File(c.path, []byte(c.text), syntaxOf) {
			how := "m"
			switch {
			case tag.Malformed:
				how = "x"
			case tag.Definition:
				how = "d"
			}
			words := []string{fmt.Sprint(tag.Line), tag.Kind, tag.ID}
			if tag.Sub != "" {
				words = append(words, tag.Sub)
			}
			words = append(words, how)
			if tag.Text != "" {
				words = append(words, tag.Text)
			}
			for _, l := range tag.Links {
				words = append(words, l.Label+"="+l.Target)
			}
			got = append(got, strings.Join(words, " "))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("File(%s, %q) (-want +got):\n%s", c.path, c.text, d)
		}
	}
}

func loadForFuzz() ([]rule.TagKind, error) {
	table, err := rule.LoadTags(os.DirFS("../.."))
	if err != nil {
		return nil, err
	}
	return table.Kinds, nil
}
