package repo

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"testing"
)

// TestDeflate reads the streams back with the standard library. Blocks end at 32 KB, and the parts at their own ends.
func TestDeflate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, 12, 13, 4096, 1<<15 - 2, 1<<15 - 1, 1 << 15, 1<<16 + 1, 300_000} {
		for _, alphabet := range []int{1, 4, 256} {
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(random.IntN(alphabet))
			}
			for _, parts := range [][][]byte{{b}, {[]byte("blob 5\x00"), b}, {b[:size/2], b[size/2:]}, {b, nil}} {
				z, ok := bytes.CutPrefix(deflate([]byte("head"), parts...), []byte("head"))
				r, err := zlib.NewReader(bytes.NewReader(z))
				if !ok || err != nil {
					t.Fatalf("deflate of %d bytes: %t, %v", size, ok, err)
				}
				got, err := io.ReadAll(r)
				if want := bytes.Join(parts, nil); err != nil || !bytes.Equal(got, want) {
					t.Errorf("deflate of %d bytes of %d kinds in %d parts does not come back: %v", size, alphabet, len(parts), err)
				}
			}
		}
	}
}

// TestInflaterAfterClose: a reader that was given back must not read what the next one reads.
func TestInflaterAfterClose(t *testing.T) {
	one, two := deflate(nil, []byte("one")), deflate(nil, []byte("two"))
	a, err := inflate(bytes.NewReader(one))
	if err != nil || a.Close() != nil || a.Close() != nil {
		t.Fatalf("inflate and close: %v", err)
	}
	b, err := inflate(bytes.NewReader(two))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := a.Read(make([]byte, 3)); n > 0 || err == nil {
		t.Errorf("a closed reader reads %d bytes, %v", n, err)
	}
	if got, err := io.ReadAll(b); err != nil || string(got) != "two" {
		t.Errorf("the next reader gives %q, %v", got, err)
	}
}
