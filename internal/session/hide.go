package session

// Hide makes what clients and folders say fit to be kept: word is for single words, path for paths. Names of models, reasons
// and folders come from outside, of any length, and may hold secrets. What is compared is compared hidden.
func (s *Session) Hide(word, path func(string) string) {
	for _, one := range [...]*string{&s.TTY, &s.Model, &s.Mode, &s.Why, &s.Port, &s.Turn.PromptID} {
		*one = word(*one)
	}
	paths := []*string{&s.Project}
	for _, p := range [...]*Place{&s.Start, &s.Now} {
		paths = append(paths, &p.Dir, &p.WorkTree, &p.Repository)
	}
	for i := range s.Agents {
		a := &s.Agents[i]
		a.ID, a.Type = word(a.ID), word(a.Type)
		paths = append(paths, &a.Dir)
	}
	for i := range s.Wrote {
		s.Wrote[i].Agent = word(s.Wrote[i].Agent)
		paths = append(paths, &s.Wrote[i].Path)
	}
	for i := range s.Edits.Last {
		paths = append(paths, &s.Edits.Last[i].Path)
	}
	for i := range s.Edits.Left {
		paths = append(paths, &s.Edits.Left[i].Path)
	}
	for i := range s.Told {
		paths = append(paths, &s.Told[i])
	}
	for _, one := range paths {
		*one = path(*one)
	}
}
