//go:build unix

package lang

import (
	"io/fs"
	"math"

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
	return data, fileState{st.Size, st.Mtim.Nano()}, func() { _ = unix.Munmap(data) }, nil
}
