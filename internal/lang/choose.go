package lang

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// judge turns the tallies into the report.
func (d *detection) judge() {
	s := d.scan
	r := &Report{
		Dir: d.dir, Languages: []Language{}, Projects: []Project{}, Facts: []Fact{}, Source: d.source, Scan: s.report, Notes: d.notes,
		Tools: Tools{Frameworks: []Named{}},
	}
	d.report = r
	var counted int64
	for i := 1; i < len(s.total); i++ {
		if s.total[i].files > 0 && d.counts(int16(i)) {
			counted += s.total[i].bytes
			r.Scan.Counted += s.total[i].files
		}
	}
	r.Scan.Bytes = counted
	manifests := d.rootManifests()
	runtimes := d.runtimes()
	for i := 1; i < len(s.total); i++ {
		l := d.t.Language(int16(i))
		m := manifests[int16(i)]
		absent := s.total[i].files == 0 && (m.weight < 3 || !l.Leads())
		if absent && !slices.Contains(runtimes, l.ID) {
			continue // a family's file speaks for those of it that are there
		}
		entry := Language{ID: l.ID, Name: l.Name, Kind: l.Kind, Bytes: s.total[i].bytes, Files: s.total[i].files}
		if counted > 0 && d.counts(int16(i)) {
			entry.Share = round(float64(entry.Bytes) / float64(counted))
		}
		if l.Leads() || m.weight > 0 {
			v := d.root.version(l)
			entry.Version, entry.VersionKind, entry.VersionSource = v.shown, v.kind, v.source
			if other := d.root.contradicted(l, v); other.shown != "" {
				r.Notes = append(r.Notes, fmt.Sprintf("%s says %s, and %s says %s", v.source, v.shown, other.source, other.shown))
			}
		}
		if absent && entry.Version == "" {
			continue
		}
		entry.Evidence = evidence(&entry, m)
		r.Languages = append(r.Languages, entry)
	}
	slices.SortStableFunc(r.Languages, func(a, b Language) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.ID, b.ID))
	})
	d.primary(manifests)
	d.kind()
	d.projects()
	if r.Notes == nil {
		r.Notes = []string{}
	}
}

// runtimes are the languages that run those with files here: a TypeScript project
// states a version of Node though no file of it is JavaScript.
func (d *detection) runtimes() (ids []string) {
	for i := 1; i < len(d.scan.total); i++ {
		if r := d.t.Language(int16(i)).Runtime; r != "" && d.scan.total[i].files > 0 {
			ids = append(ids, r)
		}
	}
	return ids
}

// counts says whether a language takes part in shares: by its kind, as on GitHub,
// or because .gitattributes made it detectable.
func (d *detection) counts(lang int16) bool {
	return d.t.Language(lang).Counts() || d.scan.counts[lang]
}

// found is the manifest of a language at a project's root.
type found struct {
	weight int
	name   string
	rank   int  // its place in the language's list: the first is the typical one
	alone  bool // it tells the language where there is nothing else
}

// rootManifests are those of the folder that was asked about.
func (d *detection) rootManifests() map[int16]found {
	if d.atRoot == nil {
		d.atRoot = manifestsIn(d.t, d.root)
	}
	return d.atRoot
}

// manifestsIn asks every language for its manifests in a folder.
func manifestsIn(t *Table, f *folder) map[int16]found {
	out := map[int16]found{}
	for i := range t.Languages {
		l := &t.Languages[i]
		if len(l.Manifests) == 0 {
			continue
		}
		if m := f.manifest(l); m.weight > 0 {
			out[int16(i+1)] = m
		}
	}
	return out
}

// evidence says in words why a language is in the list.
func evidence(l *Language, m found) []string {
	var out []string
	switch {
	case m.weight >= 2:
		out = append(out, m.name+" at the root")
	case m.weight == 1:
		out = append(out, m.name+" at the root (others use it too)")
	}
	if l.Files > 0 {
		text := fmt.Sprintf("%d files, %d bytes", l.Files, l.Bytes)
		if l.Files == 1 {
			text = fmt.Sprintf("1 file, %d bytes", l.Bytes)
		}
		if l.Share > 0 {
			text = fmt.Sprintf("%s of the source (%s)", percent(l.Share), text)
		}
		out = append(out, text)
	}
	if l.Version != "" {
		out = append(out, fmt.Sprintf("version %s from %s", Stated(l.Version, l.VersionKind), l.VersionSource))
	}
	return out
}

