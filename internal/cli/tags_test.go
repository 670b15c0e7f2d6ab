package cli

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/tag"
)

func tagSyntax(name string) tag.Syntax { return tag.Syntax(languages.Table.Syntax(name)) }

// The examples of the TAG rules hold with the comment syntax of the language table too.
func TestTagSyntax(t *testing.T) {
	for i := range tables.Kinds {
		for _, fault := range tag.Check(tables.Kinds, i, tagSyntax) {
			t.Errorf("%s: %s", tables.Kinds[i].ID, fault)
		}
	}
	for name, prose := range map[string]bool{"README.md": true, "a.go": false, "Makefile": false, "x.unknown": false} {
		if got := tagSyntax(name); got.Prose != prose || len(got.Line)+len(got.Block) == 0 && !prose {
			t.Errorf("tagSyntax(%q) = %+v, want comments, prose %t", name, got, prose)
		}
	}
}

// In every language of the table a TAG that opens a comment is a definition, and one in a sentence, in a string
// or behind a closed comment is a mention.
func TestTagSyntaxOfEveryLanguage(t *testing.T) {
	g := tag.NewGrammar(tables.Kinds)
	tested := 0
	list, _, err := rule.LoadLanguages(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		l := &list[i]
		if len(l.Comment.Line)+len(l.Comment.First)+len(l.Comment.Block) == 0 {
			continue
		}
		name := ""
		for _, e := range l.Extensions {
			if languages.Table.Classify("src/x"+e, nil, false).ID == l.ID {
				name = "src/x" + e
				break
			}
		}
		for _, n := range l.Filenames {
			if name == "" && languages.Table.Classify(n, nil, false).ID == l.ID {
				name = n
			}
		}
		if name == "" {
			t.Logf("%s is known by its content only", l.ID)
			continue
		}
		tested++
		check := func(text, want string) {
			t.Helper()
			got := "nothing"
			for _, tag := range g.File(name, []byte(text), tagSyntax) {
				if got = "mention"; tag.Definition {
					got = "definition"
				}
			}
			if got != want {
				t.Errorf("%s: %s: %q holds a %s, want a %s", l.ID, name, text, got, want)
			}
		}
		// Prose and TeX have no strings; in Smalltalk and Vim the quote opens a comment.
		strings := l.Kind != "prose" && l.ID != "tex" && l.ID != "smalltalk" && l.ID != "vimscript"
		for _, m := range slices.Concat(l.Comment.Line, l.Comment.First) {
			check(m+" @CODE:AUTH-001\n", "definition")
			check("  x\n"+m+" @CODE:AUTH-001:API: title\n", "definition")
			check(m+" as @CODE:AUTH-001 says\n", "mention")
			check("x = 1\n"+m+" moved to @CODE:AUTH-001\n", "mention")
			if strings {
				check("x = \""+m+" @CODE:AUTH-001\"\n", "mention")
			}
		}
		for _, m := range l.Comment.Block {
			if m[1] == "" || m[0] == `"""` || m[0] == "'''" {
				continue
			}
			check(m[0]+" @CODE:AUTH-001 "+m[1]+"\n", "definition")
			check(m[0]+"\n @CODE:AUTH-001\n"+m[1]+"\n", "definition")
			check(m[0]+" see @CODE:AUTH-001 "+m[1]+"\n", "mention")
			check(m[0]+" x "+m[1]+" y @CODE:AUTH-001\n", "mention")
			if strings {
				check("x = \""+m[0]+" @CODE:AUTH-001 "+m[1]+"\"\n", "mention")
			}
		}
		check("x @CODE:AUTH-001\n", "mention")
		if strings {
			check("x = \"@CODE:AUTH-001\"\n", "mention")
		}
	}
	if tested < 240 {
		t.Errorf("%d languages were looked at, want nearly all", tested)
	}
	t.Logf("%d languages", tested)
}

// What SARIF 2.1.0 requires is there: a version and runs, a tool with a named driver, rules with ids that differ, results with a
// message, one of the levels, a rule that exists, and places that are URI references and lines from 1 on.
func TestSARIF(t *testing.T) {
	text := "// @CODE:BAD-1\n// @CODE:A-001\n"
	tags := tag.NewGrammar(tables.Kinds).File("src/나 쁨%.go", []byte(text), tagSyntax)
	found := tag.NewSet(tables.Kinds, slices.Values(tags), nil).Verify(tables.Problems, nil, func(string) bool { return false })
	var out bytes.Buffer
	if err := (&env{out: &out}).printSARIF(found); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID, Level string
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	if doc.Version != "2.1.0" || len(doc.Runs) != 1 || doc.Runs[0].Tool.Driver.Name == "" {
		t.Fatalf("version, runs or driver missing in\n%s", out.String())
	}
	run := doc.Runs[0]
	rules := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		if r.ID == "" || rules[r.ID] {
			t.Errorf("rule id %q is empty or there twice", r.ID)
		}
		rules[r.ID] = true
	}
	if len(run.Results) != 3 {
		t.Fatalf("%d results, want 3 (no id, no SPEC, no test)", len(run.Results))
	}
	for _, r := range run.Results {
		if !rules[r.RuleID] || r.Message.Text == "" || r.Level != "error" && r.Level != "warning" || len(r.Locations) != 1 {
			t.Errorf("result %+v lacks something", r)
			continue
		}
		at := r.Locations[0].PhysicalLocation
		u, err := url.Parse(at.ArtifactLocation.URI)
		if err != nil || u.Path != "src/나 쁨%.go" || strings.ContainsAny(at.ArtifactLocation.URI, " 나") || at.Region.StartLine < 1 {
			t.Errorf("place %+v is no URI of src/나 쁨%%.go (%v)", at, err)
		}
	}
}

// The name alone tells how a file is commented and quoted; what no language takes has the marks that most share.
func TestTagSyntaxByName(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.py3", "x = \"\"\"\n# @CODE:A-001\n\"\"\"\n", "mention"},     // as in .py
		{"a.bash_profile.es6", "x = `\n// @CODE:A-001\n`\n", "mention"}, // as in .js
		{"a.vhi", "x <= foo'range; -- it's\n-- @CODE:A-001\n", "definition"},
		{"a.v", "x = 4'b0; // @CODE:A-001 | TITLE: it's\n", "definition"}, // Verilog, V or Coq
		{"a.m", "x = a % b; // @CODE:A-001\n", "definition"},              // Objective-C or MATLAB
		{"LICENSE", "x\n<!-- @DOC:A-001 -->\n", "definition"},
		{"a.cob", "      * @CODE:A-001\n", "definition"},
		{"a.cob", "  x = y * @CODE:A-001\n", "mention"},
		{"a.texi", "@c @DOC:A-001\n", "definition"},
		{"a.texi", "@cc @DOC:A-001\n", "mention"},
		{"a.unknown", "x ; @CODE:A-001\n", "definition"},
	} {
		got := "nothing"
		for _, tag := range tag.NewGrammar(tables.Kinds).File(c.path, []byte(c.text), tagSyntax) {
			if got = "mention"; tag.Definition {
				got = "definition"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q holds a %s, want a %s", c.path, c.text, got, c.want)
		}
	}
}
