package tag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// tree reads one directory tree by paths relative to its root. Plain system calls: os.File registers every
// file it opens with the poller, which doubles the cost of reading a small one.
type tree struct{ fd int }

func openTree(root string) (*tree, error) {
	fd, err := ignoringEINTR(func() (int, error) { return unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: root, Err: err}
	}
	return &tree{fd}, nil
}

func (t *tree) close() { unix.Close(t.fd) }

func ignoringEINTR(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// entry is a name in a directory; links and special files are left out when listing.
type entry struct {
	name string
	dir  bool
}

// list reads the names in a directory, "" being the root. buf is scratch space.
func (t *tree) list(dir string, buf []byte) ([]entry, error) {
	if dir == "" {
		dir = "."
	}
	fd, err := ignoringEINTR(func() (int, error) {
		return unix.Openat(t.fd, dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var out []entry
	for {
		n, err := ignoringEINTR(func() (int, error) { return unix.Getdents(fd, buf) })
		if err != nil {
			return out, err
		}
		if n <= 0 {
			return out, nil
		}
		for b := buf[:n]; len(b) >= 19; {
			size := int(binary.NativeEndian.Uint16(b[16:]))
			if size < 19 || size > len(b) {
				return out, errors.New("malformed directory entry")
			}
			kind, name := b[18], b[19:size]
			b = b[size:]
			if i := bytes.IndexByte(name, 0); i >= 0 {
				name = name[:i]
			}
			if string(name) == "." || string(name) == ".." {
				continue
			}
			if kind == unix.DT_UNKNOWN { // some file systems do not say
				var st unix.Stat_t
				if unix.Fstatat(fd, string(name), &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
					continue
				}
				switch st.Mode & unix.S_IFMT {
				case unix.S_IFREG:
					kind = unix.DT_REG
				case unix.S_IFDIR:
					kind = unix.DT_DIR
				}
			}
			if kind == unix.DT_REG || kind == unix.DT_DIR {
				out = append(out, entry{string(name), kind == unix.DT_DIR})
			}
		}
	}
}

// enter opens a directory in which several files are asked for, so that the kernel does not walk down to it
// for each; names are then to be asked with prefix in front of them.
func (t *tree) enter(dir string, files int) (sub *tree, prefix string) {
	if files < 6 || dir == "" {
		return t, dir
	}
	fd, err := ignoringEINTR(func() (int, error) {
		return unix.Openat(t.fd, dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return t, dir
	}
	return &tree{fd}, ""
}

// leave closes what enter opened.
func (t *tree) leave(sub *tree) {
	if sub != t {
		sub.close()
	}
}

// stat gives the stamp of a file or directory, not following a link; ok is false when there is none.
func (t *tree) stat(rel string) (s stamp, dir, ok bool) {
	if rel == "" {
		rel = "."
	}
	var st unix.Stat_t
	if err := unix.Fstatat(t.fd, rel, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return stamp{}, false, false
	}
	s, regular, dir := stampOf(&st)
	return s, dir, regular || dir
}

func stampOf(st *unix.Stat_t) (s stamp, regular, dir bool) {
	s = stamp{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), inode: st.Ino}
	return s, st.Mode&unix.S_IFMT == unix.S_IFREG, st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// handle is an open file.
type handle int

// open opens a regular file and gives the stamp it has; a pipe that took its place does not block.
func (t *tree) open(rel string) (handle, stamp, error) {
	fd, err := ignoringEINTR(func() (int, error) {
		return unix.Openat(t.fd, rel, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return 0, stamp{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return 0, stamp{}, err
	}
	s, regular, _ := stampOf(&st)
	if !regular {
		unix.Close(fd)
		return 0, stamp{}, errors.New("not a regular file")
	}
	return handle(fd), s, nil
}

func (h handle) read(b []byte) (int, error) {
	return ignoringEINTR(func() (int, error) { return unix.Read(int(h), b) })
}

func (h handle) close() { unix.Close(int(h)) }
