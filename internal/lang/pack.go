package lang

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// pack writes or reads the compact form in which answers are kept: the same
// calls, in the same order, do either, so that the two cannot part. JSON would
// cost a repeated question more than all the rest of it.
type pack struct {
	out     []byte
	in      string
	reading bool
	bad     bool // the input ended, or is not what was written
}

// num is the one place where bytes are taken: a bad length ends everything after it,
// so the others need no check of their own.
func (p *pack) num(v *int64) {
	if !p.reading {
		p.out = binary.AppendVarint(p.out, *v)
		return
	}
	x, n := binary.Varint(unsafe.Slice(unsafe.StringData(p.in), min(len(p.in), binary.MaxVarintLen64)))
	if n <= 0 {
		p.bad, p.in = true, ""
		return
	}
	*v, p.in = x, p.in[n:]
}

// size is num for an int.
func (p *pack) size(v *int) {
	x := int64(*v)
	p.num(&x)
	*v = int(x)
}

// flag costs a byte; there are too few of them for bits.
func (p *pack) flag(v *bool) {
	x := 0
	if *v {
		x = 1
	}
	p.size(&x)
	*v = x == 1
}

// real keeps the bits, so that an answer read back prints the same digits.
func (p *pack) real(v *float64) {
	x := int64(math.Float64bits(*v))
	p.num(&x)
	*v = math.Float64frombits(uint64(x))
}

// text reads a string as a view of the input.
func (p *pack) text(v *string) {
	n := len(*v)
	p.size(&n)
	switch {
	case !p.reading:
		p.out = append(p.out, *v...)
	case n < 0 || n > len(p.in):
		p.bad = true
	default:
		*v, p.in = p.in[:n], p.in[n:]
	}
}

// list handles a slice; nil and empty are different in JSON.
func list[T any](p *pack, v *[]T, each func(*T)) {
	n := len(*v) + 1
	if *v == nil {
		n = 0
	}
	p.size(&n)
	if p.reading {
		// Every element takes a byte at least.
		if p.bad || n < 0 || n-1 > len(p.in) {
			p.bad = true
			return
		}
		*v = nil
		if n > 0 {
			*v = make([]T, n-1)
		}
	}
	for i := range *v {
		each(&(*v)[i])
	}
}

// maybe handles a pointer that may be nil.
func maybe[T any](p *pack, v **T, each func(*T)) {
	has := *v != nil
	p.flag(&has)
	if !has || p.bad {
		return
	}
	if p.reading {
		*v = new(T)
	}
	each(*v)
}

func (p *pack) texts(v *[]string) { list(p, v, p.text) }

// report and those below name every field once. Whoever adds one raises form, or
// the answers that are kept on people's machines are read wrongly.
func (p *pack) report(r *Report) {
	p.text(&r.Dir)
	maybe(p, &r.Primary, p.primary)
	list(p, &r.Languages, p.language)
	list(p, &r.Projects, p.project)
	p.size(&r.ProjectCount)
	p.tools(&r.Tools)
	p.text(&r.Source)
	p.size(&r.Scan.Files)
	p.size(&r.Scan.Counted)
	p.size(&r.Scan.Opened)
	p.num(&r.Scan.Bytes)
	p.flag(&r.Scan.Cached)
	p.flag(&r.Scan.Partial)
	p.texts(&r.Notes)
}

func (p *pack) primary(v *Primary) {
	p.text(&v.ID)
	p.text(&v.Name)
	p.text(&v.Version)
	p.text(&v.VersionKind)
	p.text(&v.VersionSource)
	p.real(&v.Confidence)
	p.texts(&v.Evidence)
}

func (p *pack) language(v *Language) {
	p.text(&v.ID)
	p.text(&v.Name)
	p.text(&v.Kind)
	p.real(&v.Share)
	p.num(&v.Bytes)
	p.size(&v.Files)
	p.text(&v.Version)
	p.text(&v.VersionKind)
	p.text(&v.VersionSource)
	p.texts(&v.Evidence)
}

func (p *pack) project(v *Project) {
	p.text(&v.Path)
	p.text(&v.Manifest)
	maybe(p, &v.Primary, p.primary)
	p.size(&v.Files)
	p.num(&v.Bytes)
	p.tools(&v.Tools)
}

func (p *pack) tools(v *Tools) {
	for _, t := range []**Tool{&v.Manager, &v.Formatter, &v.Linter, &v.Test, &v.Build} {
		maybe(p, t, func(t *Tool) {
			p.text(&t.Name)
			p.text(&t.Command)
			p.text(&t.File)
			p.text(&t.Because)
		})
	}
	list(p, &v.Frameworks, func(n *Named) {
		p.text(&n.Name)
		p.text(&n.Because)
	})
}
