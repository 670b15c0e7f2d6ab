package jit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// Check runs the examples of rule i of a table and says which of them fail. The generator and `moai rules
// test` call it.
func Check(table []rule.Context, i int) []string {
	r := &table[i]
	var faults []string
	expect := func(example, setting string, want bool) {
		if got := holds(table, i, example, setting); got != want {
			verb := "does not match"
			if got {
				verb = "matches"
			}
			faults = append(faults, fmt.Sprintf("%s %q", verb, example))
		}
	}
	for _, e := range r.Hits {
		expect(e, "rare", true)
	}
	for _, e := range r.Misses {
		expect(e, "rare", false)
	}
	for _, e := range r.KnownMiss {
		expect(e, "rare", false)
	}
	for _, e := range r.EverydayHits {
		expect(e, "all", true)
	}
	for _, e := range r.EverydayMisses {
		expect(e, "all", false)
	}
	return faults
}

// holds reports whether an example calls its rule. An example of a reference rule is one that switches no
// mode on.
func holds(table []rule.Context, i int, example, setting string) bool {
	r := &table[i]
	switch r.Kind {
	case rule.ContextInstructions:
		return slices.ContainsFunc(r.Files, func(glob string) bool { return fileMatch(glob, example) })
	// A reference rule has no mode of its own: it holds when no mode is called in spite of its word.
	case rule.ContextReference:
		return len(Parse(table, example).Modes(setting)) == 0
	case rule.ContextPasted:
		return newZoner(table, example).pasted(example, 0) != notPasted
	case rule.ContextMode:
		return slices.ContainsFunc(Parse(table, example).Modes(setting), func(g Given) bool { return g.Rule == r.ID })
	}
	// The same mark as in the documentation: what follows is run, not said.
	if line, ok := strings.CutPrefix(example, "$ "); ok {
		return argv.Runs(r.Programs, strings.Fields(line))
	}
	return len(Parse(table, example).called(i)) > 0
}
