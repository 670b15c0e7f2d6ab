package repo

import (
	"math/rand/v2"
	"testing"
)

// However a file is cut, it is counted as byte for byte.
func TestEOLStatsInPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const letters = "\r\r\n\nab\x00\x1a\x7f\x80\t\x1b\x01 "
	for range 20000 {
		b := make([]byte, rnd.IntN(12))
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		var want, got eolStats
		for _, c := range b {
			want.size++
			want.last = c
			if want.pending {
				if want.pending = false; c == '\n' {
					want.crlf++
					continue
				}
				want.loneCR++
			}
			switch {
			case c == '\r':
				want.pending = true
			case c == '\n':
			case c >= 32 && c != 127, c == '\b', c == '\t', c == 27, c == '\f':
				want.printable++
			default:
				want.unprinted++
			}
			if c == 0 {
				want.nul++
			}
		}
		for rest := b; len(rest) > 0; {
			n := 1 + rnd.IntN(len(rest))
			got.add(rest[:n])
			rest = rest[n:]
		}
		if got != want {
			t.Fatalf("%q: %+v, want %+v", b, got, want)
		}
	}
}
