//go:build linux && (amd64 || arm64)

package repo

import (
	"bytes"
	"math"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// folder is an open directory. Everything is asked relative to it: the kernel then
// resolves one name, not a path, and a link that appears in the path leads nowhere.
type folder struct {
	fd   int
	pace *pace
}

// pace decides how the kernel is called. Calls that tell Go's scheduler nothing are a
// tenth cheaper, but a slow one holds its processor: other goroutines, the caller's
// deadline among them, would wait for a disk. So they are made on local file systems only,
// and only as long as answers come from memory.
type pace struct {
	raw   atomic.Bool
	local bool
	read  int64 // blocks that the process had read from disks when the walk began
}

func (p *pace) slow() { p.raw.Store(false) }

// counted says whether waited knows: the kernel counts what comes from its own disks.
func (p *pace) counted() bool { return p.local }

// waited says whether the walk has waited for a disk. Time alone does not tell that from a
// machine where others want the processor.
func (p *pace) waited() bool { return !p.local || blocksRead() >= p.read+minBlocks }

// minBlocks are a few blocks of directories and inodes, in the sectors that the kernel counts.
const minBlocks = 4 * 8

func blocksRead() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return int64(u.Inblock)
}

// call asks the kernel something about d that takes one pointer. Pointers become numbers in
// the call itself and not before: a stack that moves in between takes along what it knows to
// be pointers.
func (d folder) call(trap uintptr, p unsafe.Pointer, n uintptr) (uintptr, syscall.Errno) {
	if d.pace.raw.Load() {
		r, _, e := syscall.RawSyscall(trap, uintptr(d.fd), uintptr(p), n)
		return r, e
	}
	r, _, e := syscall.Syscall(trap, uintptr(d.fd), uintptr(p), n)
	return r, e
}

// stat fills raw with what is at name, which ends in a zero byte. It follows no link there.
func (d folder) stat(name *byte, raw *syscall.Stat_t) (e syscall.Errno) {
	if d.pace.raw.Load() {
		_, _, e = syscall.RawSyscall6(sysFstatat, uintptr(d.fd), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(raw)), symlinkNofollow, 0, 0)
		return e
	}
	_, _, e = syscall.Syscall6(sysFstatat, uintptr(d.fd), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(raw)), symlinkNofollow, 0, 0)
	return e
}

// localFS lists the file systems (statfs magic numbers) that live on this machine.
func localFS(magic int64) bool {
	switch magic {
	case 0xef53, // ext2, ext3, ext4
		0x58465342, // xfs
		0x9123683e, // btrfs
		0x01021994, // tmpfs
		0x794c7630, // overlayfs
		0xf2f52010, // f2fs
		0x2fc12fc1: // zfs
		return true
	}
	return false
}

const (
	dirFlags        = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	pathOnly        = 0x200000 // O_PATH
	symlinkNofollow = 0x100    // AT_SYMLINK_NOFOLLOW
	listBuffer      = 32 << 10
)

// openRoot opens the work tree.
func openRoot(path string) (folder, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	d := folder{fd, &pace{read: blocksRead()}}
	var fs syscall.Statfs_t
	if err == nil && syscall.Fstatfs(fd, &fs) == nil && localFS(fs.Type) {
		d.pace.local = true
		d.pace.raw.Store(true)
	}
	return d, err
}

// openNames opens a directory for a listing or two, which need no pace.
func openNames(path string) (folder, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	return folder{fd, &pace{}}, err
}

func (d folder) close() { d.call(syscall.SYS_CLOSE, nil, 0) }

// open opens the directory rel ("" is d itself) below d. Only the last element of rel is
// kept from being a link; the walk has opened the others on its way down.
func (d folder) open(rel string) (folder, openState) { return d.openAs(rel, dirFlags) }

// peek is open for a directory whose names are known: it cannot be listed.
func (d folder) peek(rel string) (folder, openState) { return d.openAs(rel, dirFlags|pathOnly) }

// openAs copies the name to the stack, since names that are cut from paths do not end in a zero byte.
func (d folder) openAs(rel string, flags uintptr) (folder, openState) {
	if rel == "" {
		rel = "."
	}
	var buf [512]byte
	p := &buf[0]
	if len(rel) < len(buf) {
		copy(buf[:], rel)
	} else {
		p = unsafe.SliceData(append([]byte(rel), 0))
	}
	for {
		fd, e := d.call(syscall.SYS_OPENAT, unsafe.Pointer(p), flags)
		switch e {
		case 0:
			return folder{int(fd), d.pace}, opened
		case syscall.EINTR:
		case syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG:
			return folder{}, missing
		default:
			return folder{}, unreadable
		}
	}
}

