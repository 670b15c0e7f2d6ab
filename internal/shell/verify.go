package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Verify runs every example of the tables: each hit removes x, or what a comment at its end names, and
// no miss removes anything.
func Verify(s *rule.Shells) (problems []*rule.Problem) {
	o := Options{Dir: "/p", Home: "/h", Tables: s}
	for i := range s.Examples {
		x := &s.Examples[i]
		fault := func(line string, got []string, want string) {
			problems = append(problems, &rule.Problem{File: x.File, Line: x.Line, ID: x.ID, Text: fmt.Sprintf("%q removes %q, want %s", line, got, want)})
		}
		for _, line := range x.Hits {
			want := "x"
			if i := strings.LastIndex(line, " # "); i >= 0 {
				want = line[i+len(" # "):]
			}
			if got := removed(line, o); !slices.Contains(got, want) {
				fault(line, got, fmt.Sprintf("%q", want))
			}
		}
		for _, line := range x.Misses {
			if got := removed(line, o); got != nil {
				fault(line, got, "nothing")
			}
		}
	}
	return problems
}

// remover is the program behind every wrapper of the examples.
const remover = "rm"

// removed lists the operands of each remover that a line would run. What is not known of one is an ellipsis.
func removed(line string, o Options) (list []string) {
	for _, c := range Parse(line, o).Commands {
		if c.Name != remover {
			continue
		}
		var operands []string
		for _, a := range c.Args[1:] {
			if a.Kind == Unknown && len(a.Parts) < 2 {
				a.Text = "…"
			}
			if !strings.HasPrefix(a.Text, "-") {
				operands = append(operands, a.Text)
			}
		}
		list = append(list, strings.Join(operands, " "))
	}
	return list
}
