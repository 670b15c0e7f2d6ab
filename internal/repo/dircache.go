package repo

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// dirCache remembers directories that hold nothing but tracked names, by their stat data.
// While a directory's modification time and inode stay the same no name was added to it or
// taken from it, so it needs no listing: each tracked file is asked for by its path.
//
// The file belongs to one state of the index (its checksum) and to one work tree; any
// other state makes it void. A directory that changed a moment ago is not recorded: a second
// change could fall into the same tick of its clock. Neither is one on a file system that is
// elsewhere, whose clock and memory are not ours.
type dirCache struct {
	path string
	key  []byte // magic, checksum of the index
	old  []byte // sorted records of the file, nil when there is none for this index
	now  time.Time

	mu  sync.Mutex
	out []byte
}

const (
	dirCacheMagic  = "moaidir1"
	dirCacheRecord = 48 // hash of the path, mtime, ctime, their nanoseconds, inode, device
	dirCacheAge    = 100 * time.Millisecond
	dirCacheCoarse = 3 * time.Second // where times have no fractions, one tick is a second or two
	maxDirCache    = 64 << 20
	worthSaving    = 16 // a sixteenth of the records is new
)

// DirCaches is the name of the folder in moai's state directory that holds the directory
// caches of all repositories. They do not lie in the repositories: those may belong to
// somebody else, or come with a cache that hides files.
const DirCaches = "dircache"

// DirCacheIn is the directory cache of this work tree in a state directory, or "" where
// there is none.
func (r *Repo) DirCacheIn(stateDir string) string {
	if stateDir == "" || r.Bare() {
		return ""
	}
	return filepath.Join(stateDir, DirCaches, state.ProjectKey(r.WorkTree))
}

// openDirCache reads the cache at path, or begins one. It is nil where the index has no
// checksum to tie it to (index.skipHash).
func openDirCache(path string, ix *Index) *dirCache {
	sum := ix.trailer
	zero := true
	for _, b := range sum {
		zero = zero && b == 0
	}
	if zero || runtime.GOOS != "linux" { // the times of folders have been tried there alone
		return nil
	}
	c := &dirCache{path: path, now: time.Now(), key: append([]byte(dirCacheMagic), sum...)}
	b, _, err := disk.ReadFile(path, maxDirCache)
	if err == nil && len(b) >= len(c.key) && string(b[:len(c.key)]) == string(c.key) && (len(b)-len(c.key))%dirCacheRecord == 0 {
		c.old = b[len(c.key):]
	}
	return c
}

// dirRecord is one record; the path is told by its hash alone. Two paths with one hash
// would also have to share inode, device and both times to be mistaken for each other.
type dirRecord [dirCacheRecord]byte

func (r *dirRecord) fill(path string, st *disk.Stat) {
	le := binary.LittleEndian
	le.PutUint64(r[0:], pathHash(path))
	le.PutUint64(r[8:], uint64(st.Mtime))
	le.PutUint64(r[16:], uint64(st.Ctime))
	le.PutUint32(r[24:], st.MtimeNs)
	le.PutUint32(r[28:], st.CtimeNs)
	le.PutUint64(r[32:], st.Ino)
	le.PutUint64(r[40:], st.Dev)
}

// of says whether the record is that of the directory at path in this state.
func (r *dirRecord) of(path string, st *disk.Stat) bool {
	var now dirRecord
	now.fill(path, st)
	return now == *r
}

// settled says whether any later change of the directory will show in its times. now was
// taken before the directory was listed, so that changes since then count as young too.
func settled(st *disk.Stat, now time.Time) bool {
	age := dirCacheAge
	if st.MtimeNs == 0 && st.CtimeNs == 0 {
		age = dirCacheCoarse
	}
	// Programs can set the modification time, but not the change time.
	return now.Sub(time.Unix(st.Mtime, int64(st.MtimeNs))) >= age && now.Sub(time.Unix(st.Ctime, int64(st.CtimeNs))) >= age
}

