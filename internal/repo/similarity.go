package repo

import (
	"bytes"
	"cmp"
	"slices"
)

// spans is a file cut into lines (or 64 bytes, whichever comes first): for each hash of
// such a piece, how many bytes have it.
type spans struct {
	size int64
	list []span
	bad  bool // cannot be read, or too large to compare
}

type span struct{ hash, bytes uint32 }

// similarity of a source and a target, 0 to maxScore: the share of the larger file that
// is copied from the other. It is 0 when sizes alone rule out a score of least.
func (f *renames) similarity(source, target, least int) int {
	s, t := &f.pairs[source], &f.pairs[target]
	if s.oldMode&modeType != modeRegular || t.newMode&modeType != modeRegular {
		return 0
	}
	ssize, ok1 := f.size(source, s.oldHash)
	tsize, ok2 := f.size(target, t.newHash)
	// Git's estimate: even if all of the smaller file were copied, could the score be reached?
	larger, smaller := max(ssize, tsize), min(ssize, tsize)
	if !ok1 || !ok2 || larger > maxRename || larger*int64(maxScore-least) < (larger-smaller)*maxScore || tsize == 0 {
		return 0
	}
	a, b := f.spans(source, s.oldHash), f.spans(target, t.newHash)
	if a.bad || b.bad {
		return 0
	}
	var copied int64
	// Both lists are sorted by hash: one pass counts what they share.
	for i, j := 0, 0; i < len(a.list) && j < len(b.list); {
		x, y := a.list[i], b.list[j]
		switch {
		case x.hash < y.hash:
			i++
		case x.hash > y.hash:
			j++
		default:
			copied += int64(min(x.bytes, y.bytes))
			i++
			j++
		}
	}
	// As in estimate_similarity: the share of the larger one, so that a file which was put into a much larger one is no rename.
	return int(copied * maxScore / larger)
}

// size of a pair's content, without reading it where that is possible.
func (f *renames) size(i int, h Hash) (int64, bool) {
	if s := f.content[i]; s != nil {
		return s.size, !s.bad
	}
	// A file of `git add -N` is in the work tree only; its size has to be that of what is read.
	if f.pairs[i].work && f.pairs[i].status == 'A' {
		s := f.spans(i, h)
		return s.size, !s.bad
	}
	n, err := f.r.BlobSize(h)
	return n, err == nil
}

func (f *renames) spans(i int, h Hash) *spans {
	// A file is compared with all those on the other side, and read once.
	if s := f.content[i]; s != nil {
		return s
	}
	var s *spans
	if p := &f.pairs[i]; p.work && p.status == 'A' {
		b, ok := f.workContent(p)
		s = cut(b)
		s.bad = !ok
	} else {
		_, b, err := f.r.Object(h)
		s = cut(b)
		s.bad = err != nil
	}
	f.content[i] = s
	return s
}

const (
	// HASHBASE, the piece length and the look for a NUL are those of diffcore-delta.c and xdiff-interface.c: scores
	// must agree, or another pair of files would be shown as renamed.
	spanPrime = 107927
	maxSpan   = 64
	sniffed   = 8000 // bytes in which a NUL makes a file binary
)

// cut hashes the pieces of b as git does, so that scores agree. In text the carriage
// return of a CRLF does not count.
func cut(b []byte) *spans {
	s := &spans{size: int64(len(b))}
	text := bytes.IndexByte(b[:min(len(b), sniffed)], 0) < 0
	var h1, h2, n uint32
	emit := func() {
		s.list = append(s.list, span{(h1 + h2*0x61) % spanPrime, n})
		h1, h2, n = 0, 0, 0
	}
	for i, c := range b {
		if text && c == '\r' && i+1 < len(b) && b[i+1] == '\n' {
			continue
		}
		old := h1
		h1 = h1<<7 ^ h2>>25
		h2 = h2<<7 ^ old>>25
		h1 += uint32(c)
		if n++; n >= maxSpan || c == '\n' {
			emit()
		}
	}
	if n > 0 {
		emit()
	}
	slices.SortFunc(s.list, func(a, b span) int { return cmp.Compare(a.hash, b.hash) })
	out := s.list[:0]
	for _, x := range s.list {
		if k := len(out); k > 0 && out[k-1].hash == x.hash {
			out[k-1].bytes += x.bytes
		} else {
			out = append(out, x)
		}
	}
	s.list = slices.Clip(out)
	return s
}
