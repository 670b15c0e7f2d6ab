package lang

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
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

// tracked is one entry of an index. Path is a view that is gone with the next one.
type tracked struct {
	path       string
	mode, size uint32
	skip       bool // not checked out
}

// stream reads an index file through a window.
type stream struct {
	f        *os.File
	buf      []byte
	at, end  int   // the unread part of buf
	left     int64 // bytes of the file that are not in buf yet
	hashSize int
	name     []byte // of the entry before, for version 4
}

// streamIndex visits the entries of an index in order, until visit says false. It
// returns the file's state, whether it is sparse, and errWhole or errDamaged when
// the entries seen so far are not the truth.
func streamIndex(path string, hashSize int, visit func(tracked) bool) (state fileState, sparse bool, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0) // it may be a FIFO
	if err != nil {
		return fileState{}, false, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return fileState{}, false, errDamaged
	}
	state = fileState{fi.Size(), fi.ModTime().UnixNano()}
	s := &stream{f: f, buf: make([]byte, window), left: fi.Size(), hashSize: hashSize}
	head, err := s.need(12)
	if err != nil || string(head[:4]) != "DIRC" {
		return state, false, errDamaged
	}
	version, count := binary.BigEndian.Uint32(head[4:]), binary.BigEndian.Uint32(head[8:])
	if version < 2 || version > 4 || int64(count) > fi.Size()/int64(statBytes+hashSize+2) {
		return state, false, errDamaged
	}
	s.at += 12
	for range count {
		e, err := s.entry(version)
		if err != nil {
			return state, false, err
		}
		if !visit(e) {
			return state, sparse, nil
		}
	}
	sparse, err = s.extensions()
	return state, sparse, err
}

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
		k, err := s.f.Read(s.buf[s.end:])
		s.end += k
		s.left -= int64(k)
		if err != nil || k == 0 {
			return nil, errDamaged
		}
	}
	return s.buf[s.at:s.end], nil
}

// entry reads the next one: fixed part, flags, name, padding.
func (s *stream) entry(version uint32) (tracked, error) {
	fixed := statBytes + s.hashSize + 2
	b, err := s.need(fixed + 2)
	if err != nil {
		return tracked{}, err
	}
	e := tracked{mode: binary.BigEndian.Uint32(b[24:]), size: binary.BigEndian.Uint32(b[36:])}
	flags := binary.BigEndian.Uint16(b[fixed-2:])
	if flags&0x4000 != 0 { // extended flags
		if version < 3 {
			return e, errDamaged
		}
		e.skip = binary.BigEndian.Uint16(b[fixed:])&0x4000 != 0
		fixed += 2
	}
	if version == 4 {
		err = s.name4(fixed)
	} else {
		err = s.name2(fixed, int(flags&0xfff))
	}
	if err != nil {
		return e, err
	}
	// The bytes stay as they are until the next entry is read.
	e.path = unsafe.String(unsafe.SliceData(s.name), len(s.name))
	if !inside(e.path) {
		return e, errDamaged
	}
	return e, nil
}

// name2 reads a whole name and the zero bytes that fill the entry up to 8.
func (s *stream) name2(fixed, length int) error {
	want := fixed + length + 1
	if length == 0xfff {
		want = fixed + maxPath
	}
	b, err := s.need(want)
	if err != nil && length == 0xfff { // near the end of the file there is less
		b, err = s.need(fixed + length + 1)
	}
	if err != nil {
		return err
	}
	if length == 0xfff {
		if length = bytes.IndexByte(b[fixed:], 0); length < 0 {
			return errDamaged
		}
	}
	size := (fixed + length + 8) &^ 7
	if b, err = s.need(size); err != nil {
		return err
	}
	s.name = b[fixed : fixed+length]
	if length == 0 || bytes.IndexByte(s.name, 0) >= 0 {
		return errDamaged
	}
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
	for s.left+int64(s.end-s.at) > int64(s.hashSize) {
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
		if have := int64(s.end - s.at); size <= have {
			s.at += int(size)
			continue
		} else if size -= have; size > s.left {
			return sparse, errDamaged
		}
		s.at = s.end
		if _, err := s.f.Seek(size, io.SeekCurrent); err != nil {
			return sparse, errDamaged
		}
		s.left -= size
	}
	return sparse, nil
}

// inside says whether a path of an index stays in the tree.
func inside(path string) bool {
	if path[0] != '/' && !strings.Contains(path, "..") {
		return true // nearly every path
	}
	return path[0] != '/' && path != ".." && !strings.HasPrefix(path, "../") && !strings.Contains(path, "/../") && !strings.HasSuffix(path, "/..")
}
