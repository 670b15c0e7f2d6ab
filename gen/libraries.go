package main

import (
	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/rule"
)

// libraries makes the table of the files that pin versions.
func libraries(in *input) ([]output, error) {
	list, err := rule.LoadLibraries(in.root)
	if err != nil {
		return nil, err
	}
	if err := rule.Join(jit.CheckLibraries(list)); err != nil {
		return nil, err
	}
	for i := range list { // see risks
		list[i].File, list[i].Line, list[i].Hits, list[i].Misses = "", 0, nil, nil
	}
	f := newFile("github.com/modu-ai/moai/generated/libraries", "libraries", "rules/libraries/*.toml")
	f.PackageComment("// Package libraries is the table of the files that pin versions of libraries.")
	f.Add(table("Files", "Files are asked in this order.", list))
	out, err := render(f, "generated/libraries/libraries.go")
	return []output{out}, err
}
