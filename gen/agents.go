package main

import (
	_ "embed"

	"github.com/modu-ai/moai/internal/rule"
)

//go:embed agents_test.go.txt
var agentsTest string

// agents makes the table of the verifying sub-agents.
func agents(in *input) ([]output, error) {
	list, err := rule.LoadAgents(in.root)
	if err != nil {
		return nil, err
	}
	f := newFile("github.com/modu-ai/moai/generated/agents", "agents", "rules/agents/*.toml")
	f.PackageComment("// Package agents is the table of the sub-agents whose work counts as verification.")
	f.Add(table("Agents", "Agents are the verifiers, by id.", list))
	at := names("at", len(list), func(i int) string { return list[i].ID })
	f.Add(positions(at)).Line()
	f.Add(index("Find", "Find is the index in Agents of a subagent_type as it is written in the rules (lower case, no plugin prefix; see rule.Verifier.Is), or -1.",
		"subagentType", list, at, func(a rule.Verifier) []string { return append([]string{a.ID}, a.Types...) }))
	return withTest(f, "agents", agentsTest)
}
