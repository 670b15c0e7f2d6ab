package rule

import (
	"fmt"
	"io/fs"
	"path"
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
	files, err := Files(fsys, "specs")
	if err != nil {
		return nil, err
	}
	l := &specLoader{specs: &Specs{}, seen: map[string]string{}}
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		l.read(file, data)
	}
	for i := range l.specs.Words {
		l.word(&l.specs.Words[i])
	}
	if len(l.problems) > 0 {
		return nil, Join(l.problems)
	}
	return l.specs, nil
}

type specLoader struct {
	specs    *Specs
	seen     map[string]string // id, or field and word → where
	problems []*Problem
}

// fault notes a problem of a row.
func (l *specLoader) fault(file string, line int, id, format string, args ...any) {
	l.problems = append(l.problems, &Problem{File: file, Line: line, ID: id, Text: fmt.Sprintf(format, args...)})
}

// once wants a key to be there a single time.
func (l *specLoader) once(key, file string, line int, id string) {
	if first := l.seen[key]; first != "" {
		l.fault(file, line, id, "%s is there already, at %s", key, first)
		return
	}
	l.seen[key] = fmt.Sprintf("%s:%d", file, line)
}

func (l *specLoader) read(file string, data []byte) {
	var doc struct {
		Fields   []SpecField   `toml:"field"`
		Words    []SpecWord    `toml:"word"`
		Sections []SpecSection `toml:"section"`
	}
	if err := Decode(file, data, &doc); err != nil {
		l.problems = append(l.problems, unjoin(file, err)...)
		return
	}
	prefix := strings.TrimSuffix(path.Base(file), ".toml") + "."
	at := func(lines []int, i int) int {
		if i < len(lines) {
			return lines[i]
		}
		return 0
	}
	row := func(line int, id, since, name string) {
		l.once(id, file, line, id)
		if !strings.HasPrefix(id, prefix) || !validID(id) {
			l.fault(file, line, id, "id must be %s followed by lower-case words joined by hyphens", prefix)
		}
		if since == "" || name == "" {
			l.fault(file, line, id, "since and name are needed")
		}
	}
	lines := Headers(data, "field")
	for i, f := range doc.Fields {
		row(at(lines, i), f.ID, f.Since, f.Name)
		l.specs.Fields = append(l.specs.Fields, f)
	}
	lines = Headers(data, "word")
	for i, w := range doc.Words {
		w.File, w.Line = file, at(lines, i)
		row(w.Line, w.ID, w.Since, w.Name)
		l.specs.Words = append(l.specs.Words, w)
	}
	lines = Headers(data, "section")
	for i, s := range doc.Sections {
		s.File, s.Line = file, at(lines, i)
		row(s.Line, s.ID, s.Since, s.Name)
		if len(s.Words) == 0 || len(s.Hits) < 2 || len(s.Misses) < 2 {
			l.fault(file, s.Line, s.ID, "needs words, two hits and two near misses at least")
		}
		l.specs.Sections = append(l.specs.Sections, s)
	}
}

// word checks a row once all fields are known.
func (l *specLoader) word(w *SpecWord) {
	fault := func(format string, args ...any) { l.fault(w.File, w.Line, w.ID, format, args...) }
	if !slices.ContainsFunc(l.specs.Fields, func(f SpecField) bool { return f.Name == w.Field }) {
		fault("there is no field %q", w.Field)
	}
	if w.Why == "" {
		fault("why is needed")
	}
	// A status without a meaning would be counted nowhere.
	switch means := w.Means; {
	case w.Field == "status" && !slices.Contains([]string{SpecOpen, SpecDone, SpecDropped}, means):
		fault("means is %q; expected open, done or dropped", means)
	case w.Field != "status" && (means != "" || w.Full || w.Early):
		fault("means, full and early are of a status")
	case w.Full && means != SpecDone, w.Early && means != SpecOpen:
		fault("full is of what is done, early of what is open")
	}
	for _, word := range append([]string{w.Name}, w.Words...) {
		if word == "" || word != SpecFold(word) {
			fault("%q must be words in lower case, joined by hyphens", word)
		}
		// Which of two rows a word means nobody could tell.
		l.once(w.Field+" "+SpecFold(word), w.File, w.Line, w.ID)
	}
	if len(w.Hits) < 1 || len(w.Misses) < 1 {
		fault("needs a hit and a near miss at least")
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
