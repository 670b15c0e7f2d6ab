package rule

import (
	"io/fs"
	"slices"
	"strings"
)

// Verifier is a sub-agent whose work counts as verification.
type Verifier struct {
	ID       string   // its name in the source, such as heimdall
	Text     string   `toml:"description"` // what it is asked for
	Verifies []string // code, plan
	Types    []string // further values of subagent_type that mean it, lower case
	Source   string
}

// Is says whether a subagent_type means this agent. A plugin's prefix (team:heimdall) and letter case do not matter.
func (a *Verifier) Is(subagentType string) bool {
	name := strings.ToLower(subagentType)
	// Whoever packs the agents into a plugin gets its name in front of theirs.
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return name == a.ID || slices.Contains(a.Types, name)
}

// LoadAgents reads rules/agents.
func LoadAgents(fsys fs.FS) ([]Verifier, error) {
	var r report
	var list []Verifier
	owner := map[string]string{} // subagent_type → id
	one := func(a *Verifier) {
		if r.id = a.ID; a.ID == "" || a.Text == "" || a.Source == "" || len(a.Verifies) == 0 {
			r.problem("an agent needs id, description, source and verifies")
		}
		// What can be verified is a closed list: code, and the plan before it.
		for _, v := range a.Verifies {
			if v != "code" && v != "plan" {
				r.problem("verifies: %q, want code or plan", v)
			}
		}
		// Compared in lower case (Is), so one with capitals would never be met.
		for _, t := range append([]string{a.ID}, a.Types...) {
			if t != strings.ToLower(t) {
				r.problem("%q must be lower case", t)
			}
			// A subagent_type verifies for one agent, or nobody could say who verified.
			if owner[t] != "" {
				r.problem("%q already means %s", t, owner[t])
			}
			owner[t] = a.ID
		}
		list = append(list, *a)
	}
	if err := load(&r, fsys, "agents", func(raw *struct{ Agent []Verifier }) { rows(&r, "agent", raw.Agent, one) }); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Verifier) int { return strings.Compare(a.ID, b.ID) })
	return list, r.err()
}
