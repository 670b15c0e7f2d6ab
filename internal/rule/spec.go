package rule

import (
	"io/fs"
	"slices"
	"strings"
)

// SpecField is one field of a SPEC's front matter.
type SpecField struct {
	ID       string `toml:"id"`
	Since    string `toml:"since"`
	Name     string `toml:"name"`
	Required bool   `toml:"required"` // every SPEC has it
	List     bool   `toml:"list"`     // it takes several values
	Parts    bool   `toml:"parts"`    // a value may be several words of the table, as "P1 High" is
}

// SpecWord is one thing that a field may say, with all the words for it.
type SpecWord struct {
	ID    string   `toml:"id"`
	Since string   `toml:"since"`
	Field string   `toml:"field"`
	Name  string   `toml:"name"`
	Words []string `toml:"words"` // further words for the same
	Means string   `toml:"means"` // of a status: open, done or dropped
	Full  bool     `toml:"full"`  // progress counts it
	Early bool     `toml:"early"` // neither test nor code is expected yet
	Why   string   `toml:"why"`

	// Examples are values of the field: hits say this, misses do not.
	Hits   []string `toml:"hits"`
	Misses []string `toml:"misses"`

	File string `toml:"-"`
	Line int    `toml:"-"`
}

// SpecSection is one kind of requirement.
type SpecSection struct {
	ID    string   `toml:"id"`
	Since string   `toml:"since"`
	Name  string   `toml:"name"`
	Words []string `toml:"words"` // in headings and labels
	Opens []string `toml:"opens"` // how a sentence of this kind opens; none: no other kind's way

	// Examples are lines of a document: hits show this kind, misses show it not.
	Hits   []string `toml:"hits"`
	Misses []string `toml:"misses"`

	File string `toml:"-"`
	Line int    `toml:"-"`
}

// Specs is the family rules/specs: the vocabulary of SPEC documents.
type Specs struct {
	Fields   []SpecField
	Words    []SpecWord
	Sections []SpecSection
}

// What a status means.
const (
	SpecOpen    = "open"
	SpecDone    = "done"
	SpecDropped = "dropped"
)

// LoadSpecs reads rules/specs below fsys.
func LoadSpecs(fsys fs.FS) (*Specs, error) {
	l := &specLoader{}
	if err := load(&l.report, fsys, "specs", l.tables); err != nil {
		return nil, err
	}
	for i := range l.specs.Words {
		l.word(&l.specs.Words[i])
	}
	return &l.specs, l.err()
}

type specLoader struct {
	report
	specs Specs
}

type specTables struct {
	Field   []SpecField
	Word    []SpecWord
	Section []SpecSection
}

func (l *specLoader) tables(raw *specTables) {
	row := func(id, since, name string) {
		l.named(id)
		l.once(id)
		if since == "" || name == "" {
			l.problem("since and name are needed")
		}
	}
	rows(&l.report, "field", raw.Field, func(f *SpecField) {
		row(f.ID, f.Since, f.Name)
		l.specs.Fields = append(l.specs.Fields, *f)
	})
	rows(&l.report, "word", raw.Word, func(w *SpecWord) {
		w.File, w.Line = l.file, l.line
		row(w.ID, w.Since, w.Name)
		l.specs.Words = append(l.specs.Words, *w)
	})
	rows(&l.report, "section", raw.Section, func(s *SpecSection) {
		s.File, s.Line = l.file, l.line
		row(s.ID, s.Since, s.Name)
		if len(s.Words) == 0 || len(s.Hits) < 2 || len(s.Misses) < 2 {
			l.problem("needs words, two hits and two near misses at least")
		}
		l.specs.Sections = append(l.specs.Sections, *s)
	})
}

// word checks a row once all fields are known.
func (l *specLoader) word(w *SpecWord) {
	l.file, l.line, l.id = w.File, w.Line, w.ID
	if !slices.ContainsFunc(l.specs.Fields, func(f SpecField) bool { return f.Name == w.Field }) {
		l.problem("there is no field %q", w.Field)
	}
	if w.Why == "" {
		l.problem("why is needed")
	}
	// A status without a meaning would be counted nowhere.
	switch means := w.Means; {
	case w.Field == "status" && !slices.Contains([]string{SpecOpen, SpecDone, SpecDropped}, means):
		l.problem("means is %q; expected open, done or dropped", means)
	case w.Field != "status" && (means != "" || w.Full || w.Early):
		l.problem("means, full and early are of a status")
	case w.Full && means != SpecDone, w.Early && means != SpecOpen:
		l.problem("full is of what is done, early of what is open")
	}
	for _, word := range append([]string{w.Name}, w.Words...) {
		if word == "" || word != SpecFold(word) {
			l.problem("%q must be words in lower case, joined by hyphens", word)
		}
		// Which of two rows a word means nobody could tell.
		l.once(w.Field + " " + SpecFold(word))
	}
	if len(w.Hits) < 1 || len(w.Misses) < 1 {
		l.problem("needs a hit and a near miss at least")
	}
}

// SpecFold is a value as it is compared: in lower case, its words joined by hyphens.
func SpecFold(value string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(value) {
		switch r {
		case ' ', '\t', '-', '_', '/':
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
