package repo

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// LooseSizes remembers sizes of loose blobs. Where Git converts line ends, a snapshot asks for the size of every
// tracked file's blob, and a loose one has to be opened for it. A name stands for its content, so what was
// remembered never gets wrong. An object may be gone meanwhile, or cut short by a loss of power, so its file is looked at
// each time: it must be there and as long as it was.
type LooseSizes struct {
	r    *Repo
	path string
	dir  disk.Folder // of the repository's own objects
	open bool
	old  []byte // sorted records of the file

	mu  sync.Mutex
	out [][]byte
}

const (
	looseSizesMagic  = "moaisiz2"
	looseSizesRecord = len(Hash{}) + 16 // of the content and of the file
	maxLooseSizes    = 1 << 16          // records; Git packs what is loose long before
	fewLooseSizes    = 64               // are read as fast as they are remembered
)

// LooseSizes reads what is remembered in a state directory of this work tree; "" remembers nothing.
func (r *Repo) LooseSizes(stateDir string) *LooseSizes {
	l := &LooseSizes{r: r}
	if l.path = r.DirCacheIn(stateDir); l.path == "" {
		return l
	}
	l.path += ".sizes"
	b, _, err := disk.ReadFile(l.path, int64(len(looseSizesMagic)+maxLooseSizes*looseSizesRecord))
	if old, ok := bytes.CutPrefix(b, []byte(looseSizesMagic)); err == nil && ok && len(old)%looseSizesRecord == 0 {
		l.old = old
	}
	if len(l.old) > 0 {
		l.dir, err = disk.OpenTree(r.odb().dirs[0])
		l.open = err == nil
	}
	return l
}

// Of is BlobSize. Several goroutines may ask.
func (l *LooseSizes) Of(h Hash) (int64, error) {
	n := len(l.old) / looseSizesRecord
	at := func(i int) []byte { return l.old[i*looseSizesRecord : (i+1)*looseSizesRecord] }
	if i := sort.Search(n, func(i int) bool { return bytes.Compare(at(i)[:len(h)], h[:]) >= 0 }); l.open && i < n && Hash(at(i)[:len(h)]) == h {
		var st disk.Stat
		name := h.String()
		if length := int64(binary.LittleEndian.Uint64(at(i)[len(h)+8:])); l.dir.Lstat(name[:2]+"/"+name[2:], &st) == nil && st.IsRegular() && st.Size == length {
			return int64(binary.LittleEndian.Uint64(at(i)[len(h):])), nil
		}
	}
	size, length, err := l.r.blobSize(h)
	if err == nil && length > 0 && l.path != "" {
		rec := binary.LittleEndian.AppendUint64(h[:], uint64(size))
		l.mu.Lock()
		l.out = append(l.out, binary.LittleEndian.AppendUint64(rec, uint64(length)))
		l.mu.Unlock()
	}
	return size, err
}

// Save writes what was learned, as far as that is worth a write, and ends the use of l. It is a cache: errors do not matter.
func (l *LooseSizes) Save() {
	if l.open {
		l.open = false
		l.dir.Close()
	}
	if len(l.out) < fewLooseSizes {
		return
	}
	all := l.out
	// Beyond the bound what is new counts: much of what is old has been packed or is no longer there.
	if len(l.old)/looseSizesRecord+len(all) <= maxLooseSizes {
		for rec := range slices.Chunk(l.old, looseSizesRecord) {
			all = append(all, rec)
		}
	}
	all = all[:min(len(all), maxLooseSizes)]
	// A new record stands before an old one of the same object.
	name := func(a, b []byte) int { return bytes.Compare(a[:len(Hash{})], b[:len(Hash{})]) }
	slices.SortStableFunc(all, name)
	all = slices.CompactFunc(all, func(a, b []byte) bool { return name(a, b) == 0 })
	_ = state.Replace(l.path, append([]byte(looseSizesMagic), bytes.Join(all, nil)...))
}
