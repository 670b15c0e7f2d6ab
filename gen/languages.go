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
		for t, i := reflect.TypeFor[lang.Table](), 0; i < t.NumField() && t.Field(i).IsExported(); i++ { // tables and look-ups, each with its own name
			field := t.Field(i)
			code := jen.Id(strings.ToLower(field.Name[:1]) + field.Name[1:])
			if field.Type.Kind() == reflect.Struct { // a variable of it would be copied at start
				code = typ(field.Type).Add(record(reflect.ValueOf(c).Elem().FieldByName(field.Name)))
			}
			d[jen.Id(field.Name)] = code
		}
	}))
	f.Line()
	f.Add(table("languages", "languages is sorted by id.", c.Languages))
	ids := languageNames(c)
	f.Comment("Positions by name, so that a new row moves none of the others in what follows.")
	f.Add(positions(ids)).Line()
	f.Comment("claims are those on each extension or name.")
	var rows []jen.Code
	for _, row := range c.Claims {
		claims := make([]jen.Code, len(row))
		for i, k := range row {
			of := place("Lang", ids[k.Lang-1])
			k.Lang = 0
			claims[i] = jen.Values(append([]jen.Code{of}, members(reflect.ValueOf(k))...)...)
		}
		rows = append(rows, multi(claims))
	}
	f.Var().Id("claims").Op("=").Index().Index().Qual(langPath, "Claim").Add(multi(rows))
	f.Line()
	f.Add(positions(claimNames(c))).Line()
	f.Add(table("needs", "needs are the forms of manifests, names before patterns.", c.Needs))
	f.Add(table("facts", "facts are what else is worth knowing of a project.", c.Facts))
	f.Add(table("heads", "heads are the texts by which programs sign what they write.", c.Heads))
	f.Add(table("dirGlobs", "dirGlobs are the folder rules that are patterns.", c.DirGlobs))
	f.Add(table("minified", "minified are the extensions of scripts that may be minified.", c.Minified))
	f.Add(table("scripts", "scripts begin the names of folders whose plain scripts are somebody else's.", c.Scripts))
	f.Add(table("stems", "stems are the first bytes of the names that stem knows.", c.StemStarts()))
	f.Add(table("sums", "sums are one number a rule file, that of the paths first.", c.Sums))
	return f
}

// languageNames and claimNames are the constants for the positions of languages and of claims.
func languageNames(c *lang.Compiled) []string {
	return names("lang", len(c.Languages), func(i int) string { return c.Languages[i].ID })
}

func claimNames(c *lang.Compiled) []string {
	return names("claims", len(c.Claims), func(i int) string { return c.ClaimedBy[i] })
}

// place is a field with a position plus one.
func place(field, name string) jen.Code { return jen.Id(field).Op(":").Id(name).Op("+").Lit(1) }

func languageLookups(c *lang.Compiled) *jen.File {
	f := newFile(languagesPath, "languages", languagesFrom)
	f.Add(table("dirs", "dirs are the rules for folders, by name.", c.Dirs))
	f.Add(table("globs", "globs are the patterns for files, by extension.", c.Globs))
	f.Add(table("specials", "specials are names that mean something by themselves, by extension.", c.Specials))
	ids, claims := languageNames(c), claimNames(c)
	ref := func(r lang.Ref) jen.Code {
		var parts []jen.Code
		if r.Lang != 0 {
			parts = append(parts, place("Lang", ids[r.Lang-1]))
		}
		if r.Claims != 0 {
			parts = append(parts, place("Claims", claims[r.Claims-1]))
		}
		r.Lang, r.Claims = 0, 0
		return jen.Qual(langPath, "Ref").Values(append(parts, members(reflect.ValueOf(r))...)...)
	}
	lookup(f, "extension", c.Extensions, ref)
	lookup(f, "filename", c.Filenames, ref)
	lookup(f, "interpreter", c.Interpreters, ref)
	lookup(f, "name", c.Names, func(r lang.NameRule) jen.Code { return literal(reflect.ValueOf(r)) })
	lookup(f, "stem", c.Stems, func(r lang.NameRule) jen.Code { return literal(reflect.ValueOf(r)) })
	lookup(f, "manifest", c.Manifests, func(bool) jen.Code { return jen.True() })
	return f
}

// lookup writes a function from a string to a value as one switch, a key a line, so that a new key changes no other.
func lookup[V any](f *jen.File, name string, m map[string]V, value func(V) jen.Code) {
	f.Func().Id(name).Params(jen.Id("key").String()).Params(jen.Id("v").Add(typ(reflect.TypeFor[V]()))).Block(
		jen.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				g.Case(jen.Lit(k)).Block(jen.Return(value(m[k])))
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
