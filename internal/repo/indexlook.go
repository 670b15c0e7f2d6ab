package repo

import (
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// A question about a few paths needs neither the whole file in memory nor a list of its entries: new memory for both is
// most of what a decoding costs. So the file goes through a window, and the decoder looks at each entry as it does for the
// whole: what it would refuse anywhere is refused here, too.

const (
	// lookWindow is how much of the file is in memory at a time. It fits into the cache of a processor.
	lookWindow = 128 << 10
	// longestEntry is more than any entry takes that the decoder accepts.
	longestEntry = rawSize + 2 + maxName + 16
)

// errWhole says that a look is not enough: the index is split, or something is wrong with it, which the decoder says better.
var errWhole = errors.New("the index has to be read as a whole")

// IndexAbout is IndexWithin with nothing but the entries of some paths, in all stages. It says what the whole index says about
// them, and fails where that does.
func (r *Repo) IndexAbout(a *work.Account, paths ...string) (*Index, error) {
	ix, err := r.lookAtIndex(a, paths)
	if errors.Is(err, errWhole) {
		return r.IndexWithin(a)
	}
	if err != nil {
		return nil, indexError(err)
	}
	return ix, nil
}

func (r *Repo) lookAtIndex(a *work.Account, paths []string) (*Index, error) {
	f, st, err := disk.OpenFile(filepath.Join(r.GitDir, "index"))
	if err != nil {
		return nil, errWhole // a missing one is empty, and others have their words
	}
	defer f.Close()
	if !a.Take(work.Search(st.Size)) {
		return nil, errCostly
	}
	if st.Size > maxIndex {
		return nil, errWhole
	}
	ix, err := lookIndex(f, st.Size, lookWindow, r.hashSize, paths)
	if err != nil {
		return nil, err
	}
	ix.mtime = st.Modified()
	return ix, nil
}

// lookIndex goes through an index file of so many bytes, in a window that is larger than any entry. Its only error is errWhole.
func lookIndex(f io.ReaderAt, size int64, window, hashSize int, paths []string) (*Index, error) {
	if size < int64(12+hashSize) {
		return nil, errWhole
	}
	v := view{file: f, size: size, buf: make([]byte, min(size, int64(window)))}
	v.d = decoder{size: int(size), fixed: statSize + hashSize + 2, brief: true}
	v.last = size - int64(hashSize)
	if !v.show(12) || string(v.d.b[:4]) != "DIRC" {
		return nil, errWhole
	}
	ix := &Index{hashSize: hashSize, Version: binary.BigEndian.Uint32(v.d.b[4:])}
	n := int64(binary.BigEndian.Uint32(v.d.b[8:]))
	if ix.Version < 2 || ix.Version > 4 || n > size/int64(v.d.fixed+1) {
		return nil, errWhole
	}
	v.d.at, v.d.v4 = 12, ix.Version == 4
	if !v.entries(ix, n, paths) || !v.extensions(ix) {
		return nil, errWhole
	}
	return ix, nil
}

// view is the part of an index file that a decoder sees.
type view struct {
	file io.ReaderAt
	d    decoder // its b is the part
	buf  []byte
	base int64 // of the part in the file
	size int64 // of the file
	last int64 // where the checksum begins, which no entry reaches
}

// show makes sure that the decoder has so many bytes before it, or all that there are.
func (v *view) show(n int) bool {
	if len(v.d.b)-v.d.at >= n || len(v.d.b) > 0 && v.base+int64(len(v.d.b)) == v.size {
		return true
	}
	v.base += int64(v.d.at)
	v.d.b = v.buf[:min(int64(len(v.buf)), v.size-v.base)]
	v.d.at, v.d.end = 0, int(min(int64(len(v.d.b)), v.last-v.base))
	k, err := v.file.ReadAt(v.d.b, v.base)
	return k == len(v.d.b) && (err == nil || err == io.EOF)
}

// entries goes through all of them, and keeps those of paths.
func (v *view) entries(ix *Index, n int64, paths []string) bool {
	var last entry
	for range n {
		if len(v.d.b)-v.d.at < longestEntry {
			last.name = strings.Clone(last.name) // it lies where the next part is read
			if !v.show(longestEntry) {
				return false
			}
		}
		var e entry
		// Nameless entries are those of a split index.
		if v.d.next(&last, &e) != nil || e.name == "" {
			return false
		}
		last = e
		if e.mode() == ModeDir {
			ix.Sparse = true
		}
		if slices.Contains(paths, e.name) {
			ix.entries = append(ix.entries, e.apart())
		}
	}
	return true
}

// apart is an entry that needs the file's bytes no longer.
func (e entry) apart() entry {
	raw, name := *e.raw, e.name+"\x00"
	e.raw, e.name = &raw, name[:len(e.name)]
	return e
}

// extensions looks for what changes the meaning of entries; Index.extensions has the rules.
func (v *view) extensions(ix *Index) bool {
	for v.last-v.base-int64(v.d.at) >= 8 {
		if !v.show(8) {
			return false
		}
		b := v.d.b[v.d.at:]
		name, n := string(b[:4]), int64(binary.BigEndian.Uint32(b[4:]))
		if n > v.last-v.base-int64(v.d.at)-8 {
			return false
		}
		v.d.at += 8 + int(n)
		switch {
		case name == "sdir":
			ix.Sparse = true
		case name[0] < 'A' || name[0] > 'Z': // a split one among them
			return false
		}
	}
	return true
}
