package verify

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// A session can have Git pass over code that was there before: it ignores it and takes it out of the index and the commit, or makes a
// repository around it. Such files go on to count. They are found after the command that hid them, and pictures show them from then on.

// keepHid is how many of them are kept.
const keepHid = maxChanges

// IsList reports a file that says what Git ignores.
func IsList(path string) bool { return filepath.Base(path) == ".gitignore" }

// Keep lists the files, absolute, that Git showed before a command, or had in its commit, and passes over since; both pictures show them
// then. Dropped says that a commit lost files that are still there, hidden or not. On the way of most commands nothing is asked of the disk.
func (p *Picture) Keep(r *repo.Repo, before *Picture) (hid []string, dropped bool) {
	if p.Tree != before.Tree || p.Partial || before.Partial {
		return nil, false
	}
	ignored, ix := r.Ignore(), (*repo.Index)(nil)
	passed := func(path string) bool {
		if _, shown := p.Files[path]; shown || !exists(r.Path(path)) {
			return false
		}
		if ix == nil {
			var err error
			if ix, err = r.Index(); err != nil {
				return false
			}
		}
		_, tracked := ix.Find(path)
		return !tracked && (ignored.Match(path, false) || apart(r, path))
	}
	for path := range before.Files {
		if passed(path) {
			hid = append(hid, path)
		}
	}
	if before.Head != p.Head && before.Head != "" {
		seen := folders{}
		for path := range missing(r, seen, commitTree(r, before.Head), commitTree(r, p.Head), "") {
			dropped = dropped || exists(r.Path(path))
			if _, shown := before.Files[path]; shown || !passed(path) {
				continue
			}
			hid = append(hid, path)
			if !p.wrote(r, seen, before, path) {
				before.Files[path] = stamp(r.Path(path), len(hid) <= maxSums)
			}
		}
	}
	if ix != nil {
		ix.Close()
	}
	for i, path := range hid {
		p.Files[path] = stamp(r.Path(path), i < maxSums)
		hid[i] = r.Path(path)
	}
	return hid, dropped
}

// wrote reports a file that was written since the picture before, and differs from what the commit of then has.
func (p *Picture) wrote(r *repo.Repo, seen folders, before *Picture, path string) bool {
	if before.untouched(r.Path(path)) {
		return false
	}
	blob, _ := seen.blob(r, before.Head, path)
	return !(&content{blob: blob}).in(r, r.Path(path))
}

// Shows lists the files, absolute, that were written since a time and that Git shows now, and did not before: a list that hid them is changed.
func (p *Picture) Shows(before *Picture, since time.Time) (files []string) {
	all, _ := p.Since(before)
	at := &Picture{At: since}
	return slices.DeleteFunc(all, func(full string) bool { return IsList(full) || !exists(full) || since.IsZero() || at.untouched(full) })
}

// addHid adds the files that the session hid, as far as Git does not have them again.
func (p *Picture) addHid(r *repo.Repo, ix *repo.Index, hid []string) {
	for i, full := range hid {
		path, local := Shown([]string{p.Tree}, full)
		if _, shown := p.Files[path]; !local || shown {
			continue
		}
		if _, tracked := ix.Find(path); !tracked {
			p.Files[path] = stamp(full, i < maxSums)
		}
	}
}

// Hide keeps files that the session hid; false where they are too many.
func (s *State) Hide(files []string) (whole bool) {
	for _, path := range files {
		switch {
		case slices.Contains(s.Hid, path):
		case len(s.Hid) == keepHid:
			return false
		default:
			s.Hid = append(s.Hid, path)
		}
	}
	return true
}

// Made reports a file, absolute, that commands of the session made, and that was not there before: to ignore what a build makes is everyday work.
func (s *State) Made(r *repo.Repo, path string) bool {
	f := s.file(path)
	if f == nil || f.Hand || f.Was != "" {
		return false
	}
	in, local := Shown([]string{r.WorkTree}, path)
	_, had := folders{}.blob(r, s.Head, in)
	return local && !had
}

// MayWait reports a file that somebody may have to look at by its name, and by its first bytes where that says nothing.
func (t *Tables) MayWait(path, rel string) bool {
	f := &File{Path: path, Command: true}
	k := t.Kind(f, rel)
	if k == nil && filepath.Ext(path) == "" {
		f.Sum = "read"
		k = t.Kind(f, rel)
	}
	return k != nil && k.Needs != ""
}
