package repo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// The type bits of a mode, and the one permission bit that git keeps.
const (
	modeType    = 0o170000
	modeRegular = 0o100000
	modeExecBit = 0o100
)

// EntryFlags are the flags of an index entry that change what it means.
type EntryFlags uint8

// Flags of an Entry.
const (
	AssumeValid  EntryFlags = 1 << iota // never looked at (git update-index --assume-unchanged)
	SkipWorktree                        // not checked out (sparse checkout)
	IntentToAdd                         // git add -N: the path, without content
)

// Entry is one path of the index.
type Entry struct {
	Path  string // slash-separated, relative to the work tree; a sparse directory ends in "/"
	Hash  Hash
	Mode  uint32 // 0100644, 0100755, 0120000, 0160000, or 040000 for a sparse directory
	Size  uint32 // low 32 bits of the size when it was added; 0 also when unknown
	Mtime time.Time
	Stage int // 0, or 1 to 3 while unmerged: base, ours, theirs
	Flags EntryFlags
}

// Index is a decoded index file. It keeps no file open and can be used by several
// goroutines.
type Index struct {
	Version uint32
	// Sparse says that some entries stand for whole directories.
	Sparse bool
	// Resolved says that it remembers conflicts which were resolved: `git checkout -m` makes them again.
	Resolved bool

	hashSize int
	entries  []entry
	mtime    time.Time // of the file: the racy rule compares with it
	trailer  []byte    // checksum that names this state; zero under index.skipHash
	tree     *lazyTree // cache-tree, nil when there is none
	link     []byte    // undecoded split index extension
}

// entry is the compact form that the status walk uses. raw points at the fixed part of
// the entry in the file's buffer, which is always followed by at least 72 bytes (entries
// are followed by a checksum). name is terminated by a zero byte in memory, so that it
// can be handed to the kernel as it is.
type entry struct {
	name  string
	raw   *[rawSize]byte
	flags uint16 // bit 15 assume valid, 14 extended, 12-13 stage
	extra uint16 // bit 14 skip-worktree, 13 intent to add
}

const (
	rawSize    = 40 + sha256Size
	statSize   = 40
	extraITA   = 1 << 13
	extraSkip  = 1 << 14
	flagValid  = 1 << 15
	flagExtend = 1 << 14
	flagName   = 0xfff
)

func (e *entry) u32(at int) uint32     { return binary.BigEndian.Uint32(e.raw[at:]) }
func (e *entry) ctime() (s, ns uint32) { return e.u32(0), e.u32(4) }
func (e *entry) mtime() (s, ns uint32) { return e.u32(8), e.u32(12) }
func (e *entry) mode() uint32          { return e.u32(24) }
func (e *entry) size() uint32          { return e.u32(36) }
func (e *entry) stage() int            { return int(e.flags>>12) & 3 }
func (e *entry) assumeValid() bool     { return e.flags&flagValid != 0 }
func (e *entry) intentToAdd() bool     { return e.extra&extraITA != 0 }
func (e *entry) skipWorktree() bool    { return e.extra&extraSkip != 0 }
func (e *entry) hash(size int) Hash    { return HashOf(e.raw[statSize : statSize+size]) }

// maxIndex bounds the file; three million entries take about 300 MB.
const maxIndex = 1 << 30

// Index reads the index. A repository without one has an empty one.
func (r *Repo) Index() (*Index, error) { return r.IndexWithin(nil) }

// IndexWithin is Index for as much work as there is in an account.
func (r *Repo) IndexWithin(a *work.Account) (*Index, error) {
	ix, err := r.readIndex(filepath.Join(r.GitDir, "index"), a)
	if errors.Is(err, fs.ErrNotExist) {
		return &Index{Version: 2, hashSize: r.hashSize}, nil
	}
	if err != nil {
		return nil, indexError(err)
	}
	return ix, nil
}

// indexError says what to do where there is something.
func indexError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read index: %w", err)
	}
	return &Damaged{What: "read index", Err: err, Advice: "git read-tree HEAD"} // makes it anew, and leaves files alone
}

// errCostly is the end of an account.
var errCostly = errors.New("it takes too much work to read")

// costs charges the reading of a file, as large as it is now.
func costs(path string, a *work.Account) error {
	if a == nil {
		return nil
	}
	if fi, err := os.Lstat(path); err == nil && !a.Take(work.Read(fi.Size())) {
		return errCostly
	}
	return nil
}

// readIndex reads a file and, for a split index, the shared file under it. The file is
// read, not mapped: a program that truncates a mapped file in place (go-git writes the
// index so) would kill this process.
func (r *Repo) readIndex(path string, a *work.Account) (*Index, error) {
	if err := costs(path, a); err != nil {
		return nil, err
	}
	data, st, err := disk.ReadFile(path, maxIndex)
	if err != nil {
		return nil, err
	}
	ix, err := decodeIndex(data, r.hashSize)
	if err != nil {
		return nil, err
	}
	ix.mtime = st.Modified()
	if ix.link == nil {
		return ix, nil
	}
	return ix, r.mergeShared(ix, a)
}

// Len is the number of entries, all stages counted.
func (ix *Index) Len() int { return len(ix.entries) }

// Close lets go of the memory. Entries and paths handed out stay valid.
func (ix *Index) Close() error {
	ix.entries, ix.tree = nil, nil
	return nil
}

// At is the entry at position i, 0 <= i < Len. Entries are sorted by path, then stage.
func (ix *Index) At(i int) Entry {
	e := &ix.entries[i]
	s, ns := e.mtime()
	out := Entry{
		Path: e.name, Hash: e.hash(ix.hashSize), Mode: e.mode(), Size: e.size(),
		Mtime: time.Unix(int64(s), int64(ns)), Stage: e.stage(),
	}
	if e.assumeValid() {
		out.Flags |= AssumeValid
	}
	if e.skipWorktree() {
		out.Flags |= SkipWorktree
	}
	if e.intentToAdd() {
		out.Flags |= IntentToAdd
	}
	return out
}

// Path is the path of the entry at position i: for searches, which look at many.
func (ix *Index) Path(i int) string { return ix.entries[i].name }

// Entries yields all entries in order without allocating.
func (ix *Index) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for i := range ix.entries {
			if !yield(ix.At(i)) {
				return
			}
		}
	}
}

// Paths yields the path of every entry, once for each stage: for callers that need no more.
func (ix *Index) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range ix.entries {
			if !yield(ix.entries[i].name) {
				return
			}
		}
	}
}

// Find returns the position of the first entry for path.
func (ix *Index) Find(path string) (int, bool) {
	return sort.Find(len(ix.entries), func(i int) int { return strings.Compare(path, ix.entries[i].name) })
}

// Trusted lists the positions of merged entries that a status takes at their word: submodules,
// of which it compares the commit alone, and what it was told not to look at.
func (ix *Index) Trusted() []int {
	var list []int
	for i := range ix.entries {
		if e := &ix.entries[i]; e.stage() == 0 && (e.flags&flagValid|e.extra&extraSkip != 0 || e.mode() == ModeGitlink) {
			list = append(list, i)
		}
	}
	return list
}

// Unmerged says whether a merge has left several stages of some path.
func (ix *Index) Unmerged() bool {
	for i := range ix.entries {
		if ix.entries[i].stage() != 0 {
			return true
		}
	}
	return false
}

// IndexSize is how many bytes the index has, 0 where there is none.
func (r *Repo) IndexSize() int64 {
	if fi := r.indexFile(); fi != nil {
		return fi.Size()
	}
	return 0
}
