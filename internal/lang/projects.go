package lang

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// project reports whether a folder with a manifest is a project of the repository: no sample of its tests, no part of the build of the
// project around it, and nothing of a tool's own.
func (d *detection) project(node, around int32) bool {
	trials, rules, at := -1, &d.t.Projects, d.scan.pathOf(node)
	if d.t.PathKind(at+"/x") != Own && !d.member(at) {
		return false
	}
	words := strings.Split(at, "/")
	for i, word := range words {
		switch {
		case word[0] == '.' || slices.Contains(rules.Samples, word):
			return false
		case trials < 0 && slices.Contains(rules.Trials, word):
			trials = i
		}
	}
	if trials >= 0 && len(words)-trials > 2 {
		return false
	}
	if d.hosted(node, around) {
		return false
	}
	name := d.scan.manifestOf(node)
	if !slices.Contains(rules.Parts, name) {
		return true
	}
	if around == 0 {
		return !d.root.exists(name)
	}
	return d.scan.manifestOf(around) != name
}

// member reports a folder that the workspace at the root names, by itself or with all beside it.
func (d *detection) member(at string) bool {
	ends := func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',[]()", r) }
	for _, file := range d.t.Projects.Workspaces {
		for word := range strings.FieldsFuncSeq(string(d.root.data(file)), ends) {
			word = strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/")
			if dir, all := strings.CutSuffix(word, "/*"); word == at || all && dir == path.Dir(at) {
				return true
			}
		}
	}
	return false
}

// hosted reports a folder in which the tool of the project around it keeps what is its own: what Flutter builds for a platform with.
func (d *detection) hosted(node, around int32) bool {
	top := d.scan.pathOf(around)
	below := strings.TrimPrefix(strings.TrimPrefix(d.scan.pathOf(node), top), "/")
	var f *folder
	for _, h := range d.t.Projects.Hosts {
		if !slices.ContainsFunc(h.Folders, func(name string) bool { return below == name || strings.HasPrefix(below, name+"/") }) {
			continue
		}
		if f == nil {
			if f = d.root; around != 0 {
				f = newFolder(d.t, d.read, top, &d.inputs)
			}
		}
		if _, ok := f.any(h.When); ok {
			return true
		}
	}
	return false
}

// platform reports a package of what was built for one platform.
func (f *folder) platform() bool {
	_, is := f.any(f.t.Projects.Platforms)
	return is
}

// beside adds what else lies at the root, as projects with the path ".": a chart, a front end beside a back end.
func (d *detection) beside() {
	primary := &rule.Language{}
	if p := d.report.Primary; p != nil {
		primary = d.t.Language(d.t.byID(p.ID))
	}
	add := func(system string, l *rule.Language, manifest string) {
		p := Project{Path: ".", Manifest: manifest, System: system, Tools: d.root.brought(l)}
		if l != nil {
			i := d.t.byID(l.ID)
			for purpose, task := range d.root.tasks(l, "", func(r *rule.Runner) bool { return owns(r, l) }) {
				d.root.put(&p.Tools, purpose, task)
			}
			p.Primary, p.Files, p.Bytes = d.named(l, d.root), d.scan.total[i].files, d.scan.total[i].bytes
		}
		if file, _, _ := strings.Cut(manifest, " "); strings.Contains(file, "/") { // a folder by the name of what it is for
			p.Path = path.Dir(file)
		}
		d.report.Projects = append(d.report.Projects, p)
		d.report.ProjectCount++
	}
	manifests, shared := d.rootManifests(), ""
	for i := range d.t.Languages {
		l := &d.t.Languages[i]
		m := manifests[int16(i+1)]
		own := func(of rule.Manifest) bool { return of.File == m.name || of.File == l.Manifests[m.rank].File }
		if m.weight < 2 || m.weight == 2 && !d.present(int16(i+1)) || !l.Leads() || l.ID == primary.ID || slices.ContainsFunc(primary.Manifests, own) {
			continue
		}
		if d.scan.total[i+1].files == 0 { // components alone are in one of the languages that share a manifest
			if m.name == shared {
				continue
			}
			shared = m.name
		}
		add("", l, m.name)
	}
	for i := range d.t.Systems.List {
		e := &d.t.Systems.List[i]
		because, ok := d.root.any(e.When)
		if e.Kind == "" || !ok || e.Name == d.report.Ecosystem || slices.Contains(e.Languages, primary.ID) {
			continue
		}
		for _, id := range e.Languages {
			if of := d.t.byID(id); d.scan.total[of].files > 0 && manifests[of].weight < 2 {
				add(e.Name, d.t.Language(of), because)
			}
		}
		if len(e.Roots) > 0 {
			add(e.Name, nil, because)
		}
	}
}

