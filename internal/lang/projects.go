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

// besides is what else lies at the root: a language with its manifest, or an ecosystem.
type besides struct {
	path, manifest, system string
	l                      *rule.Language // nil for an ecosystem alone
}

// atBeside is what else lies at the root, as projects with the path ".": a chart, a front end beside a back end.
func (d *detection) atBeside() (list []besides) {
	primary := &rule.Language{}
	if p := d.report.Primary; p != nil {
		primary = d.t.Language(d.t.byID(p.ID))
	}
	add := func(system string, l *rule.Language, manifest string) {
		at := "."
		if file, _, _ := strings.Cut(manifest, " "); strings.Contains(file, "/") { // a folder by the name of what it is for
			at = path.Dir(file)
		}
		list = append(list, besides{at, manifest, system, l})
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
	return list
}

// besideOf is what is known of what else lies at the root.
func (d *detection) besideOf(b *besides) Project {
	p := Project{Path: b.path, Manifest: b.manifest, System: b.system, Tools: d.root.brought(b.l)}
	if b.l != nil {
		i := d.t.byID(b.l.ID)
		for purpose, task := range d.root.tasks(b.l, "", func(r *rule.Runner) bool { return owns(r, b.l) }) {
			d.root.put(&p.Tools, purpose, task)
		}
		p.Primary, p.Files, p.Bytes = d.named(b.l, d.root), d.scan.total[i].files, d.scan.total[i].bytes
	}
	return p
}

// packages adds how the other languages with a manifest at the root get what they need, and a second build of the first one.
func (d *detection) packages() {
	to := &d.report.Tools
	if d.report.Primary == nil || to.Manager == nil {
		return
	}
	primary := d.t.Language(d.t.byID(d.report.Primary.ID))
	if d.root.sole(primary) {
		return
	}
	add := func(tool *Tool) {
		same := func(t Tool) bool { return t.Command == tool.Command }
		if tool != nil && tool.Command != "" && !same(*to.Manager) && !slices.ContainsFunc(to.Beside, same) {
			to.Beside = append(to.Beside, *tool)
		}
	}
	for i := range primary.Managers {
		m := &primary.Managers[i]
		if because, ok := d.root.both(m.When, m.With, m.Unless); ok && m.Beside && m.Name != to.Manager.Name {
			add(d.root.managed(m, d.root, because))
			break
		}
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
		add(d.root.managed(manager, at, because))
	}
}

// maxProjects bounds how many sub-projects get an answer of their own.
const maxProjects = 200

// projects judges every folder below the root that has a manifest.
func (d *detection) projects() {
	roots, owner := d.rooted()
	d.lend(roots, owner)
	d.parts(roots, owner)
	d.packages()
	list := d.within(roots, owner)
	beside := slices.DeleteFunc(d.atBeside(), func(b besides) bool {
		return slices.ContainsFunc(list, func(p part) bool { return p.f.at == b.path })
	})
	d.report.ProjectCount = len(list)
	for i := range beside {
		if beside[i].path != "." {
			d.report.ProjectCount++
		}
	}
	if !d.o.Projects {
		return
	}
	d.report.Facts = d.root.facts()
	for i := range beside {
		d.report.Projects = append(d.report.Projects, d.besideOf(&beside[i]))
	}
	if len(list) > maxProjects {
		d.report.Notes = append(d.report.Notes, fmt.Sprintf("%d sub-projects; the first %d are listed", len(list), maxProjects))
		list = list[:maxProjects]
	}
	d.tally(list, owner)
	for i := range list {
		d.report.Projects = append(d.report.Projects, d.projectOf(&list[i]))
	}
}

// rooted are the folders below the root with a manifest, and of each folder the nearest of these, itself included; 0 for the root.
func (d *detection) rooted() (roots, owner []int32) {
	s := d.scan
	owner = make([]int32, len(s.nodes))
	for i := 1; i < len(s.nodes); i++ {
		owner[i] = owner[s.nodes[i].up]
		if s.nodes[i].manifest != 0 && d.project(int32(i), owner[i]) {
			owner[i] = int32(i)
			roots = append(roots, int32(i))
		}
	}
	return roots, owner
}

// part is a project below the root, with what is counted of it.
type part struct {
	f     *folder
	node  int32
	total []tally // by language, see detection.tally
	files int     // of languages that count
	bytes int64
	all   tally // whatever they are in
}

// within are the projects in these folders, in the order of their paths. One without a file that counts is one only where something is known of it: a
// file may happen to be called like a manifest, or be that of a package of what was built.
func (d *detection) within(roots, owner []int32) []part {
	s := d.scan
	// An index names folders in the order of their paths; untracked ones came after it.
	slices.SortFunc(roots, func(a, b int32) int { return strings.Compare(s.pathOf(a), s.pathOf(b)) })
	at := map[int32]int{}
	list := make([]part, len(roots))
	for i, r := range roots {
		at[r] = i
		list[i] = part{node: r, f: newFolder(d.t, d.read, s.pathOf(r), &d.inputs)}
		list[i].f.above = d.root
		if around := owner[s.nodes[r].up]; around != 0 { // its path is a part of this one, and comes first
			list[i].f.above = list[at[around]].f
		}
	}
	for _, c := range s.cells {
		i, ok := at[owner[c.dir]]
		if !ok {
			continue
		}
		list[i].all.files += c.files
		list[i].all.bytes += c.bytes
		if d.counts(c.lang) {
			list[i].files += c.files
			list[i].bytes += c.bytes
		}
	}
	asked := 0
	return slices.DeleteFunc(list, func(p part) bool {
		if p.files > 0 || asked == maxProjects {
			return false
		}
		asked++
		lang, _ := d.t.choose(make([]tally, len(s.total)), manifestsIn(d.t, p.f), 0)
		return lang == 0 && p.f.system("") == nil || p.f.platform()
	})
}

// tally counts what of each language is in some projects, without those in them.
func (d *detection) tally(list []part, owner []int32) {
	at := map[int32]int{}
	for i := range list {
		at[list[i].node] = i
		list[i].total = make([]tally, len(d.scan.total))
	}
	for _, c := range d.scan.cells {
		if i, ok := at[owner[c.dir]]; ok {
			list[i].total[c.lang].bytes += c.bytes
			list[i].total[c.lang].files += c.files
		}
	}
}

// projectOf is what is known of a project below the root.
func (d *detection) projectOf(at *part) Project {
	f := at.f
	p := Project{Path: f.at, Manifest: d.scan.manifestOf(at.node), Files: at.files, Bytes: at.bytes, Tools: Tools{Frameworks: []Named{}}}
	manifests := manifestsIn(d.t, f)
	lang, confidence := d.t.choose(at.total, manifests, 0)
	if lang != 0 && manifests[lang].weight == 0 && f.helps(d.t.Language(lang).ID, at.total) {
		lang = 0
	}
	if lang != 0 {
		l := d.t.Language(lang)
		p.Primary = d.named(l, f)
		p.Primary.Confidence = confidence
		if m := manifests[lang]; m.weight > 0 {
			p.Primary.Evidence = append(p.Primary.Evidence, path.Join(f.at, m.name))
		}
		if p.Primary.Version == "" {
			d.inheritVersion(p.Primary, l, f)
		}
		p.Tools = f.tools(l)
	} else if system := f.system(""); system != nil {
		p.System, p.Tools, p.Files, p.Bytes = system.Name, f.tools(nil), at.all.files, at.all.bytes
	}
	return p
}
