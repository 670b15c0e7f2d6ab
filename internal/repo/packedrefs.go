package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// maxPackedRefs bounds packed-refs; a million references take about 70 MB.
const maxPackedRefs = 256 << 20

// packedRefs is the content of the packed-refs file at one moment.
type packedRefs struct {
	mtime  time.Time
	size   int64
	data   []byte // the lines after the header
	digits int    // of an object name
	sorted bool
}

// packedRefs reads the file, or returns what was read before when the file has not
// changed since (its time and its size; git replaces it by a rename).
func (r *Repo) packedRefs() (*packedRefs, error) {
	r.packedMu.Lock()
	defer r.packedMu.Unlock()
	path := filepath.Join(r.CommonDir, "packed-refs")
	// A repository with 100,000 references would be read for every single look-up.
	if p := r.packed; p != nil {
		// Git replaces the file as a whole, so its time and size tell one state from the next.
		if fi, err := os.Stat(path); err == nil && p.size == fi.Size() && p.mtime.Equal(fi.ModTime()) {
			return p, nil
		}
	}
	b, st, err := disk.ReadFile(path, maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return &packedRefs{digits: 2 * r.hashSize}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read packed-refs: %w", err)
	}
	p := &packedRefs{mtime: st.Modified(), size: int64(len(b)), data: b, digits: 2 * r.hashSize}
	// The header came with Git 1.5; a file without it, or without "sorted", is searched line by line.
	if bytes.HasPrefix(b, []byte("#")) {
		head, rest, _ := bytes.Cut(b, []byte("\n"))
		p.data = rest
		p.sorted = slices.Contains(strings.Fields(string(head)), "sorted")
	}
	r.packed = p
	return p, nil
}

// line parses the record that begins at offset at: the reference, and where the next
// record begins. A peeled line ("^hash") belongs to the record before it.
func (p *packedRefs) line(at int) (name []byte, h []byte, next int) {
	rest := p.data[at:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	row := rest[:n]
	next = min(at+n+1, len(p.data))
	for next < len(p.data) && p.data[next] == '^' {
		i := bytes.IndexByte(p.data[next:], '\n')
		if i < 0 {
			next = len(p.data)
			break
		}
		next += i + 1
	}
	if len(row) <= p.digits+1 || row[p.digits] != ' ' {
		return nil, nil, next
	}
	return bytes.TrimSuffix(row[p.digits+1:], []byte("\r")), row[:p.digits], next
}

// recordAt moves back from an arbitrary offset to the record that covers it.
func (p *packedRefs) recordAt(at int) int {
	for {
		start := bytes.LastIndexByte(p.data[:at], '\n') + 1
		// A line that begins with ^ is what the tag above it stands for, and no record of its own.
		if start == 0 || p.data[start] != '^' {
			return start
		}
		at = start - 1
	}
}

// search returns the offset of the first record whose name is not below name.
func (p *packedRefs) search(name string) int {
	lo, hi := 0, len(p.data)
	for lo < hi {
		at := p.recordAt(lo + (hi-lo)/2)
		if at < lo {
			at = lo
		}
		// Records differ in length, so the halves are bytes, and the middle is moved to a record.
		got, _, next := p.line(at)
		if string(got) < name {
			lo = next
		} else {
			hi = at
		}
	}
	return lo
}

// find looks one reference up.
func (p *packedRefs) find(name string) (Hash, bool) {
	for ref := range p.from(name) {
		if ref.Name == name {
			return ref.Hash, true
		}
		if p.sorted {
			break
		}
	}
	return Hash{}, false
}

// from yields the references that begin with prefix.
func (p *packedRefs) from(prefix string) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		at := 0
		if p.sorted {
			at = p.search(prefix)
		}
		for at < len(p.data) {
			name, hex, next := p.line(at)
			at = next
			if !bytes.HasPrefix(name, []byte(prefix)) {
				// Past all names that can begin with it.
				if p.sorted && string(name) > prefix {
					return
				}
				continue
			}
			if h, ok := ParseHash(string(hex)); ok && !yield(Ref{Name: string(name), Hash: h}) {
				return
			}
		}
	}
}
