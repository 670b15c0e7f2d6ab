//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
)

// fillInfo takes what package os says; git writes no inode, owner or change time here either.
func (st *Stat) fillInfo(fi fs.FileInfo) {
	m, t := fi.Mode(), fi.ModTime()
	// A fresh one: what the system does not tell must not be that of the file before.
	*st = Stat{Mode: uint32(m.Perm()), Size: fi.Size(), Mtime: t.Unix(), MtimeNs: uint32(t.Nanosecond())}
	switch {
	case m.IsRegular():
		st.Mode |= typeFile
	case m.IsDir():
		st.Mode |= typeDir
	case m&fs.ModeSymlink != 0:
		st.Mode |= typeLink
	default:
		st.Mode |= typeFIFO
	}
}

// At is the state of what a path leads to: links are followed, so the path is not a stranger's.
func At(path string) (st Stat, err error) {
	fi, err := os.Stat(path)
	if err == nil {
		st.fillInfo(fi)
	}
	return st, err
}

// There reports that something has a path, be it a link.
func There(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// statOf is the state of an open file.
func statOf(f *os.File) (st Stat, err error) {
	fi, err := f.Stat()
	if err == nil {
		st.fillInfo(fi)
	}
	return st, err
}

// Gone reports whether an error says that nothing of that name and kind is there, and not that it could not be asked for.
func Gone(err error) bool { return err != nil && !errors.Is(err, fs.ErrPermission) }
