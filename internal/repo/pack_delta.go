package repo

import (
	"errors"

	"github.com/modu-ai/moai/internal/work"
)

var errBadDelta = errors.New("damaged delta")

// deltaSize reads one of the two sizes at the start of a delta and returns what follows it.
func deltaSize(d []byte) (int64, []byte, error) {
	var n int64
	// Seven bits a byte, the lowest first; nine bytes hold more than any object that could be kept in memory.
	for shift := uint(0); shift < 57; shift += 7 {
		if len(d) == 0 {
			break
		}
		c := d[0]
		d = d[1:]
		n |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			return n, d, nil
		}
	}
	return 0, nil, errBadDelta
}

// applyDelta rebuilds an object from its base. A delta is a list of "copy offset,size from the base" and "insert these bytes";
// every number in it is checked, since packs may come from anywhere.
func applyDelta(base, d []byte, a *work.Account) ([]byte, error) {
	from, d, err := deltaSize(d)
	if err != nil {
		return nil, err
	}
	to, d, err := deltaSize(d)
	if err != nil {
		return nil, err
	}
	// A delta says what it was made for: another base is a damaged pack.
	if from != int64(len(base)) {
		return nil, errBadDelta
	}
	if to > maxObject {
		return nil, ErrObjectTooBig
	}
	if !pays(a, work.Read(to)) {
		return nil, errCostly
	}
	// A copy instruction of 7 bytes yields up to 16 MiB, so a false size can only be refuted by running the delta.
	out := make([]byte, 0, min(to, 1<<20+16*int64(len(base))))
	for len(d) > 0 {
		c := d[0]
		d = d[1:]
		// Zero is reserved, for a kind of instruction that nobody has invented yet.
		if c == 0 {
			return nil, errBadDelta
		}
		if c&0x80 == 0 {
			n := int(c)
			if n > len(d) {
				return nil, errBadDelta
			}
			out = append(out, d[:n]...)
			d = d[n:]
			continue
		}
		var off, n int64
		// The low seven bits say which bytes of offset (four) and size (three) follow; those that are zero are left out.
		for k := uint(0); k < 7; k++ {
			if c&(1<<k) == 0 {
				continue
			}
			if len(d) == 0 {
				return nil, errBadDelta
			}
			if k < 4 {
				off |= int64(d[0]) << (8 * k)
			} else {
				n |= int64(d[0]) << (8 * (k - 4))
			}
			d = d[1:]
		}
		// A size of zero makes no sense, so it stands for the most common large one.
		if n == 0 {
			n = 0x10000
		}
		// Neither outside of the base, nor past the size that the delta has promised.
		if off+n > int64(len(base)) || int64(len(out))+n > to {
			return nil, errBadDelta
		}
		out = append(out, base[off:off+n]...)
	}
	if int64(len(out)) != to {
		return nil, errBadDelta
	}
	return out, nil
}
