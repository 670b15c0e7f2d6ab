package lang

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// code is the kind of a project with a program in it.
const code = "code"

// kind says what the project is: by an ecosystem that has a kind, by its language, or, without one, by what most of its bytes are.
func (d *detection) kind() {
	r := d.report
	primary := ""
	if r.Primary != nil {
		primary = r.Primary.ID
	}
	system := d.root.system(primary)
	switch {
	case system != nil && primary == "":
		r.Kind, r.Ecosystem = system.Kind, system.Name
		v := d.root.version(&rule.Language{Versions: system.Versions})
		r.EcosystemVersion, r.EcosystemVersionKind, r.EcosystemVersionSource = v.shown, v.kind, v.source
	case system != nil:
		r.Kind = system.Kind
	case primary != "" && d.t.Language(d.t.byID(primary)).Kind == "programming":
		r.Kind = code
	case primary != "":
		r.Kind = documents
	default:
		r.Kind = d.stuff()
	}
}

// documents, records and settings are what a project without a program may consist of.
const (
	documents = "documentation"
	records   = "data"
	settings  = "configuration"
)

// system is the first ecosystem with a kind that holds in the folder and is that of a language, or, where the folder has none, of none.
func (f *folder) system(language string) *rule.Ecosystem {
	for i := range f.t.Systems.List {
		e := &f.t.Systems.List[i]
		if e.Kind == "" || language != "" && !slices.Contains(e.Languages, language) {
			continue
		}
		if _, ok := f.any(e.When); ok {
			return e
		}
	}
	return nil
}

// helps reports a language of scripts that only help with what the project in the folder is made of: charts, models. They are its program nowhere, and
// one without any file, named by what its tools are installed from, is none either. total is what is counted there, by language.
func (f *folder) helps(language string, total []tally) bool {
	everywhere := slices.Contains(f.t.Systems.Scripts, language) || total[f.t.byID(language)].files == 0
	for i := range f.t.Systems.List {
		e := &f.t.Systems.List[i]
		if !e.Whole || slices.Contains(e.Languages, language) || !everywhere && !slices.Contains(e.Scripts, language) {
			continue
		}
		if _, ok := f.any(e.When); ok {
			return true
		}
	}
	return false
}

// stuff is what most bytes are that belong to no program.
func (d *detection) stuff() string {
	s := d.scan
	parts := map[string]int64{}
	for i := 1; i < len(s.total); i++ {
		l := d.t.Language(int16(i))
		switch {
		case s.total[i].files == 0:
		case slices.Contains(d.t.Systems.Settings, l.ID):
			parts[settings] += s.total[i].bytes + 1
		case l.Kind == "data":
			parts[records] += s.total[i].bytes + 1
		case l.Kind == "prose":
			parts[documents] += s.total[i].bytes + 1
		case l.Kind == "markup":
			parts[documents] += s.total[i].bytes + 1
		}
	}
	best := ""
	for _, kind := range []string{documents, records, settings} {
		if parts[kind] > parts[best] {
			best = kind
		}
	}
	if best == "" && s.explains > 0 {
		return documents
	}
	return best
}
