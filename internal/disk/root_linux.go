package disk

import (
	"sync"

	"golang.org/x/sys/unix"
)

// fastRoot opens by openat2, which refuses links on the whole path: neither a check nor a walk along it is needed.
type fastRoot struct {
	once sync.Once
	fd   int
	ok   bool
}

func (f *fastRoot) close() {
	if f.ok {
		unix.Close(f.fd)
	}
}

// openat2 opens a file below the root without a chance to leave it. ok is false when the system does not offer that: a
// kernel before 5.6, or a sandbox.
func (r *Root) openat2(path string, resolve uint64) (fd int, err error, ok bool) {
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

// Head reads the start of a file into buf and returns its length; 0 when the file cannot be read, is no regular file or
// lies behind a link. Several goroutines may ask at once.
func (r *Root) Head(path string, buf []byte) int {
	fd, err, ok := r.openat2(path, unix.RESOLVE_NO_SYMLINKS)
	if !ok {
		return r.slowHead(path, buf)
	}
	if err != nil {
		return 0
	}
	defer unix.Close(fd)
	// No fstat: reading a folder fails, and so does, without waiting, a FIFO that nobody writes to. What a FIFO holds is
	// at worst taken for the file's start.
	n, err := unix.Read(fd, buf)
	if err != nil {
		return 0
	}
	return n
}

// File reads a file of at most limit bytes; a longer one is cut there. Links are followed as long as they stay inside.
func (r *Root) File(path string, limit int64) ([]byte, Stat, error) {
	fd, err, ok := r.openat2(path, unix.RESOLVE_NO_MAGICLINKS)
	if !ok {
		return r.slowFile(path, limit)
	}
	if err != nil {
		return nil, Stat{}, err
	}
	f, st, err := regular(fd, false)
	if err != nil {
		return nil, Stat{}, err
	}
	defer f.Close()
	data, err := f.head(min(st.Size, limit))
	return data, st, err
}
