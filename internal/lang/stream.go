package lang

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime/debug"
	"unsafe"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// A scan needs the path, mode and size of each entry once, in order. Decoding the
// whole index into memory (repo.Index) costs a page fault for every 4 KB of it,
// which is more than all the rest of a scan; so it is read where the system has
// it. What the stream does not know (a split index) is left to repo.Index.

var (
	errWhole   = errors.New("the index must be read as a whole")
	errDamaged = errors.New("the index is damaged")
)

const (
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

// stream goes through the bytes of an index.
type stream struct {
	data     []byte // up to the hash at the end
	at       int    // of the next entry
	version  uint32
	hashSize int
	name     []byte // of the entry before, for version 4
	e        tracked
}

// streamIndex visits the entries of an index in order, until visit says false. It
// returns the file as an input of the answer, whether it is sparse, and errWhole or
// errDamaged when the entries seen so far are not the truth.
//
// One goroutine does it all: a second one for the other half was tried twice, also on
// a processor of its own. Waking it and joining its folders takes as long as it saves
// with 67,000 files of plain names, and longer where names leave doubts.
func streamIndex(path string, hashSize int, visit func(*tracked) bool) (in input, sparse bool, err error) {
	data, st, done, err := disk.Map(path, true)
	if err != nil {
		return in, false, err
	}
	defer done()
	in = newInput(path, inputIndex, stateOf(&st), func() string { return indexSum(data) })
	// Whoever cuts the file short while it is read makes its pages vanish.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if fault := work.Guard(func() { sparse, err = visitEntries(data, hashSize, visit) }); fault != nil {
		err = errDamaged
	}
	return in, sparse, err
}

// visitEntries reads the header and what follows. The count is checked against the
// bytes that are there, since it is anybody's: nothing is ever sized by it.
func visitEntries(data []byte, hashSize int, visit func(*tracked) bool) (sparse bool, err error) {
	if len(data) < 12+hashSize || string(data[:4]) != "DIRC" {
		return false, errDamaged
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 || int64(count) > int64(len(data)/(statBytes+hashSize+2)) {
		return false, errDamaged
	}
	s := &stream{data: data[:len(data)-hashSize], at: 12, version: version, hashSize: hashSize}
	if stopped, err := s.entries(count, visit); stopped || err != nil {
		return false, err
	}
	return s.extensions()
}

// entries visits the next n.
func (s *stream) entries(n uint32, visit func(*tracked) bool) (stopped bool, err error) {
	for range n {
		if s.usual() {
			if !visit(&s.e) {
				return true, nil
			}
			continue
		}
		if err := s.entry(); err != nil {
			return false, err
		}
		if !visit(&s.e) {
			return true, nil
		}
	}
	return false, nil
}

// usual reads the next entry into s.e if there is nothing special about it, as about
// nearly all: a whole name, a size, no conflict, no flag. All others are left to entry.
func (s *stream) usual() bool {
	fixed := statBytes + s.hashSize + 2
	b := s.data[s.at:]
	if len(b) < fixed+8 || s.version == 4 {
		return false
	}
	flags := int(binary.BigEndian.Uint16(b[fixed-2:]))
	size := binary.BigEndian.Uint32(b[36:])
	// Only assume-unchanged, which is no matter here, may stand above the length.
	if flags &= 0x7fff; size == 0 || flags == 0 || flags >= flagLength {
		return false
	}
	next := (fixed + flags + 8) &^ 7
	if next > len(b) || b[fixed+flags] != 0 {
		return false
	}
	s.e = tracked{path: unsafe.String(&b[fixed], flags), mode: binary.BigEndian.Uint32(b[24:]), size: size}
	s.at += next
	return true
}

// entry reads the next one into s.e: fixed part, flags, name, padding.
func (s *stream) entry() error {
	fixed := statBytes + s.hashSize + 2
	if len(s.data)-s.at < fixed+2 {
		return errDamaged
	}
	b := s.data[s.at:]
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
		id := string(b[statBytes : statBytes+s.hashSize])
		e.unsized = more&flagIntent != 0 || id != emptySHA1 && id != emptySHA256
	}
	var ok bool
	if s.version == 4 {
		ok = s.name4(b, fixed)
	} else {
		ok = s.name2(b, fixed, int(flags&flagLength))
	}
	if !ok {
		return errDamaged
	}
	// The bytes stay as they are until the next entry is read.
	e.path = unsafe.String(unsafe.SliceData(s.name), len(s.name))
	return nil
}

// name2 reads a whole name and the zero bytes that fill the entry up to 8.
func (s *stream) name2(b []byte, fixed, length int) bool {
	if length == flagLength { // or longer
		length = bytes.IndexByte(b[fixed:min(len(b), fixed+maxPath)], 0)
	}
	size := (fixed + length + 8) &^ 7
	// Another zero byte inside the name is no harm: scan.file refuses it where the
	// name matters, and nothing can be opened by it.
	if length <= 0 || size > len(b) || b[fixed+length] != 0 {
		return false
	}
	s.name = b[fixed : fixed+length]
	s.at += size
	return true
}

// name4 reads how much of the name before to drop, and what to put there.
func (s *stream) name4(b []byte, fixed int) bool {
	drop, n := 0, fixed
	for i := 0; ; i++ {
		if i == 4 || n == len(b) {
			return false
		}
		c := b[n]
		n++
		drop = drop<<7 | int(c&127)
		if c&128 == 0 {
			break
		}
		drop++
	}
	end := bytes.IndexByte(b[n:min(len(b), n+maxPath)], 0)
	if kept := len(s.name) - drop; end < 0 || kept < 0 || kept+end == 0 || kept+end > maxPath {
		return false
	}
	s.name = append(s.name[:len(s.name)-drop], b[n:n+end]...)
	s.at += n + end + 1
	return true
}

// extensions looks for those that change what the entries mean.
func (s *stream) extensions() (sparse bool, err error) {
	for len(s.data)-s.at >= 8 {
		name, size := string(s.data[s.at:s.at+4]), int64(binary.BigEndian.Uint32(s.data[s.at+4:]))
		s.at += 8
		if size > int64(len(s.data)-s.at) || name[0] == 0 {
			return sparse, errDamaged // a hole may be ten gigabytes of nothing
		}
		s.at += int(size)
		switch name {
		case "link":
			return sparse, errWhole
		case "sdir":
			sparse = true
		}
	}
	return sparse, nil
}
