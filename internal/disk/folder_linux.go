//go:build linux && (amd64 || arm64)

package disk

import (
	"bytes"
	"io/fs"
	"math"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Folder is an open folder. Everything is asked relative to it: the kernel then resolves one name, not a path, and a
// folder that is renamed or replaced by a link meanwhile stays the same.
type Folder struct {
	fd   int
	pace *pace
}

// pace decides how the kernel is called, for a folder and those opened below it. Calls that tell Go's scheduler nothing
// are a tenth cheaper, but a slow one holds its processor: other goroutines, the caller's deadline among them, would
// wait for a disk. So they are made on local file systems only, and until somebody says that answers do not come from memory.
type pace struct {
	raw   atomic.Bool
	local bool
}

// localFS lists the file systems (statfs magic numbers) that live on this machine.
func localFS(magic int64) bool {
	switch magic {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, 0x2fc12fc1: // the last is zfs
		return true
	}
	return false
}

const (
	dirFlags   = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	listBuffer = 32 << 10
)

// Open opens a folder for a listing or two. A link there is followed: its name is the caller's own.
func Open(path string) (Folder, error) {
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return Folder{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return Folder{fd, &pace{}}, nil
}

// OpenTree is Open for a folder in and below which much is asked for.
func OpenTree(path string) (Folder, error) {
	d, err := Open(path)
	var st unix.Statfs_t
	if err == nil && unix.Fstatfs(d.fd, &st) == nil && localFS(int64(st.Type)) {
		d.pace.local = true
		d.pace.raw.Store(true)
	}
	return d, err
}

// Local reports that the tree lies on a disk of this machine, or in its memory; false where nobody asked.
func (d Folder) Local() bool { return d.pace.local }

// Slow says that answers are waited for: from now on Go's scheduler is told of each call in the tree.
func (d Folder) Slow() { d.pace.raw.Store(false) }

// call asks the kernel something about d that takes one pointer. Pointers become numbers in the call itself and not
// before: a stack that moves in between takes along what it knows to be pointers.
func (d Folder) call(trap uintptr, p unsafe.Pointer, n uintptr) (uintptr, syscall.Errno) {
	if d.pace.raw.Load() {
		r, _, e := syscall.RawSyscall(trap, uintptr(d.fd), uintptr(p), n)
		return r, e
	}
	r, _, e := syscall.Syscall(trap, uintptr(d.fd), uintptr(p), n)
	return r, e
}

// Close closes the folder, and none that was opened below it.
func (d Folder) Close() { d.call(unix.SYS_CLOSE, nil, 0) }

// Open opens the folder rel below d; "" is d itself. The last name of rel must be no link; the caller has opened the
// others on the way down.
func (d Folder) Open(rel string) (Folder, error) { return d.openFolder(rel, dirFlags) }

// Peek is Open for a folder whose names are known: it cannot be listed.
func (d Folder) Peek(rel string) (Folder, error) { return d.openFolder(rel, dirFlags|unix.O_PATH) }

func (d Folder) openFolder(rel string, flags uintptr) (Folder, error) {
	fd, err := d.openAt(rel, flags)
	return Folder{fd, d.pace}, err
}

func (d Folder) openAt(rel string, flags uintptr) (int, error) {
	var short [pathLen]byte
	p := terminated(short[:0], rel)
	for p != nil {
		fd, e := d.call(unix.SYS_OPENAT, unsafe.Pointer(p), flags)
		switch e {
		case 0:
			return int(fd), nil
		case unix.EINTR:
		default:
			return -1, e
		}
	}
	return -1, unix.ENOENT
}

// pathLen is enough for most paths, which so need no memory of their own.
const pathLen = 512

// terminated is a path as the kernel takes it, in buf where it fits; nil for one that no file can have. A slash at the end
// is left out: with it, the kernel follows a link whatever it is told.
func terminated(buf []byte, rel string) *byte {
	if rel = strings.TrimRight(rel, "/"); rel == "" {
		rel = "."
	}
	if strings.IndexByte(rel, 0) >= 0 {
		return nil
	}
	return unsafe.SliceData(append(append(buf, rel...), 0))
}

// Lstat asks for a name below d, "" being d itself, and follows no link there.
func (d Folder) Lstat(rel string, st *Stat) error {
	var short [pathLen]byte
	p := terminated(short[:0], rel)
	if p == nil {
		return unix.ENOENT
	}
	return d.lstat(p, st)
}

// LstatZ is Lstat for a name that a zero byte follows in memory, as in Git's index, and so needs no copy.
func (d Folder) LstatZ(name string, st *Stat) error { return d.lstat(unsafe.StringData(name), st) }

func (d Folder) lstat(p *byte, st *Stat) error {
	var raw syscall.Stat_t
	for {
		var e syscall.Errno
		if d.pace.raw.Load() {
			_, _, e = syscall.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(d.fd), uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(&raw)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		} else {
			_, _, e = syscall.Syscall6(unix.SYS_NEWFSTATAT, uintptr(d.fd), uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(&raw)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		}
		switch e {
		case 0:
			st.fill(&raw)
			return nil
		case syscall.EINTR:
		default:
			return e
		}
	}
}

// Stat is the state of the open folder.
func (d Folder) Stat(st *Stat) error {
	var raw syscall.Stat_t
	if _, e := d.call(unix.SYS_FSTAT, unsafe.Pointer(&raw), 0); e != 0 {
		return e
	}
	st.fill(&raw)
	return nil
}

// Complete asks for what Lstat leaves out where it costs more: nothing here.
func (d Folder) Complete(string, *Stat) {}

// Each calls visit for the names in d, in no order, without "." and "..", until it says false. Names lie in buf, which
// grows: they are good until it is used again.
func (d Folder) Each(buf *[]byte, visit func(name string, kind Kind) (more bool)) error {
	if cap(*buf) == 0 {
		*buf = make([]byte, listBuffer)
	}
	b, n := *buf, 0
	for {
		// All blocks are kept, since the names lie in them.
		if len(b)-n < 4096 {
			b = append(b[:n:n], make([]byte, len(b)+listBuffer)...)
			*buf = b
		}
		k, e := d.call(unix.SYS_GETDENTS64, unsafe.Pointer(&b[n]), uintptr(len(b)-n))
		if e == unix.EINTR {
			continue
		}
		if e != 0 {
			return e
		}
		if k == 0 {
			return nil
		}
		last, more := records(b[n:n+int(k)], visit)
		n += int(k)
		// A record says where the next one begins. There is nothing beyond the largest offset, which is what ext4 and
		// btrfs give the last one: no need to ask again.
		if !more || last == math.MaxInt64 && d.pace.local {
			return nil
		}
	}
}

// records visits linux_dirent64 records: inode 8, offset of the next 8, length 2, type 1, name. It returns the offset
// after the last one.
func records(b []byte, visit func(name string, kind Kind) bool) (next int64, more bool) {
	for len(b) >= 19 {
		size := int(*(*uint16)(unsafe.Pointer(&b[16])))
		if size < 20 || size > len(b) {
			return 0, true
		}
		next = *(*int64)(unsafe.Pointer(&b[8]))
		name := b[19:size]
		n := bytes.IndexByte(name, 0)
		if n < 0 {
			n = len(name)
		}
		kind := KindOther
		switch b[18] {
		case unix.DT_DIR:
			kind = KindDir
		case unix.DT_REG:
			kind = KindFile
		case unix.DT_LNK:
			kind = KindLink
		case unix.DT_UNKNOWN:
			kind = KindUnknown
		}
		b = b[size:]
		if n <= 2 && name[0] == '.' && (n == 1 || name[1] == '.') {
			continue
		}
		if !visit(unsafe.String(&name[0], n), kind) {
			return next, false
		}
	}
	return next, true
}

// File opens a regular file below d for reading, and gives its state. The last name of rel must be no link.
func (d Folder) File(rel string) (File, Stat, error) {
	fd, err := d.openAt(rel, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return File{}, Stat{}, err
	}
	return regular(fd, d.pace.raw.Load())
}

// read reads without telling Go's scheduler, whose watcher takes the processor away from a read of a large file and
// wakes another thread for it: 7 % of a first search for TAGs.
func read(fd int, b []byte) (int, error) {
	n, _, e := syscall.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

// closeQuick closes without telling the scheduler.
func closeQuick(fd int) { _, _, _ = syscall.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }
