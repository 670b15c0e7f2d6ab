package repo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
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
	d := decoder{b: data, at: 12, end: len(data) - hashSize, fixed: statSize + hashSize + 2, v4: ix.Version == 4}
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
		if err := d.entry(e); err != nil {
			return nil, err
		}
		// Everything else searches by this order. Git relies on it, too, and lets fsck alone look.
		if !follows(&last, e) {
			return nil, errIndex
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
// have the order of those that they replace.
func follows(a, b *entry) bool {
	c := strings.Compare(a.name, b.name)
	return c < 0 || b.name == "" || c == 0 && 0 < a.stage() && a.stage() < b.stage()
}

type decoder struct {
	b       []byte
	at, end int
	fixed   int // bytes before the name, without the extended flags
	v4      bool
	prev    string
	arena   []byte // version 4 names, which exist nowhere in the file as a whole
	spent   int
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
	var err error
	if d.v4 {
		err = d.name4(e, o)
	} else {
		err = d.name2(e, start, o)
	}
	if err != nil {
		return err
	}
	if !safePath(e.name) {
		return errors.New("the index holds a path that leaves the work tree")
	}
	return nil
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
	if d.spent += keep + n + 1; d.spent > 16*len(d.b)+1<<20 {
		return errIndex
	}
	if cap(d.arena)-len(d.arena) < keep+n+1 {
		d.arena = make([]byte, 0, min(len(d.b), 1<<20)+keep+n+1)
	}
	at := len(d.arena)
	d.arena = append(d.arena, d.prev[:keep]...)
	d.arena = append(d.arena, d.b[o:o+n+1]...)
	e.name = unsafe.String(&d.arena[at], keep+n)
	d.prev = e.name
	d.at = o + n + 1
	return nil
}

// safePath refuses paths that could reach out of the work tree or into .git. Only
// elements that begin with a dot can, and few do, so most names cost one search.
func safePath(p string) bool {
	if p == "" {
		return true
	}
	if p[0] == '/' {
		return false
	}
	if p[0] != '.' && !strings.Contains(p, "/.") {
		return true
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "." || part == ".." || len(part) == 4 && strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
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
		case name == "sdir":
			ix.Sparse = true
		case name[0] < 'A' || name[0] > 'Z':
			return fmt.Errorf("the index needs extension %q, which is not supported", name)
		}
	}
	return nil
}
