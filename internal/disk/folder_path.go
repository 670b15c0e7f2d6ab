//go:build !linux || !(amd64 || arm64)

package disk

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is a folder by its path. Where listing a folder brings the data of its files (Windows), Lstat is answered from it.
type Folder struct {
	path string
	seen map[string]fs.DirEntry
}

// Open opens a folder for a listing or two. A link there is followed: its name is the caller's own.
func Open(path string) (Folder, error) {
	fi, err := os.Stat(path)
	if err == nil && !fi.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotFolder}
	}
	return Folder{path: path}, err
}

// OpenTree is Open for a folder in and below which much is asked for.
func OpenTree(path string) (Folder, error) { return Open(path) }

// Local reports that the tree lies on a disk of this machine, or in its memory; false where nobody asked.
func (d Folder) Local() bool { return false }

// Slow says that answers are waited for, which changes nothing here.
func (d Folder) Slow() {}

// Close closes the folder, and none that was opened below it.
func (d Folder) Close() {}

func (d Folder) join(rel string) string { return filepath.Join(d.path, filepath.FromSlash(rel)) }

// Open opens the folder rel below d; "" is d itself. The last name of rel must be no link; the caller has opened the
// others on the way down.
func (d Folder) Open(rel string) (Folder, error) {
	path := d.join(rel)
	if rel != "" {
		// Lstat: a link to a folder is a file to git, and leads out of the tree.
		if fi, err := os.Lstat(path); err != nil {
			return Folder{}, err
		} else if !fi.IsDir() {
			return Folder{}, &fs.PathError{Op: "open", Path: path, Err: errNotFolder}
		}
	}
	return Folder{path: path, seen: newSeen()}, nil
}

// Peek is Open for a folder whose names are known: it cannot be listed.
func (d Folder) Peek(rel string) (Folder, error) { return d.Open(rel) }

// Lstat asks for a name below d, "" being d itself, and follows no link there.
func (d Folder) Lstat(rel string, st *Stat) error {
	if e, ok := d.seen[rel]; ok {
		if fi, err := e.Info(); err == nil {
			return lstatKnown(fi, st)
		}
	}
	return lstat(d.join(rel), st)
}

// LstatZ is Lstat for a name that a zero byte follows in memory, as in Git's index, which matters elsewhere.
func (d Folder) LstatZ(name string, st *Stat) error { return d.Lstat(name, st) }

// Stat is the state of the folder.
func (d Folder) Stat(st *Stat) (err error) {
	*st, err = At(d.path)
	return err
}

// Complete asks for what Lstat leaves out where it costs more: inode and time of change, on Windows.
func (d Folder) Complete(rel string, st *Stat) { complete(d.join(rel), st) }

// Each calls visit for the names in d, in no order, without "." and "..", until it says false. buf is for other systems.
func (d Folder) Each(_ *[]byte, visit func(name string, kind Kind) (more bool)) error {
	f, err := os.OpenFile(d.path, os.O_RDONLY|Nonblock, 0) // it may have become a FIFO
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		list, err := f.ReadDir(1024)
		for _, e := range list {
			if d.seen != nil {
				d.seen[e.Name()] = e
			}
			if !visit(e.Name(), kindOf(e.Type())) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil || len(list) == 0 {
			return err
		}
	}
}

func kindOf(t fs.FileMode) Kind {
	switch {
	case t.IsDir():
		return KindDir
	case t.IsRegular():
		return KindFile
	case t&fs.ModeSymlink != 0:
		return KindLink
	}
	return KindOther
}

// File opens a regular file below d for reading, and gives its state. The last name of rel must be no link.
func (d Folder) File(rel string) (File, Stat, error) {
	path := d.join(rel)
	if fi, err := os.Lstat(path); err != nil {
		return File{}, Stat{}, err
	} else if !fi.Mode().IsRegular() {
		return File{}, Stat{}, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return OpenFile(path) // what was a file a moment ago may be a pipe now
}
