package tag

import "encoding/binary"

// What is found is kept in the form of the index, some thirty bytes a TAG instead of a few hundred: a tree may
// hold a million of them, and most questions look at each once. Numbers are short, texts are counted.

// encoder appends to b. It cannot fail: what it is given is what was found.
type encoder struct{ b []byte }

// number is short for small values, as nearly all are: distances of lines, lengths, kinds.
func (e *encoder) number(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

// fixed is for times in nanoseconds, which number would make longer.
func (e *encoder) fixed(v int64) { e.b = binary.LittleEndian.AppendUint64(e.b, uint64(v)) }

// text is a length and the bytes, so that any name a file system allows comes back as it was.
func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.b = append(e.b, s...)
}

// flags packs up to eight bools into a byte.
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
	e.fixed(s.mtime)
	e.fixed(s.ctime)
	e.number(s.inode)
}

// node writes one directory. Its files keep their order, by which the next run finds them without searching.
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
		e.text(f.tags)
	}
}

// tag adds a TAG of a kind; lines is how far below the one before it stands.
func (e *encoder) tag(t *Tag, kind, lines int) {
	e.number(uint64(kind))
	e.number(uint64(lines))
	e.flags(t.Definition, t.Malformed, t.Sub != "", t.Text != "", len(t.Links) > 0)
	e.text(t.ID)
	if t.Sub != "" {
		e.text(t.Sub)
	}
	if t.Text != "" {
		e.text(t.Text)
	}
	if len(t.Links) > 0 {
		e.number(uint64(len(t.Links)))
		for _, l := range t.Links {
			e.text(l.Label)
			e.text(l.Target)
		}
	}
}

// decode gives the TAGs of a file in their order until yield has enough, which it reports. Their texts are
// parts of tags.
func (g *Grammar) decode(path, tags string, yield func(Tag) bool) bool {
	d := decoder{s: tags}
	for line := 0; d.at < len(tags); {
		kind := d.number()
		line += int(d.number())
		f := d.flags()
		t := Tag{Path: path, Line: line, Definition: f&1 != 0, Malformed: f&2 != 0, ID: d.text()}
		if f&4 != 0 {
			t.Sub = d.text()
		}
		if f&8 != 0 {
			t.Text = d.text()
		}
		if f&16 != 0 {
			t.Links = make([]Link, d.count())
			for i := range t.Links {
				t.Links[i] = Link{d.text(), d.text()}
			}
		}
		// Cannot be while the checksum and the key hold, but a panic would be worse than a lost TAG.
		if d.bad || kind >= uint64(len(g.kinds)) {
			return true
		}
		t.Kind = g.kinds[kind].Name
		if !yield(t) {
			return false
		}
	}
	return true
}

// decoder reads what encoder wrote. The texts are parts of s.
type decoder struct {
	s   string
	at  int
	bad bool
}

// number reads what encoder.number wrote, at most ten bytes: a longer one is damage.
func (d *decoder) number() uint64 {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		if d.at >= len(d.s) {
			break
		}
		c := d.s[d.at]
		d.at++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	d.bad, d.at = true, len(d.s)
	return 0
}

// count is a number of things that follow, which cannot be more than the bytes left.
func (d *decoder) count() int {
	v := d.number()
	// Each thing takes a byte at least, so a damaged count cannot ask for more memory than the index has bytes.
	if v > uint64(len(d.s)-d.at) {
		d.bad = true
		return 0
	}
	return int(v)
}

// text shares the memory of the index: nothing is copied.
func (d *decoder) text() string {
	n := d.count()
	d.at += n
	return d.s[d.at-n : d.at]
}

// flags gives 0 behind the end; bad says so.
func (d *decoder) flags() byte {
	if d.at >= len(d.s) {
		d.bad = true
		return 0
	}
	d.at++
	return d.s[d.at-1]
}

func (d *decoder) fixed() int64 {
	if d.at+8 > len(d.s) {
		d.bad, d.at = true, len(d.s)
		return 0
	}
	var v uint64
	for i := 7; i >= 0; i-- {
		v = v<<8 | uint64(d.s[d.at+i])
	}
	d.at += 8
	return int64(v)
}

func (d *decoder) stamp() stamp {
	return stamp{size: int64(d.number()), mtime: d.fixed(), ctime: d.fixed(), inode: d.number()}
}

// node reads one directory into n. The caller looks at bad once, after the last of them.
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
		f.tags = d.text()
	}
}
