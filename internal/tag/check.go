package tag

import (
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Check runs the examples of kind i of a table and says which of them fail.
func Check(kinds []rule.TagKind, i int, syntax func(string) Syntax) []string {
	g, k := NewGrammar(kinds), &kinds[i]
	var faults []string
	for _, list := range []struct {
		examples []string
		want     string
	}{{k.Hits, "a definition"}, {k.Mentions, "a mention"}, {k.Misses, "nothing"}} {
		for _, e := range list.examples {
			path, line, _ := strings.Cut(e, ": ")
			got := "nothing"
			for _, t := range g.File(path, []byte(line+"\n"), syntax) {
				switch {
				// Examples may hold TAGs of other kinds, such as the links of a header line.
				case t.Kind != k.Name || t.Malformed:
				case t.Definition:
					got = "a definition"
				case got == "nothing":
					got = "a mention"
				}
			}
			if got != list.want {
				faults = append(faults, fmt.Sprintf("%q holds %s; expected %s", e, got, list.want))
			}
		}
	}
	return faults
}