// pathHash is FNV-1a.
func pathHash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// find returns the record for path.
func (c *dirCache) find(path string) (r dirRecord, ok bool) {
	h := pathHash(path)
	n := len(c.old) / dirCacheRecord
	key := func(i int) uint64 { return binary.LittleEndian.Uint64(c.old[i*dirCacheRecord:]) }
	i := sort.Search(n, func(i int) bool { return key(i) >= h })
	if i == n || key(i) != h {
		return r, false
	}
	copy(r[:], c.old[i*dirCacheRecord:])
	return r, true
}

// note records a directory that was just listed and found to hold tracked names only.
func (c *dirCache) note(path string, d folder) {
	var st disk.Stat
	if !d.Local() || d.Stat(&st) != nil || !settled(&st, c.now) {
		return
	}
	var r dirRecord
	r.fill(path, &st)
	c.mu.Lock()
	c.out = append(c.out, r[:]...)
	c.mu.Unlock()
}

// save writes the cache when it has learned enough to be worth that: records of
// directories that were too young before, or have changed since. It is only a cache:
// errors do not matter.
func (c *dirCache) save() {
	if len(c.out) == 0 || len(c.out)*worthSaving < len(c.old) {
		return
	}
	sort.Sort(recordSorter(c.out))
	fresh := recordSorter(c.out)
	all := c.out
	for i := range len(c.old) / dirCacheRecord {
		r := recordSorter(c.old).at(i)
		k := sort.Search(fresh.Len(), func(k int) bool { return fresh.key(k) >= binary.LittleEndian.Uint64(r) })
		if k == fresh.Len() || fresh.key(k) != binary.LittleEndian.Uint64(r) {
			all = append(all, r...)
		}
	}
	sort.Sort(recordSorter(all))
	dir := filepath.Dir(c.path)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "dircache-*")
	if err != nil {
		return
	}
	_, err = f.Write(append(c.key, all...))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = state.Rename(f.Name(), c.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

type recordSorter []byte

func (s recordSorter) at(i int) []byte    { return s[i*dirCacheRecord : (i+1)*dirCacheRecord] }
func (s recordSorter) Len() int           { return len(s) / dirCacheRecord }
func (s recordSorter) key(i int) uint64   { return binary.LittleEndian.Uint64(s.at(i)) }
func (s recordSorter) Less(i, j int) bool { return s.key(i) < s.key(j) }

func (s recordSorter) Swap(i, j int) {
	var t dirRecord
	copy(t[:], s.at(i))
	copy(s.at(i), s.at(j))
	copy(s.at(j), t[:])
}

// fewFiles are not worth opening their directory for: that takes three calls, and a lookup by
// the whole path only some more time in the kernel. Two thirds of the directories of Go's own
// sources are so small, and a status of them takes 3 to 5 % less.
const fewFiles = 3

// cachedDirectory compares the files of a directory that the cache knows to be unchanged,
// without listing it. It returns false when the cache cannot vouch.
func (w *worker) cachedDirectory(t *task, rel string) bool {
	if w.cache.old == nil {
		return false
	}
	want, ok := w.cache.find(t.path)
	if !ok {
		return false
	}
	if len(w.files) <= fewFiles {
		var st disk.Stat
		if w.root.Lstat(rel, &st) != nil || !st.IsDir() || !want.of(t.path, &st) {
			return false
		}
		if w.o.Folders {
			w.folder(t.path, &st, false)
		}
		w.compareFiles(w.root, 0)
		return true
	}
	d, state := w.root.peek(rel)
	if state != opened {
		return false
	}
	defer d.Close()
	var st disk.Stat
	if d.Stat(&st) != nil || !want.of(t.path, &st) {
		return false
	}
	if w.o.Folders {
		w.folder(t.path, &st, false)
	}
	w.compareFiles(d, len(t.path))
	return true
}
