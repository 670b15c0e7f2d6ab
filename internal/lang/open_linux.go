package lang

import (
	"sync"

	"golang.org/x/sys/unix"
)

const openNonblock = unix.O_NONBLOCK

// fastReader reads heads with three system calls a file. openat2 refuses links
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

// head reads the start of a file into buf and returns its length; 0 when the
// file cannot be read, is no regular file or lies behind a link. Safe for
// concurrent use.
func (r *reader) head(path string, buf []byte) int {
	f := &r.fast
	f.once.Do(func() {
		fd, err := unix.Open(r.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		f.fd, f.ok = fd, err == nil
	})
	if !f.ok {
		return 0
	}
	how := unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY, Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH}
	fd, err := unix.Openat2(f.fd, path, &how)
	for err == unix.EINTR || err == unix.EAGAIN {
		fd, err = unix.Openat2(f.fd, path, &how)
	}
	if err == unix.ENOSYS || err == unix.EPERM {
		// A kernel before 5.6, or a sandbox that forbids the call.
		return newReader(r.dir).slowHeadOnce(path, buf)
	}
	if err != nil {
		return 0
	}
	n, err := unix.Read(fd, buf)
	unix.Close(fd)
	if err != nil {
		return 0
	}
	return n
}

func (r *reader) slowHeadOnce(path string, buf []byte) int {
	defer r.close()
	return r.slowHead(path, buf)
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
