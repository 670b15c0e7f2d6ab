package rule

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// mistakes are the lines of a loading error.
func mistakes(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func TestLoadContextsFaults(t *testing.T) {
	const examples = "hits = [\"a\", \"b\"]\nmisses = [\"c\", \"d\"]\n"
	head := func(id, kind string) string {
		return "[[rule]]\nid = \"" + id + "\"\nsince = \"0.1.0\"\nwhy = \"x\"\nkind = \"" + kind + "\"\n"
	}
	good := head("docs.a", "documents") + "words = [\"a\"]\ndocuments = [\"a.md\"]\n" + examples
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"good", good, nil},
		{"unknown key", good + "colour = \"red\"\n", []string{`rules/contexts/docs.toml:10: unknown key "rule.colour"`}},
		{"twice", good + good, []string{"rules/contexts/docs.toml:10: docs.a: duplicate id; first at rules/contexts/docs.toml:1"}},
		{"foreign id", head("other.a", "documents") + "words = [\"a\"]\ndocuments = [\"a.md\"]\n" + examples, []string{"rules/contexts/docs.toml:1: other.a: id must be docs. followed by lower-case words joined by hyphens"}},
		{"kind", head("docs.a", "poem") + examples, []string{`rules/contexts/docs.toml:1: docs.a: kind is "poem"; expected documents, mode, instructions, reference or pasted`}},
		{"no examples", head("docs.a", "documents") + "words = [\"a\"]\ndocuments = [\"a.md\"]\n", []string{
			"rules/contexts/docs.toml:1: docs.a: needs two hits at least", "rules/contexts/docs.toml:1: docs.a: needs two near misses at least",
		}},
		{"escape", head("docs.a", "documents") + "words = [\"a\"]\ndocuments = [\"../a.md\", \"/a\", \"a\\\\b\", \"x/CLAUDE.md\"]\n" + examples, []string{
			`rules/contexts/docs.toml:1: docs.a: path "../a.md" does not stay below the project's root`,
			`rules/contexts/docs.toml:1: docs.a: path "/a" does not stay below the project's root`,
			`rules/contexts/docs.toml:1: docs.a: path "a\\b" does not stay below the project's root`,
			`rules/contexts/docs.toml:1: docs.a: path "x/CLAUDE.md" is loaded by the client itself`,
		}},
		{"wrong kind's key", head("docs.a", "mode") + "words = [\"A b\"]\ntext = \"t\"\nfiles = [\"x\"]\n" + examples, []string{
			"rules/contexts/docs.toml:1: docs.a: files belongs to rules of kind instructions",
			`rules/contexts/docs.toml:1: docs.a: "A b" must be lower case without blanks around`,
		}},
		{"nothing", "", []string{"rules/contexts/docs.toml: no [[rule]] here"}},
		{"no TOML", "[[rule", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoadContexts(fstest.MapFS{"rules/contexts/docs.toml": {Data: []byte(c.text)}})
			if c.name == "no TOML" {
				if err == nil || !strings.HasPrefix(err.Error(), "rules/contexts/docs.toml:1: ") {
					t.Errorf("error = %v, want its line", err)
				}
				return
			}
			if d := cmp.Diff(c.want, mistakes(err)); d != "" {
				t.Errorf("LoadContexts (-want +got):\n%s", d)
			}
		})
	}
	if _, err := LoadContexts(fstest.MapFS{}); err == nil {
		t.Error("LoadContexts(no files) = nil, want an error")
	}
}

func TestLoadTagsFaults(t *testing.T) {
	fsys := func(name, text string) fstest.MapFS {
		m := fstest.MapFS{}
		for _, file := range []string{"chain.toml", "mx.toml", "problem.toml"} {
			data, err := os.ReadFile("../../rules/tags/" + file)
			if err != nil {
				t.Fatal(err)
			}
			m["rules/tags/"+file] = &fstest.MapFile{Data: data}
		}
		if name != "" {
			m["rules/tags/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		return m
	}
	if _, err := LoadTags(fsys("", "")); err != nil {
		t.Fatal(err)
	}
	const examples = "hits = [\"a: x\", \"b: x\"]\nmisses = [\"c: x\", \"d: x\"]\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"name", "[[kind]]\nid = \"x.a\"\nsince = \"0\"\nname = \"spec\"\nfamily = \"note\"\nwhy = \"x\"\n" + examples, []string{`rules/tags/x.toml:1: x.a: name "spec" must be capitals such as SPEC or MX:NOTE`}},
		{"name twice", "\n[[kind]]\nid = \"x.a\"\nsince = \"0\"\nname = \"SPEC\"\nfamily = \"chain\"\norder = 9\nwhy = \"x\"\n" + examples, []string{"rules/tags/x.toml:2: x.a: @SPEC is there already, at rules/tags/chain.toml:4"}},
		{"order", "[[kind]]\nid = \"x.a\"\nsince = \"0\"\nname = \"A\"\nfamily = \"chain\"\nwhy = \"x\"\n" + examples, []string{"rules/tags/x.toml:1: x.a: a kind of the chain needs its order, from 1"}},
		{"example", "[[kind]]\nid = \"x.a\"\nsince = \"0\"\nname = \"A\"\nfamily = \"note\"\nwhy = \"x\"\nhits = [\"no path\", \"a: b\"]\nmisses = [\"c: x\", \"d: x\"]\n", []string{`rules/tags/x.toml:1: x.a: example "no path" must be "path: line"`}},
		{"severity", "[[problem]]\nid = \"problem.new\"\nsince = \"0\"\nseverity = \"bad\"\nwhy = \"x\"\ninstead = \"y\"\n", []string{
			`rules/tags/x.toml:1: problem.new: severity is "bad"; expected error or warning`, "rules/tags/x.toml:1: problem.new: the engine finds no such problem",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoadTags(fsys("x.toml", c.text))
			if d := cmp.Diff(c.want, mistakes(err)); d != "" {
				t.Errorf("LoadTags (-want +got):\n%s", d)
			}
		})
	}
	m := fsys("problem.toml", "")
	if _, err := LoadTags(m); err == nil || !strings.Contains(err.Error(), "problem.duplicate: is found by the engine and described nowhere") {
		t.Errorf("LoadTags without problems = %v", err)
	}
}
