package repo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/modu-ai/moai/internal/disk"
)

var errIndex = errors.New("the index file is damaged")

// maxName bounds one path; no system that git runs on opens a longer one.
const maxName = 4096

// decodeIndex reads versions 2 to 4. The checksum is not verified (git does not either
// when it reads); every length is. data stays in use by the entries.
func decodeIndex(data []byte, hashSize int) (*Index, error) {
	ix := &Index{hashSize: hashSize}
	if len(data) < 12+hashSize || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	ix.Version = binary.BigEndian.Uint32(data[4:])
	if ix.Version < 2 || ix.Version > 4 {
		return nil, fmt.Errorf("index version %d is not supported", ix.Version)
	}
	d := decoder{b: data, at: 12, end: len(data) - hashSize, size: len(data), fixed: statSize + hashSize + 2, v4: ix.Version == 4}
	ix.trailer = data[d.end:]
	n := int64(binary.BigEndian.Uint32(data[8:]))
	// The count is somebody's word; the file must be long enough for it before memory is taken.
	if n > int64(len(data)/(d.fixed+1)) {
		return nil, errIndex
	}
	ix.entries = make([]entry, n)
	disk.Populate(ix.entries)
	var last entry
	for i := range ix.entries {
		e := &ix.entries[i]
		if err := d.next(&last, e); err != nil {
			return nil, err
		}
		last = *e
		if e.mode() == ModeDir {
			ix.Sparse = true
		}
	}
	if err := ix.extensions(data[d.at:d.end]); err != nil {
		return nil, err
	}
	// Only a split index has nameless entries: they replace entries of the shared file.
	if ix.link == nil {
		for i := range ix.entries {
			if ix.entries[i].name == "" {
				return nil, errIndex
			}
		}
	}
	return ix, nil
}

// follows says whether b may stand behind a: by name, and stages of one conflict in order. The nameless entries of a split index
// have the order of those that they replace. same is how many bytes their names begin with alike.
func follows(a, b *entry, same int) bool {
	switch {
	case b.name == "":
		return true
	case same == len(b.name): // the name of a, or the beginning of it
		return same == len(a.name) && 0 < a.stage() && a.stage() < b.stage()
	}
	return same == len(a.name) || a.name[same] < b.name[same]
}

// common is how many bytes two names begin with alike. In an index it is most of them, and the number is hard to guess for a
// processor: so there is one loop, over eight bytes at a time.
func common(a, b string) int {
	n := min(len(a), len(b))
	x, y := unsafe.Slice(unsafe.StringData(a), n), unsafe.Slice(unsafe.StringData(b), n)
	if n < 8 {
		i := 0
		for i < n && x[i] == y[i] {
			i++
		}
		return i
	}
	differ := func(at int) uint64 { return binary.LittleEndian.Uint64(x[at:]) ^ binary.LittleEndian.Uint64(y[at:]) }
	for at := 0; at < n-8; at += 8 {
		if d := differ(at); d != 0 {
			return at + bits.TrailingZeros64(d)/8
		}
	}
	return n - 8 + bits.TrailingZeros64(differ(n-8))/8 // 64 zeros where nothing differs
}

type decoder struct {
	b       []byte // the file, or a part of it
	at, end int
	size    int // of the file
	fixed   int // bytes before the name, without the extended flags
	v4      bool
	folder  int // how much of the last name is its folder, with the slash
	prev    string
	arena   []byte // version 4 names, which exist nowhere in the file as a whole
	spare   []byte // the arena before that
	brief   bool   // an entry's name is needed until the next one is read, and no longer
	spent   int
}

// next reads the entry behind another, and checks its name: nothing else does.
func (d *decoder) next(before, e *entry) error {
	if err := d.entry(e); err != nil {
		return err
	}
	// Everything else searches by this order. Git relies on it, too, and lets fsck alone look.
	same := common(before.name, e.name)
	if !follows(before, e, same) {
		return errIndex
	}
	// Folders that the name before was in have been looked at.
	known := d.folder
	if same < known {
		known = strings.LastIndexByte(e.name[:same], '/') + 1
	}
	last, ok := safeParts(e.name[known:])
	if !ok || strings.HasPrefix(e.name, "/") {
		return errors.New("the index holds a path that leaves the work tree")
	}
	d.folder = known + last
	return nil
}

