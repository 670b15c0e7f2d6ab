package repo

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
)

// Hash is an object name. SHA-1 names take the first 20 bytes, SHA-256 names all
// 32; the rest is zero. It is comparable and can be a map key.
type Hash [32]byte

// Sizes of object names in bytes.
const (
	sha1Size   = 20
	sha256Size = 32
)

// IsZero says whether h is the null object name.
func (h Hash) IsZero() bool { return h == Hash{} }

// Size is the length of the name in bytes. A SHA-256 name whose last 12 bytes are
// all zero would be taken for SHA-1; that is one chance in 2^96.
func (h Hash) Size() int {
	for _, b := range h[sha1Size:] {
		if b != 0 {
			return sha256Size
		}
	}
	return sha1Size
}

// Bytes returns the name without padding.
func (h *Hash) Bytes() []byte { return h[:h.Size()] }

// String gives the name in lower-case hexadecimal, 40 or 64 digits.
func (h Hash) String() string {
	var b [2 * sha256Size]byte
	n := h.Size()
	hex.Encode(b[:], h[:n])
	return string(b[:2*n])
}

// HashOf copies an object name from its raw bytes (20 or 32 of them).
func HashOf(raw []byte) (h Hash) {
	copy(h[:], raw)
	return h
}

// ParseHash reads a full object name of 40 or 64 hexadecimal digits.
func ParseHash(s string) (h Hash, ok bool) {
	if len(s) != 2*sha1Size && len(s) != 2*sha256Size {
		return h, false
	}
	for i := 0; i < len(s); i += 2 {
		hi, lo := unhex(s[i]), unhex(s[i+1])
		if hi > 15 || lo > 15 {
			return Hash{}, false
		}
		h[i/2] = hi<<4 | lo
	}
	return h, true
}

// unhex is the value of one hexadecimal digit, or more than 15.
func unhex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

func newSum(hashSize int) hash.Hash {
	if hashSize == sha256Size {
		return sha256.New()
	}
	return sha1.New()
}

// HashObject names an object as Git does: SHA-1 or SHA-256, by the size of names, over "kind size\0content".
func HashObject(hashSize int, k Kind, b []byte) (h Hash) {
	s := newSum(hashSize)
	s.Write(objectHeader(k, int64(len(b))))
	s.Write(b)
	s.Sum(h[:0])
	return h
}

func objectHeader(k Kind, size int64) []byte {
	hd := make([]byte, 0, 32)
	hd = append(hd, k.String()...)
	hd = append(hd, ' ')
	hd = strconv.AppendInt(hd, size, 10)
	return append(hd, 0)
}
