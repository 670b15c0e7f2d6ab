//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// fill takes what the index holds from what the system says.
func (st *Stat) fill(raw *syscall.Stat_t) {
	st.Mode, st.Size = uint32(raw.Mode), raw.Size
	st.Mtime, st.MtimeNs, st.Ctime, st.CtimeNs = times(raw)
	st.Ino, st.Dev = uint64(raw.Ino), uint64(raw.Dev)
	st.UID, st.GID, st.Full = uint32(raw.Uid), uint32(raw.Gid), true
}

// At is the state of what a path leads to: links are followed, so the path is not a stranger's.
func At(path string) (st Stat, err error) {
	var raw syscall.Stat_t
	if err := ignoringEINTR(func() error { return syscall.Stat(path, &raw) }); err != nil {
		return st, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	st.fill(&raw)
	return st, nil
}

// There reports that something has a path, be it a link. A call looks at dozens of paths at which nothing is, and what os.Lstat makes to say so
// is memory that has to be handed out first.
func There(path string) bool {
	var raw syscall.Stat_t
	return ignoringEINTR(func() error { return syscall.Lstat(path, &raw) }) == nil
}

// statOf is the state of an open file.
func statOf(f *os.File) (Stat, error) { return fstat(int(f.Fd())) }

func fstat(fd int) (st Stat, err error) {
	var raw syscall.Stat_t
	if err := ignoringEINTR(func() error { return syscall.Fstat(fd, &raw) }); err != nil {
		return st, err
	}
	st.fill(&raw)
	return st, nil
}

// ignoringEINTR repeats a call that a signal interrupted; Go sends itself some to preempt goroutines.
func ignoringEINTR(f func() error) error {
	for {
		if err := f(); err != syscall.EINTR {
			return err
		}
	}
}

// Gone reports whether an error says that nothing of that name and kind is there, and not that it could not be asked for.
func Gone(err error) bool {
	if pe, ok := err.(*fs.PathError); ok {
		err = pe.Err
	}
	switch err {
	case syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EMLINK: // FreeBSD says EMLINK of a link
		return true
	}
	return false
}
