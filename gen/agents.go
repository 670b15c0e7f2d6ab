package main

import (
	_ "embed"
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/rule"
)

//go:embed agents_test.go.txt
var agentsTest string

// agents makes the table of the verifying sub-agents, and of what they verify.
func agents(in *input) ([]output, error) {
	all, err := rule.LoadAgents(in.root)
	if err != nil {
		return nil, err
	}
	f := newFile("github.com/modu-ai/moai/generated/agents", "agents", "rules/agents/*.toml")
	f.PackageComment("// Package agents is the table of the sub-agents whose work counts as verification, of what needs it, and of how they say what they found.")
	f.Add(table("Verifiers", "Verifiers are the agents, by id.", all.Verifiers))
	f.Add(table("Kinds", "Kinds are the kinds of changed files, in the order in which they are asked.", all.Kinds))
	f.Comment("All is all that is known.")
	f.Var().Id("All").Op("=").Add(typ(reflect.TypeFor[rule.Agents]())).Values(jen.Dict{
		jen.Id("Verifiers"): jen.Id("Verifiers"), jen.Id("Kinds"): jen.Id("Kinds"), // a slice of them would be made at each start
		jen.Id("Calls"): literal(reflect.ValueOf(all.Calls)), jen.Id("Shows"): literal(reflect.ValueOf(all.Shows)), jen.Id("Own"): literal(reflect.ValueOf(all.Own)), jen.Id("OwnTrees"): literal(reflect.ValueOf(all.OwnTrees)), jen.Id("Ours"): literal(reflect.ValueOf(all.Ours)), jen.Id("Verdict"): literal(reflect.ValueOf(all.Verdict)),
		jen.Id("Words"): literal(reflect.ValueOf(all.Words)), jen.Id("Client"): literal(reflect.ValueOf(all.Client)), jen.Id("Unmarked"): literal(reflect.ValueOf(all.Unmarked)),
	})
	return withTest(f, "agents", agentsTest)
}
