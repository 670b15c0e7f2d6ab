package undo

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
			if fi, err := os.Lstat(l.r.Path(up)); err == nil && !fi.IsDir() {
				why = up + " is in the way"
			}
		}
		if fi, err := os.Lstat(l.r.Path(path)); err == nil && fi.IsDir() {
			stays, err := l.staysIn(path)
			if err != nil {
				return err
			}
			if stays != "" {
				why = stays + " is in the way"
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

// maxInTheWay bounds the names of a folder that are looked at.
const maxInTheWay = 20_000

// staysIn is a file in a folder that an undo does not take out; "" for none.
func (l *planner) staysIn(folder string) (stays string, err error) {
	left := maxInTheWay
	err = filepath.WalkDir(l.r.Path(folder), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(l.r.WorkTree, name)
		if err != nil || d.IsDir() {
			return err
		}
		rel = filepath.ToSlash(rel)
		if side, goes := l.files[rel]; !goes || side.Mode != 0 {
			stays = rel
			return filepath.SkipAll
		}
		if left--; left == 0 {
			return fmt.Errorf("more than %d files are in %s", maxInTheWay, folder)
		}
		return nil
	})
	return stays, err
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
