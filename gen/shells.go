package main

import (
	"reflect"

	"github.com/modu-ai/moai/internal/rule"
)

const (
	shellsPath = "github.com/modu-ai/moai/generated/shells"
)

// shells makes the tables of programs that run other programs. Their test is the
// engine's own, which takes every wrapper off a command.
func shells(in *input) ([]output, error) {
	s, err := rule.LoadShells(in.root)
	if err != nil {
		return nil, err
	}
	f := newFile(shellsPath, "shells", "rules/shells/*.toml")
	f.PackageComment("// Package shells is the table of programs that run other programs, and of how they are told which.")
	s.Examples = nil // for tests alone
	f.Comment("Tables is what the shell engine knows.")
	f.Var().Id("Tables").Op("=").Qual(rulePath, "Shells").Add(record(reflect.ValueOf(*s)))
	out, err := render(f, "generated/shells/table.go")
	if err != nil {
		return nil, err
	}
	return []output{out}, nil
}
