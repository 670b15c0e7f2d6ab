package lang

import "slices"

// maxParts is how many projects below a root are asked for what they are built on.
const maxParts = 4

// parts names what the few projects are built on that a root without a framework of its own only holds together: a front end and a back end.
// What has a source of its own is not what its documents are built on.
func (d *detection) parts(roots, owner []int32) {
	to := &d.report.Tools
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
		for i := range d.t.Languages {
			l := &d.t.Languages[i]
			if d.scan.total[i+1].files == 0 || !l.Leads() || len(l.Frameworks) == 0 || f.manifest(l).weight < 2 {
				continue
			}
			for _, one := range l.Frameworks {
				named := slices.ContainsFunc(to.Frameworks, func(n Named) bool { return n.Name == one.Name })
				if because, ok := f.any(one.When); ok && !named && because != "" {
					to.Frameworks = append(to.Frameworks, Named{one.Name, f.at + "/" + because})
				}
			}
		}
	}
}
