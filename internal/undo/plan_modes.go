package undo

import (
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// modes takes back permissions: those of files that come back, and of others that have their content.
func (l *planner) modes(s *Span, from, to *checkpoint.Checkpoint, taken map[string]bool) {
	b := &l.p.Blend
	set := func(path string, perm fs.FileMode) {
		if b.Modes == nil {
			b.Modes = map[string]fs.FileMode{}
		}
		b.Modes[path] = perm
	}
	for path, ok := range taken {
		if side := l.files[path]; ok && (side.Mode == repo.ModeFile || side.Mode == repo.ModeExec) {
			if perm, known := from.Permission(path, side); known {
				set(path, perm)
			}
		}
	}
	names := maps.Clone(from.Modes)
	if names == nil {
		names = map[string]fs.FileMode{}
	}
	maps.Copy(names, to.Modes)
	for path := range names {
		if _, changed := taken[path]; changed || !l.asked(path) {
			continue
		}
		side, err := from.At(l.r, path)
		if err != nil || side.Mode != repo.ModeFile && side.Mode != repo.ModeExec {
			continue
		}
		was, known := from.Permission(path, side)
		left, both := to.Permission(path, side)
		now, here := l.now.Permission(path, side)
		if !known || !both || !here || was == left || now != left {
			continue
		}
		if s.Whose != nil && !l.o.Force {
			if who, _ := s.Whose(path); who == Other || who == Stranger { // a mode is told of nobody's tools, so that a command's is the session's
				continue
			}
		}
		set(path, was)
	}
}

// folders takes back empty folders, and modes of folders.
func (l *planner) folders(from, to *checkpoint.Checkpoint) {
	b := &l.p.Blend
	for _, d := range from.Folders.Empty {
		if _, err := os.Lstat(l.r.Path(d)); l.asked(d) && !slices.Contains(to.Folders.Empty, d) && err != nil {
			b.Empty = append(b.Empty, d)
		}
	}
	for _, d := range append(slices.Clone(from.Folders.Empty), l.o.Stays) {
		if d != "" && !slices.Contains(b.Empty, d) && l.empties(d) { // it was there, or somebody stands in it
			b.Empty = append(b.Empty, d)
		}
	}
	for _, d := range to.Folders.Empty {
		if stays := d == l.o.Stays || strings.HasPrefix(l.o.Stays, d+"/"); !stays && l.asked(d) && !slices.Contains(from.Folders.Empty, d) && slices.Contains(l.now.Folders.Empty, d) && !slices.ContainsFunc(slices.Collect(maps.Keys(l.files)), func(p string) bool { return strings.HasPrefix(p, d+"/") }) {
			if side, err := from.At(l.r, d); err == nil && side.Mode == 0 {
				b.Unmade = append(b.Unmade, d)
			}
		}
	}
	for d, was := range from.Folders.Modes {
		if left, ok := to.Folders.Modes[d]; l.asked(d) && ok && left != was && l.now.Folders.Modes[d] == left {
			if b.FolderModes == nil {
				b.FolderModes = map[string]uint16{}
			}
			b.FolderModes[d] = was
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
