package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"time"
)

// block is how much of a file is read at once on the way back, and in search of a time.
const block = 4 * MaxLine

// backward calls each for the lines of the first size bytes of f, the last line first, until it
// says false; ended reports that it never did. A line that is longer than a block is left out.
func backward(f *os.File, size int64, each func(line []byte) bool) (ended bool, err error) {
	buf := make([]byte, 2*block)
	rest := []byte{} // the beginning of a line whose end was read before
	for end := size; end > 0; {
		n := min(end, block)
		data := buf[:n+int64(len(rest))]
		copy(data[n:], rest)
		if _, err := f.ReadAt(data[:n], end-n); err != nil && !errors.Is(err, io.EOF) {
			return false, fmt.Errorf("read journal: %w", err)
		}
		end -= n
		for {
			at := bytes.LastIndexByte(data, '\n')
			if at < 0 && end > 0 {
				break
			}
			if line := bytes.TrimSpace(data[at+1:]); len(line) > 0 && !each(line) {
				return false, nil
			}
			if at < 0 {
				break
			}
			data = data[:at]
		}
		if rest = bytes.Clone(data); len(rest) > block {
			rest = rest[:0]
		}
	}
	return true, nil
}

// seek is the offset of a line behind which no event is missing that was written at that time or later.
func seek(f *os.File, from time.Time) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	// In blocks: within one, reading is as fast as looking.
	n := sort.Search(int(info.Size()/block), func(i int) bool {
		at, ok := timeAt(f, int64(i+1)*block)
		return !ok || !at.Before(from) // what cannot be told is not left out
	})
	return lineAt(f, int64(n)*block)
}

// lineAt is where the first line begins at that offset or behind it.
func lineAt(f *os.File, offset int64) int64 {
	if offset == 0 {
		return 0
	}
	buf := make([]byte, block)
	n, _ := f.ReadAt(buf, offset-1)
	at := bytes.IndexByte(buf[:n], '\n')
	if at < 0 {
		return offset // in the middle of a line that is no event of ours
	}
	return offset + int64(at)
}

// timeAt is the time of the first event that begins at that offset or behind it, as far as it is near.
func timeAt(f *os.File, offset int64) (time.Time, bool) {
	offset = lineAt(f, offset)
	buf := make([]byte, block)
	n, _ := f.ReadAt(buf, offset)
	for line := range bytes.Lines(buf[:n]) {
		if e, ok := parse(bytes.TrimSpace(line)); ok && !e.Created.IsZero() {
			return e.Created, true
		}
	}
	return time.Time{}, false
}
