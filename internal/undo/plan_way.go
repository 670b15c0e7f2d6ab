package undo

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
)

// inTheWay keeps what cannot come back since something stands there that stays: a file where a folder was, or a folder with others' files.
func (l *planner) inTheWay() error {
	for _, path := range slices.Sorted(maps.Keys(l.files)) {
		if l.files[path].Mode == 0 {
			continue
		}
		why := ""
		for up := range folders(path) {
			if side, known := l.files[up]; known && side.Mode == 0 {
				continue
			}
			if fi, err := os.Lstat(l.r.Path(up)); err == nil && !fi.IsDir() && (l.o.Goes == nil || !l.o.Goes(up)) {
				why = up + " is in the way"
			}
		}
		if fi, err := os.Lstat(l.r.Path(path)); err == nil && fi.IsDir() {
			stays, unsaved, err := l.staysIn(path)
			if err != nil {
				return err
			}
			if stays != "" {
				why = stays + " is in the way"
			} else if len(unsaved) > 0 {
				l.p.Aside = append(l.p.Aside, Away{path, unsaved, l.beside(path)})
			}
		}
		if why != "" {
			l.keep(path, why, firmly)
			delete(l.files, path)
			delete(l.merged, path)
			delete(l.p.Blend.Modes, path)
		}
	}
	return nil
}

// beside is a name that nothing has yet.
func (l *planner) beside(path string) string {
	for n := 1; ; n++ {
		name := path + ".in-the-way"
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		if _, err := os.Lstat(l.r.Path(name)); err != nil {
			return name
		}
	}
}

// maxInTheWay bounds the names of a folder that are looked at.
const maxInTheWay = 20_000

// staysIn is a file in a folder that an undo does not take out; "" for none. Files that Git ignores, and no snapshot has, can be put aside: the folder
// is newer than the file that comes back in its place.
func (l *planner) staysIn(folder string) (stays string, unsaved []string, err error) {
	left := maxInTheWay
	err = filepath.WalkDir(l.r.Path(folder), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(l.r.WorkTree, name)
		if err != nil || d.IsDir() && d.Name() != ".git" {
			return err
		}
		rel = filepath.ToSlash(rel)
		if l.o.Goes != nil && l.o.Goes(rel) {
			return nil
		}
		if side, goes := l.files[rel]; !goes || side.Mode != 0 {
			if _, _, ignored := l.r.IgnoredBy(rel, false); goes || !ignored || d.Name() == ".git" || checkpoint.Has(l.r, l.now, rel) {
				stays = rel
				return filepath.SkipAll
			}
			unsaved = append(unsaved, rel)
		}
		if left--; left == 0 {
			return fmt.Errorf("more than %d files are in %s", maxInTheWay, folder)
		}
		return nil
	})
	return stays, unsaved, err
}

// renamed is the name of a file that Git ignores, is gone, does not come back from a copy, and stands on the line of a command beside the name of a new one; "" for none.
func (l *planner) renamed(s *Span, from *checkpoint.Checkpoint, path string) string {
	for i := range s.Moved {
		for one := range strings.FieldsFuncSeq(s.Moved[i].Command, func(c rune) bool { return strings.ContainsRune(";&|", c) }) {
			if !says(one, path) {
				continue
			}
			for _, word := range words(one) {
				name := strings.TrimPrefix(word, "./")
				if _, err := os.Lstat(l.r.Path(name)); name == path || !filepath.IsLocal(name) || err == nil || l.files[name].Mode != 0 || l.o.Copied != nil && l.o.Copied(name) {
					continue
				}
				if _, _, ignored := l.r.IgnoredBy(name, false); ignored && !checkpoint.Has(l.r, from, name) {
					return name
				}
			}
		}
	}
	return ""
}