// percent has one digit: people compare shares, and 0.1 % of a tree is nothing.
func percent(share float64) string { return fmt.Sprintf("%.1f%%", share*100) }

// round keeps four digits: a share is no better than the sizes it is made of, and
// the same tree must print the same.
func round(f float64) float64 { return math.Round(f*1e4) / 1e4 }

// primary names the project's language: what .moai/config says, else the one with
// the greatest weight.
func (d *detection) primary(manifests map[int16]found) {
	if id, file := d.configured(); id != 0 {
		p := d.named(d.t.Language(id), d.root)
		p.Confidence = 1
		p.Evidence = append([]string{file + " says so"}, p.Evidence...)
		d.report.Primary, d.report.Tools = p, d.root.tools(d.t.Language(id))
		return
	}
	lang, confidence := d.t.choose(d.scan.total, manifests, d.scan.aside)
	at := d.root
	if lang != 0 && (d.little(lang, manifests) && d.root.helps(d.t.Language(lang).ID, d.scan.total) || manifests[lang].weight == 0 && d.recorded(lang)) {
		var helper *rule.Language
		if by, _ := d.t.declared(manifests); by != 0 && d.scan.total[by].files > 0 { // its manifest has tasks, and what they need
			helper = d.t.Language(by)
		}
		d.report.Tools = d.root.tools(helper)
		return
	}
	if lang == 0 {
		if lang, confidence, at = d.below(); lang == 0 {
			d.report.Tools = d.root.tools(nil)
			return
		}
	}
	l := d.t.Language(lang)
	p := d.named(l, at)
	p.Confidence = confidence
	if p.Version == "" {
		d.inheritVersion(p, l, at)
	}
	d.report.Primary, d.report.Tools = p, at.tools(l)
}

// little reports a language that no manifest speaks for, or that is next to nothing beside pages and what else counts.
func (d *detection) little(lang int16, manifests map[int16]found) bool {
	t := d.scan.total[lang]
	return manifests[lang].weight == 0 || t.files == 0 || float64(t.bytes) < leastProgram*float64(d.report.Scan.Bytes)
}

// leastProgram is the part of all source below which a language is no more than a help for charts and the like, recordsMore how many times as
// large as a language, in files and in bytes, data is that it helps with.
const (
	leastProgram = 0.05
	recordsMore  = 50
)

// recorded reports that the project is data, beside which a language is a script or two.
func (d *detection) recorded(lang int16) bool {
	var data tally
	for i := range d.scan.total {
		if i > 0 && d.t.Language(int16(i)).Kind == "data" {
			data.files += d.scan.total[i].files
			data.bytes += d.scan.total[i].bytes
		}
	}
	t := d.scan.total[lang]
	return data.files > recordsMore*t.files && data.bytes > recordsMore*t.bytes
}

// below is the language of a project without source whose root has no manifest, by the manifests of the folders below it, where all say
// the same.
func (d *detection) below() (lang int16, confidence float64, at *folder) {
	s := d.scan
	if !d.t.begun(0, s.total, s.aside) || !sourceless(d.t, s.total) {
		return 0, 0, nil
	}
	looked := 0
	for i := range s.nodes {
		if i == 0 || s.nodes[i].manifest == 0 || d.t.PathKind(s.pathOf(int32(i))+"/x") != Own {
			continue
		}
		if looked++; looked > maxProjects {
			break
		}
		f := newFolder(d.t, d.read, s.pathOf(int32(i)), &d.inputs)
		switch one, sure := d.t.declared(manifestsIn(d.t, f)); {
		case one == 0:
		case lang == 0:
			lang, confidence, at = one, sure, f
		case one != lang:
			return 0, 0, nil
		}
	}
	return lang, confidence, at
}

// named fills in what the report already knows of a language.
func (d *detection) named(l *rule.Language, f *folder) *Primary {
	p := &Primary{ID: l.ID, Name: l.Name, Evidence: []string{}}
	if known := d.report.Language(l.ID); known != nil && f == d.root {
		p.Version, p.VersionKind, p.VersionSource = known.Version, known.VersionKind, known.VersionSource
		p.Evidence = known.Evidence
		return p
	}
	v := f.version(l)
	p.Version, p.VersionKind, p.VersionSource = v.shown, v.kind, v.source
	return p
}

