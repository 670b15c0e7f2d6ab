package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
)

const (
	languagesDir  = "generated/languages/"
	languagesPath = "github.com/modu-ai/moai/generated/languages"
	langPath      = "github.com/modu-ai/moai/internal/lang"
	languagesFrom = "rules/languages/*.toml"
)

// languagesTest runs the examples against the generated table, which is not the one the generator has tried them on.
//
//go:embed languages_test.go.txt
var languagesTest string

// languages makes the table of languages with its look-ups as switches, and a test for every example and every line.
func languages(in *input) ([]output, error) {
	list, paths, err := rule.LoadLanguages(in.root)
	if err != nil {
		return nil, err
	}
	c, err := lang.Compile(list, paths)
	if err != nil {
		return nil, err
	}
	if err := languageExamples(in.root, list, paths, c.Table()); err != nil {
		return nil, err
	}
	outputs := []output{{languagesDir + "languages_test.go", []byte(header(languagesFrom) + languagesTest)}}
	for _, part := range []struct {
		file string
		make func() *jen.File
	}{
		{"languages.go", func() *jen.File { return languageTables(c) }},
		{"lookup.go", func() *jen.File { return languageLookups(c) }},
		{"examples_test.go", func() *jen.File { return languageCases(list, paths) }},
	} {
		out, err := render(part.make(), languagesDir+part.file)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, out)
	}
	return outputs, nil
}

// languageExamples runs the engine over every example: rules that do not recognise their own are not generated.
func languageExamples(root fs.FS, list []rule.Language, paths *rule.LanguagePaths, t *lang.Table) error {
	var problems []error
	for i := range list {
		l := &list[i]
		file := rule.LanguageFile(l.ID)
		at := func(table string, i int) int {
			data, _ := fs.ReadFile(root, file) // it could be read a moment ago; 0 is no line
			if lines := rule.Headers(data, table); i < len(lines) {
				return lines[i]
			}
			return 0
		}
		for n, e := range l.Examples {
			if got := t.Classify(e.Path, []byte(e.Head), e.Executable); got.ID != l.ID {
				problems = append(problems, &rule.Problem{File: file, Line: at("example", n), ID: l.ID, Text: fmt.Sprintf("example %q is seen as %q: %s", e.Path, got.ID, got.Because)})
			}
		}
		for n, e := range l.Near {
			if got := t.Classify(e.Path, []byte(e.Head), e.Executable); got.ID != e.Is {
				problems = append(problems, &rule.Problem{File: file, Line: at("near", n), ID: l.ID, Text: fmt.Sprintf("near miss %q is seen as %q, not %q: %s", e.Path, got.ID, e.Is, got.Because)})
			}
		}
	}
	for _, e := range paths.Examples {
		if got := t.PathKind(e.Path).String(); got != e.Is {
			problems = append(problems, &rule.Problem{File: "rules/languages/_paths.toml", Text: fmt.Sprintf("example %q is seen as %q, not %q", e.Path, got, e.Is)})
		}
	}
	return errors.Join(problems...)
}

func languageTables(c *lang.Compiled) *jen.File {
	f := newFile(languagesPath, "languages", languagesFrom)
	f.PackageComment("// Package languages is the table of languages for internal/lang.")
	f.Comment("Table answers for every rule file. It is static data: using it costs nothing at start-up.")
	f.Var().Id("Table").Op("=").Qual(langPath, "Table").Values(jen.DictFunc(func(d jen.Dict) {
		d[jen.Id("Languages")] = jen.Id("languages")
		d[jen.Id("Claims")] = jen.Id("claims")
		d[jen.Id("Dirs")] = jen.Id("dirs")
		d[jen.Id("DirGlobs")] = jen.Id("dirGlobs")
		d[jen.Id("Heads")] = jen.Id("heads")
		d[jen.Id("Minified")] = literal(reflect.ValueOf(c.Minified))
		d[jen.Id("Needs")] = jen.Id("needs")
		d[jen.Id("Projects")] = literal(reflect.ValueOf(c.Projects))
		d[jen.Id("Comment")] = literal(reflect.ValueOf(c.Comment))
		d[jen.Id("Scripts")] = literal(reflect.ValueOf(c.Scripts))
		d[jen.Id("Stamp")] = jen.Lit(c.Stamp)
		d[jen.Id("Stems")] = literal(reflect.ValueOf(c.StemStarts()))
		for t, i := reflect.TypeFor[lang.Table](), 0; i < t.NumField(); i++ { // the look-ups, each a function of its name
			if f := t.Field(i); f.Type.Kind() == reflect.Func {
				d[jen.Id(f.Name)] = jen.Id(strings.ToLower(f.Name))
			}
		}
	}))
	f.Line()
	f.Add(table("languages", "languages is sorted by id.", c.Languages))
	f.Add(table("claims", "claims lie side by side for each extension or name.", c.Claims))
	f.Add(table("needs", "needs are the forms of manifests, names before patterns.", c.Needs))
	f.Add(table("heads", "heads are the texts by which programs sign what they write.", c.Heads))
	f.Add(table("dirGlobs", "dirGlobs are the folder rules that are patterns.", c.DirGlobs))
	return f
}

