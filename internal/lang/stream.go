package lang

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"unsafe"
)

// A scan needs the path, mode and size of each entry once, in order. Decoding the
// whole index into memory (repo.Index) costs a page fault for every 4 KB of it,
// which is more than all the rest of a scan; so it is streamed through a window.
// What the stream does not know (a split index) is left to repo.Index.

var (
	errWhole   = errors.New("the index must be read as a whole")
	errDamaged = errors.New("the index is damaged")
)

const (
	window    = 64 << 10
	maxPath   = 16 << 10
	statBytes = 40 // of the fixed part of an entry; the hash and two bytes of flags follow
)

// tracked is one entry of an index. Path is a view that is gone with the next one,
// and not checked: a damaged index may hold "../x".
type tracked struct {
	path       string
	mode, size uint32
	skip       bool // not checked out
	unsized    bool // size is 0, and the file may have one all the same
	unmerged   bool // one of several stages of a conflict
}

// Empty blobs by hash length. Git writes size 0 for what it has not looked at too;
// with this object, and nothing promised by git add -N, it is the truth.
const (
	emptySHA1   = "\xe6\x9d\xe2\x9b\xb2\xd1\xd6\x43\x4b\x8b\x29\xae\x77\x5a\xd8\xc2\xe4\x8c\x53\x91"
	emptySHA256 = "\x47\x3a\x0f\x4c\x3b\xe8\xa9\x36\x81\xa2\x67\xe3\xb1\xe9\xa7\xdc\xda\x11\x85\x43\x6f\xe1\x41\xf7\x74\x91\x20\xa3\x03\x72\x18\x13"
)

// Bits of an entry's flags, and of the second pair of bytes that some have.
const (
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagLength   = 0x0fff
	flagSkip     = 0x4000
	flagIntent   = 0x2000
)

// stream reads an index file through a window.
type stream struct {
	f        *os.File
	buf      []byte
	at, end  int   // the unread part of buf
	pos      int64 // of buf's end in the file
	size     int64 // of the file
	version  uint32
	hashSize int
	name     []byte // of the entry before, for version 4
	e        tracked
}

// streamIndex visits the entries of an index in order, until visit says false. It
// returns the file's state, whether it is sparse, and errWhole or errDamaged when
// the entries seen so far are not the truth.
func streamIndex(path string, hashSize int, visit func(*tracked) bool) (state fileState, sparse bool, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0) // it may be a FIFO
	if err != nil {
		return fileState{}, false, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return fileState{}, false, errDamaged
	}
	state = stateOf(fi)
	s := &stream{f: f, buf: make([]byte, window), size: fi.Size(), hashSize: hashSize}
	head, err := s.need(12)
	if err != nil || string(head[:4]) != "DIRC" {
		return state, false, errDamaged
	}
	count := binary.BigEndian.Uint32(head[8:])
	s.version = binary.BigEndian.Uint32(head[4:])
	if s.version < 2 || s.version > 4 || int64(count) > fi.Size()/int64(statBytes+hashSize+2) {
		return state, false, errDamaged
	}
	s.at += 12
	for range count {
		if err := s.entry(); err != nil {
			return state, false, err
		}
		if !visit(&s.e) {
			return state, sparse, nil
		}
	}
	sparse, err = s.extensions()
	return state, sparse, err
}

// offset is the place in the file of the next unread byte.
func (s *stream) offset() int64 { return s.pos - int64(s.end-s.at) }

// seek goes on reading elsewhere.
func (s *stream) seek(to int64) { s.pos, s.at, s.end = to, 0, 0 }

// need makes at least n bytes available and returns all that are.
func (s *stream) need(n int) ([]byte, error) {
	if s.end-s.at >= n {
		return s.buf[s.at:s.end], nil
	}
	if n > len(s.buf) {
		return nil, errDamaged
	}
	s.end = copy(s.buf, s.buf[s.at:s.end])
	s.at = 0
	for s.end < n {
		// The file may have shrunk since it was opened; it may not grow.
		room := s.buf[s.end:min(int64(len(s.buf)), int64(s.end)+s.size-s.pos)]
		if len(room) == 0 {
			return nil, errDamaged
		}
		k, err := s.f.ReadAt(room, s.pos)
		s.end += k
		s.pos += int64(k)
		if k == 0 || err != nil && err != io.EOF {
			return nil, errDamaged
		}
	}
	return s.buf[s.at:s.end], nil
}