// choose names the primary language of a set of tallies. All programming
// languages compete with their bytes, as they do on GitHub. A manifest says how
// sure that is, and what a project without any source will be; it gives no bytes,
// but of what it speaks for a small part can be more than the bytes of others (strongest). What only helps to build is never
// named. aside are bytes of pages at the root that do not count.
func (t *Table) choose(total []tally, manifests map[int16]found, aside int64) (lang int16, confidence float64) {
	score := make([]float64, len(total))
	var sum float64
	elsewhere := t.spoken(total, manifests)
	for i := 1; i < len(total); i++ {
		l := t.Language(int16(i))
		to := int16(i)
		switch {
		case total[i].files == 0 || l.Stored && elsewhere:
			continue
		case len(l.Folds) > 0:
			to = t.fold(l, total, manifests)
		case l.Kind != "programming":
			continue
		}
		// A file counts a little by itself, so that empty ones are not nothing.
		points := float64(total[i].bytes) + float64(total[i].files)
		if l.Support && !t.leads(i, manifests) {
			points /= 2
		}
		score[to] += points
		sum += points
	}
	best := t.strongest(score, manifests, sum)
	if pages := t.pagesLead(total); pages != 0 && (best == 0 || t.Languages[best-1].Support || manifests[int16(best)].weight == 0 &&
		(manifests[pages].weight == 3 || float64(total[pages].bytes) > mostlyPages*score[best])) {
		return pages, leadConfidence
	}
	if t.begun(best, total, aside) {
		return t.declared(manifests)
	}
	if best == 0 || !t.Languages[best-1].Leads() || t.Languages[best-1].Support && !t.leads(best, manifests) {
		return 0, 0
	}
	doubt := 1 - score[best]/sum
	weight, most := manifests[int16(best)].weight, score[best] >= slices.Max(score)
	switch { // one of its own leaves at most half of the doubt, one of a family 70 %
	case weight < 2:
		doubt = unstated(doubt)
	case weight == 2:
		doubt *= 0.7
	default:
		doubt *= 0.5
	}
	if weight >= 2 && most { // two signs that say the same, each by itself
		doubt /= 4
	}
	return int16(best), min(round(1-doubt), 0.99)
}

// spoken reports that a manifest speaks for a language that has files here, and is none that is only kept.
func (t *Table) spoken(total []tally, manifests map[int16]found) bool {
	for id, m := range manifests {
		if l := t.Language(id); m.weight > 1 && total[id].files > 0 && l.Kind == "programming" && !l.Support && !l.Stored {
			return true
		}
	}
	return false
}

// leads reports a language that else helps to build, and leads where a manifest of its own is: rules of a build system.
func (t *Table) leads(i int, manifests map[int16]found) bool {
	return t.Languages[i-1].Lead && manifests[int16(i)].weight > 0
}

// A document has some scripts beside it: as long as no manifest speaks for them, mostlyPages times their size in pages leads.
// leadConfidence is how sure that is.
const (
	mostlyPages    = 4
	leadConfidence = 0.9
)

// leastDeclared is the part of the points that a language needs for its manifest to count more than the bytes of others: less is a
// binding, or a helper.
const leastDeclared = 0.2

// nearlyMost is that part where the manifest is one that several languages share.
const nearlyMost = 0.4

// leastBound is that part beside what has just begun, and beside what the project may be bound to or bring along.
const leastBound = 0.01

// strongest is the language with most points, 0 for none. What helps to build others is one only where nothing else is there, and what
// no manifest at the root speaks for – a library that is bundled, a script to install it – is none beside what has one of its own.
func (t *Table) strongest(score []float64, manifests map[int16]found, sum float64) int {
	most := func(among func(i int) bool) (best int) {
		for i := range score {
			if score[i] > score[best] && among(i) {
				best = i
			}
		}
		return best
	}
	best := most(func(i int) bool { return i > 0 && (!t.Languages[i-1].Support || t.leads(i, manifests)) })
	if best == 0 {
		return most(func(int) bool { return true })
	}
	whole := func(i int) bool { // what is compiled is a part of such a package, whatever hint lies beside it
		m := manifests[int16(i)]
		return m.weight == 3 && t.Languages[i-1].Manifests[m.rank].Whole && score[i] >= leastDeclared*sum
	}
	if weight := manifests[int16(best)].weight; weight > 0 {
		if declared := most(whole); weight == 1 && declared != 0 {
			return declared
		}
		return best
	}
	least := leastDeclared
	if t.Languages[best-1].Bundled || sum < maxBegun {
		least = leastBound
	}
	if declared := most(func(i int) bool { return manifests[int16(i)].weight == 3 && score[i] >= least*sum }); declared != 0 {
		return declared
	}
	// What a build compiles is the program, and larger tests or scripts in its own language are not.
	if built := most(func(i int) bool {
		return manifests[int16(i)].weight == 2 && t.Languages[i-1].Bundled && score[i] >= leastDeclared*sum
	}); built != 0 {
		return built
	}
	// A front end whose manifest lies in a folder of its own is part of what the root builds, as long as that is about as large.
	if declared := most(func(i int) bool {
		return manifests[int16(i)].weight == 2 && !t.Languages[i-1].Support && score[i] >= nearlyMost*sum
	}); declared != 0 {
		return declared
	}
	return best
}

