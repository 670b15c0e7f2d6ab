package repo

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// A packWriter writes one pack of whole objects (no deltas: they cost far more time than they save on work in progress, and
// the next gc makes them). The pack gets its final name after it is complete and synced, and its .idx, which makes it visible,
// comes last; a killed process leaves tmp_pack_* files, which `git prune` removes.
type packWriter struct {
	dir  string
	hs   int
	f    *os.File
	sum  hash.Hash
	off  int64
	want int // objects promised in the header, 0 when not known at the start
	objs []*newObject
	sync bool
	keep bool // with a .keep file, so that no gc deletes the pack; see ObjectWriter.Apart
	path string

	final string // the pack's name, once it is there
}

// newPackWriter begins a pack of n objects, or of a number that is not known yet (0).
func newPackWriter(s *objectStore, n int, sync bool) (*packWriter, error) {
	dir := filepath.Join(s.dirs[0], "pack")
	f, err := createTemp(dir, "tmp_pack_")
	if err != nil {
		return nil, err
	}
	p := &packWriter{dir: dir, hs: s.hs, f: f, sum: newSum(s.hs), want: n, sync: sync}
	if err := p.write(packHeader(n)); err != nil {
		p.abort()
		return nil, err
	}
	return p, nil
}

// keepNote is in the .keep files of moai, so that those which a killed process left can be told from a person's.
const keepNote = "moai checkpoint\n"

// KeptByMoai says whether a file beside the packs is a .keep file of moai's.
func KeptByMoai(path string) bool {
	if !strings.HasSuffix(path, ".keep") {
		return false
	}
	b, _, err := disk.ReadFile(path, 1<<10)
	return err == nil && string(b) == keepNote
}

func packHeader(n int) []byte {
	b := binary.BigEndian.AppendUint32([]byte("PACK"), 2)
	return binary.BigEndian.AppendUint32(b, uint32(n))
}

func (p *packWriter) write(b []byte) error {
	p.sum.Write(b)
	p.off += int64(len(b))
	_, err := p.f.Write(b)
	return err
}

// append compresses the objects that are not compressed yet on all processors, a window at a time, and appends them in order.
func (p *packWriter) append(objs []*newObject) error {
	// Some megabytes of source files: enough work for all processors, and a bound for what waits in memory.
	const window = 256
	var out []byte
	for part := range slices.Chunk(objs, window) {
		if err := Parallel(len(part), func(i int) {
			// Blobs were compressed when they were added, as far as a pack was certain then.
			if part[i].z == nil {
				part[i].pack()
			}
		}); err != nil {
			return err
		}
		out = out[:0]
		for _, o := range part {
			o.off = p.off + int64(len(out))
			out = append(out, o.z...)
			o.z = nil
		}
		if err := p.write(out); err != nil {
			return err
		}
	}
	p.objs = append(p.objs, objs...)
	return nil
}

// pack fills z with the entry as a pack holds it.
func (o *newObject) pack() {
	o.z = deflate(entryHeader(o.kind, int64(o.size)), o.raw)
	o.raw = nil
	o.crc = crc32.ChecksumIEEE(o.z)
}

// entryHeader is that of gitformat-pack(5): three bits of kind and four of size, then seven bits of size a byte.
func entryHeader(k Kind, size int64) []byte {
	b := make([]byte, 0, 10)
	c, n := byte(k)<<4|byte(size&15), size>>4
	for n > 0 {
		b = append(b, c|0x80)
		c, n = byte(n&0x7f), n>>7
	}
	return append(b, c)
}

func (p *packWriter) abort() {
	p.f.Close()
	os.Remove(p.f.Name())
}

// close finishes the pack and makes it visible. What waits beside it waits for the disk at the same time.
func (p *packWriter) close(beside []func()) error {
	if err := p.finish(); err != nil {
		p.abort()
		return err
	}
	sum := p.sum.Sum(nil)
	f, err := createTemp(p.dir, "tmp_idx_")
	if err != nil {
		p.abort()
		return err
	}
	// Written at once, and both waited for together: the names come after that, in this order.
	errs := make([]error, 2)
	_, errs[1] = f.Write(p.index(sum))
	await(p.sync, []*os.File{p.f, f}, errs, beside)
	// Git names packs after their checksum, too: the same objects in the same order give the same file. The renames are not
	// waited for, as Git does not: that of the reference comes later, and so does not outlive them in a crash (Lock.Commit).
	base := filepath.Join(p.dir, "pack-"+hex.EncodeToString(sum))
	if p.keep {
		p.path = base + ".keep"
		errs = append(errs, os.WriteFile(p.path, []byte(keepNote), 0o444))
	}
	p.final = base + ".pack"
	err = finishTemp(p.f, p.final, cmp.Or(errs...))
	return finishTemp(f, base+".idx", err)
}

// finish corrects the header when the number of objects was not known, and adds the checksum.
func (p *packWriter) finish() error {
	// Only a pack that was begun before all objects were known may differ.
	if p.want != len(p.objs) {
		if p.want != 0 {
			return errors.New("pack holds another number of objects than its header says")
		}
		if _, err := p.f.WriteAt(packHeader(len(p.objs)), 0); err != nil {
			return err
		}
		// The checksum covers the header, so everything is read once more, from the page cache. git does the same.
		r, err := os.Open(p.f.Name())
		if err != nil {
			return err
		}
		defer r.Close()
		p.sum.Reset()
		if _, err := io.Copy(p.sum, r); err != nil {
			return err
		}
	}
	_, err := p.f.Write(p.sum.Sum(nil))
	return err
}

// index builds the version 2 .idx: fan-out, sorted names, CRCs, offsets, 8 byte offsets, checksums.
func (p *packWriter) index(sum []byte) []byte {
	// The pack keeps the order of writing; the index is sorted by name.
	objs := slices.Clone(p.objs)
	slices.SortFunc(objs, func(a, b *newObject) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	b := make([]byte, 0, idxHeader+2*p.hs+(p.hs+8)*len(objs))
	b = append(b, idxMagic...)
	k := 0
	for c := range 256 {
		// Running counts: how many names begin with this byte or a lower one.
		for k < len(objs) && int(objs[k].hash[0]) <= c {
			k++
		}
		b = binary.BigEndian.AppendUint32(b, uint32(k))
	}
	for _, o := range objs {
		b = append(b, o.hash[:p.hs]...)
	}
	for _, o := range objs {
		b = binary.BigEndian.AppendUint32(b, o.crc)
	}
	var big []byte
	for _, o := range objs {
		// The top bit of a short offset says that a long one stands in the table behind.
		if o.off < 1<<31 {
			b = binary.BigEndian.AppendUint32(b, uint32(o.off))
			continue
		}
		b = binary.BigEndian.AppendUint32(b, 1<<31|uint32(len(big)/8))
		big = binary.BigEndian.AppendUint64(big, uint64(o.off))
	}
	b = append(b, big...)
	b = append(b, sum...)
	own := newSum(p.hs)
	own.Write(b)
	return own.Sum(b)
}
