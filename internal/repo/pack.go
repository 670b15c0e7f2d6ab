package repo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// A pack is one .pack file with its index. The index (version 2, the only one written since 2008) is mapped and searched in
// place: decoding it into tables, as a library would, costs more than a whole status. The data file is opened at first use.
type pack struct {
	path string // of the .pack file
	hs   int    // bytes in a name
	idx  []byte
	n    uint32 // objects
	work *work.Account

	once sync.Once
	data *os.File
	size int64
	err  error

	touched sync.Once
	young   bool // the file's time was set by this process
}

const (
	idxHeader = 8 + 256*4
	idxMagic  = "\xfftOc\x00\x00\x00\x02"

	ofsDelta Kind = 6
	refDelta Kind = 7

	// maxChain bounds a delta chain; git itself writes at most 4095.
	maxChain = 4096
)

var errBadPack = errors.New("damaged pack")

// openPack maps the index; the pack itself is opened when an object is read from it.
func openPack(path string, hashSize int, a *work.Account) (*pack, error) {
	b, _, done, err := disk.Map(strings.TrimSuffix(path, ".pack")+".idx", false)
	if err != nil {
		return nil, err
	}
	p := &pack{path: path, hs: hashSize, idx: b, work: a}
	// A process that lives long (the dashboard) opens repositories again and again.
	runtime.AddCleanup(p, func(done func()) { done() }, done)
	if len(b) < idxHeader+2*p.hs || string(b[:8]) != idxMagic {
		return nil, errBadPack
	}
	p.n = binary.BigEndian.Uint32(b[8+255*4:])
	// Names, checksums and offsets must all be there before the count is believed.
	if int64(len(b)) < int64(idxHeader+2*p.hs)+int64(p.hs+8)*int64(p.n) {
		return nil, errBadPack
	}
	return p, nil
}

func (p *pack) names() []byte { return p.idx[idxHeader : idxHeader+p.hs*int(p.n)] }

// fan is how many objects have names up to those that begin with the byte i.
func (p *pack) fan(i int) uint32 {
	if i < 0 {
		return 0
	}
	// A damaged table must not lead the search out of the names.
	return min(binary.BigEndian.Uint32(p.idx[8+4*i:]), p.n)
}

// find gives the offset of an object in the pack.
func (p *pack) find(h Hash) (int64, bool) {
	// The mapping must not be taken away while it is searched: the garbage collector does not see it used.
	defer runtime.KeepAlive(p)
	// The table of counts narrows the search to the names that begin with the same byte.
	lo, hi := p.fan(int(h[0])-1), p.fan(int(h[0]))
	names, hs := p.names(), uint32(p.hs)
	for lo < hi {
		m := lo + (hi-lo)/2
		switch c := bytes.Compare(names[hs*m:hs*m+hs], h[:hs]); {
		case c == 0:
			return p.offset(m)
		case c < 0:
			lo = m + 1
		default:
			hi = m
		}
	}
	return 0, false
}

// offset reads the i-th offset; those with the top bit set stand in the 8 byte table at the end.
func (p *pack) offset(i uint32) (int64, bool) {
	base := idxHeader + (p.hs+4)*int(p.n)
	v := binary.BigEndian.Uint32(p.idx[base+4*int(i):])
	if v&(1<<31) == 0 {
		return int64(v), true
	}
	o := base + 4*int(p.n) + 8*int(v&^(1<<31))
	if o+8 > len(p.idx)-2*p.hs {
		return 0, false
	}
	x := binary.BigEndian.Uint64(p.idx[o:])
	return int64(x), x < 1<<62
}

func (p *pack) open() error {
	p.once.Do(func() {
		f, fi, err := disk.OpenPlain(p.path)
		// Kept as it is: a pack that a repack has deleted is asked for once, and the objects are found elsewhere.
		if p.err = err; err == nil {
			p.data, p.size = f, fi.Size()
		}
	})
	return p.err
}

// packEntry is the header of one stored object.
type packEntry struct {
	kind Kind
	size int64 // of the inflated body, which for a delta is the delta
	body int64 // offset of the zlib stream
	base int64 // offset of the base, for ofsDelta
	ref  Hash  // name of the base, for refDelta
}

// entry reads the header of the object at an offset.
func (p *pack) entry(off int64) (e packEntry, err error) {
	if err := p.open(); err != nil {
		return e, err
	}
	var buf [64]byte
	// Kind and size take up to ten bytes, a base up to 32 more.
	n, err := p.data.ReadAt(buf[:], off)
	if err != nil && err != io.EOF {
		return e, err
	}
	return p.parseEntry(buf[:n], off)
}

