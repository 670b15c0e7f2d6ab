package repo

// fileStat is what the comparison with the index needs of a file, in the form that the
// index holds: a Unix mode with its type bits, and times split in seconds and nanoseconds.
type fileStat struct {
	mode     uint32
	size     int64
	mtime    int64
	mtimeNs  uint32
	ctime    int64
	ctimeNs  uint32
	ino      uint32 // low 32 bits, as in the index
	uid, gid uint32
	// full is false where the system has no inode, owner and change time; then only size,
	// mode and modification time are compared.
	full bool
}

// Type bits of fileStat.mode that the index never holds.
const (
	typeDir  = 0o040000
	typeFIFO = 0o010000
)

func (st *fileStat) kind() uint32    { return st.mode & modeType }
func (st *fileStat) isDir() bool     { return st.kind() == typeDir }
func (st *fileStat) isRegular() bool { return st.kind() == modeRegular }
func (st *fileStat) isLink() bool    { return st.kind() == ModeLink }

// dirEntry is one name of a listed directory. In the fast path name aliases the listing
// buffer: clone it before the next listing.
type dirEntry struct {
	name string
	kind entryKind
}

type entryKind uint8

const (
	kindUnknown entryKind = iota // the file system does not say: ask lstat
	kindDir
	kindFile
	kindSymlink
	kindOther // FIFO, socket, device: git does not see them
)

// openState says why a directory could not be opened.
type openState uint8

const (
	opened     openState = iota
	missing              // not there, or not a directory (a link to one is none)
	unreadable           // there, but not for us
)

// listing is a directory as it was read, without ".", ".." and ".git".
type listing struct {
	entries   []dirEntry
	hasGit    bool // a .git of any kind was among them
	hasIgnore bool // a .gitignore was among them
	buf       []byte
}

// add files one name under what it is.
func (l *listing) add(name string, kind entryKind, fold bool) {
	if len(name) == 4 && (name == ".git" || fold && equalFold(name, ".git")) {
		l.hasGit = true
		return
	}
	if len(name) == 10 && (name == ".gitignore" || fold && equalFold(name, ".gitignore")) {
		l.hasIgnore = true
	}
	l.entries = append(l.entries, dirEntry{name, kind})
}

func (l *listing) reset() {
	l.entries, l.hasGit, l.hasIgnore = l.entries[:0], false, false
}
