package lang

import "strings"

// mostly is the part of all source that a folder needs for its commands to stand for a root that has none.
const mostly = 0.6

// beside is how large a language must be, by that of the project's, for what looks at its files alone to be the project's, too.
const beside = 0.1

// lend fills in what a root without a manifest of the project's language does not say. What another language's manifest at the root says
// comes first, then what holds in the folder with most of the source: who begins at the root wants to know how this is tested.
func (d *detection) lend(roots, owner []int32) {
	r := d.report
	if r.Primary == nil {
		return
	}
	l := d.t.Language(d.t.byID(r.Primary.ID))
	if len(l.Manifests) == 0 || d.root.base(l).manifest(l).weight > 1 {
		return
	}
	if other := d.another(l.ID); other != 0 {
		t := d.root.tools(d.t.Language(other))
		little := float64(d.scan.total[other].bytes) < beside*float64(d.scan.total[d.t.byID(l.ID)].bytes)
		for _, tool := range []**Tool{&t.Formatter, &t.Linter, &t.Typecheck} { // which come with that language, and look at its files alone
			if *tool != nil && (little || (*tool).Because == own) {
				*tool = nil
			}
		}
		d.give(&t)
	}
	node := d.mainly(roots, owner)
	if node == 0 || d.root.sole(l) {
		return
	}
	f := newFolder(d.t, d.read, d.scan.pathOf(node), &d.inputs)
	if f.above = d.root; !plainTask(f.at) || f.manifest(l).weight < 2 {
		return
	}
	t := f.tools(l)
	for _, tool := range t.all() {
		*tool = d.root.below(*tool, f)
	}
	d.give(&t)
}

// give takes over the tools that the root has none for.
func (d *detection) give(t *Tools) {
	for i, to := range d.report.Tools.all() {
		if *to == nil {
			*to = *t.all()[i]
		}
	}
}

// another is the language with most bytes that has a manifest at the root, 0 for none.
func (d *detection) another(than string) (lang int16) {
	var most int64
	for id, m := range d.rootManifests() {
		has := d.scan.total[id]
		if m.weight > 1 && d.t.Language(id).Leads() && d.t.Language(id).ID != than && (has.bytes > most || has.bytes == most && id < lang) && has.files > 0 {
			lang, most = id, has.bytes
		}
	}
	return lang
}

// mainly is the project right below the root that has most of all source, with the modules in it; 0 for none.
func (d *detection) mainly(roots, owner []int32) int32 {
	bytes := map[int32]int64{}
	var all int64
	outermost := func(node int32) int32 {
		for at := owner[node]; at != 0; at = owner[d.scan.nodes[at].up] {
			node = at
		}
		return owner[node]
	}
	for _, c := range d.scan.cells {
		if d.counts(c.lang) {
			bytes[outermost(c.dir)] += c.bytes
			all += c.bytes
		}
	}
	for _, r := range roots {
		if float64(bytes[r]) >= mostly*float64(all) && all > 0 {
			return r
		}
	}
	return 0
}

// below is a tool of a folder in this one as it is called from here. What it says of one file has other names there.
func (f *folder) below(t *Tool, at *folder) *Tool {
	if t == nil {
		return nil
	}
	out := Tool{Name: t.Name, Because: t.Because}
	if t.Because != own {
		out.Because = at.at + "/" + t.Because
	}
	into := "cd " + at.at + " && "
	if t.Command != "" {
		out.Command = into + t.Command
	}
	if t.One != "" && !strings.Contains(t.One, "{file}") && !strings.Contains(t.One, "{dir}") {
		out.One = into + t.One
	}
	return &out
}

// all are the places of the commands.
func (t *Tools) all() []**Tool {
	return []**Tool{
		&t.Manager, &t.Formatter, &t.Linter, &t.Test, &t.Build, &t.Typecheck, &t.Start, &t.Dev, &t.Install, &t.Clean, &t.Coverage, &t.Migrate,
	}
}
