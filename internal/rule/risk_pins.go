package rule

import (
	"fmt"
	"slices"
	"strings"
)

func (d *riskDecoder) move(i int, raw *rawMove) {
	programs := d.list("program", raw.Program)
	id := ""
	if len(programs) > 0 {
		id = programs[0]
	}
	d.at(i, id)
	m := Mover{Programs: programs, When: d.when(&raw.Args), Pins: Pins(d.set("pins", raw.Pins, pinNames[:])), File: d.file, Line: d.line}
	switch {
	case len(programs) == 0 || len(m.When.Sub) == 0:
		d.problem("what moves references needs program and subcommand")
	case m.Pins == 0:
		d.problem("what moves references says which in pins; none: rules about it say so")
	default:
		d.out.Moves = append(d.out.Moves, m)
	}
}

func (d *riskDecoder) setting(i int, raw *rawKeptSettings) {
	d.at(i, raw.Section)
	at := slices.Index(pinNames[:], raw.Section+"-settings")
	lower := func(s string) bool { return s != "" && s == strings.ToLower(s) }
	switch {
	case at < 0:
		d.problem("no pin is named %q", raw.Section+"-settings")
	case len(raw.Keys) == 0 || slices.ContainsFunc(raw.Keys, func(k string) bool { return !lower(k) }):
		d.problem("settings need keys, in lower case")
	default:
		d.out.Settings = append(d.out.Settings, Settings{Pin: 1 << at, Section: raw.Section, Keys: raw.Keys})
	}
}

// unpinned finds rules about what moves references that do not say which: the way back that is printed would bring files back
// and leave a branch where the call has put it.
func (r *Risks) unpinned() (problems []*Problem) {
	for i := range r.Rules {
		one := &r.Rules[i]
		if one.Operation == "" || one.Pins != 0 || one.When.Effect != 0 { // one about an effect is about paths
			continue
		}
		for j := range r.Moves {
			if sub := r.Moves[j].speaksOf(one); sub != "" {
				problems = append(problems, &Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf("%s %s moves references (%s:%d): say which in pins, or none", r.Moves[j].Programs[0], sub, r.Moves[j].File, r.Moves[j].Line)})
				break
			}
		}
	}
	return problems
}

// speaksOf returns a subcommand that both are about: stash, for a rule about stash drop; "" if there is none. A rule without a
// subcommand is about all.
func (m *Mover) speaksOf(r *Risk) string {
	if !slices.ContainsFunc(m.Programs, func(p string) bool { return slices.Contains(r.Programs, p) }) {
		return ""
	}
	if len(r.When.Sub) == 0 {
		return m.When.Sub[0]
	}
	for _, a := range m.When.Sub {
		if slices.ContainsFunc(r.When.Sub, func(b string) bool { return strings.HasPrefix(b+" ", a+" ") || strings.HasPrefix(a+" ", b+" ") }) {
			return a
		}
	}
	return ""
}
