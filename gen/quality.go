package main

import (
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/rule"
)

// quality makes the table of what is known of tests, formatters and what goes beside them.
func quality(in *input) ([]output, error) {
	all, err := rule.LoadQuality(in.root)
	if err != nil {
		return nil, err
	}
	f := newFile("github.com/modu-ai/moai/generated/quality", "quality", "rules/quality/*.toml")
	f.PackageComment("// Package quality is the table of how the output of tests is read.")
	f.Comment("Table is all that is known.")
	f.Var().Id("Table").Op("=").Add(typ(reflect.TypeFor[rule.Quality]())).Values(jen.Dict{
		jen.Id("Tests"): literal(reflect.ValueOf(all.Tests)), jen.Id("Windows"): literal(reflect.ValueOf(all.Windows)),
		jen.Id("Formatters"): literal(reflect.ValueOf(all.Formatters)), jen.Id("Hooks"): literal(reflect.ValueOf(all.Hooks)),
		jen.Id("Scoped"):    literal(reflect.ValueOf(all.Scoped)),
		jen.Id("Reminders"): literal(reflect.ValueOf(all.Reminders)),
	})
	out, err := render(f, "generated/quality/quality.go")
	return []output{out}, err
}