// packages adds how the other languages with a manifest at the root get what they need.
func (d *detection) packages() {
	to := &d.report.Tools
	if d.report.Primary == nil || to.Manager == nil {
		return
	}
	primary := d.t.Language(d.t.byID(d.report.Primary.ID))
	if d.root.sole(primary) {
		return
	}
	manifests := d.rootManifests()
	for i := range d.t.Languages {
		l := &d.t.Languages[i]
		m := manifests[int16(i+1)]
		shared := func(of rule.Manifest) bool { return of.File == m.name || of.File == l.Manifests[m.rank].File }
		if m.weight < 2 || !d.present(int16(i+1)) || !l.Leads() || slices.ContainsFunc(primary.Manifests, shared) {
			continue
		}
		manager, at, because := d.root.manager(l)
		if manager == nil || at != d.root {
			continue
		}
		tool := d.root.managed(manager, at, because)
		same := func(t Tool) bool { return t.Command == tool.Command }
		if tool != nil && tool.Command != "" && !same(*to.Manager) && !slices.ContainsFunc(to.Beside, same) {
			to.Beside = append(to.Beside, *tool)
		}
	}
}

// maxProjects bounds how many sub-projects get an answer of their own.
const maxProjects = 200

// projects judges every folder below the root that has a manifest.
func (d *detection) projects() {
	s := d.scan
	owner := make([]int32, len(s.nodes)) // the nearest project folder, itself included
	var roots []int32
	for i := 1; i < len(s.nodes); i++ {
		owner[i] = owner[s.nodes[i].up]
		if s.nodes[i].manifest != 0 && d.project(int32(i), owner[i]) {
			owner[i] = int32(i)
			roots = append(roots, int32(i))
		}
	}
	d.report.ProjectCount = len(roots)
	d.lend(roots, owner)
	d.parts(roots, owner)
	d.packages()
	if d.o.Projects {
		d.report.Facts = d.root.facts()
		d.beside()
	}
	if len(roots) == 0 || !d.o.Projects {
		return
	}
	if len(roots) > maxProjects {
		d.report.Notes = append(d.report.Notes, fmt.Sprintf("%d sub-projects; the first %d are listed", len(roots), maxProjects))
		roots = roots[:maxProjects]
	}
	// An index names folders in the order of their paths; untracked ones came after it.
	slices.SortFunc(roots, func(a, b int32) int { return strings.Compare(s.pathOf(a), s.pathOf(b)) })
	at := map[int32]int{}
	totals := make([][]tally, len(roots))
	for i, r := range roots {
		at[r] = i
		totals[i] = make([]tally, len(s.total))
	}
	for _, c := range s.cells {
		if i, ok := at[owner[c.dir]]; ok {
			totals[i][c.lang].bytes += c.bytes
			totals[i][c.lang].files += c.files
		}
	}
	folders := map[int32]*folder{} // by node; those above come first
	for i, r := range roots {
		dir := s.pathOf(r)
		f := newFolder(d.t, d.read, dir, &d.inputs)
		if f.above = folders[owner[s.nodes[r].up]]; f.above == nil {
			f.above = d.root
		}
		folders[r] = f
		manifests := manifestsIn(d.t, f)
		p := Project{Path: dir, Manifest: s.manifestOf(r), Tools: Tools{Frameworks: []Named{}}}
		for j := 1; j < len(totals[i]); j++ {
			if d.counts(int16(j)) {
				p.Files += totals[i][j].files
				p.Bytes += totals[i][j].bytes
			}
		}
		if lang, confidence := d.t.choose(totals[i], manifests, 0); lang != 0 {
			l := d.t.Language(lang)
			p.Primary = d.named(l, f)
			p.Primary.Confidence = confidence
			if m := manifests[lang]; m.weight > 0 {
				p.Primary.Evidence = append(p.Primary.Evidence, path.Join(dir, m.name))
			}
			if p.Primary.Version == "" {
				d.inheritVersion(p.Primary, l, f)
			}
			p.Tools = f.tools(l)
		}
		if p.Primary == nil {
			if system := f.system(""); system != nil {
				p.System, p.Tools = system.Name, f.tools(nil)
			}
		}
		if p.Files == 0 && (p.Primary == nil && p.System == "" || f.platform()) {
			continue // a file that happens to be called like a manifest, or a package of what was built
		}
		d.report.Projects = append(d.report.Projects, p)
	}
}
