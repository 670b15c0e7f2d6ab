package rule

import (
	"slices"
	"strings"
)

func (d *riskDecoder) move(raw *rawMove) {
	programs := d.list("program", raw.Program)
	if len(programs) > 0 {
		d.id = programs[0]
	}
	m := Mover{Programs: NewTexts(programs...), When: d.when(&raw.Args), Pins: Pins(d.set("pins", raw.Pins, pinNames[:])), Drops: raw.Drops, File: d.file, Line: d.line}
	switch {
	case len(programs) == 0 || len(m.When.Sub) == 0:
		d.problem("what moves references needs program and subcommand")
	case m.Pins == 0:
		d.problem("what moves references says which in pins; none: rules about it say so")
	case m.Drops && m.Pins&^dropped != 0:
		d.problem("what only drops references moves no %s", m.Pins&^dropped)
	default:
		d.out.Moves = append(d.out.Moves, m)
	}
}

// dropped are the kinds of references that can be missing after a call. Where HEAD stands, what is staged and what is under way are
// never gone alone: files go with them.
const dropped = PinNamed | PinHeads | PinRemotes | PinTags | PinNotes | PinReplaces | PinStash | PinReflogs | PinWorktrees | PinBranchSettings | PinRemoteSettings | PinSubmoduleSettings

func (d *riskDecoder) setting(raw *Settings) {
	d.id = raw.Section
	at := slices.Index(pinNames[:], raw.Section+"-settings")
	lower := func(s string) bool { return s != "" && s == strings.ToLower(s) }
	switch {
	case at < 0:
		d.problem("no pin is named %q", raw.Section+"-settings")
	case len(raw.Keys) == 0 || slices.ContainsFunc(raw.Keys, func(k string) bool { return !lower(k) }):
		d.problem("settings need keys, in lower case")
	default:
		raw.Pin = 1 << at
		d.out.Settings = append(d.out.Settings, *raw)
	}
}

// unpinned finds rules about what moves references that do not say which: the way back that is printed would bring files back
// and leave a branch where the call has put it.
func (d *riskDecoder) unpinned() {
	for i := range d.out.Rules {
		one := &d.out.Rules[i]
		if one.Operation == "" || one.Pins != 0 || one.When.Effect != 0 { // one about an effect is about paths
			continue
		}
		for j := range d.out.Moves {
			if sub := d.out.Moves[j].speaksOf(one); sub != "" {
				d.add(one.File, one.Line, one.ID, "%s %s moves references (%s:%d): say which in pins, or none", d.out.Moves[j].Programs.First(), sub, d.out.Moves[j].File, d.out.Moves[j].Line)
				break
			}
		}
	}
}

// speaksOf returns a subcommand that both are about: stash, for a rule about stash drop; "" if there is none. A rule without a
// subcommand is about all.
func (m *Mover) speaksOf(r *Risk) string {
	if !m.Programs.Meets(r.Programs.Has) {
		return ""
	}
	if len(r.When.Sub) == 0 {
		return m.When.Sub.First()
	}
	for a := range m.When.Sub.All() {
		if r.When.Sub.Meets(func(b string) bool { return strings.HasPrefix(b+" ", a+" ") || strings.HasPrefix(a+" ", b+" ") }) {
			return a
		}
	}
	return ""
}
