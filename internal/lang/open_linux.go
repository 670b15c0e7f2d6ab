package lang

import (
	"sync"

	"golang.org/x/sys/unix"
)

const openNonblock = unix.O_NONBLOCK

// fastReader reads heads with four system calls a file. openat2 refuses links
// on the whole path, so neither a check nor a walk along it is needed.
type fastReader struct {
	once sync.Once
	fd   int
	ok   bool
}

func (f *fastReader) close() {
	if f.ok {
		unix.Close(f.fd)
	}
}

// openat2 opens a file below the root without a chance to leave it. ok is false
// when the system does not offer that: a kernel before 5.6, or a sandbox.
func (r *reader) openat2(path string, resolve uint64) (fd int, err error, ok bool) {
	f := &r.fast
	f.once.Do(func() {
		fd, err := unix.Open(r.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		f.fd, f.ok = fd, err == nil
	})
	if !f.ok {
		return -1, unix.EBADF, true
	}
	how := unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY, Resolve: resolve | unix.RESOLVE_BENEATH}
	fd, err = unix.Openat2(f.fd, path, &how)
	for tries := 0; (err == unix.EINTR || err == unix.EAGAIN) && tries < 100; tries++ {
		fd, err = unix.Openat2(f.fd, path, &how)
	}
	return fd, err, err != unix.ENOSYS && err != unix.EPERM && err != unix.EAGAIN
}

// head reads the start of a file into buf and returns its length; 0 when the
// file cannot be read, is no regular file or lies behind a link. Safe for
// concurrent use.
func (r *reader) head(path string, buf []byte) int {
	fd, err, ok := r.openat2(path, unix.RESOLVE_NO_SYMLINKS)
	if !ok {
		own := newReader(r.dir)
		defer own.close()
		return own.slowHead(path, buf)
	}
	if err != nil {
		return 0
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return 0
	}
	n, err := unix.Read(fd, buf)
	if err != nil {
		return 0
	}
	return n
}

// whole reads a file of at most limit bytes; a longer one is cut there. Links
// are followed as long as they stay inside.
func (r *reader) whole(path string, limit int64) ([]byte, fileState, error) {
	fd, err, ok := r.openat2(path, unix.RESOLVE_NO_MAGICLINKS)
	if !ok {
		return r.slowWhole(path, limit)
	}
	if err != nil {
		return nil, fileState{}, err
	}
	defer unix.Close(fd)
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
	return data[:n], fileState{st.Size, st.Mtim.Nano()}, nil
}

// size returns the length of a regular file, for entries whose size the index
// does not know; false when there is none.
func (r *reader) size(path string) (int64, bool) {
	var st unix.Stat_t
	if unix.Fstatat(unix.AT_FDCWD, r.dir+"/"+path, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return 0, false
	}
	return st.Size, true
}
