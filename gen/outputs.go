package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// What stands in the world of the examples: a file and a folder with content that Git does not hold, and names that are free.
const (
	heldFile, freeFile     = "notes.txt", "brand-new.txt"
	heldFolder, freeFolder = "lib/tmp", "brand-new"
)

// overwrite is a line over what only the disk holds, the rule that speaks of it, and the same line over nothing: that rule is silent
// there. beside is empty for what destroys whatever it is given.
type overwrite struct{ line, id, beside string }

// outputs makes a line for each name of a program and each place in which its row says that it writes or empties. So a row needs no
// examples of its own.
func outputs(r *rule.Risks) (list []overwrite, problems []*rule.Problem) {
	set := risk.NewSet(r)
	for i := range r.Programs {
		p := &r.Programs[i]
		if len(p.Text) > 0 || set.In("own-words", p.Names.First()) {
			continue // rules of their own ask what it is told
		}
		for j := range p.Effects {
			e := &p.Effects[j]
			held, free := heldFile, freeFile
			if e.Kind&rule.DeleteTree != 0 {
				held, free = heldFolder, freeFolder
			}
			for _, form := range written(p, e, r.Shells.Sh.Keywords) {
				one := overwrite{line: strings.ReplaceAll(form, "@", held), beside: strings.ReplaceAll(form, "@", free)}
				speaks := guards(set, one.line, held)
				if speaks == nil {
					problems = append(problems, &rule.Problem{File: p.File, Line: p.Line, ID: p.Names.First(), Text: fmt.Sprintf("no rule speaks of %q", one.line)})
					continue
				}
				switch other := guards(set, one.beside, free); {
				case other == nil:
				case len(speaks.When.Is) == 0:
					one.beside = ""
				default:
					problems = append(problems, &rule.Problem{File: p.File, Line: p.Line, ID: p.Names.First(), Text: fmt.Sprintf("%s speaks of %q, where nothing is", other.ID, one.beside)})
				}
				one.id = speaks.ID
				list = append(list, one)
			}
		}
	}
	return list, problems
}

// guards is the rule that a line sets off because of the file of a name.
func guards(set *risk.Set, line, name string) *rule.Risk {
	in := risk.Example(line)
	v := set.Check(&in)
	for i := range v.Hits {
		if slices.ContainsFunc(v.Hits[i].Targets, func(t risk.Target) bool { return strings.HasSuffix(t.Path, "/"+name) }) {
			return v.Hits[i].Rule
		}
	}
	return nil
}

// written makes the lines of one entry, with @ for the name. Kinds of places that follow from other words have examples in their rules.
func written(p *rule.Program, e *rule.Effect, keywords rule.Words) (lines []string) {
	if e.Kind&(rule.Write|rule.DeleteTree) == 0 {
		return nil
	}
	subs := e.Sub
	if subs == "" {
		subs = rule.NewTexts("")
	}
	for name := range p.Names.All() {
		for sub := range subs.All() {
			for on := range e.On.All() {
				words := append([]string{name}, strings.Fields(sub)...)
				if keywords.Has(name) {
					words = append([]string{"command"}, words...) // "time" of a shell is not the program
				}
				for _, group := range e.Flags {
					if first := group.First(); first != on {
						words = append(words, given(p, first)...)
					}
				}
				if variable, ok := strings.CutPrefix(on, "$"); ok {
					lines = append(lines, variable+"=@ "+strings.Join(words, " "))
				} else if tail, ok := spot(on); ok {
					lines = append(lines, strings.Join(append(words, tail...), " "))
				}
			}
		}
	}
	return lines
}

// given is an option as a line has it: with a value, if it takes one.
func given(p *rule.Program, option string) []string {
	name, value, valued := strings.Cut(option, "=")
	takes := slices.ContainsFunc(p.Values, func(v rule.Values) bool { return v.Options.Has(name) })
	switch {
	case valued && strings.HasPrefix(option, "--"):
		return []string{option}
	case valued:
		return []string{name, value}
	case takes:
		return []string{name, "x"}
	}
	return []string{name}
}

// spot is the words in which a file is named.
func spot(on string) (words []string, ok bool) {
	switch {
	case on == "." || on == "paths" || on == "not-last" || on == "url-name" || strings.ContainsAny(on, "*@ +") || strings.Contains(on, ".-"):
		return nil, false
	case on == "end":
		return []string{"@"}, true
	case on == "last":
		return []string{"x", "@"}, true
	case on[0] == '-':
		return []string{on, "@", "x"}, true
	case strings.HasSuffix(on, "=") || strings.HasSuffix(on, ":"):
		return []string{on + "@"}, true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(on, ".."))
	if err != nil {
		return nil, false
	}
	return append(slices.Repeat([]string{"x"}, n-1), "@"), true
}

func outputTable(list []overwrite) *jen.File {
	f := newFile(risksPath, "risks", "rules/risks/*.toml")
	rows := make([]jen.Code, len(list))
	for i, one := range list {
		rows[i] = jen.Values(jen.Lit(one.line), jen.Lit(one.id), jen.Lit(one.beside))
	}
	f.Comment("outputs are lines over what only the disk holds, the rule that speaks of it, and the same over nothing.")
	f.Var().Id("outputs").Op("=").Index().Index(jen.Lit(3)).String().Add(multi(rows))
	return f
}
