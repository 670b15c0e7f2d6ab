package main

import (
	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/rule"
)

const contextsPath = "github.com/modu-ai/moai/generated/contexts"

// contextsTest runs every rule's examples through the engine, one subtest a rule.
const contextsTest = `package contexts_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/contexts"
	"github.com/modu-ai/moai/internal/jit"
)

func TestExamples(t *testing.T) {
	for i := range contexts.Rules {
		t.Run(contexts.Rules[i].ID, func(t *testing.T) {
			for _, fault := range jit.Check(contexts.Rules, i) {
				t.Error(fault)
			}
		})
	}
}
`

// contexts makes the table of documents, keyword modes and files of rules.
func contexts(in *input) ([]output, error) {
	rules, err := rule.LoadContexts(in.root)
	if err != nil {
		return nil, err
	}
	var problems []*rule.Problem
	for i := range rules {
		r := &rules[i]
		// With the whole table: reference rules decide about the words of others.
		for _, fault := range jit.Check(rules, i) {
			problems = append(problems, &rule.Problem{File: r.File, Line: r.Line, ID: r.ID, Text: fault})
		}
	}
	if err := rule.Join(problems); err != nil {
		return nil, err
	}
	for i := range rules { // see risks
		rules[i].File, rules[i].Line = "", 0
	}
	f := newFile(contextsPath, "contexts", "rules/contexts/*.toml")
	f.PackageComment("// Package contexts is the table of what goes with a prompt: documents, keyword modes, files of rules for agents.")
	f.Add(table("Rules", "Rules are the rules in the order in which documents are given.", rules))
	f.Add(jen.Line())
	out, err := render(f, "generated/contexts/contexts.go")
	if err != nil {
		return nil, err
	}
	test := output{"generated/contexts/contexts_test.go", []byte(header("rules/contexts/*.toml") + contextsTest)}
	return []output{out, test}, nil
}
