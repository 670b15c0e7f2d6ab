package repo

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// minAbbrev is the shortest automatic abbreviation (git's FALLBACK_DEFAULT_ABBREV).
const minAbbrev = 7

// Short abbreviates an object name as git does: core.abbrev, or half the bits of the
// number of packed objects but at least 7 digits, then as many more as make it unique.
// It reads a few blocks of each pack index and never a whole one.
func (r *Repo) Short(h Hash) string {
	full := h.String()
	fixed := -1
	switch v, _ := r.Config().Lookup("core.abbrev"); v {
	case "", "auto":
	case "no", "off", "false":
		return full
	default:
		if n, err := strconv.Atoi(v); err == nil {
			fixed = min(max(n, 4), len(full))
		}
	}
	a := abbreviation{h: h, size: r.hashSize}
	for _, objects := range r.odb().dirs {
		a.scan(objects)
	}
	n := fixed
	if n < 0 {
		// git: the length at which the expected number of collisions stays below one.
		n = max((bits.Len64(a.objects)+1)/2, minAbbrev)
	}
	return full[:min(max(n, a.shared+1), len(full))]
}

// abbreviation collects how many objects there are and how many leading digits the
// nearest other name shares with h.
type abbreviation struct {
	h       Hash
	size    int
	objects uint64
	shared  int
	near    Hash // a name that shares so many
}

// Expand finds an object whose name begins with some digits, such as git writes into lists of what is still to be picked.
func (r *Repo) Expand(digits string) (h Hash, ok bool) {
	if len(digits) < 4 || len(digits) >= 2*r.hashSize {
		return ParseHash(digits)
	}
	padded, ok := ParseHash(digits + strings.Repeat("0", 2*r.hashSize-len(digits)))
	if !ok {
		return h, false
	}
	a := abbreviation{h: padded, size: r.hashSize}
	for _, objects := range r.odb().dirs {
		a.scan(objects)
	}
	return a.near, a.shared >= len(digits)
}

// scan looks at one objects directory.
func (a *abbreviation) scan(objects string) {
	packs := filepath.Join(objects, "pack")
	covered := a.multi(filepath.Join(packs, "multi-pack-index"))
	for _, n := range namesIn(packs) {
		if strings.HasSuffix(n, ".idx") && !covered[n] {
			a.index(filepath.Join(packs, n))
		}
	}
	// Objects of other folders differ in the first two digits, and no abbreviation is shorter than four.
	hexName := a.h.String()
	for _, n := range namesIn(filepath.Join(objects, hexName[:2])) {
		if other, ok := ParseHash(hexName[:2] + n); ok {
			a.compare(other[:a.size])
		}
	}
}

// missingAlternate names a directory that objects are borrowed from and that is gone.
func (r *Repo) missingAlternate() string {
	for _, dir := range alternates(filepath.Join(r.CommonDir, "objects")) {
		if _, err := os.Stat(dir); err != nil {
			return dir
		}
	}
	return ""
}

// namesIn lists a directory.
func namesIn(dir string) []string {
	d, err := disk.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	var names []string
	buf := make([]byte, 8<<10) // most have a few names, which lie in it
	_ = d.Each(&buf, func(name string, _ disk.Kind) bool { names = append(names, name); return true })
	return names
}

// compare notes how many hexadecimal digits another object's name shares with h.
func (a *abbreviation) compare(other []byte) {
	i := 0
	for i < a.size && other[i] == a.h[i] {
		i++
	}
	if i == a.size {
		return // the object itself
	}
	n := 2 * i
	if other[i]>>4 == a.h[i]>>4 {
		n++
	}
	if n > a.shared {
		a.shared, a.near = n, Hash{}
		copy(a.near[:], other)
	}
}

// index looks at one pack index of version 2: its table of counts, then the names
// next to h.
func (a *abbreviation) index(path string) {
	f, _, err := disk.OpenFile(path)
	if err != nil {
		return
	}
	defer f.Close()
	var head [8 + 1024]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:8]) != "\xfftOc\x00\x00\x00\x02" {
		return
	}
	a.bucket(f, head[8:], int64(len(head)))
}

// bucket searches the names that begin with h's first byte. fan is the table of 256
// running counts, names the offset of the sorted names.
func (a *abbreviation) bucket(f io.ReaderAt, fan []byte, names int64) {
	count := func(i byte) int64 { return int64(binary.BigEndian.Uint32(fan[4*int(i):])) }
	total := count(255)
	a.objects += uint64(total)
	lo, hi := int64(0), count(a.h[0])
	if a.h[0] > 0 {
		lo = count(a.h[0] - 1)
	}
	if lo > hi || hi > total {
		return
	}
	size := int64(a.size)
	// Halve until the rest fits into one read; names elsewhere share less than a byte.
	// Two hundred names of 20 bytes are a page of the file.
	const block = 200
	var one [sha256Size]byte
	for hi-lo > block {
		mid := lo + (hi-lo)/2
		if _, err := f.ReadAt(one[:size], names+mid*size); err != nil {
			return
		}
		if bytes.Compare(one[:size], a.h[:size]) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	// With the neighbours on either side: one of them shares the most digits.
	lo, hi = max(lo-1, 0), min(hi+2, total)
	b := make([]byte, (hi-lo)*size)
	if _, err := f.ReadAt(b, names+lo*size); err != nil {
		return
	}
	for ; len(b) > 0; b = b[size:] {
		a.compare(b[:size])
	}
}

// multi reads a multi-pack-index and returns the .idx files that it stands for.
func (a *abbreviation) multi(path string) map[string]bool {
	f, _, err := disk.OpenFile(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var head [12]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:4]) != "MIDX" || head[4] != 1 {
		return nil
	}
	// gitformat-pack(5): four bytes of name and eight of offset for each chunk, and a last record that ends the one before.
	table := make([]byte, 12*(int(head[6])+1))
	if _, err := f.ReadAt(table, 12); err != nil {
		return nil
	}
	var namesAt, namesEnd, fanAt, lookAt int64
	for i := 0; i+24 <= len(table); i += 12 {
		at := int64(binary.BigEndian.Uint64(table[i+4:]))
		switch string(table[i : i+4]) {
		case "PNAM":
			namesAt, namesEnd = at, int64(binary.BigEndian.Uint64(table[i+16:]))
		case "OIDF":
			fanAt = at
		case "OIDL":
			lookAt = at
		}
	}
	fan := make([]byte, 1024)
	// Offsets are the word of whoever wrote the file. 16 MB are the names of 300,000 packs.
	if namesAt <= 0 || namesEnd <= namesAt || namesEnd-namesAt > 16<<20 || fanAt <= 0 || lookAt <= 0 {
		return nil
	}
	if _, err := f.ReadAt(fan, fanAt); err != nil {
		return nil
	}
	names := make([]byte, namesEnd-namesAt)
	if _, err := f.ReadAt(names, namesAt); err != nil {
		return nil
	}
	// All packs that it covers at once, which then need not be opened.
	a.bucket(f, fan, lookAt)
	covered := map[string]bool{}
	for n := range bytes.SplitSeq(names, []byte{0}) {
		if len(n) > 0 {
			covered[string(n)] = true
		}
	}
	return covered
}
