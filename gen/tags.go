package main

import (
	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/tag"
)

const tagsPath = "github.com/modu-ai/moai/generated/tags"

// tagsTest runs every kind's examples through the engine, one subtest a kind.
const tagsTest = `package tags_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/tag"
)

func TestExamples(t *testing.T) {
	for i := range tags.Kinds {
		t.Run(tags.Kinds[i].ID, func(t *testing.T) {
			for _, fault := range tag.Check(tags.Kinds, i, func(name string) tag.Syntax { return tag.Syntax(languages.Table.Syntax(name)) }) {
				t.Error(fault)
			}
		})
	}
}
`

// tags makes the tables of TAG kinds and of what verification reports.
func tags(in *input) ([]output, error) {
	all, err := rule.LoadTags(in.root)
	if err != nil {
		return nil, err
	}
	list, paths, err := rule.LoadLanguages(in.root)
	if err != nil {
		return nil, err
	}
	compiled, err := lang.Compile(list, paths)
	if err != nil {
		return nil, err
	}
	names := compiled.Table()
	var problems []*rule.Problem
	for i := range all.Kinds {
		k := &all.Kinds[i]
		for _, fault := range tag.Check(all.Kinds, i, func(name string) tag.Syntax { return tag.Syntax(names.Syntax(name)) }) {
			problems = append(problems, &rule.Problem{File: k.File, Line: k.Line, ID: k.ID, Text: fault})
		}
	}
	if err := rule.Join(problems); err != nil {
		return nil, err
	}
	for i := range all.Kinds { // see risks
		all.Kinds[i].File, all.Kinds[i].Line = "", 0
	}
	for i := range all.Problems {
		all.Problems[i].File, all.Problems[i].Line = "", 0
	}
	f := newFile(tagsPath, "tags", "rules/tags/*.toml")
	f.PackageComment("// Package tags is the table of TAG kinds and of the mistakes that verification reports.")
	f.Add(table("Kinds", "Kinds are the kinds of TAGs.", all.Kinds))
	f.Add(jen.Line())
	f.Add(table("Problems", "Problems are what verification reports, with their severities.", all.Problems))
	f.Add(jen.Line())
	out, err := render(f, "generated/tags/tags.go")
	if err != nil {
		return nil, err
	}
	test := output{"generated/tags/tags_test.go", []byte(header("rules/tags/*.toml") + tagsTest)}
	return []output{out, test}, nil
}
