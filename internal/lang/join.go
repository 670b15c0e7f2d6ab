package lang

import "maps"

// fork is an empty scan of the same tree, for another goroutine. It shares the
// workers; join brings back what it has found.
func (s *scan) fork() *scan {
	o := newScan(s.ctx, s.t, s.read)
	o.opening, o.attrs = s.opening, s.attrs
	if s.byFolder {
		o.perFolder()
	}
	return o
}

// join adds the result of a fork that has seen the files after those of s, and
// is not used any more.
func (s *scan) join(o *scan) {
	// Its last batch is not full yet, and nobody else will hand it over.
	if len(o.open) > 0 {
		o.submit()
	}
	// Folders have numbers of their own in each half; all that carries one is renumbered.
	dirs := s.graft(&o.folders)
	for _, c := range o.cells {
		c.dir = dirs[c.dir]
		s.cells = append(s.cells, c)
	}
	for i := range o.total {
		s.total[i].files += o.total[i].files
		s.total[i].bytes += o.total[i].bytes
	}
	// Workers may be opening these right now; of a doubt they write only lang.
	move := func(list []doubt) {
		for i := range list {
			list[i].dir = dirs[list[i].dir]
		}
	}
	for _, list := range o.lists {
		move(list)
	}
	for _, k := range o.samples {
		move(k.files)
	}
	move(o.big)
	s.lists, s.samples, s.big = append(s.lists, o.lists...), append(s.samples, o.samples...), append(s.big, o.big...)
	s.attrFiles = append(s.attrFiles, o.attrFiles...)
	maps.Copy(s.rootNames, o.rootNames)
	for lang := range o.counts {
		s.detectable(lang)
	}
	s.report.Files += o.report.Files
	s.report.Partial = s.report.Partial || o.report.Partial
}
