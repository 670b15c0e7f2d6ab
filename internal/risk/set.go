package risk

import (
	"slices"
	"sort"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
)

// NewSet makes a set from rules that were read at run time. It builds its
// lookups once; the generated table has them as switches instead.
func NewSet(r *rule.Risks) *Set {
	s := &Set{Rules: rule.Rows(r.Rules), Programs: r.Programs, Files: r.Files, Groups: r.Groups, Tools: r.Tools, Modes: r.Modes, Shells: r.Shells, Allows: r.Allows, Branched: r.Branched, Moves: r.Moves, Settings: r.Settings, Restored: r.Restored}
	if r.Secrets != nil {
		s.Keys = secret.New(r.Secrets)
	}
	programs := map[string]int{}
	for i := range r.Programs {
		for name := range r.Programs[i].Names.All() {
			programs[name] = i
		}
	}
	for i := range r.Rules {
		if len(r.Rules[i].Programs) == 0 { // tried on every command, those of a program only on its own
			s.General = append(s.General, generalOf(i, &r.Rules[i]))
		}
	}
	rules := RulesByProgram(r)
	s.ByProgram = func(name string) []uint16 { return rules[name] }
	s.Program = func(name string) int {
		if i, ok := programs[name]; ok {
			return i
		}
		return -1
	}
	return s
}

// RulesByProgram maps each program's first name to its rules in order, also those
// that name one of its aliases only.
func RulesByProgram(r *rule.Risks) map[string][]uint16 {
	first := map[string]string{}
	for i := range r.Programs {
		for name := range r.Programs[i].Names.All() {
			first[name] = r.Programs[i].Names.First()
		}
	}
	rules := map[string][]uint16{}
	for i := range r.Rules {
		for name := range r.Rules[i].Programs.All() {
			if f, ok := first[name]; ok {
				name = f
			}
			if list := rules[name]; len(list) == 0 || list[len(list)-1] != uint16(i) {
				rules[name] = append(list, uint16(i))
			}
		}
	}
	for _, list := range rules {
		sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	}
	return rules
}

// Rule finds a rule by its id, in this set and the ones behind it, or among the engine's own.
func (s *Set) Rule(id string) *rule.Risk {
	for ; s != nil; s = s.More {
		i := sort.Search(len(s.Rules), func(i int) bool { return s.Rules[i].Get().ID >= id })
		if i < len(s.Rules) && s.Rules[i].Get().ID == id {
			return s.Rules[i].Get()
		}
	}
	for _, r := range Own() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// Knows reports a name that some table speaks of: a program's row, a rule or a group.
func (s *Set) Knows(name string) bool {
	for ; s != nil; s = s.More {
		if s.Program(name) >= 0 || s.ruled(name) ||
			slices.ContainsFunc(s.Groups, func(g rule.Group) bool { return g.Words.Has(name) }) {
			return true
		}
	}
	return false
}

func (s *Set) ruled(program string) bool {
	for i := range s.Rules {
		if s.Rules[i].Get().Programs.Has(program) {
			return true
		}
	}
	return false
}

// Own are the rules that are no table's: they are about a line or a tool as a whole.
func Own() []*rule.Risk { return []*rule.Risk{&doubtful, &unseen, &toolDenied, &toolNotAllowed} }