// pagesLead is the language of documents that leads where there is no program, 0 for none: most bytes of pages are in it.
func (t *Table) pagesLead(total []tally) (lang int16) {
	var most int64
	for i := 1; i < len(total); i++ {
		if l := t.Language(int16(i)); l.Kind == "markup" && total[i].bytes > most {
			most, lang = total[i].bytes, 0
			if l.Lead {
				lang = int16(i)
			}
		}
	}
	return lang
}

// begun says that a project has yet to get its source: best is the language with most points, 0 for none. A build file or two is no
// source; more of them are the project.
func (t *Table) begun(best int, total []tally, aside int64) bool {
	return (best == 0 || t.Languages[best-1].Support && sourceless(t, total)) && t.markup(total)+aside < maxBegun
}

// maxBegun is how many bytes of markup may lie beside a manifest for it to be a
// project that has yet to get its source: a page to start with. A package of style
// sheets has more, and its package.json makes it no JavaScript; normalize.css is one,
// though a file of that name is somebody else's nearly everywhere.
const maxBegun = 4 << 10

// markup is the size of pages and style sheets. Component files are left out:
// they fold into a programming language.
func (t *Table) markup(total []tally) (bytes int64) {
	for i := 1; i < len(total); i++ {
		if t.pages(int16(i)) {
			bytes += total[i].bytes
		}
	}
	return bytes
}

// pages says whether a language is one of pages or style sheets.
func (t *Table) pages(lang int16) bool {
	l := t.Language(lang)
	return l.Kind == "markup" && len(l.Folds) == 0
}

// sourceless says that there is next to nothing but files that help to build.
func sourceless(t *Table, total []tally) bool {
	helpers := 0
	for i := 1; i < len(total); i++ {
		switch l := t.Language(int16(i)); {
		case total[i].files == 0 || l.Kind != "programming":
		case !l.Support:
			return false
		default:
			helpers += total[i].files
		}
	}
	return helpers <= 2
}

// unstated is the doubt where bytes alone speak, as seen on projects that no rule knew: a clear lead is right more often than its share says,
// a narrow one as often, and all bytes of a folder may still be scripts around something else.
func unstated(doubt float64) float64 {
	const clear, rest = 0.3, 0.07
	if doubt > clear {
		return min(doubt, clear/2+2*(doubt-clear))
	}
	return max(doubt/2, rest)
}

// declared is the answer for a project without any source yet: the strongest
// manifest speaks, if it speaks for one language. A hint does where it tells the language alone.
func (t *Table) declared(manifests map[int16]found) (lang int16, confidence float64) {
	var best found
	for i := range t.Languages {
		m := manifests[int16(i+1)]
		if !t.Languages[i].Leads() || m.weight < 2 && !m.alone {
			continue
		}
		if m.weight > best.weight || m.weight == best.weight && m.rank < best.rank {
			lang, best = int16(i+1), m
		}
	}
	return lang, round(0.2 * float64(best.weight))
}

// fold says which language gets the bytes of a notebook or a component file.
func (t *Table) fold(l *rule.Language, total []tally, manifests map[int16]found) int16 {
	best := int16(0)
	for _, id := range l.Folds {
		i := t.byID(id)
		if best == 0 || total[i].bytes > total[best].bytes || total[best].bytes == 0 && manifests[i].weight > manifests[best].weight {
			best = i
		}
	}
	return best
}

// inheritVersion takes over what a project above states: a workspace does so once.
func (d *detection) inheritVersion(p *Primary, l *rule.Language, f *folder) {
	for above := f.above; above != nil; above = above.above {
		v := above.version(l)
		if v.shown == "" {
			continue
		}
		if _, ok := f.any(v.inherit); ok {
			// The path leads from the project to the file, as its own sources do.
			p.Version, p.VersionKind, p.VersionSource = v.shown, v.kind, f.up(above)+v.source
		}
		return
	}
}
