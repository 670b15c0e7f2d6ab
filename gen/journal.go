package main

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

const journalPath = "github.com/modu-ai/moai/generated/journal"

//go:embed journal_test.go.txt
var journalTest string

// journal makes the table of the types of journal events.
func journal(in *input) ([]output, error) {
	p, err := rule.LoadEvents(in.root)
	if err != nil {
		return nil, err
	}
	j, err := rule.LoadJournal(in.root, p)
	if err != nil {
		return nil, err
	}
	list := j.Types
	commands, err := tried(in, j.Commands)
	if err != nil {
		return nil, err
	}
	f := newFile(journalPath, "journal", "rules/journal/*.toml")
	f.PackageComment("// Package journal is the table of the types of journal events.")
	f.Add(table("Types", "Types are the types of journal events, by name.", list))
	f.Add(table("Commands", "Commands are the programs whose failure is an entry of a type of its own; the first that fits counts.", commands))
	at := names("at", len(list), func(i int) string { return list[i].Name })
	f.Add(positions(at)).Line()
	f.Add(index("Find", "Find is the index in Types of a type, or -1.", "name", list, at, func(e rule.Entry) []string { return []string{e.Name} }))
	f.Add(index("From", "From is the index in Types of the entry that an event of the client leaves when no handler writes one, or -1.", "event", list, at,
		func(e rule.Entry) []string { return e.From }))
	outputs, err := withTest(f, "journal", journalTest)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		file string
		made *jen.File
	}{{"details.go", details(list, at)}, {"shown_test.go", shownTable(j.Shown)}} {
		out, err := render(part.made, "generated/journal/"+part.file)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, out)
	}
	return outputs, nil
}

// tried has the engine find each command on the lines of its hits, and on none of its misses.
func tried(in *input, list []rule.Command) ([]rule.Command, error) {
	r, err := rule.LoadRisks(in.root)
	if err != nil {
		return nil, err
	}
	set := risk.NewSet(r)
	var problems []error
	for i := range list {
		for hit, lines := range [...][]string{list[i].Misses, list[i].Hits} {
			for _, line := range lines {
				last := ""
				if ran := set.Ran(line, "/work", "/home/user", list); len(ran) > 0 {
					last = ran[len(ran)-1].Type
				}
				if (last == list[i].Type) != (hit == 1) {
					problems = append(problems, fmt.Errorf("rules/journal: %s: the failure of %q is %q", list[i].Type, line, last))
				}
			}
		}
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Hits, list[i].Misses = nil, nil // not in the binary
	}
	return list, errors.Join(problems...)
}

// details makes a type for what an entry holds that moai writes itself, so that a field of another name or type does not compile.
func details(list []rule.Entry, at []string) *jen.File {
	f := newFile(journalPath, "journal", "rules/journal/*.toml")
	for i, e := range list {
		if len(e.From) > 0 {
			continue // copied from the event, by the table
		}
		name := goName(e.Name)
		f.Comment(fmt.Sprintf("%s is what %s holds. %s", name, e.Name, e.Text))
		f.Type().Id(name).StructFunc(func(g *jen.Group) {
			for _, field := range e.Fields {
				tag := field.Name
				if field.Optional {
					tag += ",omitempty"
				}
				g.Id(goName(field.Name)).Add(goType(field)).Tag(map[string]string{"json": tag}).Comment(field.Text)
			}
		}).Line()
		f.Comment("Entry is its type's row of Types.")
		f.Func().Params(jen.Id(name)).Id("Entry").Params().Op("*").Qual(rulePath, "Entry").Block(jen.Return(jen.Op("&").Id("Types").Index(jen.Id(at[i])))).Line()
	}
	return f
}

// goType is how a field is kept. A number that may be missing is not 0.
func goType(f rule.Field) *jen.Statement {
	switch f.Type {
	case "string":
		return jen.String()
	case "[]string":
		return jen.Index().String()
	case "int", "bool":
		if f.Optional {
			return jen.Op("*").Id(f.Type)
		}
		return jen.Id(f.Type)
	case "number":
		return jen.Float64()
	}
	return jen.Any()
}

// shownTable lists how each type comes about, for the test that has each of them written.
func shownTable(list []rule.Shown) *jen.File {
	f := newFile(journalPath+"_test", "journal_test", "rules/journal/*.toml")
	f.Add(table("shown", "shown are the ways to each type of journal events.", list))
	return f
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
