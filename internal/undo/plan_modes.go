package undo

import (
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// modes takes back permissions: those of files that come back, and of others that have their content.
func (l *planner) modes(s *Span, from, to *checkpoint.Checkpoint, taken map[string]bool) error {
	for path, ok := range taken {
		if side := l.files[path]; ok && (side.Mode == repo.ModeFile || side.Mode == repo.ModeExec) {
			if perm, known := from.Permission(l.r, path, side); known {
				l.mode(path, perm)
			}
		}
	}
	changed, err := checkpoint.OtherPermissions(l.r, to, from)
	if err != nil {
		return err
	}
	for _, path := range changed {
		if _, did := taken[path]; did || !l.asked(path) {
			continue
		}
		side, err := l.trees.At(from, path)
		if err != nil {
			return err
		}
		was, _ := from.Permission(l.r, path, side)
		left, _ := to.Permission(l.r, path, side)
		if now, here := l.now.Permission(l.r, path, side); !here || now != left {
			continue
		}
		if l.others(s, path) {
			continue
		}
		l.mode(path, was)
	}
	return nil
}

// mode gives a file permissions.
func (l *planner) mode(path string, perm fs.FileMode) {
	b := &l.p.Blend
	if b.Modes == nil {
		b.Modes = map[string]fs.FileMode{}
	}
	b.Modes[path] = perm
}

// others reports a file whose permissions, or a folder that, somebody else has changed, or may have.
func (l *planner) others(s *Span, path string) bool {
	if s.Whose == nil || l.o.Force {
		return false
	}
	who, name := s.Whose(path)
	switch {
	case who == Either && !l.o.Guess:
		l.keep(path, atOnce(name), byWord)
	case who == Mixed:
		return false // of permissions nothing tells that they are another's
	case who == Unheard && !l.o.Guess:
		l.keep(path, unheard(name), byWord)
	case who == Nobody && !l.o.Guess:
		l.keep(path, "nobody knows who changed it", byWord)
	default:
		return who == Other || who == Stranger
	}
	return true
}

// folders takes back empty folders, and modes of folders.
func (l *planner) folders(s *Span, from, to *checkpoint.Checkpoint) error {
	b := &l.p.Blend
	for _, d := range from.Folders.Empty {
		if l.asked(d) && !slices.Contains(to.Folders.Empty, d) && l.free(d) && !l.others(s, d) {
			b.Empty = append(b.Empty, d)
		}
	}
	for _, d := range append(slices.Clone(from.Folders.Empty), l.o.Stays) {
		if d == "" || slices.Contains(b.Empty, d) || !l.empties(d) {
			continue
		}
		if stays, unsaved, err := l.staysIn(d); err != nil || stays == "" && len(unsaved) == 0 { // it was there, or somebody stands in it, and nothing else keeps it
			b.Empty = append(b.Empty, d)
		}
	}
	for _, d := range to.Folders.Empty {
		if stays := d == l.o.Stays || strings.HasPrefix(l.o.Stays, d+"/"); !stays && l.asked(d) && !slices.Contains(from.Folders.Empty, d) && slices.Contains(l.now.Folders.Empty, d) && !slices.ContainsFunc(slices.Collect(maps.Keys(l.files)), func(p string) bool { return strings.HasPrefix(p, d+"/") }) {
			if side, err := from.At(l.r, d); err == nil && side.Mode == 0 && !l.others(s, d) {
				l.unmake(from, d)
			}
		}
	}
	changed, err := checkpoint.OtherFolders(l.r, from, to)
	if err != nil {
		return err
	}
	for _, d := range changed {
		left, _ := to.FolderMode(l.r, d)
		if now, here := l.now.FolderMode(l.r, d); here && now == left && l.asked(d) && !l.others(s, d) {
			l.folderMode(from, d)
		}
	}
	for _, d := range b.Empty {
		l.folderMode(from, d)
	}
	for path, side := range l.files { // those that come back with a file
		if side.Mode == 0 {
			continue
		}
		for d := range folders(path) {
			if !l.free(d) {
				break
			}
			l.folderMode(from, d)
		}
	}
	return nil
}

// free says that a folder can be made: nothing is there, or a file that goes.
func (l *planner) free(d string) bool {
	fi, err := os.Lstat(l.r.Path(d))
	side, planned := l.files[d]
	return err != nil || !fi.IsDir() && planned && side.Mode == 0
}

// folders are those that a path lies in, the innermost first.
func folders(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
			if !yield(path[:i]) {
				return
			}
		}
	}
}

// unmake takes out a folder that was not there, with those around it that were not; one in which something stays is not removed.
func (l *planner) unmake(from *checkpoint.Checkpoint, d string) {
	b := &l.p.Blend
	b.Unmade = append(b.Unmade, d)
	for up := range folders(d) {
		if side, err := l.trees.At(from, up); err != nil || side.Mode != 0 || slices.ContainsFunc(from.Folders.Empty, func(e string) bool { return e == up || strings.HasPrefix(e, up+"/") }) {
			break
		}
		if !slices.Contains(b.Unmade, up) {
			b.Unmade = append(b.Unmade, up)
		}
	}
}

// folderMode has a folder get the mode that a snapshot knows.
func (l *planner) folderMode(from *checkpoint.Checkpoint, d string) {
	was, known := from.FolderMode(l.r, d)
	if !known {
		return
	}
	b := &l.p.Blend
	if b.FolderModes == nil {
		b.FolderModes = map[string]uint16{}
	}
	b.FolderModes[d] = was
}

// settleFolders says which folders get other permissions.
func (l *planner) settleFolders() {
	b := &l.p.Blend
	for _, d := range slices.Sorted(maps.Keys(b.FolderModes)) {
		if fi, err := os.Lstat(l.r.Path(d)); err == nil && fi.IsDir() && !slices.Contains(b.Empty, d) {
			l.p.Folders = append(l.p.Folders, d)
		}
	}
}

// empties says that files go from below a folder.
func (l *planner) empties(folder string) bool {
	for path, side := range l.files {
		if side.Mode == 0 && strings.HasPrefix(path, folder+"/") {
			return true
		}
	}
	return false
}
