// Package disk looks at folders and files that strangers may have made: the work tree of a clone, and its Git folder.
//
// It is the layer below walks, status, detection and TAGs: an open folder and the names in it, the state of a file, the
// bytes of a regular file. Where speed counts (Linux) these are plain system calls, relative to an open folder;
// elsewhere package os does it. It is no file system of its own: it writes nothing, walks nowhere (package walk does),
// and knows no ignore rules.
//
// Its invariants:
//   - Below a folder that was opened, no link is followed in the last name of what is asked for; who goes down name by
//     name never leaves the tree. [Root] follows links, and refuses those that lead out.
//   - Nothing that could wait is opened for reading: a FIFO or device in place of a file is an error at once.
//   - Nothing is sized by what a file says of itself: whoever reads gives a limit, whoever lists says when to stop.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// What was to be read is not.
var (
	ErrNotRegular = errors.New("not a regular file") // a folder, a FIFO, a device
	ErrTooLarge   = errors.New("larger than it may be")
	ErrChanged    = errors.New("changed while it was read")
)

// Stat is the state of a file, in the form that Git's index has: a Unix mode with its type bits, times in seconds and
// nanoseconds.
type Stat struct {
	Mode     uint32
	Size     int64
	Mtime    int64
	MtimeNs  uint32
	Ctime    int64
	CtimeNs  uint32
	Ino, Dev uint64
	UID, GID uint32
	// Full is false where the system has no inode, owner and change time; these are zero then.
	Full bool
}

// Type bits of Stat.Mode.
const (
	typeBits = 0o170000
	typeFile = 0o100000
	typeDir  = 0o040000
	typeLink = 0o120000
	typeFIFO = 0o010000
)

// IsDir reports that it is a folder, and no link to one.
func (st *Stat) IsDir() bool { return st.Mode&typeBits == typeDir }

// IsRegular reports that it is a regular file.
func (st *Stat) IsRegular() bool { return st.Mode&typeBits == typeFile }

// IsLink reports that it is a symbolic link.
func (st *Stat) IsLink() bool { return st.Mode&typeBits == typeLink }

// Modified is when the content changed.
func (st *Stat) Modified() time.Time { return time.Unix(st.Mtime, int64(st.MtimeNs)) }

// ModifiedNano is Modified in nanoseconds since 1970. Programs can set it back.
func (st *Stat) ModifiedNano() int64 { return st.Mtime*int64(time.Second) + int64(st.MtimeNs) }

// ChangedNano is when anything about the file changed, which programs cannot set; 0 where the system has no such time.
func (st *Stat) ChangedNano() int64 { return st.Ctime*int64(time.Second) + int64(st.CtimeNs) }

// Kind is what a listing says of a name.
type Kind uint8

// Kinds of entries.
const (
	KindUnknown Kind = iota // the file system does not say: ask Lstat
	KindDir
	KindFile
	KindLink
	KindOther // FIFO, socket, device
)

// Kind is the state's, which is never KindUnknown.
func (st *Stat) Kind() Kind {
	switch st.Mode & typeBits {
	case typeDir:
		return KindDir
	case typeFile:
		return KindFile
	case typeLink:
		return KindLink
	}
	return KindOther
}

// Same reports that two names are of one file or folder, links followed.
func Same(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// Absent reports whether an error says that nothing is at a path. Where a folder on the way is a file, nothing is there either.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// maxName is what one name may have in bytes, on all file systems that matter.
const maxName = 255

// TooDeep reports the error of a path that is too long as a whole, while each name in it is short enough. Such a file may exist, but no system
// call finds it by its path.
func TooDeep(err error, path string) bool {
	if !errors.Is(err, syscall.ENAMETOOLONG) {
		return false
	}
	for name := range strings.SplitSeq(path, "/") {
		if len(name) > maxName {
			return false
		}
	}
	return true
}
