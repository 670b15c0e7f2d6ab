package rule

import (
	"slices"
	"sort"
)

// Add appends the tables of another file.
func (r *Risks) Add(one *Risks) {
	extend(r, one)
	if one.Secrets != nil {
		if r.Secrets == nil {
			r.Secrets = &Secrets{}
		}
		extend(r.Secrets, one.Secrets)
	}
}

// Sort gives the tables the order that lookups and generated files rely on.
func (r *Risks) Sort() {
	// Stable everywhere: what is equal keeps the order of its file.
	sort.SliceStable(r.Rules, func(i, j int) bool { return r.Rules[i].ID < r.Rules[j].ID })
	sort.SliceStable(r.Programs, func(i, j int) bool { return r.Programs[i].Names.First() < r.Programs[j].Names.First() })
	sort.SliceStable(r.Tools, func(i, j int) bool { return r.Tools[i].Names[0] < r.Tools[j].Names[0] })
	sort.SliceStable(r.Groups, func(i, j int) bool { return r.Groups[i].ID < r.Groups[j].ID })
	sort.SliceStable(r.Files, func(i, j int) bool { return r.Files[i].Is < r.Files[j].Is })
	sort.SliceStable(r.Modes, func(i, j int) bool { return r.Modes[i].Name < r.Modes[j].Name })
	if r.Secrets != nil {
		r.Secrets.sort()
	}
}

// branched finds names of operations that no rule has: a slip there would leave a checkpoint without its branch.
func (d *riskDecoder) branched() {
	for _, name := range d.out.Branched {
		if !slices.ContainsFunc(d.out.Rules, func(one Risk) bool { return one.Operation == name }) {
			d.add("rules/risks", 0, "", "branch_operations: no rule has the operation %q", name)
		}
	}
}

func (d *riskDecoder) duplicates() {
	rules := map[string]*Risk{}
	for i := range d.out.Rules {
		one := &d.out.Rules[i]
		if first := rules[one.ID]; first != nil {
			d.add(one.File, one.Line, one.ID, "duplicate id, first in %s:%d", first.File, first.Line)
			continue
		}
		rules[one.ID] = one
	}
	groups := map[string]bool{}
	for i := range d.out.Groups {
		id := d.out.Groups[i].ID
		if groups[id] {
			d.add("rules/risks", 0, id, "two groups have this id")
		}
		groups[id] = true
	}
	// Aliases too: which of two ways to read its arguments counts would depend on the order of the files.
	programs := map[string]*Program{}
	for i := range d.out.Programs {
		one := &d.out.Programs[i]
		for name := range one.Names.All() {
			if first := programs[name]; first != nil {
				d.add(one.File, one.Line, name, "duplicate program, first in %s:%d", first.File, first.Line)
				continue
			}
			programs[name] = one
		}
	}
}
