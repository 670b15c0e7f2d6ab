package rule

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// OwnLanguages is what a user's files add to the family: languages of his own, additions to built-in ones, and rows of the lists.
type OwnLanguages struct {
	Languages []Language // sorted by id; one with the id of a built-in language adds to that
	Work      LanguageTasks
	Systems   Ecosystems
	Facts     Facts
}

// OwnFile is one of those files.
type OwnFile struct {
	Name string // with its whole path, as problems call it
	Data []byte
}

// ReadOwnLanguages reads what a user adds to the built-in languages. A file with a mistake in it is left out as a
// whole, and the other files still count. Examples may be missing: only the generator needs them, and it does not run for a user's files.
func ReadOwnLanguages(files []OwnFile, builtin []Language) (*OwnLanguages, error) {
	c := &languageChecks{own: map[string]bool{}}
	for i := range builtin {
		c.own[builtin[i].ID] = true
	}
	o := &OwnLanguages{}
	var problems []*Problem
	// A group or an ecosystem may name a language of a file that turns out to be broken, so what is left is read again.
	for good := files; ; {
		*o, c.problems, c.files, c.at = OwnLanguages{}, nil, nil, nil
		for _, f := range good {
			c.ownFile(o, f)
		}
		c.all(o.Languages, builtin)
		c.known(slices.Concat(o.Languages, builtin), &o.Systems)
		if len(c.problems) == 0 {
			break
		}
		problems = append(problems, c.problems...)
		good = slices.DeleteFunc(slices.Clone(good), func(f OwnFile) bool {
			return slices.ContainsFunc(c.problems, func(p *Problem) bool { return p.File == f.Name })
		})
	}
	slices.SortFunc(o.Languages, func(a, b Language) int { return strings.Compare(a.ID, b.ID) })
	return o, Join(problems)
}

// ownFile adds one file to the rest.
func (c *languageChecks) ownFile(o *OwnLanguages, f OwnFile) {
	before := len(c.problems)
	switch base := filepath.Base(f.Name); "rules/languages/" + base {
	case tasksFile:
		if c.decode(f.Name, f.Data, &o.Work) {
			c.tasks(&o.Work)
		}
	case systemsFile:
		if c.decode(f.Name, f.Data, &o.Systems) {
			c.systemsIn = f.Name
			c.systems(&o.Systems)
		}
	case factsFile:
		if c.decode(f.Name, f.Data, &o.Facts) {
			c.facts(&o.Facts)
		}
	default:
		if strings.HasPrefix(base, "_") {
			c.add(f.Name, 0, "", "is none of the files that can be added: NAME.toml of a language, %s, %s, %s",
				path.Base(systemsFile), path.Base(factsFile), path.Base(tasksFile))
			return
		}
		var l Language
		if c.decode(f.Name, f.Data, &l) {
			if c.one(&l); len(c.problems) == before {
				o.Languages = append(o.Languages, l)
				return
			}
		}
		// The file is left out, and so are its places.
		c.files, c.at = c.files[:len(o.Languages)], c.at[:len(o.Languages)]
	}
}
