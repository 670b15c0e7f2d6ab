package main

import (
	_ "embed"
	"fmt"
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
	secretIndex(words, s)
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

// secretIndex writes the index so that a new word adds lines and changes none: a word a line, a bit a line, and positions by name.
func secretIndex(f *jen.File, s *rule.Secrets) {
	formats := names("format", len(s.Formats), func(i int) string { return s.Formats[i].ID })
	programs := names("program", len(s.Programs), func(i int) string { return s.Programs[i].Names[0] })
	f.Comment("Positions by name, so that a new row moves none of the others in what follows.")
	f.Add(positions(formats)).Line()
	f.Add(positions(programs)).Line()
	index := secret.NewIndex(s)
	key := func(i int) *jen.Statement { return jen.Id(fmt.Sprintf("%#04x", i)).Op(":") }
	var maybe []jen.Code
	for i, set := range index.Maybe {
		if set == 0 {
			continue
		}
		bits := key(i).Lit(0).Op("+") // a sum, since staticcheck takes "0 |" for a mistake
		for bit := range 64 {
			if set&(1<<bit) != 0 {
				bits.Line().Lit(1).Op("<<").Lit(bit).Op("+")
			}
		}
		maybe = append(maybe, bits.Line().Lit(0))
	}
	lists := func(heads [][]secret.Word) *jen.Statement {
		var rows []jen.Code
		for i, list := range heads {
			var words []jen.Code
			for _, w := range list {
				of := map[uint16][]string{secret.KindFormat: formats, secret.KindProgram: programs}[w.Kind]
				n := w.Of
				w.Of = 0
				word := members(reflect.ValueOf(w))
				if of != nil {
					word = append(word, jen.Id("Of").Op(":").Id(of[n]))
				}
				words = append(words, jen.Values(word...))
			}
			if len(list) > 0 {
				rows = append(rows, key(i).Add(multi(words)))
			}
		}
		return jen.Index(jen.Lit(len(heads))).Index().Qual(secretPath, "Word").Add(multi(rows))
	}
	f.Comment("index finds the words of all tables.")
	f.Var().Id("index").Op("=").Qual(secretPath, "Index").Add(multi([]jen.Code{
		jen.Id("Maybe").Op(":").Index(jen.Lit(len(index.Maybe))).Uint64().Add(multi(maybe)),
		jen.Id("Head").Op(":").Add(lists(index.Head[:])),
		jen.Id("Short").Op(":").Add(lists(index.Short[:])),
	}))
}
