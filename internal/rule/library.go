package rule

import (
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// LibraryFile is how files of one form pin the versions of libraries; rules/libraries/lock.toml says what its fields do.
type LibraryFile struct {
	Names                                                      []string // below a project's root; "*" stands for any text
	JSON                                                       []string
	Comment                                                    string   // begins one that ends with the line
	Asked                                                      []string // a manifest, and paths in its JSON: the entries for what it asks come first
	Key                                                        []string // how the first line of an entry says it, with {name} and {range}
	Begin, End, Match, Group, Name, Version, Ref, Values, Both string
	Follow                                                     string // names a further file of the form in its group

	// Examples for tests alone: a library, its version and a text; a library and a text.
	Hits   [][3]string
	Misses [][2]string
	File   string `toml:"-"`
	Line   int    `toml:"-"`
}

// LoadLibraries reads rules/libraries, lock files before manifests.
func LoadLibraries(fsys fs.FS) ([]LibraryFile, error) {
	var r report
	var list []LibraryFile
	one := func(f *LibraryFile) {
		f.File, f.Line, r.id = r.file, r.line, strings.Join(f.Names, " ")
		if len(f.Names) == 0 || len(f.Hits) == 0 || len(f.Misses) == 0 {
			r.problem("a file needs names, hits and misses")
		}
		if f.Match == "" && len(f.JSON) == 0 && (f.Name == "" || f.Version == "") {
			r.problem("a file needs match, json, or name and version")
		}
		if (len(f.Asked) > 1) != (len(f.Key) > 0) {
			r.problem("asked names a manifest and paths, and needs key")
		}
		if slices.ContainsFunc(slices.Concat(f.JSON, f.Asked[min(1, len(f.Asked)):]), func(path string) bool { return len(strings.Fields(path)) != 3 }) {
			r.problem("a path of json is followed by the fields of name and version")
		}
		for field, v := range reflect.ValueOf(f).Elem().Fields() {
			if field.Type.Kind() == reflect.String && field.Name != "File" {
				if _, err := regexp.Compile(v.String()); err != nil {
					r.problem("%s: %v", strings.ToLower(field.Name), err)
				}
			}
		}
		list = append(list, *f)
	}
	if err := load(&r, fsys, "libraries", func(raw *struct{ File []LibraryFile }) { rows(&r, "file", raw.File, one) }); err != nil {
		return nil, err
	}
	return list, r.err()
}