func languageLookups(c *lang.Compiled) *jen.File {
	f := newFile(languagesPath, "languages", languagesFrom)
	dirs, dirAt := c.AllDirs(), map[string][2]int{}
	for i := range dirs {
		at, met := dirAt[dirs[i].Name]
		if !met {
			at[0] = i
		}
		at[1] = i + 1
		dirAt[dirs[i].Name] = at
	}
	var globs []lang.NameGlob
	globAt := map[string][2]int{}
	for _, ext := range slices.Sorted(maps.Keys(c.Globs)) {
		globAt[ext] = [2]int{len(globs), len(globs) + len(c.Globs[ext])}
		globs = append(globs, c.Globs[ext]...)
	}
	var specials []string
	specialAt := map[string][2]int{}
	for _, ext := range slices.Sorted(maps.Keys(c.Specials)) {
		specialAt[ext] = [2]int{len(specials), len(specials) + len(c.Specials[ext])}
		specials = append(specials, c.Specials[ext]...)
	}
	f.Add(table("dirs", "dirs are runs of rules for one folder name.", dirs))
	f.Add(table("nameGlobs", "nameGlobs are runs of rules for one extension.", globs))
	f.Add(table("specials", "specials are runs of names with one extension.", specials))
	lookup(f, "extension", c.Extensions, jen.Qual(langPath, "Ref"), structValue)
	lookup(f, "filename", c.Filenames, jen.Qual(langPath, "Ref"), structValue)
	lookup(f, "interpreter", c.Interpreters, jen.Qual(langPath, "Ref"), structValue)
	lookup(f, "name", c.Names, jen.Qual(langPath, "NameRule"), structValue)
	lookup(f, "stem", c.Stems, jen.Qual(langPath, "NameRule"), structValue)
	run := func(of string) func(v any) jen.Code {
		return func(v any) jen.Code {
			// A part of one long table, which is data: a literal in a return is made anew at every call.
			at := v.([2]int)
			return jen.Id(of).Index(jen.Lit(at[0]), jen.Lit(at[1]))
		}
	}
	lookup(f, "dir", dirAt, jen.Index().Qual(langPath, "DirRule"), run("dirs"))
	lookup(f, "globs", globAt, jen.Index().Qual(langPath, "NameGlob"), run("nameGlobs"))
	lookup(f, "special", specialAt, jen.Index().String(), run("specials"))
	lookup(f, "manifest", c.Manifests, jen.Bool(), func(any) jen.Code { return jen.True() })
	return f
}

func structValue(v any) jen.Code { return literal(reflect.ValueOf(v)) }

// lookup writes a function from a string to a value as one switch, the keys of equal values on one line.
func lookup[V comparable](f *jen.File, name string, m map[string]V, result jen.Code, value func(any) jen.Code) {
	keys := map[V][]string{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		keys[m[k]] = append(keys[m[k]], k)
	}
	// By the first key of each value, so that a new key is one changed line.
	values := slices.SortedFunc(maps.Keys(keys), func(a, b V) int { return strings.Compare(keys[a][0], keys[b][0]) })
	f.Func().Id(name).Params(jen.Id("key").String()).Params(jen.Id("v").Add(result)).Block(
		jen.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
			for _, v := range values {
				g.CaseFunc(func(g *jen.Group) {
					for _, k := range keys[v] {
						g.Lit(k)
					}
				}).Block(jen.Return(value(v)))
			}
		}),
		jen.Return(jen.Id("v")),
	)
	f.Line()
}

// languageCase is one example in the generated test.
type languageCase struct {
	Of, Path, Head string
	Executable     bool
	Want           string
}

// pathCase is one example of the path lists.
type pathCase struct{ Path, Want string }

func languageCases(list []rule.Language, paths *rule.LanguagePaths) *jen.File {
	f := newFile(languagesPath, "languages", languagesFrom)
	var cases []jen.Code
	add := func(of string, e rule.LanguageExample, want string) {
		cases = append(cases, fields(reflect.ValueOf(languageCase{of, e.Path, e.Head, e.Executable, want})))
	}
	for i := range list {
		l := &list[i]
		for _, e := range l.Examples {
			add(l.ID, e, l.ID)
		}
		for _, e := range l.Near {
			add(l.ID, e, e.Is)
		}
	}
	f.Comment("examples are those of the rule files, near misses among them.")
	f.Var().Id("examples").Op("=").Index().Id("example").Add(multi(cases)).Line()
	var rows []jen.Code
	for _, e := range paths.Examples {
		rows = append(rows, fields(reflect.ValueOf(pathCase{e.Path, e.Is})))
	}
	f.Comment("pathExamples are those of the path lists.")
	f.Var().Id("pathExamples").Op("=").Index().Id("pathExample").Add(multi(rows)).Line()
	var lines []jen.Code
	for i := range list {
		for _, e := range list[i].Extensions {
			lines = append(lines, fields(reflect.ValueOf(languageCase{Of: list[i].ID, Path: e})))
		}
	}
	f.Comment("lines are the extensions that a language takes without a look into the file.")
	f.Var().Id("lines").Op("=").Index().Id("example").Add(multi(lines)).Line()
	return f
}
