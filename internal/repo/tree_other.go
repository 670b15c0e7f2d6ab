//go:build !linux || !(amd64 || arm64)

package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is a directory by its path. Where listing a directory brings the data of its
// files (Windows), lstat is answered from it.
type folder struct {
	path string
	seen map[string]fs.DirEntry
	pace *pace
}

// pace has nothing to decide here.
type pace struct{}

func (*pace) slow()         {}
func (*pace) counted() bool { return false }
func (*pace) waited() bool  { return true }

func openRoot(path string) (folder, error) {
	fi, err := os.Stat(path)
	if err == nil && !fi.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("not a directory")}
	}
	return folder{path: path}, err
}

// openNames is for a listing or two; nothing is kept open here, so it is the same.
func openNames(path string) (folder, error) { return openRoot(path) }

func (d folder) close() {}

func (d folder) open(rel string) (folder, openState) {
	path := filepath.Join(d.path, filepath.FromSlash(rel))
	// Lstat: a link to a directory is a file to git, and leads out of the tree.
	fi, err := os.Lstat(path)
	if err != nil {
		return folder{}, stateOf(err)
	}
	if !fi.IsDir() {
		return folder{}, missing
	}
	return folder{path: path, seen: map[string]fs.DirEntry{}}, opened
}

func (d folder) peek(rel string) (folder, openState) { return d.open(rel) }

func stateOf(err error) openState {
	if errors.Is(err, fs.ErrPermission) {
		return unreadable
	}
	return missing
}

func (d folder) lstat(name string, st *fileStat) openState {
	if e, ok := d.seen[name]; ok {
		// Windows has put the data into the listing; elsewhere this is the lstat itself.
		if fi, err := e.Info(); err == nil {
			fillStat(fi, st)
			return opened
		}
	}
	fi, err := os.Lstat(filepath.Join(d.path, filepath.FromSlash(name)))
	if err != nil {
		return stateOf(err)
	}
	fillStat(fi, st)
	return opened
}

func (d folder) lstatName(name string, st *fileStat) openState { return d.lstat(name, st) }

func (d folder) list(l *listing, fold bool) openState {
	l.reset()
	f, err := os.Open(d.path)
	if err != nil {
		return stateOf(err)
	}
	defer f.Close()
	names, err := f.ReadDir(-1)
	if err != nil {
		// A part of the names proves nothing: what is missing may be untracked.
		return unreadable
	}
	for _, e := range names {
		kind := kindOther
		switch t := e.Type(); {
		case t.IsDir():
			kind = kindDir
		case t.IsRegular():
			kind = kindFile
		case t&fs.ModeSymlink != 0:
			kind = kindSymlink
		}
		// Looked up by the name that git keeps, while the entry knows the one on disk.
		name := precompose(e.Name())
		if d.seen != nil {
			d.seen[name] = e
		}
		l.add(name, kind, fold)
	}
	return opened
}

// fillStat turns what os.Lstat says into what the index holds.
func fillStat(fi fs.FileInfo, st *fileStat) {
	m := fi.Mode()
	// A fresh one: what the system does not tell must not be that of the file before.
	*st = fileStat{mode: uint32(m.Perm()), size: fi.Size()}
	switch {
	case m.IsRegular():
		st.mode |= modeRegular
	case m.IsDir():
		st.mode |= typeDir
	case m&fs.ModeSymlink != 0:
		st.mode |= ModeLink
	default:
		st.mode |= typeFIFO
	}
	t := fi.ModTime()
	st.mtime, st.mtimeNs = t.Unix(), uint32(t.Nanosecond())
	fillSys(fi, st)
}

// folderStat is false: the directory cache is only used where the times of directories have
// been tried (Linux).
const folderStat = false

func (d folder) time() (folderTime, bool)         { return folderTime{}, false }
func (d folder) timeOf(string) (folderTime, bool) { return folderTime{}, false }
