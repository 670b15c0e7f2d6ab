package cli

import (
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/tag"
)

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
	for i := range languages.Table.Languages {
		l := &languages.Table.Languages[i]
		if len(l.Comment.Line)+len(l.Comment.Block) == 0 {
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
		for _, m := range l.Comment.Line {
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
