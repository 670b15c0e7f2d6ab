package main

import (
	"reflect"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/spec"
)

// specsTest runs every example through the engine.
const specsTest = `package specs_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/specs"
	"github.com/modu-ai/moai/internal/spec"
)

func TestExamples(t *testing.T) {
	for _, fault := range spec.Check(&specs.Table) {
		t.Errorf("%s: %s", fault.ID, fault.Text)
	}
	if len(specs.Table.Fields) == 0 || len(specs.Table.Words) == 0 || len(specs.Table.Sections) == 0 {
		t.Error("a table is empty")
	}
}
`

// specs makes the vocabulary of SPEC documents.
func specs(in *input) ([]output, error) {
	t, err := rule.LoadSpecs(in.root)
	if err != nil {
		return nil, err
	}
	if err := rule.Join(spec.Check(t)); err != nil {
		return nil, err
	}
	for i := range t.Words { // see risks
		t.Words[i].File, t.Words[i].Line = "", 0
	}
	for i := range t.Sections {
		t.Sections[i].File, t.Sections[i].Line = "", 0
	}
	f := newFile("github.com/modu-ai/moai/generated/specs", "specs", "rules/specs/*.toml")
	f.PackageComment("// Package specs is the vocabulary of SPEC documents: their fields, what they may say, and the kinds of requirements.")
	f.Comment("Table is the vocabulary.")
	f.Var().Id("Table").Op("=").Qual(rulePath, "Specs").Add(record(reflect.ValueOf(*t)))
	return withTest(f, "specs", specsTest)
}
