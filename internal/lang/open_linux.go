package lang

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
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
	// No fstat: reading a folder fails, and so does, without waiting, a FIFO that
	// nobody writes to. What a FIFO holds is at worst taken for the file's start.
	n, err := unix.Read(fd, buf)
	if err != nil {
		return 0
	}
	return n
}

// listDir reads the names in a folder, with three calls and none of the waiting
// machinery of package os.
func listDir(dir string, most int) (state fileState, out []listed) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return state, nil
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if unix.Fstat(fd, &st) == nil {
		state = stateIn(&st)
		state.size = 0
	}
	buf := make([]byte, 16<<10)
	for len(out) < most {
		n, err := unix.Getdents(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		for rest := buf[:n]; len(rest) > 0; {
			// struct linux_dirent64: inode and offset (8 bytes each), the record's
			// length (2), the type (1), then the name up to a zero byte.
			length := int(binary.NativeEndian.Uint16(rest[16:]))
			kind, name := rest[18], rest[19:length]
			rest = rest[length:]
			if i := bytes.IndexByte(name, 0); i >= 0 {
				name = name[:i]
			}
			if s := string(name); s != "." && s != ".." {
				out = append(out, listed{s, dirent(dir, s, kind)})
			}
		}
	}
	return state, out
}

// dirent is the type of an entry; few file systems do not say it.
func dirent(dir, name string, kind byte) fs.FileMode {
	switch kind {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	case unix.DT_UNKNOWN:
		if fi, err := os.Lstat(dir + "/" + name); err == nil {
			return fi.Mode().Type()
		}
	}
	return fs.ModeIrregular
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
	return readAll(fd, limit)
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
