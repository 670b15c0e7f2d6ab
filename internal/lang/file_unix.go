//go:build unix

package lang

import (
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// maxPopulate is the index of half a million files. A larger one may be a hole.
const maxPopulate = 64 << 20

// mapFile shows a regular file's bytes without copying them; done ends that. Many
// small windows would cost a copy, and at each the chance that the scheduler takes
// the processor away.
func mapFile(path string) (data []byte, state fileState, done func(), err error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0) // it may be a FIFO
	if err != nil {
		return nil, state, nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, state, nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size <= 0 || st.Size > math.MaxInt {
		return nil, state, nil, &fs.PathError{Op: "read", Path: path, Err: errNotFile}
	}
	flags := unix.MAP_PRIVATE
	if st.Size <= maxPopulate {
		flags |= populate
	}
	data, err = unix.Mmap(fd, 0, int(st.Size), unix.PROT_READ, flags)
	if err != nil {
		return nil, state, nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	return data, stateIn(&st), func() { _ = unix.Munmap(data) }, nil
}

func stateIn(st *unix.Stat_t) fileState { return fileState{st.Size, st.Mtim.Nano(), st.Ctim.Nano()} }

// stateAt is the state of what a path leads to.
func stateAt(path string) (fileState, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return fileState{}, err
	}
	return stateIn(&st), nil
}

// stateOf is the state of an open file; the zero value when it has none.
func stateOf(f *os.File) fileState {
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) != nil {
		return fileState{}
	}
	return stateIn(&st)
}

// readSmall reads a regular file of at most limit bytes, cut there, without what
// package os sets up for files that may block.
func readSmall(path string, limit int64) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	data, _, err := readAll(fd, limit)
	return data, err
}

// readAll reads a regular file that is open.
func readAll(fd int, limit int64) ([]byte, fileState, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fileState{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, fileState{}, errNotFile
	}
	data := make([]byte, min(st.Size, limit))
	n := 0
	for n < len(data) {
		k, err := unix.Read(fd, data[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, fileState{}, err
		}
		if k == 0 {
			break
		}
		n += k
	}
	return data[:n], stateIn(&st), nil
}
