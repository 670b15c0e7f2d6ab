//go:build unix && !(linux && (amd64 || arm64))

package disk

import (
	"io/fs"
	"syscall"
)

var errNotFolder = syscall.ENOTDIR

// newSeen: a listing brings no data here.
func newSeen() map[string]fs.DirEntry { return nil }

func lstatKnown(fi fs.FileInfo, st *Stat) error {
	if raw, ok := fi.Sys().(*syscall.Stat_t); ok {
		st.fill(raw)
		return nil
	}
	return fs.ErrInvalid
}

func lstat(path string, st *Stat) error {
	var raw syscall.Stat_t
	if err := ignoringEINTR(func() error { return syscall.Lstat(path, &raw) }); err != nil {
		return &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	st.fill(&raw)
	return nil
}

func complete(string, *Stat) {}

// read and closeQuick have no quicker way here.
func read(fd int, b []byte) (int, error) { return syscall.Read(fd, b) }

func closeQuick(fd int) { _ = syscall.Close(fd) }
