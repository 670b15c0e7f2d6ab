package main

import (
	_ "embed"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

const (
	risksDir  = "generated/risks/"
	risksPath = "github.com/modu-ai/moai/generated/risks"
	riskPath  = "github.com/modu-ai/moai/internal/risk"
)

// risksTest is the test beside the tables: one subtest for each example.
//
//go:embed risks_test.go.txt
var risksTest string

// risks makes the tables that judge, their lookups as switches, the test over
// every example, and RULES.md. A rule that fails its examples stops it all.
func risks(in *input) ([]output, error) {
	r, err := rule.LoadRisks(in.root)
	if err != nil {
		return nil, err
	}
	if problems := risk.Verify(r); len(problems) > 0 {
		return nil, rule.Join(problems)
	}
	over, problems := outputs(r)
	if len(problems) > 0 {
		return nil, rule.Join(problems)
	}
	doc := output{"generated/RULES.md", []byte(risk.Document(r.Rules))}
	// Places in files would make every later rule a changed line. They have done their work: complaints are above.
	for i := range r.Rules {
		r.Rules[i].File, r.Rules[i].Line = "", 0
	}
	for i := range r.Programs {
		r.Programs[i].File, r.Programs[i].Line = "", 0
	}
	for i := range r.Tools {
		r.Tools[i].File, r.Tools[i].Line = "", 0
	}
	for i := range r.Modes {
		r.Modes[i].File, r.Modes[i].Line = "", 0
	}
	for i := range r.Moves {
		r.Moves[i].File, r.Moves[i].Line = "", 0
	}
	tables, err := render(riskTables(r), risksDir+"table.go")
	if err != nil {
		return nil, err
	}
	test := output{risksDir + "table_test.go", []byte(header("rules/risks/*.toml") + risksTest)}
	lines, err := render(outputTable(over), risksDir+"outputs_test.go")
	if err != nil {
		return nil, err
	}
	return []output{doc, tables, test, lines}, nil
}

func riskTables(r *rule.Risks) *jen.File {
	f := newFile(risksPath, "risks", "rules/risks/*.toml")
	f.PackageComment("// Package risks is the table of risky operations and of how programs read their arguments.")
	f.Add(rows("Rules", "Rules are all rules, sorted by ID.", r.Rules))
	f.Add(table("Programs", "Programs say how arguments are read.", r.Programs))
	f.Add(table("Files", "Files are the families of file names.", r.Files))
	f.Add(table("Modes", "Modes are the client's permission modes that lose questions.", r.Modes))
	f.Add(table("Tools", "Tools say what the arguments of clients' tools are.", r.Tools))
	f.Add(table("Groups", "Groups are the classes of programs that named predicates ask about.", r.Groups))
	f.Add(table("branched", "branched are the operations whose checkpoint is a branch, too.", r.Branched))
	f.Add(table("moves", "moves are the kinds of calls that move references.", r.Moves))
	f.Add(table("settings", "settings are the variables of Git's that a restore may set again.", r.Settings))
	f.Add(table("restored", "restored are folders that a package manager fills again by what stands beside them.", r.Restored))
	places := names("rule", len(r.Rules), func(i int) string { return r.Rules[i].ID })
	f.Comment("Positions by name, so that a new row moves none of the others in what follows.")
	f.Add(positions(places)).Line()
	programs := names("program", len(r.Programs), func(i int) string { return r.Programs[i].Names.First() })
	f.Add(positions(programs)).Line()
	f.Comment("general are the rules that name no program.").Line().Var().Id("general").Op("=").Index().Qual(riskPath, "General").Add(multi(general(places, risk.NewSet(r).General))).Line()

	f.Comment("Set joins the tables for the engine.")
	f.Func().Id("Set").Params().Op("*").Qual(riskPath, "Set").Block(jen.Return(jen.Op("&").Qual(riskPath, "Set").Values(
		jen.Id("Rules").Op(":").Id("Rules"), jen.Id("Programs").Op(":").Id("Programs"), jen.Id("Files").Op(":").Id("Files"),
		jen.Id("Keys").Op(":").Op("&").Qual(secretsPath, "Table"), jen.Id("Groups").Op(":").Id("Groups"), jen.Id("Tools").Op(":").Id("Tools"), jen.Id("Modes").Op(":").Id("Modes"), jen.Id("Shells").Op(":").Op("&").Qual(shellsPath, "Tables"), jen.Id("General").Op(":").Id("general"), jen.Id("Branched").Op(":").Id("branched"), jen.Id("Moves").Op(":").Id("moves"), jen.Id("Settings").Op(":").Id("settings"), jen.Id("Restored").Op(":").Id("restored"),
		jen.Id("ByProgram").Op(":").Id("byProgram"), jen.Id("Program").Op(":").Id("program"),
	)))
	f.Line()
	rules := risk.RulesByProgram(r)
	sorted := slices.Sorted(maps.Keys(rules))
	lists := names("of", len(sorted), func(i int) string { return sorted[i] })
	// The lists are variables, since a literal in a return is allocated anew at
	// every call.
	f.Var().DefsFunc(func(g *jen.Group) {
		for i, name := range sorted {
			g.Id(lists[i]).Op("=").Add(indexes(places, rules[name]))
		}
	})
	f.Line()
	f.Func().Id("byProgram").Params(jen.Id("name").String()).Index().Uint16().Block(
		jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
			for i, name := range sorted {
				g.Case(jen.Lit(name)).Block(jen.Return(jen.Id(lists[i])))
			}
		}),
		jen.Return(jen.Nil()),
	)
	f.Line()
	f.Func().Id("program").Params(jen.Id("name").String()).Int().Block(
		jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
			for i := range r.Programs {
				for name := range r.Programs[i].Names.All() {
					g.Case(jen.Lit(name)).Block(jen.Return(jen.Id(programs[i])))
				}
			}
		}),
		jen.Return(jen.Lit(-1)),
	)
	return f
}

// general are the rules of no program, each with the name of its place.
func general(places []string, list []risk.General) []jen.Code {
	rows := make([]jen.Code, len(list))
	for i, g := range list {
		of := jen.Id("Rule").Op(":").Id(places[g.Rule])
		g.Rule = 0
		rows[i] = jen.Values(append([]jen.Code{of}, members(reflect.ValueOf(g))...)...)
	}
	return rows
}

// names makes identifiers of what n rows are called: letters and digits stay, and the rest
// becomes its number.
func names(prefix string, n int, called func(i int) string) []string {
	list := make([]string, n)
	for i := range list {
		var b strings.Builder
		b.WriteString(prefix + "_")
		for _, c := range called(i) {
			if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
				b.WriteRune(c)
			} else if c == '.' || c == '-' {
				b.WriteByte('_')
			} else {
				fmt.Fprintf(&b, "x%X", c)
			}
		}
		list[i] = b.String()
		for k := 2; slices.Contains(list[:i], list[i]); k++ {
			list[i] = fmt.Sprintf("%s_%d", b.String(), k)
		}
	}
	return list
}

// positions are constants that count from 0, one a line.
func positions(names []string) *jen.Statement {
	return jen.Const().DefsFunc(func(g *jen.Group) {
		g.Id("_").Op("=").Iota().Op("-").Lit(1)
		for _, name := range names {
			g.Id(name)
		}
	})
}

// indexes is a list of positions, one a line.
func indexes(names []string, list []uint16) *jen.Statement {
	codes := make([]jen.Code, len(list))
	for i, n := range list {
		codes[i] = jen.Id(names[n])
	}
	return jen.Index().Uint16().Add(multi(codes))
}
