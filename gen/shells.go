package main

import (
	_ "embed"
	"reflect"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

const (
	shellsPath = "github.com/modu-ai/moai/generated/shells"
)

//go:embed shells_test.go.txt
var shellsTest string

// shells makes the tables of programs that run other programs, and the test over every example: the engine takes each wrapper
// off a command.
func shells(in *input) ([]output, error) {
	s, err := rule.LoadShells(in.root)
	if err != nil {
		return nil, err
	}
	if problems := shell.Verify(s); len(problems) > 0 {
		return nil, rule.Join(problems)
	}
	examples := s.Examples
	s.Examples = nil // for tests alone
	for i := range examples {
		examples[i].File, examples[i].Line = "", 0
	}
	f := newFile(shellsPath, "shells", "rules/shells/*.toml")
	f.PackageComment("// Package shells is the table of programs that run other programs, and of how they are told which.")
	f.Comment("Tables is what the shell engine knows.")
	f.Var().Id("Tables").Op("=").Qual(rulePath, "Shells").Add(record(reflect.ValueOf(*s)))
	test := newFile(shellsPath, "shells", "rules/shells/*.toml")
	test.Add(table("examples", "examples are those of all entries.", examples))
	written, err := render(test, "generated/shells/examples_test.go")
	if err != nil {
		return nil, err
	}
	out, err := render(f, "generated/shells/table.go")
	if err != nil {
		return nil, err
	}
	return []output{out, written, {"generated/shells/shells_test.go", []byte(header("rules/shells/*.toml") + shellsTest)}}, nil
}
