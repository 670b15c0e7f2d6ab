package lang

import "slices"

// maxParts is how many projects below a root are asked for what they are built on.
const maxParts = 4

// parts names what the few projects are built on that a root without a framework of its own only holds together: a front end and a back end.
// What has a source of its own is not what its documents are built on.
func (d *detection) parts(roots, owner []int32) {
	to := &d.report.Tools
	if d.report.Primary != nil {
		d.builtOn(d.root, "") // by another language's manifest beside that of the primary one
	}
	if len(to.Frameworks) > 0 || len(roots) > maxParts {
		return
	}
	var all, own int64
	for _, c := range d.scan.cells {
		if d.counts(c.lang) {
			all += c.bytes
			if owner[c.dir] == 0 {
				own += c.bytes
			}
		}
	}
	if float64(own) > (1-mostly)*float64(all) {
		return
	}
	for _, root := range roots {
		f := newFolder(d.t, d.read, d.scan.pathOf(root), &d.inputs)
		d.builtOn(f, f.at+"/")
	}
}

// builtOn names what the manifests in a folder say that it is built on, each once.
func (d *detection) builtOn(f *folder, at string) {
	to := &d.report.Tools
	for i := range d.t.Languages {
		l := &d.t.Languages[i]
		if len(l.Frameworks) == 0 || !l.Leads() || !d.present(int16(i+1)) || f.manifest(l).weight < 2 {
			continue
		}
		for _, one := range l.Frameworks {
			named := slices.ContainsFunc(to.Frameworks, func(n Named) bool { return n.Name == one.Name })
			if because, ok := f.both(one.When, nil, one.Unless); ok && !named && because != "" {
				to.Frameworks = append(to.Frameworks, Named{one.Name, at + because})
			}
		}
	}
}

// present reports a language with files here: of its own, or of components that are written in it.
func (d *detection) present(lang int16) bool {
	if d.scan.total[lang].files > 0 {
		return true
	}
	id := d.t.Language(lang).ID
	for i := range d.scan.total {
		if i > 0 && d.scan.total[i].files > 0 && slices.Contains(d.t.Language(int16(i)).Folds, id) {
			return true
		}
	}
	return false
}
