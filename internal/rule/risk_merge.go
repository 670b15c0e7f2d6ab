package rule

import (
	"fmt"
	"slices"
	"sort"
)

// Add appends the tables of another file.
func (r *Risks) Add(one *Risks) {
	r.Rules = append(r.Rules, one.Rules...)
	r.Programs = append(r.Programs, one.Programs...)
	r.Files = append(r.Files, one.Files...)
	r.Groups = append(r.Groups, one.Groups...)
	r.Tools = append(r.Tools, one.Tools...)
	r.Modes = append(r.Modes, one.Modes...)
	r.Allows = append(r.Allows, one.Allows...)
	r.Branched = append(r.Branched, one.Branched...)
	r.Moves = append(r.Moves, one.Moves...)
	r.Settings = append(r.Settings, one.Settings...)
	if one.Secrets != nil {
		if r.Secrets == nil {
			r.Secrets = &Secrets{}
		}
		r.Secrets.add(one.Secrets)
	}
}

// Sort gives the tables the order that lookups and generated files rely on.
func (r *Risks) Sort() {
	// Stable everywhere: what is equal keeps the order of its file.
	sort.SliceStable(r.Rules, func(i, j int) bool { return r.Rules[i].ID < r.Rules[j].ID })
	sort.SliceStable(r.Programs, func(i, j int) bool { return r.Programs[i].Names[0] < r.Programs[j].Names[0] })
	sort.SliceStable(r.Tools, func(i, j int) bool { return r.Tools[i].Names[0] < r.Tools[j].Names[0] })
	sort.SliceStable(r.Groups, func(i, j int) bool { return r.Groups[i].ID < r.Groups[j].ID })
	sort.SliceStable(r.Files, func(i, j int) bool { return r.Files[i].Is < r.Files[j].Is })
	sort.SliceStable(r.Modes, func(i, j int) bool { return r.Modes[i].Name < r.Modes[j].Name })
	if r.Secrets != nil {
		r.Secrets.sort()
	}
}

// branched finds names of operations that no rule has: a slip there would leave a checkpoint without its branch.
func (r *Risks) branched() (problems []*Problem) {
	for _, name := range r.Branched {
		if !slices.ContainsFunc(r.Rules, func(one Risk) bool { return one.Operation == name }) {
			problems = append(problems, &Problem{File: "rules/risks", Text: fmt.Sprintf("branch_operations: no rule has the operation %q", name)})
		}
	}
	return problems
}

func (r *Risks) duplicates() []*Problem {
	var problems []*Problem
	rules := map[string]*Risk{}
	for i := range r.Rules {
		one := &r.Rules[i]
		if first := rules[one.ID]; first != nil {
			problems = append(problems, &Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf("duplicate id, first in %s:%d", first.File, first.Line)})
			continue
		}
		rules[one.ID] = one
	}
	groups := map[string]bool{}
	for i := range r.Groups {
		id := r.Groups[i].ID
		if groups[id] {
			problems = append(problems, &Problem{File: "rules/risks", ID: id, Text: "two groups have this id"})
		}
		groups[id] = true
	}
	// Aliases too: which of two ways to read its arguments counts would depend on the order of the files.
	programs := map[string]*Program{}
	for i := range r.Programs {
		one := &r.Programs[i]
		for _, name := range one.Names {
			if first := programs[name]; first != nil {
				problems = append(problems, &Problem{File: one.File, Line: one.Line, ID: name, Text: fmt.Sprintf("duplicate program, first in %s:%d", first.File, first.Line)})
				continue
			}
			programs[name] = one
		}
	}
	return problems
}
