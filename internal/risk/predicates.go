package risk

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Predicate is a named condition that tables cannot express.
type Predicate struct {
	name  string
	about []string // the programs that it is about: a rule that names others could never hold
	doc   string   // when it holds, for who writes rules

	// One of the two: it is about a call, or about one thing that the call does to a path.
	call   func(m *match) bool
	effect func(m *match, e *effect) bool
}

// predicates are all of them, one part for each subject; each part is sorted by name.
var predicates = [...][]Predicate{gitPredicates, guardPredicates, outsidePredicates, pathPredicates, runPredicates, secretPredicates}

// predicate finds one by name; nil where there is none.
func predicate(parts [][]Predicate, name string) *Predicate {
	for _, list := range parts {
		if i, ok := sort.Find(len(list), func(i int) int { return strings.Compare(name, list[i].name) }); ok { // copies none of them
			return &list[i]
		}
	}
	return nil
}

// Misused says what is wrong with the predicates that a rule names, a line each: there is no such one, or it is about programs that
// the rule does not name, so that it could never hold, or excuse, there.
func Misused(r *rule.Risk) []string {
	var list []string
	for i, name := range slices.Concat(r.When.Is, r.When.Not) {
		p := predicate(predicates[:], name)
		// What excuses may do so for some of the programs that a rule without a name meets.
		excuse := i >= len(r.When.Is) && len(r.Programs) == 0
		switch {
		case p == nil:
			list = append(list, fmt.Sprintf("no predicate is named %q", name))
		case p.about != nil && !excuse && !r.Programs.Meets(func(program string) bool { return slices.Contains(p.about, program) }):
			list = append(list, fmt.Sprintf("the predicate %q is about %s, which the rule does not name", name, strings.Join(p.about, ", ")))
		}
	}
	return list
}

// dynamicOperand reports an operand that only the shell will know; "-$(cat x.pid)", which stands for a group of processes, is one as well.
func dynamicOperand(m *match) bool {
	k := m.call
	for i := range k.cmd.Args {
		if w := &k.cmd.Args[i]; w.Kind != shell.Literal && w.Prefix() == "-" {
			return true
		}
	}
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		if k.cmd.Args[i].Kind != shell.Literal {
			return true
		}
	}
	return false
}
