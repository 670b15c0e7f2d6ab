package main

import (
	_ "embed"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/rule"
)

//go:embed journal_test.go.txt
var journalTest string

// journal makes the table of the types of journal events.
func journal(in *input) ([]output, error) {
	p, err := rule.LoadEvents(in.root)
	if err != nil {
		return nil, err
	}
	list, err := rule.LoadJournal(in.root, p)
	if err != nil {
		return nil, err
	}
	f := newFile("github.com/modu-ai/moai/generated/journal", "journal", "rules/journal/*.toml")
	f.PackageComment("// Package journal is the table of the types of journal events.")
	f.Add(table("Types", "Types are the types of journal events, by name.", list))
	at := names("at", len(list), func(i int) string { return list[i].Name })
	f.Add(positions(at)).Line()
	f.Add(index("Find", "Find is the index in Types of a type, or -1.", "name", list, at, func(e rule.Entry) []string { return []string{e.Name} }))
	f.Add(index("From", "From is the index in Types of the entry that an event of the client leaves when no handler writes one, or -1.", "event", list, at,
		func(e rule.Entry) []string { return e.From }))
	return withTest(f, "journal", journalTest)
}

// index is a function from a text to the row that claims it, or -1. at are the names of the
// rows' positions.
func index[T any](name, doc, param string, rows []T, at []string, keys func(T) []string) jen.Code {
	// A switch is compiled to comparisons; a map would be built at every start.
	body := jen.Switch(jen.Id(param)).BlockFunc(func(g *jen.Group) {
		for i, row := range rows {
			var cases []jen.Code
			for _, k := range keys(row) {
				cases = append(cases, jen.Lit(k))
			}
			if len(cases) > 0 {
				g.Case(cases...).Block(jen.Return(jen.Id(at[i])))
			}
		}
	})
	return jen.Comment(doc).Line().Func().Id(name).Params(jen.Id(param).String()).Int().Block(body, jen.Return(jen.Lit(-1))).Line()
}

// withTest is a family's one file of tables and the test beside it.
func withTest(f *jen.File, family, test string) ([]output, error) {
	dir := "generated/" + family + "/"
	tables, err := render(f, dir+family+".go")
	if err != nil {
		return nil, err
	}
	return []output{tables, {dir + family + "_test.go", []byte(header("rules/"+family+"/*.toml") + test)}}, nil
}
