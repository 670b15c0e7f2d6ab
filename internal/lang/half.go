package lang

import (
	"bytes"
	"encoding/binary"
	"runtime/debug"
	"sync"
)

// splitFrom is the number of entries from which on two processors are faster than
// one: waking the second takes as long as reading a thousand.
const splitFrom = 4096

// split visits the entries of an index in two halves at once. Where the second
// begins, only a walk over the first can tell; going from length to length takes
// a tenth of the time of looking at names.
func (s *stream) split(count uint32, visit, second func(*tracked) bool) (sparse bool, err error) {
	half := *s
	var halfErr error
	var halfStopped bool
	from := make(chan uint32, 1) // so many entries are not the second half's
	var running sync.WaitGroup
	running.Go(func() {
		defer close(from)
		debug.SetPanicOnFault(true) // for this goroutine; see streamIndex
		if fault := guard(func() {
			skipped := half.skip(count)
			from <- skipped
			halfStopped, halfErr = half.entries(count-skipped, second)
		}); fault != nil {
			halfErr = errDamaged
		}
	})
	defer running.Wait() // whatever happens here: the bytes are gone after it
	// So many are this half's in any case; the exact place is known by then.
	stopped, err := s.entries(count/2, visit)
	if stopped || err != nil {
		return false, err
	}
	skipped, ok := <-from
	if !ok {
		return false, errDamaged
	}
	if stopped, err = s.entries(skipped-count/2, visit); stopped || err != nil {
		return false, err
	}
	running.Wait()
	if halfStopped || halfErr != nil {
		return false, halfErr
	}
	if skipped < count {
		s.at = half.at
	}
	return s.extensions()
}

// skip goes past half of the entries, and on to one that is no further stage of a
// conflict: those belong together. It returns how many it has passed: all, when
// something is wrong with one of them, so that whoever reads it for good says what.
func (s *stream) skip(count uint32) uint32 {
	fixed := statBytes + s.hashSize + 2
	for n := uint32(0); n < count; n++ {
		if len(s.data)-s.at < fixed+2 {
			return count
		}
		b := s.data[s.at:]
		flags := binary.BigEndian.Uint16(b[fixed-2:])
		if n >= count/2 && flags&flagStage == 0 {
			return n
		}
		size := fixed
		if flags&flagExtended != 0 {
			size += 2
		}
		length := int(flags & flagLength)
		if length == flagLength {
			if length = bytes.IndexByte(b[size:min(len(b), size+maxPath)], 0); length < 0 {
				return count
			}
		}
		if size = (size + length + 8) &^ 7; size > len(b) {
			return count
		}
		s.at += size
	}
	return count
}
