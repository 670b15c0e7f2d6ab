package journal

import (
	"math/rand/v2"
	"time"
)

// crockford are the digits of a ULID, in the order of their bytes.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// idLength is the number of digits of a ULID: 10 of time, 16 of chance.
const idLength = 26

// newID is a ULID: it sorts by time and is unique among processes. The runtime seeds its
// generator anew in each; crypto/rand would link big numbers for nothing.
func newID(t time.Time) string {
	var id [idLength]byte
	ms := uint64(t.UnixMilli())
	for i := 9; i >= 0; i-- {
		id[i] = crockford[ms&31]
		ms >>= 5
	}
	for i := 10; i < idLength; i += 8 {
		r := rand.Uint64()
		for j := range 8 {
			id[i+j] = crockford[r>>(5*j)&31]
		}
	}
	return string(id[:])
}

// idTime is the time in a ULID; false for what is none.
func idTime(id string) (time.Time, bool) {
	if len(id) != idLength || id[0] > '7' {
		return time.Time{}, false
	}
	ms := int64(0)
	for i := range idLength {
		digit := -1
		for d := range len(crockford) {
			if crockford[d] == id[i] {
				digit = d
			}
		}
		if digit < 0 {
			return time.Time{}, false
		}
		if i < 10 {
			ms = ms<<5 | int64(digit)
		}
	}
	return time.UnixMilli(ms), true
}
