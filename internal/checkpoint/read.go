package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// inMemory is the size up to which a file is read whole; bigger ones are streamed.
const inMemory = 4 << 20

// tries is how often a file that changes under the reader is read again. A file that is written to all the time is then stored
// as it was last seen, and named as torn.
const tries = 3

// buffers spares the kernel the pages of a new buffer for every file.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

var errTorn = errors.New("changed while it was read")

// store reads a regular file without following links and adds it to the writer. The file is looked at before and after it is
// read; when size or time differ it is read again. errTorn comes with a usable hash. Content that fits
// into memory is shown to look, which may be nil, while it is there; the last time is what was stored.
func store(w *repo.ObjectWriter, path string, look func([]byte)) (h repo.Hash, fi os.FileInfo, err error) {
	f, _, err := disk.OpenRegular(os.OpenFile, path, disk.NoFollow)
	if err != nil {
		return h, nil, err
	}
	defer f.Close()
	for range tries {
		if fi, err = f.Stat(); err != nil {
			return h, fi, err
		}
		if !fi.Mode().IsRegular() {
			return h, fi, errors.New("not a regular file any more")
		}
		// Size and time are of the open file: a rename over the path does not change what is read.
		if fi.Size() > inMemory {
			if h, err = w.AddFile(f, fi.Size()); errors.Is(err, repo.ErrChanged) {
				err = errTorn // h is zero, or what was read last and is stored
				continue
			} else if err != nil {
				return h, fi, err
			}
		} else {
			b := buffers.Get().(*[]byte)
			*b = slices.Grow((*b)[:0], int(fi.Size()))[:fi.Size()]
			n, e := f.ReadAt(*b, 0)
			if e == nil || errors.Is(e, io.EOF) {
				if look != nil {
					look((*b)[:n])
				}
				h, e = w.Add(repo.KindBlob, (*b)[:n])
			}
			if buffers.Put(b); e != nil {
				return h, fi, e
			}
			err = nil
		}
		after, e := f.Stat()
		if e != nil {
			return h, fi, e
		}
		// Two writes within one tick of the clock look like none.
		if after.Size() == fi.Size() && after.ModTime().Equal(fi.ModTime()) {
			return h, fi, nil
		}
		err = errTorn
	}
	if h.IsZero() {
		err = errors.New("changed all the time while it was read")
	}
	return h, fi, err
}

// why puts an error in the few words that a list of skipped files has room for.
func why(err error) string {
	var p *os.PathError
	switch {
	case errors.Is(err, os.ErrPermission):
		return "not readable"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}

// Size gives a size for people, rounded up: what is over a limit must not read as the limit.
func Size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", (n+1<<30-1)>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", (n+1<<10-1)>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
