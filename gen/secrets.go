package main

import (
	_ "embed"
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
)

const (
	secretsPath = "github.com/modu-ai/moai/generated/secrets"
	secretPath  = "github.com/modu-ai/moai/internal/secret"
)

//go:embed secrets_test.go.txt
var secretsTest string

// secrets makes the table that finds and hides secrets, with the index of its words, and the test over every example.
func secrets(in *input) ([]output, error) {
	s, err := rule.LoadSecrets(in.root)
	if err != nil {
		return nil, err
	}
	if problems := secret.Verify(s); len(problems) > 0 {
		return nil, rule.Join(problems)
	}
	for i := range s.Examples {
		s.Examples[i].File, s.Examples[i].Line = "", 0
	}
	f := newFile(secretsPath, "secrets", "rules/secrets/*.toml")
	f.PackageComment("// Package secrets is the table of what secrets look like, and behind what they stand.")
	f.Add(table("formats", "formats are the forms of keys, by id.", s.Formats))
	f.Add(table("programs", "programs take secrets among their arguments.", s.Programs))
	f.Comment("rules joins the tables.")
	f.Var().Id("rules").Op("=").Qual(rulePath, "Secrets").Values(
		jen.Id("Formats").Op(":").Id("formats"), jen.Id("Programs").Op(":").Id("programs"),
		jen.Id("Known").Op(":").Add(literal(reflect.ValueOf(s.Known))), jen.Id("Hosts").Op(":").Add(literal(reflect.ValueOf(s.Hosts))), jen.Id("Names").Op(":").Add(literal(reflect.ValueOf(s.Names))),
		jen.Id("Passwords").Op(":").Add(literal(reflect.ValueOf(s.Passwords))), jen.Id("Files").Op(":").Add(literal(reflect.ValueOf(s.Files))),
	)
	f.Line()
	f.Comment("Table is what the engine works with.")
	f.Var().Id("Table").Op("=").Qual(secretPath, "Table").Values(jen.Id("Secrets").Op(":").Op("&").Id("rules"), jen.Id("Index").Op(":").Op("&").Id("index"))
	// The index is data, too: filling it takes longer than masking a line.
	words := newFile(secretsPath, "secrets", "rules/secrets/*.toml")
	words.Comment("index finds the words of all tables.")
	words.Var().Id("index").Op("=").Add(literal(reflect.ValueOf(*secret.NewIndex(s))))
	index, err := render(words, "generated/secrets/index.go")
	if err != nil {
		return nil, err
	}
	test := newFile(secretsPath, "secrets", "rules/secrets/*.toml")
	test.Add(table("examples", "examples are those of all rules.", s.Examples))
	examples, err := render(test, "generated/secrets/examples_test.go")
	if err != nil {
		return nil, err
	}
	out, err := withTest(f, "secrets", secretsTest)
	return append(out, index, examples), err
}
