package main

import (
	"github.com/dave/jennifer/jen"

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
	f.Add(table("programs", "programs are sorted by name.", s.Programs)).Line()
	f.Add(table("wrappers", "wrappers are sorted by name.", s.Wrappers)).Line()
	f.Add(table("globals", "globals are options in front of subcommands.", s.Globals)).Line()
	f.Add(table("variables", "variables hold commands for other programs.", s.Variables)).Line()
	f.Add(table("escapes", "escapes are marks of lines that clients leave to a shell.", s.Escapes)).Line()
	f.Add(table("interpreters", "interpreters run program text.", s.Interpreters)).Line()
	f.Add(table("calls", "calls are what library calls amount to.", s.Calls)).Line()
	f.Add(table("settings", "settings hold commands for the program that they are of.", s.Settings)).Line()
	f.Add(table("families", "families are programs whose subcommands are programs.", s.Families)).Line()
	f.Add(table("cmdlets", "cmdlets are commands of PowerShell, and what they equal.", s.Cmdlets)).Line()
	words := func(list []string) *jen.Statement {
		lits := make([]jen.Code, len(list))
		for i, name := range list {
			lits[i] = jen.Lit(name)
		}
		return jen.Index().String().Values(lits...)
	}
	f.Comment("Tables joins the tables for the engine.")
	f.Var().Id("Tables").Op("=").Qual(rulePath, "Shells").Values(
		jen.Id("Programs").Op(":").Id("programs"), jen.Id("Wrappers").Op(":").Id("wrappers"), jen.Id("Globals").Op(":").Id("globals"), jen.Id("Variables").Op(":").Id("variables"), jen.Id("Escapes").Op(":").Id("escapes"),
		jen.Id("Interpreters").Op(":").Id("interpreters"), jen.Id("Calls").Op(":").Id("calls"),
		jen.Id("Settings").Op(":").Id("settings"), jen.Id("Families").Op(":").Id("families"), jen.Id("Cmdlets").Op(":").Id("cmdlets"), jen.Id("Objects").Op(":").Add(words(s.Objects)), jen.Id("Values").Op(":").Add(words(s.Values)), jen.Id("Hidden").Op(":").Add(words(s.Hidden)),
		jen.Id("Prefixed").Op(":").Add(words(s.Prefixed)), jen.Id("Destroyers").Op(":").Add(words(s.Destroyers)), jen.Id("Prefixes").Op(":").Add(words(s.Prefixes)), jen.Id("Folders").Op(":").Add(words(s.Folders)),
	)
	out, err := render(f, "generated/shells/table.go")
	if err != nil {
		return nil, err
	}
	return []output{out}, nil
}
