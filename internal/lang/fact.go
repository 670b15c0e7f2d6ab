package lang

import "strings"

// Fact is something else worth knowing of a project, and the file that says so.
type Fact struct {
	Kind    string `json:"kind"` // licence, ci, container, database, service, docs, entry
	Name    string `json:"name"` // of a licence as SPDX has it
	Because string `json:"because"`
}

// facts are those that hold in the folder, in the order of the rules. A project has one licence: the first one whose text is there.
func (f *folder) facts() []Fact {
	out := []Fact{}
	for i := range f.t.Facts {
		fact := &f.t.Facts[i]
		if fact.Once && len(out) > 0 && out[len(out)-1].Kind == fact.Kind {
			continue
		}
		if len(fact.Unless) > 0 {
			if _, not := f.any(fact.Unless); not {
				continue
			}
		}
		if because, ok := f.any(fact.When); ok {
			if fact.Kind == "licence" {
				because, _, _ = strings.Cut(because, " names ") // the file's name says enough, without a part of the licence's text
			}
			out = append(out, Fact{fact.Kind, fact.Name, because})
		}
	}
	return out
}