// parseEntry reads the header at the start of b, which stands at offset off of the pack.
func (p *pack) parseEntry(b []byte, off int64) (e packEntry, err error) {
	if len(b) < 2 || off < 12 {
		return e, fmt.Errorf("%w: offset %d", errBadPack, off)
	}
	c := b[0]
	e.kind = Kind(c>>4) & 7
	size, shift, i := uint64(c&15), uint(4), 1
	for c&0x80 != 0 {
		// A longer shift would overflow; no object is that big.
		if i >= len(b) || shift > 57 {
			return e, errBadPack
		}
		c = b[i]
		i++
		size |= uint64(c&0x7f) << shift
		shift += 7
	}
	e.size = int64(size)
	switch e.kind {
	case KindCommit, KindTree, KindBlob, KindTag:
	case ofsDelta:
		var v uint64
		for first := true; first || c&0x80 != 0; first = false {
			if i >= len(b) || v > 1<<55 {
				return e, errBadPack
			}
			// As in the index: every further byte adds one, so that no offset has two spellings.
			if !first {
				v++
			}
			c = b[i]
			i++
			v = v<<7 | uint64(c&0x7f)
		}
		// Bases come first in the file: nothing can be its own base, not even by detours.
		if e.base = off - int64(v); v == 0 || e.base < 12 {
			return e, errBadPack
		}
	case refDelta:
		if i+p.hs > len(b) {
			return e, errBadPack
		}
		e.ref = HashOf(b[i : i+p.hs])
		i += p.hs
	default:
		return e, errBadPack
	}
	e.body = off + int64(i)
	return e, nil
}

// inflate reads the body of an entry.
func (p *pack) inflate(e packEntry) ([]byte, error) {
	// The size is somebody's word, too: readSized stops where it ends, and complains where less comes.
	z, err := p.body(e)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return readSized(z, e.size, p.work)
}

func (p *pack) body(e packEntry) (io.ReadCloser, error) {
	// A page is enough for most objects, so most cost one read.
	z, err := inflate(newChunkReader(p.data, e.body, p.size))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errBadPack, err)
	}
	return z, nil
}

// object reads the object at off, following deltas. The chain is walked down first and applied on the way back, without
// recursion, so that its length is bounded by maxChain and not by the stack.
func (p *pack) object(off int64) (Kind, []byte, error) {
	var chain []packEntry
	for {
		e, err := p.entry(off)
		if err != nil {
			return 0, nil, err
		}
		// Before anything is inflated: a few kilobytes can stand for gigabytes.
		if e.size > maxObject {
			return 0, nil, ErrObjectTooBig
		}
		if e.kind == ofsDelta || e.kind == refDelta {
			if chain = append(chain, e); len(chain) > maxChain {
				return 0, nil, errBadPack
			}
			off = e.base
			if e.kind == refDelta {
				var ok bool
				if off, ok = p.find(e.ref); !ok {
					// Thin packs are completed before they are stored, so the base is in the same pack; a store that
					// breaks this is damaged and not worth a recursion through other packs.
					return 0, nil, fmt.Errorf("%w: delta base %s missing", errBadPack, e.ref)
				}
			}
			continue
		}
		b, err := p.inflate(e)
		if err != nil {
			return 0, nil, err
		}
		for i := len(chain) - 1; i >= 0; i-- {
			d, err := p.inflate(chain[i])
			if err != nil {
				return 0, nil, err
			}
			if b, err = applyDelta(b, d, p.work); err != nil {
				return 0, nil, err
			}
		}
		return e.kind, b, nil
	}
}

// chunkReader reads a file range in small chunks through ReadAt, which is safe for many goroutines on one file.
type chunkReader struct {
	f    *os.File
	off  int64
	end  int64
	buf  [4096]byte
	a, z int
}

func newChunkReader(f *os.File, off, end int64) *chunkReader {
	return &chunkReader{f: f, off: off, end: end}
}

func (c *chunkReader) fill() error {
	// The end was taken when the pack was opened; nothing is appended to one.
	if c.off >= c.end {
		return io.EOF
	}
	n, err := c.f.ReadAt(c.buf[:], c.off)
	c.off += int64(n)
	c.a, c.z = 0, n
	// Bytes that came with an error are used first; the error comes again with the next read.
	if n == 0 {
		return err
	}
	return nil
}

// ReadByte makes the reader one that the inflater does not wrap in a buffer of its own.
func (c *chunkReader) ReadByte() (byte, error) {
	if c.a == c.z {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	b := c.buf[c.a]
	c.a++
	return b, nil
}

func (c *chunkReader) Read(b []byte) (int, error) {
	if c.a == c.z {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(b, c.buf[c.a:c.z])
	c.a += n
	return n, nil
}
