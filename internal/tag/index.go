package tag

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
)

// The index is a file: magic, key, payload, checksum. The payload is the nodes of a tree in short numbers
// and strings. Whatever is wrong with it means no index.
const magic = "moai tags 1\n"

// maxIndex bounds what is read back: a million files with their TAGs stay below it.
const maxIndex = 512 << 20

// indexKey changes with everything but the tree that decides what is found.
func indexKey(o *Options, exclude []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(o.Root + "\x00" + o.Version + "\x00" + o.Grammar.key() + "\x00"))
	for _, e := range o.Exclude {
		h.Write(e)
		h.Write([]byte{0})
	}
	h.Write(exclude)
	return [sha256.Size]byte(h.Sum(nil))
}

// loadIndex reads the nodes of an index by path.
func loadIndex(name string, key [sha256.Size]byte) map[string]*node {
	nodes := map[string]*node{}
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxIndex {
		return nodes
	}
	data, err := os.ReadFile(name)
	head := len(magic) + len(key)
	if err != nil || len(data) < head+4 || string(data[:len(magic)]) != magic || [sha256.Size]byte(data[len(magic):head]) != key {
		return nodes
	}
	body := data[head : len(data)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(data[len(data)-4:]) {
		return nodes
	}
	d := decoder{b: body, s: string(body)}
	n := d.count()
	list := make([]node, n)
	nodes = make(map[string]*node, n)
	for i := range list {
		d.node(&list[i])
		nodes[list[i].path] = &list[i]
	}
	if d.bad {
		return map[string]*node{}
	}
	return nodes
}

// saveIndex replaces the index file as a whole. It is not flushed to disk: after a power cut a damaged one
// is rebuilt.
func saveIndex(name string, key [sha256.Size]byte, nodes []*node) error {
	e := encoder{b: append([]byte(magic), key[:]...)}
	head := len(e.b)
	e.number(uint64(len(nodes)))
	for _, n := range nodes {
		e.node(n)
	}
	e.b = binary.LittleEndian.AppendUint32(e.b, crc32.ChecksumIEEE(e.b[head:]))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return cause(err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return cause(err)
	}
	_, err = f.Write(e.b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return cause(err)
	}
	return nil
}

// cause takes the path off an error: it names a temporary file.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

type encoder struct{ b []byte }

func (e *encoder) number(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) flags(list ...bool) {
	var v byte
	for i, f := range list {
		if f {
			v |= 1 << i
		}
	}
	e.b = append(e.b, v)
}

func (e *encoder) stamp(s stamp) {
	e.number(uint64(s.size))
	e.b = binary.LittleEndian.AppendUint64(e.b, uint64(s.mtime))
	e.b = binary.LittleEndian.AppendUint64(e.b, uint64(s.ctime))
	e.number(s.inode)
}

func (e *encoder) node(n *node) {
	e.text(n.path)
	e.flags(n.stable, n.ignores)
	e.stamp(n.stamp)
	if n.ignores {
		e.stamp(n.rules)
	}
	e.number(uint64(len(n.subs)))
	for _, s := range n.subs {
		e.text(s)
	}
	e.number(uint64(len(n.files)))
	for i := range n.files {
		f := &n.files[i]
		e.text(f.name)
		e.flags(f.stable)
		e.stamp(f.stamp)
		e.number(uint64(len(f.tags)))
		for k := range f.tags {
			e.tag(&f.tags[k])
		}
	}
}

func (e *encoder) tag(t *Tag) {
	e.text(t.Kind)
	e.text(t.ID)
	e.text(t.Sub)
	e.number(uint64(t.Line))
	e.number(uint64(t.column))
	e.flags(t.Definition, t.Malformed)
	e.text(t.Text)
	e.number(uint64(len(t.Links)))
	for _, l := range t.Links {
		e.text(l.Label)
		e.text(l.Target)
	}
}

// decoder reads what encoder wrote. s is b as a string: the texts are parts of it.
type decoder struct {
	b   []byte
	s   string
	at  int
	bad bool
}

func (d *decoder) number() uint64 {
	if d.at < len(d.b) && d.b[d.at] < 0x80 {
		d.at++
		return uint64(d.b[d.at-1])
	}
	v, n := binary.Uvarint(d.b[min(d.at, len(d.b)):])
	if n <= 0 {
		d.bad = true
		d.at = len(d.b)
		return 0
	}
	d.at += n
	return v
}

// count is a number of things that follow, which cannot be more than the bytes left.
func (d *decoder) count() int {
	v := d.number()
	if v > uint64(len(d.b)-d.at) {
		d.bad = true
		return 0
	}
	return int(v)
}

func (d *decoder) text() string {
	n := d.count()
	d.at += n
	return d.s[d.at-n : d.at]
}

func (d *decoder) flags() byte {
	if d.at >= len(d.b) {
		d.bad = true
		return 0
	}
	d.at++
	return d.b[d.at-1]
}

func (d *decoder) fixed() int64 {
	if d.at+8 > len(d.b) {
		d.bad = true
		d.at = len(d.b)
		return 0
	}
	d.at += 8
	return int64(binary.LittleEndian.Uint64(d.b[d.at-8:]))
}

func (d *decoder) stamp() stamp {
	return stamp{size: int64(d.number()), mtime: d.fixed(), ctime: d.fixed(), inode: d.number()}
}

func (d *decoder) node(n *node) {
	n.path = d.text()
	f := d.flags()
	n.stable, n.ignores = f&1 != 0, f&2 != 0
	n.stamp = d.stamp()
	if n.ignores {
		n.rules = d.stamp()
	}
	if k := d.count(); k > 0 {
		n.subs = make([]string, k)
		for i := range n.subs {
			n.subs[i] = d.text()
		}
	}
	n.files = make([]file, d.count())
	for i := range n.files {
		f := &n.files[i]
		f.name = d.text()
		f.stable = d.flags()&1 != 0
		f.stamp = d.stamp()
		if k := d.count(); k > 0 {
			f.tags = make([]Tag, k)
			for i := range f.tags {
				d.tag(&f.tags[i], n.path+f.name)
			}
		}
	}
}

func (d *decoder) tag(t *Tag, path string) {
	t.Path, t.Kind, t.ID, t.Sub = path, d.text(), d.text(), d.text()
	t.Line, t.column = int(d.number()), int(d.number())
	f := d.flags()
	t.Definition, t.Malformed = f&1 != 0, f&2 != 0
	t.Text = d.text()
	if k := d.count(); k > 0 {
		t.Links = make([]Link, k)
		for i := range t.Links {
			t.Links[i] = Link{d.text(), d.text()}
		}
	}
}
