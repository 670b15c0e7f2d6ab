package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// list is a case clause, or a composite literal, with strings among its elements or keys.
type list struct {
	file  string
	line  int
	words []string
}

// lists are those of all hand-written code but tests, with at least so many strings. What stands beside a constant as its key is
// the name of that constant, and not counted.
func lists(t *testing.T, least int) (all []list) {
	t.Helper()
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "generated" || name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2 && name != ".ci"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, p, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var elements []ast.Expr
			switch n := n.(type) {
			case *ast.CaseClause:
				elements = n.List
			case *ast.CompositeLit:
				elements = n.Elts
			}
			l := list{file: strings.TrimPrefix(filepath.ToSlash(p), "../")}
			for _, e := range elements {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					e = pair.Key
				}
				if s, ok := e.(*ast.BasicLit); ok && s.Kind == token.STRING {
					word, err := strconv.Unquote(s.Value)
					if err != nil {
						t.Error(err)
					}
					l.words = append(l.words, word)
				}
			}
			if len(l.words) >= least {
				l.line = fset.Position(n.Pos()).Line
				all = append(all, l)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// kept are the files that hold lists of four or more strings, how many, and why no rule file says it.
var kept = map[string]struct {
	lists int
	why   string
}{
	".ci/checkpoint.go":                       {1, "a command that the benchmark runs"},
	"gen/events.go":                           {1, "initialisms, as Go writes names"},
	"internal/checkpoint/log.go":              {1, "how old logs write a time"},
	"internal/checkpoint/restore_underway.go": {1, "Git's names of what is being brought in"},
	"internal/cli/output.go":                  {1, "what a person may answer for yes"},
	"internal/config/config.go":               {2, "how settings write true and false"},
	"internal/config/keys.go":                 {1, "values of moai's own setting"},
	"internal/e2e/harness/stream.go":          {1, "the form of a message"},
	"internal/hook/contract.go":               {2, "sentences for people"},
	"internal/repo/config.go":                 {1, "how Git writes false"},
	"internal/repo/configpath_darwin.go":      {1, "where Git's own settings lie"},
	"internal/repo/discover.go":               {3, "the folder and the extensions of a repository"},
	"internal/repo/object_convert.go":         {1, "Git's attributes for conversion"},
	"internal/repo/ref.go":                    {1, "the order of gitrevisions"},
	"internal/rule/risk.go":                   {4, "names of bits, in their order"},
	"internal/rule/tag.go":                    {1, "mistakes that the engine of TAGs finds"},
	"internal/secret/wrapped.go":              {1, "marks between the columns of a table"},
	"internal/settings/check.go":              {1, "kinds of hooks in the client's settings"},
	"internal/settings/standing.go":           {1, "keys of a hook in the client's settings"},
	"internal/spec/front.go":                  {1, "how YAML writes nothing"},
	"internal/term/foreign.go":                {1, "the codes of a terminal that moai writes"},
	"internal/wire/validate.go":               {2, "keys and decisions of the client's answers"},
}

// ceilings are packages with more of them than that, whose number only falls.
var ceilings = map[string]int{"internal/risk": 4, "internal/handle": 4, "internal/shell": 1, "internal/ground": 1}

// doubles are packages with lists that stand in a rule file too, whose number only falls.
var doubles = map[string]int{"internal/risk": 5, "internal/handle": 2, "internal/shell": 3}

// TestNoFactsInGo: names of programs, options, files, languages, variables, credentials and tools are in rules/, where one change
// changes them everywhere. A list of four strings in Go is such a fact, unless kept says what it is.
func TestNoFactsInGo(t *testing.T) {
	perFile, perPackage := map[string]int{}, map[string]int{}
	all := lists(t, 4)
	for _, l := range all {
		if _, rising := ceilings[path.Dir(l.file)]; rising {
			perPackage[path.Dir(l.file)]++
		} else if perFile[l.file]++; perFile[l.file] > kept[l.file].lists {
			t.Errorf("%s:%d: a list of facts (%q …): put it into rules/ and read the table", l.file, l.line, l.words[:4])
		}
	}
	for file, k := range kept {
		if perFile[file] < k.lists {
			t.Errorf("%s: kept allows %d lists (%s), and it has %d: lower it", file, k.lists, k.why, perFile[file])
		}
	}
	if len(all) > 45 {
		t.Errorf("%d lists of facts in Go, and 45 are the most", len(all))
	}
	for pkg, most := range ceilings {
		if perPackage[pkg] > most {
			t.Errorf("%s has %d lists of facts, and the ceiling is %d: put the new one into rules/", pkg, perPackage[pkg], most)
		}
	}
}

// truths are words of every settings file, and no names.
var truths = []string{"true", "false", "yes", "no", "on", "off"}

// TestOneHome: what a rule file lists is not listed again in Go.
func TestOneHome(t *testing.T) {
	homes := map[string]map[string]bool{} // by file and key: the words
	err := filepath.WalkDir("../rules", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".toml") || strings.HasSuffix(filepath.Dir(p), "contexts") { // words of prompts are no names
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		var doc map[string]any
		if err := toml.Unmarshal(data, &doc); err != nil {
			return err
		}
		gather(homes, strings.TrimPrefix(filepath.ToSlash(p), "../"), doc)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, l := range lists(t, 3) {
		for _, home := range slices.Sorted(maps.Keys(homes)) {
			both := 0
			for _, w := range l.words {
				if homes[home][w] && len(w) > 1 && !slices.Contains(truths, w) {
					both++
				}
			}
			if both < 3 || both*4 < len(l.words)*3 {
				continue
			}
			if found[path.Dir(l.file)]++; found[path.Dir(l.file)] > doubles[path.Dir(l.file)] {
				t.Errorf("%s:%d: %q stand in %s too", l.file, l.line, l.words, home)
			}
			break
		}
	}
}

// gather files every list of words below a value of TOML by its place.
func gather(homes map[string]map[string]bool, place string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, of := range v {
			gather(homes, place+" "+key, of)
		}
	case []any:
		words := map[string]bool{}
		for i, of := range v {
			if w, ok := of.(string); ok {
				words[w] = true
			} else {
				gather(homes, fmt.Sprintf("%s[%d]", place, i), of)
			}
		}
		if len(words) > 2 {
			homes[place] = words
		}
	}
}
