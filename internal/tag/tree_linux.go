//go:build linux && (amd64 || arm64)

package tag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// tree reads one directory tree by paths relative to its root. Plain system calls: os.File registers every
// file it opens with the poller, which doubles the cost of reading a small one.
type tree struct {
	fd int
	// quick says that names are looked up without telling Go's scheduler, which costs a tenth of a look-up:
	// the answers of a local file system come from memory, mostly. Reading always tells it.
	quick bool
}

// openTree opens the root; what is asked for later is looked up from there, so a root that is renamed meanwhile stays the same.
func openTree(root string) (*tree, error) {
	fd, err := ignoringEINTR(func() (int, error) { return unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: root, Err: err}
	}
	var st unix.Statfs_t
	return &tree{fd, unix.Fstatfs(fd, &st) == nil && localFS(st.Type)}, nil
}

// localFS lists the file systems (statfs magic numbers) that live on this machine.
func localFS(magic int64) bool {
	switch magic {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}

// openat opens a name below t.
func (t *tree) openat(rel string, flags uintptr) (uintptr, error) {
	var short [pathLen]byte
	p := cstring(short[:0], rel)
	for p != nil {
		var fd uintptr
		var e unix.Errno
		if t.quick {
			fd, _, e = unix.RawSyscall6(unix.SYS_OPENAT, uintptr(t.fd), uintptr(unsafe.Pointer(p)), flags, 0, 0, 0)
		} else {
			fd, _, e = unix.Syscall6(unix.SYS_OPENAT, uintptr(t.fd), uintptr(unsafe.Pointer(p)), flags, 0, 0, 0)
		}
		switch e {
		case 0:
			return fd, nil
		case unix.EINTR:
		default:
			return 0, e
		}
	}
	return 0, unix.EINVAL
}

// statat asks for a name below t, not following a link.
func (t *tree) statat(rel string, st *unix.Stat_t) unix.Errno {
	var short [pathLen]byte
	p := cstring(short[:0], rel)
	for p != nil {
		var e unix.Errno
		if t.quick {
			_, _, e = unix.RawSyscall6(sysFstatat, uintptr(t.fd), uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		} else {
			_, _, e = unix.Syscall6(sysFstatat, uintptr(t.fd), uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		}
		if e != unix.EINTR {
			return e
		}
	}
	return unix.EINVAL
}

// pathLen is enough for most paths, which so need no memory of their own.
const pathLen = 256

// cstring is a name as the kernel takes it, nil when it cannot.
func cstring(buf []byte, name string) *byte {
	if strings.IndexByte(name, 0) >= 0 {
		return nil
	}
	return unsafe.SliceData(append(append(buf, name...), 0))
}

func (t *tree) close() { closeFile(uintptr(t.fd), t.quick) }

// closeFile does not care for errors: files were only read.
func closeFile(fd uintptr, quick bool) {
	if quick {
		_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
		return
	}
	_ = unix.Close(int(fd))
}

// ignoringEINTR repeats a call that a signal interrupted; Go sends itself some to preempt goroutines.
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
	at, err := t.openat(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	fd := int(at)
	defer closeFile(at, t.quick)
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
			// struct linux_dirent64 (getdents64(2)): inode 8, offset 8, length 2, type 1, then the name with its NUL. 19 is all but the name.
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
	// Opening and closing cost two calls, and each name asked within saves a part of one: below six files it does not pay.
	if files < 6 || dir == "" {
		return t, dir
	}
	fd, err := t.openat(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return t, dir
	}
	return &tree{int(fd), t.quick}, ""
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
	if t.statat(rel, &st) != 0 {
		return stamp{}, false, false
	}
	s, regular, dir := stampOf(&st)
	return s, dir, regular || dir
}

// stampOf takes what tells two states of a file apart, and what it is.
func stampOf(st *unix.Stat_t) (s stamp, regular, dir bool) {
	s = stamp{size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), inode: st.Ino}
	return s, st.Mode&unix.S_IFMT == unix.S_IFREG, st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// handle is an open file.
type handle struct {
	fd    uintptr
	quick bool
}

// open opens a regular file and gives the stamp it has; a pipe that took its place does not block.
func (t *tree) open(rel string) (handle, stamp, error) {
	fd, err := t.openat(rel, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return handle{}, stamp{}, err
	}
	h := handle{fd, t.quick}
	var st unix.Stat_t
	// The open file is asked, since the name may mean another one by now.
	if _, _, e := unix.RawSyscall(unix.SYS_FSTAT, fd, uintptr(unsafe.Pointer(&st)), 0); e != 0 {
		h.close()
		return handle{}, stamp{}, e
	}
	s, regular, _ := stampOf(&st)
	if !regular {
		h.close()
		return handle{}, stamp{}, errors.New("not a regular file")
	}
	return h, s, nil
}

// read gives 0 at the end. In quick mode Go is not told: when it is, its watcher takes the processor away from a read of a large file
// and wakes another thread for it, which costs 7 % of a first run.
func (h handle) read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for {
		var n uintptr
		var e unix.Errno
		if h.quick {
			n, _, e = unix.RawSyscall(unix.SYS_READ, h.fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		} else {
			n, _, e = unix.Syscall(unix.SYS_READ, h.fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		}
		switch e {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, e
		}
	}
}

// rewind goes back to the start of the file.
func (h handle) rewind() error {
	_, err := unix.Seek(int(h.fd), 0, io.SeekStart)
	return err
}

func (h handle) close() { closeFile(h.fd, h.quick) }