// entry reads the next one into s.e: fixed part, flags, name, padding.
func (s *stream) entry() error {
	fixed := statBytes + s.hashSize + 2
	b, err := s.need(fixed + 2)
	if err != nil {
		return err
	}
	e := &s.e
	*e = tracked{mode: binary.BigEndian.Uint32(b[24:]), size: binary.BigEndian.Uint32(b[36:])}
	flags, more := binary.BigEndian.Uint16(b[fixed-2:]), uint16(0)
	e.unmerged = flags&flagStage != 0
	if flags&flagExtended != 0 {
		if s.version < 3 {
			return errDamaged
		}
		more = binary.BigEndian.Uint16(b[fixed:])
		e.skip = more&flagSkip != 0
		fixed += 2
	}
	if e.size == 0 && !e.skip {
		id := b[statBytes : statBytes+s.hashSize]
		e.unsized = more&flagIntent != 0 || string(id) != emptySHA1 && string(id) != emptySHA256
	}
	if s.version == 4 {
		err = s.name4(fixed)
	} else {
		err = s.name2(fixed, int(flags&flagLength))
	}
	// The bytes stay as they are until the next entry is read.
	e.path = unsafe.String(unsafe.SliceData(s.name), len(s.name))
	return err
}

// name2 reads a whole name and the zero bytes that fill the entry up to 8.
func (s *stream) name2(fixed, length int) error {
	if length < flagLength {
		// Nearly every entry: its length is known, and the window holds it.
		size := (fixed + length + 8) &^ 7
		b, err := s.need(size)
		if err != nil {
			return err
		}
		s.name = b[fixed : fixed+length]
		s.at += size
		if length == 0 || b[fixed+length] != 0 {
			return errDamaged
		}
		return nil
	}
	b, err := s.need(fixed + maxPath)
	if err != nil { // near the end of the file there is less
		if b, err = s.need(fixed + length + 1); err != nil {
			return err
		}
	}
	if length = bytes.IndexByte(b[fixed:], 0); length < 0 {
		return errDamaged
	}
	size := (fixed + length + 8) &^ 7
	if b, err = s.need(size); err != nil {
		return err
	}
	s.name = b[fixed : fixed+length]
	s.at += size
	return nil
}

// name4 reads how much of the name before to drop, and what to put there.
func (s *stream) name4(fixed int) error {
	b, err := s.need(fixed + 6)
	if err != nil {
		return err
	}
	drop, n := 0, fixed
	for i := 0; ; i++ {
		if i == 4 {
			return errDamaged
		}
		c := b[n]
		n++
		drop = drop<<7 | int(c&127)
		if c&128 == 0 {
			break
		}
		drop++
	}
	end := bytes.IndexByte(b[n:], 0)
	for end < 0 {
		if len(b) > maxPath+fixed {
			return errDamaged
		}
		if b, err = s.need(len(b) + 1); err != nil {
			return err
		}
		end = bytes.IndexByte(b[n:], 0)
	}
	if drop > len(s.name) || len(s.name)-drop+end == 0 || len(s.name)-drop+end > maxPath {
		return errDamaged
	}
	s.name = append(s.name[:len(s.name)-drop], b[n:n+end]...)
	s.at += n + end + 1
	return nil
}

// extensions looks for those that change what the entries mean.
func (s *stream) extensions() (sparse bool, err error) {
	for s.offset()+8 <= s.size-int64(s.hashSize) {
		b, err := s.need(8)
		if err != nil {
			return sparse, err
		}
		name, size := string(b[:4]), int64(binary.BigEndian.Uint32(b[4:]))
		s.at += 8
		switch name {
		case "link":
			return sparse, errWhole
		case "sdir":
			sparse = true
		}
		switch next := s.offset() + size; {
		case size <= int64(s.end-s.at):
			s.at += int(size)
		case next > s.size:
			return sparse, errDamaged
		default:
			s.seek(next)
		}
	}
	return sparse, nil
}
