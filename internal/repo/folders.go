package repo

import (
	"slices"

	"github.com/modu-ai/moai/internal/disk"
)

// Folders are what Git has no place for: the modes of folders, and those in which nothing is. The work tree itself is not among them,
// nor is what Git ignores.
type Folders struct {
	Modes []OddPermission // of all, in no order
	Empty []string        // by name
	// Unlisted says that there are too many to list.
	Unlisted bool
}

// folderModeBits are the permissions and what is given to new files (set-group-ID) or keeps others from deleting (sticky).
const folderModeBits = 0o7777

// maxFolders bounds what is held in memory of each worker.
const maxFolders = 1 << 18

// folder notes the mode of the folder at path ("a/b/"), and whether it is empty.
func (w *worker) folder(path string, st *disk.Stat, empty bool) {
	if path == "" {
		return
	}
	if len(w.modes) >= maxFolders {
		w.manyFolders = true
		return
	}
	path = path[:len(path)-1]
	w.modes = append(w.modes, OddPermission{path, uint16(st.Mode & folderModeBits)})
	if empty {
		w.empty = append(w.empty, path)
	}
}

// noteFolder notes an open folder, if anybody asks.
func (w *worker) noteFolder(path string, d folder, empty bool) {
	var st disk.Stat
	if w.o.Folders && path != "" && d.Stat(&st) == nil {
		w.folder(path, &st, empty)
	}
}

// noteClosed notes a folder that cannot be opened: its mode may be why.
func (w *worker) noteClosed(path string) {
	var st disk.Stat
	if w.o.Folders && path != "" && w.root.lstatName(path[:len(path)-1], &st) == opened {
		w.folder(path, &st, false)
	}
}

// allFolders gives what the workers have noted.
func (s *scan) allFolders() Folders {
	slices.Sort(s.empty)
	return Folders{Modes: s.modes, Empty: s.empty, Unlisted: s.manyFolders}
}
