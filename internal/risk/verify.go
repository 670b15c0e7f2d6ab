package risk

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Example turns an example of a rule into an input: a command line, or a tool's
// name followed by its input as JSON.
func Example(text string) Input {
	in := World()
	if name, args, ok := strings.Cut(text, " {"); ok && !strings.ContainsAny(name, " \t\n=;|'\"") && json.Valid([]byte("{"+args)) {
		in.Tool, in.Args = name, []byte("{"+args)
		return in
	}
	in.Command = text
	return in
}

// Verify runs every rule over its own examples and checks that what it advises
// passes. It returns what is wrong, a line each.
func Verify(r *rule.Risks) []*rule.Problem {
	return VerifyIn(NewSet(r), r.Rules)
}

// VerifyIn is Verify for some of a set's rules.
func VerifyIn(set *Set, rules []rule.Risk) []*rule.Problem {
	var problems []*rule.Problem
	for i := range rules {
		one := &rules[i]
		say := func(format string, args ...any) {
			problems = append(problems, &rule.Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf(format, args...)})
		}
		for _, text := range Misused(one) {
			say("%s", text)
		}
		for text := range one.Hits.All() {
			if !set.fires(text, one.ID) {
				say("does not fire on its hit %q", text)
			}
		}
		for text := range one.Misses.All() {
			if set.fires(text, one.ID) {
				say("fires on its near miss %q", text)
			}
		}
		for text := range one.KnownMiss.All() {
			if set.fires(text, one.ID) {
				say("fires on its known miss %q: move it to hits", text)
			}
		}
		instead := one.Instead
		for k := range one.Advice {
			instead += "\n" + one.Advice[k].Instead
		}
		for _, command := range advised(instead) {
			in := Example(command)
			v := set.Check(&in)
			// A snapshot stops nobody, but what is advised must not be the same hazard again.
			if v.Action > Checkpoint || contains(v.IDs(), one.ID) {
				say("advises %q, which %s stops (%s)", command, strings.Join(v.IDs(), ", "), v.Action)
			}
		}
	}
	return problems
}

// Misfire is the first rule that was added to a set and does not fire on its first hit; nil for none. It looks at so many rules, and
// at short examples alone: a session waits for it, and the rules may be a stranger's.
func Misfire(set *Set, most int) *rule.Problem {
	const short = 256
	for more := set.More; more != nil; more = more.More {
		for i := range more.Rules {
			one := more.Rules[i].Get()
			if most--; most < 0 {
				return nil
			}
			if hit := one.Hits.First(); hit != "" && len(hit) <= short && !set.fires(hit, one.ID) {
				return &rule.Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf("does not fire on its hit %q", hit)}
			}
		}
	}
	return nil
}

func (s *Set) fires(example, id string) bool {
	in := Example(example)
	v := s.Check(&in)
	for i := range v.Hits {
		if v.Hits[i].Rule.ID == id {
			return true
		}
	}
	return false
}

// advised lists the commands in backticks.
func advised(text string) []string {
	var list []string
	for {
		_, rest, ok := strings.Cut(text, "`")
		if !ok {
			return list
		}
		command, after, ok := strings.Cut(rest, "`")
		if !ok {
			return list
		}
		list, text = append(list, command), after
	}
}
