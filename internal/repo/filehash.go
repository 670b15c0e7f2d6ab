package repo

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// fileHashes remembers, by its stat data, what a file was found to hold whose stat data are not those of the index:
// `git status` would write the new ones there, which is not for us to do. Without it twenty thousand files that a program
// has touched are read for each checkpoint.
//
// Neither a file that changed a moment ago is remembered nor one on a file system that is elsewhere, as with folders
// (see dirCache). No program can set a change time back.
type fileHashes struct {
	path string
	old  []byte // sorted records of the file
	hit  []bool // which of them this walk has met
	now  time.Time

	mu  sync.Mutex
	out [][]byte
}

const (
	fileHashesMagic = "moaifil1"
	fileStats       = 56 // hash of the path, size, mtime, ctime, their nanoseconds, inode, device
	fileHashRecord  = fileStats + len(Hash{})
	maxFileHashes   = 1 << 17 // records
	fewFileHashes   = 64      // are read as fast as they are remembered
)

// openFileHashes reads what is remembered beside a directory cache.
func openFileHashes(dirCache string) *fileHashes {
	if runtime.GOOS != "linux" { // as for the directory cache
		return nil
	}
	f := &fileHashes{path: dirCache + ".files", now: time.Now()}
	b, _, err := disk.ReadFile(f.path, int64(len(fileHashesMagic)+maxFileHashes*fileHashRecord))
	if old, ok := bytes.CutPrefix(b, []byte(fileHashesMagic)); err == nil && ok && len(old)%fileHashRecord == 0 {
		f.old, f.hit = old, make([]bool, len(old)/fileHashRecord)
	}
	return f
}

func (f *fileHashes) record(path string, st *disk.Stat, h Hash) (rec [fileHashRecord]byte) {
	be := binary.BigEndian // so that bytes.Compare sorts by the path's hash
	be.PutUint64(rec[0:], pathHash(path))
	be.PutUint64(rec[8:], uint64(st.Size))
	be.PutUint64(rec[16:], uint64(st.Mtime))
	be.PutUint64(rec[24:], uint64(st.Ctime))
	be.PutUint32(rec[32:], st.MtimeNs)
	be.PutUint32(rec[36:], st.CtimeNs)
	be.PutUint64(rec[40:], st.Ino)
	be.PutUint64(rec[48:], st.Dev)
	copy(rec[fileStats:], h[:])
	return rec
}

// holds says whether the file, in this state, was seen to hold a blob. Several goroutines may ask.
func (f *fileHashes) holds(path string, st *disk.Stat, h Hash) bool {
	if f == nil || len(f.old) == 0 {
		return false
	}
	rec := f.record(path, st, h)
	at := func(i int) []byte { return f.old[i*fileHashRecord : (i+1)*fileHashRecord] }
	i := sort.Search(len(f.hit), func(i int) bool { return bytes.Compare(at(i), rec[:]) >= 0 })
	if i == len(f.hit) || !bytes.Equal(at(i), rec[:]) {
		return false
	}
	f.hit[i] = true
	return true
}

// note records what a file held that was read after st was asked for.
func (f *fileHashes) note(path string, st *disk.Stat, h Hash) {
	if f == nil || !st.Full || !settled(st, f.now) {
		return
	}
	rec := f.record(path, st, h)
	f.mu.Lock()
	f.out = append(f.out, rec[:])
	f.mu.Unlock()
}

// save writes what this walk has met, when enough of it is new. It is a cache: errors do not matter.
func (f *fileHashes) save() {
	if len(f.out) < fewFileHashes || len(f.out)*worthSaving < len(f.hit) {
		return
	}
	all := f.out
	for i, hit := range f.hit {
		if hit {
			all = append(all, f.old[i*fileHashRecord:(i+1)*fileHashRecord])
		}
	}
	all = all[:min(len(all), maxFileHashes)]
	slices.SortFunc(all, bytes.Compare)
	_ = state.Replace(f.path, append([]byte(fileHashesMagic), bytes.Join(all, nil)...))
}
