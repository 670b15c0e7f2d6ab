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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/modu-ai/moai/internal/kit"
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
	sources(t, func(name string, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			var elements []ast.Expr
			switch n := n.(type) {
			case *ast.CaseClause:
				elements = n.List
			case *ast.CompositeLit:
				elements = n.Elts
			}
			l := list{file: name}
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
	})
	return all
}

// sources calls each with every hand-written file but tests.
func sources(t *testing.T, each func(name string, fset *token.FileSet, file *ast.File)) {
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
		if err == nil {
			each(strings.TrimPrefix(filepath.ToSlash(p), "../"), fset, file)
		}
		return err
	})
	kit.Must(t, err)
}

// kept are the files that hold lists of four or more strings, how many, and why no rule file says it.
var kept = map[string]struct {
	lists int
	why   string
}{
	".ci/checkpoint.go":                       {1, "a command that the benchmark runs"},
	"gen/events.go":                           {1, "initialisms, as Go writes names"},
	"internal/api/openapi.go":                 {4, "keys of OpenAPI and of JSON Schema"},
	"internal/checkpoint/log.go":              {1, "how old logs write a time"},
	"internal/checkpoint/restore_underway.go": {1, "Git's names of what is being brought in"},
	"internal/cli/output.go":                  {1, "what a person may answer for yes"},
	"internal/config/check.go":                {2, "how settings write true and false"},
	"internal/config/keys.go":                 {4, "values of moai's own settings"},
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
var ceilings = map[string]int{"internal/risk": 3, "internal/handle": 2, "internal/shell": 1, "internal/ground": 1}

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
	if len(all) > 43 {
		t.Errorf("%d lists of facts in Go, and 43 are the most", len(all))
	}
	for pkg, most := range ceilings {
		if perPackage[pkg] > most {
			t.Errorf("%s has %d lists of facts, and the ceiling is %d: put the new one into rules/", pkg, perPackage[pkg], most)
		}
	}
}

// compared is a string that code compares with something: by == or !=, or in a case.
type compared struct {
	file, with, word string // with is the name of what it is compared with
	line             int
}

// comparisons are those of all hand-written code but tests.
func comparisons(t *testing.T) (all []compared) {
	t.Helper()
	sources(t, func(name string, fset *token.FileSet, file *ast.File) {
		add := func(with, e ast.Expr) {
			if s, ok := e.(*ast.BasicLit); ok && s.Kind == token.STRING {
				word, err := strconv.Unquote(s.Value)
				if err != nil {
					t.Error(err)
				}
				all = append(all, compared{name, lastName(with), word, fset.Position(s.Pos()).Line})
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					add(n.X, n.Y)
					add(n.Y, n.X)
				}
			case *ast.SwitchStmt:
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						add(n.Tag, e)
					}
				}
			}
			return true
		})
	})
	return all
}

// lastName is the name at the end of an expression such as p.lang, "" for others.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// TestNoLanguageCompared: what is particular about a language is a property in its rule file, so that a new language touches nothing else.
func TestNoLanguageCompared(t *testing.T) {
	names := map[string]bool{}
	for _, pattern := range []string{"../rules/shells/*.toml", "../rules/languages/*.toml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			names[strings.TrimSuffix(filepath.Base(f), ".toml")] = true
		}
	}
	for _, c := range comparisons(t) {
		if with := strings.ToLower(c.with); names[c.word] && (with == "lang" || with == "language") {
			t.Errorf("%s:%d: %s is compared with %q: make the difference a property in the language's rule file", c.file, c.line, c.with, c.word)
		}
	}
}

// callees are names of what holds the name of a program or of a tool.
var callees = []string{"name", "raw", "program", "prog", "tool", "toolname", "word", "base"}

// named are packages that compare such names with those of rule files: how often, which only falls. The most are in shell and risk: grammars
// of single programs (find, git, vim), and builtins that the engine carries out.
var named = map[string]int{
	"internal/handle":   7,
	"internal/jit":      1, // "at", of a line of a stack trace
	"internal/risk":     57,
	"internal/rule":     2,
	"internal/settings": 1,
	"internal/shell":    39,
}

// TestNoNameCompared: a single name of a program or of a tool in Go is a fact as well as a list of four.
func TestNoNameCompared(t *testing.T) {
	homes := map[string]string{} // by name: the file
	rows := func(file string, keys ...string) {
		var doc map[string]any
		data, err := os.ReadFile("../rules/" + file)
		if err == nil {
			err = toml.Unmarshal(data, &doc)
		}
		kit.Must(t, err)
		for _, key := range keys {
			table, field, _ := strings.Cut(key, " ")
			list, _ := doc[table].([]map[string]any)
			if len(list) == 0 {
				t.Errorf("%s: no %s", file, table)
			}
			for _, row := range list {
				switch v := row[field].(type) {
				case string:
					homes[strings.Fields(v)[0]] = file
				case []any:
					for _, name := range v {
						homes[name.(string)] = file
					}
				}
			}
		}
	}
	rows("shells/programs.toml", "program names")
	rows("shells/wrappers.toml", "wrapper name")
	rows("risks/programs.toml", "program name")
	rows("risks/tools.toml", "tool name")
	rows("events/_tools.toml", "tool name")
	found := map[string][]string{}
	for _, c := range comparisons(t) {
		if home := homes[c.word]; home != "" && len(c.word) > 1 && slices.Contains(callees, strings.ToLower(c.with)) {
			pkg := path.Dir(c.file)
			found[pkg] = append(found[pkg], fmt.Sprintf("%s:%d: %q stands in rules/%s too", c.file, c.line, c.word, home))
		}
	}
	for pkg, list := range found {
		if len(list) > named[pkg] {
			t.Errorf("%s compares with %d names of rule files, and the ceiling is %d: read the table\n%s", pkg, len(list), named[pkg], strings.Join(list, "\n"))
		}
	}
}

// TestCommentsStandAlone: a comment refers to no list of requirements, which a reader of the code does not have.
func TestCommentsStandAlone(t *testing.T) {
	row := regexp.MustCompile(`\bS\d-\d\d\b`)
	err := filepath.WalkDir("../internal", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			if id := row.FindString(group.Text()); id != "" {
				t.Errorf("%s: %s says nothing to a reader: say what it asks for", fset.Position(group.Pos()), id)
			}
		}
		return nil
	})
	kit.Must(t, err)
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
	kit.Must(t, err)
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
	case []map[string]any:
		for i, of := range v {
			gather(homes, fmt.Sprintf("%s[%d]", place, i), of)
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