// lstat asks for one name in d. name must be followed by a zero byte in memory, as names
// of the index are; others go through lstatName.
func (d folder) lstat(name string, st *fileStat) openState {
	var raw syscall.Stat_t
	for {
		switch d.stat(unsafe.StringData(name), &raw) {
		case 0:
			st.mode, st.size = raw.Mode, raw.Size
			st.mtime, st.mtimeNs = raw.Mtim.Sec, uint32(raw.Mtim.Nsec)
			st.ctime, st.ctimeNs = raw.Ctim.Sec, uint32(raw.Ctim.Nsec)
			st.ino, st.uid, st.gid, st.full = uint32(raw.Ino), raw.Uid, raw.Gid, true
			return opened
		case syscall.EINTR:
		case syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG:
			return missing
		default:
			return unreadable
		}
	}
}

// lstatName is lstat for any string.
func (d folder) lstatName(name string, st *fileStat) openState {
	b := append([]byte(name), 0)
	return d.lstat(unsafe.String(&b[0], len(name)), st)
}

// list reads all names of d into l.
func (d folder) list(l *listing, fold bool) openState {
	l.reset()
	if l.buf == nil {
		l.buf = make([]byte, listBuffer)
	}
	n := 0
	for {
		// All blocks are kept, so that names can alias the buffer until the next listing.
		if len(l.buf)-n < 4096 {
			l.buf = append(l.buf[:n:n], make([]byte, len(l.buf)+listBuffer)...)
		}
		k, e := d.call(syscall.SYS_GETDENTS64, unsafe.Pointer(&l.buf[n]), uintptr(len(l.buf)-n))
		if e == syscall.EINTR {
			continue
		}
		if e != 0 {
			return unreadable
		}
		if k == 0 {
			break
		}
		last := l.parse(l.buf[n:n+int(k)], fold)
		n += int(k)
		// A record says where the next one begins. There is nothing beyond the largest
		// offset, which is what ext4 and btrfs give the last one: no need to ask again.
		if last == math.MaxInt64 && d.pace.local {
			break
		}
	}
	return opened
}

// parse walks linux_dirent64 records: inode 8, offset of the next 8, length 2, type 1, name.
// It returns the offset after the last one.
func (l *listing) parse(b []byte, fold bool) (next int64) {
	for len(b) >= 19 {
		size := int(*(*uint16)(unsafe.Pointer(&b[16])))
		if size < 20 || size > len(b) {
			return 0
		}
		next = *(*int64)(unsafe.Pointer(&b[8]))
		name := b[19:size]
		n := bytes.IndexByte(name, 0)
		kind := kindOther
		switch b[18] {
		case syscall.DT_DIR:
			kind = kindDir
		case syscall.DT_REG:
			kind = kindFile
		case syscall.DT_LNK:
			kind = kindSymlink
		case syscall.DT_UNKNOWN:
			kind = kindUnknown
		}
		b = b[size:]
		if n <= 2 && name[0] == '.' && (n == 1 || name[1] == '.') {
			continue
		}
		l.add(unsafe.String(&name[0], n), kind, fold)
	}
	return next
}

// folderStat says that the times of directories can be trusted for the directory cache.
const folderStat = true

// time is the state of the open directory.
func (d folder) time() (folderTime, bool) {
	var raw syscall.Stat_t
	if _, e := d.call(syscall.SYS_FSTAT, unsafe.Pointer(&raw), 0); e != 0 {
		return folderTime{}, false
	}
	return stateTime(&raw), d.pace.local
}

// timeOf is the state of the directory rel below d, which must not be a link.
func (d folder) timeOf(rel string) (folderTime, bool) {
	if rel == "" {
		return d.time()
	}
	var buf [512]byte
	if len(rel) >= len(buf) {
		return folderTime{}, false
	}
	copy(buf[:], rel)
	var raw syscall.Stat_t
	if e := d.stat(&buf[0], &raw); e != 0 || raw.Mode&modeType != typeDir {
		return folderTime{}, false
	}
	return stateTime(&raw), true
}

func stateTime(raw *syscall.Stat_t) folderTime {
	return folderTime{
		mtime: raw.Mtim.Sec, mtimeNs: uint32(raw.Mtim.Nsec), ctime: raw.Ctim.Sec, ctimeNs: uint32(raw.Ctim.Nsec),
		ino: raw.Ino, dev: raw.Dev,
	}
}
