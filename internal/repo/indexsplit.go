package repo

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// mergeShared completes a split index: the entries of the shared file, without the
// deleted ones, with the replaced ones, plus what the small file adds.
func (r *Repo) mergeShared(ix *Index, a *work.Account) error {
	link := ix.link
	if len(link) < ix.hashSize {
		return errIndex
	}
	base := HashOf(link[:ix.hashSize])
	if base.IsZero() {
		return nil // split once, merged again: the file is whole
	}
	name := fmt.Sprintf("sharedindex.%x", link[:ix.hashSize])
	if err := costs(filepath.Join(r.GitDir, name), a); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	data, _, err := disk.ReadFile(filepath.Join(r.GitDir, name), maxIndex)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	shared, err := decodeIndex(data, ix.hashSize)
	if err != nil {
		return err
	}
	n := len(shared.entries)
	link = link[ix.hashSize:]
	// Two bitmaps over the shared entries follow the name. Both may be missing: then nothing was taken away or replaced.
	var deleted, replaced []bool
	if len(link) > 0 {
		if deleted, link, err = decodeEWAH(link, n); err != nil {
			return err
		}
		if replaced, _, err = decodeEWAH(link, n); err != nil {
			return err
		}
	}
	// The small file holds replacements first, then what is new.
	own := ix.entries
	merged := make([]entry, 0, n+len(own))
	for i := range shared.entries {
		e := shared.entries[i]
		if i < len(replaced) && replaced[i] {
			// Replacements come first in the small file, in order, and without names: those are in the shared one.
			if len(own) == 0 || own[0].name != "" {
				return errIndex
			}
			name := e.name
			e, own = own[0], own[1:]
			e.name = name
		}
		if i >= len(deleted) || !deleted[i] {
			merged = append(merged, e)
		}
	}
	// A name that is still missing means that the bitmap promised fewer replacements than there are.
	for i := range own {
		if own[i].name == "" {
			return errIndex
		}
	}
	ix.entries = mergeEntries(merged, own)
	ix.Sparse = ix.Sparse || shared.Sparse
	return nil
}

// mergeEntries adds the entries of more to base, both sorted; an added entry replaces
// one of the same path and stage, and a merged one (stage 0) all stages of its path.
func mergeEntries(base, more []entry) []entry {
	out := make([]entry, 0, len(base)+len(more))
	for len(base) > 0 || len(more) > 0 {
		switch {
		case len(more) == 0:
			return append(out, base...)
		case len(base) == 0:
			return append(out, more...)
		}
		switch c := compareEntries(&base[0], &more[0]); {
		case base[0].name == more[0].name && (c == 0 || more[0].stage() == 0 || base[0].stage() == 0):
			base = base[1:]
		case c < 0:
			out, base = append(out, base[0]), base[1:]
		default:
			out, more = append(out, more[0]), more[1:]
		}
	}
	return out
}

// compareEntries is the order of the index: bytes of the path, then stages.
func compareEntries(a, b *entry) int {
	if c := strings.Compare(a.name, b.name); c != 0 {
		return c
	}
	return a.stage() - b.stage()
}

// decodeEWAH reads one compressed bitmap of at most limit bits: words of 64 bits in runs,
// each led by a marker with the repeated bit, the length of the run and the number of
// literal words that follow.
func decodeEWAH(b []byte, limit int) (bits []bool, rest []byte, err error) {
	if len(b) < 8 {
		return nil, nil, errIndex
	}
	// The header: size in bits, which the runs tell again, and the number of words. Four bytes at the end point at the last marker,
	// which only a writer needs.
	words := int64(binary.BigEndian.Uint32(b[4:]))
	b = b[8:]
	if words*8+4 > int64(len(b)) {
		return nil, nil, errIndex
	}
	w, rest := b[:words*8], b[words*8+4:]
	next := func() uint64 {
		v := binary.BigEndian.Uint64(w)
		w = w[8:]
		return v
	}
	bits = make([]bool, 0, limit)
	for len(w) > 0 {
		marker := next()
		run := int64(marker>>1&0xffffffff) * 64
		literal := marker >> 33
		set := marker&1 != 0
		// A run of ones beyond the entries would be a mistake; 63 bits may be there to fill the last word. Zeros do no harm, and a
		// run of them may be any length, so they are cut.
		if set && int64(len(bits))+run > int64(limit)+63 {
			return nil, nil, errIndex
		}
		grow := min(run, int64(limit-min(len(bits), limit)))
		bits = append(bits, slices.Repeat([]bool{set}, int(grow))...)
		for ; literal > 0; literal-- {
			if len(w) == 0 {
				return nil, nil, errIndex
			}
			v := next()
			for k := range 64 {
				on := v&(1<<k) != 0
				if len(bits) < limit {
					bits = append(bits, on)
				} else if on {
					return nil, nil, errIndex
				}
			}
		}
	}
	return bits, rest, nil
}