func (d *decoder) entry(e *entry) error {
	start := d.at
	if start+d.fixed+1 > d.end {
		return errIndex
	}
	// In bounds: what follows is at least the flags, a byte of name and the checksum.
	if len(d.b)-start < rawSize {
		return errIndex
	}
	e.raw = (*[rawSize]byte)(d.b[start:])
	o := start + d.fixed
	// Numbers of the entry stay where they are, in file order, and are decoded when a status asks for them.
	e.flags = binary.BigEndian.Uint16(d.b[o-2:])
	if e.flags&flagExtend != 0 {
		if o+3 > d.end {
			return errIndex
		}
		e.extra = binary.BigEndian.Uint16(d.b[o:])
		o += 2
	}
	if d.v4 {
		return d.name4(e, o)
	}
	return d.name2(e, start, o)
}

// name2 reads a whole name that is padded with 1 to 8 zero bytes to a multiple of 8.
func (d *decoder) name2(e *entry, start, o int) error {
	n := int(e.flags & flagName)
	// Twelve bits hold lengths up to 4094; longer names end at their zero byte.
	if n == flagName {
		n = bytes.IndexByte(d.b[o:d.end], 0)
	}
	if n < 0 || n > maxName || o+n >= d.end || d.b[o+n] != 0 {
		return errIndex
	}
	e.name = unsafe.String(&d.b[o], n)
	if d.at = start + (o-start+n+8)&^7; d.at > d.end {
		return errIndex
	}
	return nil
}

// name4 reads a name that repeats the beginning of the one before it: how many bytes to
// take away from that, then what to add.
func (d *decoder) name4(e *entry, o int) error {
	strip := 0
	for first := true; ; first = false {
		if o >= d.end || strip > maxName {
			return errIndex
		}
		c := d.b[o]
		o++
		if !first {
			// Git's offset encoding: each further byte adds one, so that no number has two spellings.
			strip = (strip + 1) << 7
		}
		strip |= int(c & 0x7f)
		if c&0x80 == 0 {
			break
		}
	}
	n := bytes.IndexByte(d.b[o:d.end], 0)
	keep := len(d.prev) - strip
	if n < 0 || keep < 0 || keep+n > maxName {
		return errIndex
	}
	// Hostile files could blow up names a thousandfold; real ones grow by less than four.
	if d.spent += keep + n + 1; d.spent > 16*d.size+1<<20 {
		return errIndex
	}
	if cap(d.arena)-len(d.arena) < keep+n+1 {
		d.moreNames(keep + n + 1)
	}
	at := len(d.arena)
	d.arena = append(d.arena, d.prev[:keep]...)
	d.arena = append(d.arena, d.b[o:o+n+1]...)
	e.name = unsafe.String(&d.arena[at], keep+n)
	d.prev = e.name
	d.at = o + n + 1
	return nil
}

// moreNames makes room for a name. What the name before it repeats stays where it is.
func (d *decoder) moreNames(n int) {
	if !d.brief {
		d.arena = make([]byte, 0, min(d.size, 1<<20)+n)
		return
	}
	d.arena, d.spare = d.spare[:0], d.arena
	if cap(d.arena) < n {
		d.arena = make([]byte, 0, 8*maxName)
	}
}

// safePath refuses paths that could reach out of the work tree or into .git.
func safePath(p string) bool {
	_, ok := safeParts(p)
	return ok && !strings.HasPrefix(p, "/")
}

// safeParts is safePath for the rest of a path. last is where its last element begins.
func safeParts(p string) (last int, ok bool) {
	for {
		part := p[last:]
		slash := strings.IndexByte(part, '/')
		if strings.HasPrefix(part, ".") {
			if slash >= 0 {
				part = part[:slash]
			}
			if part == "." || part == ".." || len(part) == 4 && strings.EqualFold(part, ".git") {
				return last, false
			}
		}
		if slash < 0 {
			return last, true
		}
		last += slash + 1
	}
}

// extensions keeps what is needed and skips what is optional (an upper-case first
// letter); an unknown required one changes what the entries mean.
func (ix *Index) extensions(b []byte) error {
	for len(b) >= 8 {
		name := string(b[:4])
		n := int64(binary.BigEndian.Uint32(b[4:]))
		if n > int64(len(b)-8) {
			return errIndex
		}
		body := b[8 : 8+n]
		b = b[8+n:]
		switch {
		case name == "TREE":
			ix.tree = &lazyTree{ext: body}
		case name == "link":
			ix.link = body
		case name == "REUC":
			ix.Resolved = n > 0
		case name == "sdir":
			ix.Sparse = true
		case name[0] < 'A' || name[0] > 'Z':
			return fmt.Errorf("the index needs extension %q, which is not supported", name)
		}
	}
	return nil
}
