package cli

import (
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/term"
)

// whyOf is what --why says of one folder.
type whyOf struct {
	Dir        string         `json:"dir"`
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Primary    bool           `json:"primary"`
	Confidence float64        `json:"confidence"`          // in the primary language, whichever it is
	CountsAs   string         `json:"counts_as,omitempty"` // the language among whose files those of this one are counted
	Language   *lang.Language `json:"language"`            // nil where nothing of it counts
	Unread     []string       `json:"unread"`              // files that could have stated its version
}

// showWhys says why a language is in the answers. Like grep, it says no where none of the folders has it.
func (e *env) showWhys(reports []*lang.Report, name string) error {
	l, _ := e.languages().Find(name) // showDetected has asked
	list, found := make([]whyOf, len(reports)), false
	for i, r := range reports {
		w := &list[i]
		*w = whyOf{Dir: r.Dir, ID: l.ID, Name: l.Name, Language: r.Language(l.ID), Unread: []string{}}
		if r.Primary != nil {
			w.Primary, w.Confidence = r.Primary.ID == l.ID, r.Primary.Confidence
		}
		if of, ok := e.languages().Find(l.Group); ok && w.Language == nil && l.Group != "" {
			if w.Language = r.Language(of.ID); w.Language != nil {
				w.CountsAs = of.Name
			}
		}
		if w.Language != nil && w.Language.Version == "" && !strings.HasPrefix(r.Source, "revision ") { // what lies here now says nothing of a commit
			w.Unread = append(w.Unread, versionFiles(r.Dir, l)...)
		}
		found = found || w.Language != nil
	}
	if err := printViews(e, list, func(i int) { e.showWhy(reports[i], &list[i]) }); err != nil || found {
		return err
	}
	return errNo
}

// printViews prints what was asked of each folder: as JSON one object, or a list of several; else one below the other.
func printViews[T interface{ folder() string }](e *env, list []T, show func(i int)) error {
	if e.json {
		if len(list) == 1 {
			return e.printJSON(list[0])
		}
		return e.printJSON(list)
	}
	for i := range list {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		if len(list) > 1 {
			e.headFolder(list[i].folder())
		}
		show(i)
	}
	return nil
}

func (w whyOf) folder() string       { return w.Dir }
func (b breakdownOf) folder() string { return b.Dir }

// breakdownOf is every file of one folder that has a language.
type breakdownOf struct {
	Dir   string     `json:"dir"`
	Files []fileOf   `json:"files"`
	Scan  *lang.Scan `json:"scan"`
}

// fileOf is one of them.
type fileOf struct {
	Path     string  `json:"path"`
	Language *string `json:"language"` // null for one that does not count and whose content would have to say
	Bytes    int64   `json:"bytes"`
	Counts   bool    `json:"counts"`
	Kind     string  `json:"path_kind"`
}

// showBreakdown lists every file with its language.
func (e *env) showBreakdown(dirs []string, f *detectFlags) error {
	list := make([]breakdownOf, len(dirs))
	for i, dir := range dirs {
		files := []fileOf{}
		r, err := e.detect(dir, f, func(path, id string, kind lang.PathKind, size int64) {
			files = append(files, fileOf{path, idOrNull(id), size, kind == lang.Own && id != "", kind.String()})
		})
		if err != nil {
			return err
		}
		list[i] = breakdownOf{r.Dir, files, &r.Scan}
	}
	return printViews(e, list, func(i int) {
		for _, file := range list[i].Files {
			mark := ""
			if file.Language != nil {
				mark = *file.Language
			}
			if file.Kind != lang.Own.String() {
				mark = "(" + file.Kind + ") " + mark
			}
			fmt.Fprintf(e.out, "%-24s %10d  %s\n", mark, file.Bytes, term.Name(file.Path))
		}
	})
}
