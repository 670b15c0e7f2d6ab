package lang

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// maxManifest bounds a manifest; maxLock a lock file that is searched for one line.
const (
	maxManifest = 512 << 10
	maxLock     = 8 << 20
)

var errNotFile = errors.New("not a regular file")

// reader opens files below one folder. Links that lead out of it are refused,
// and nothing that could block (a FIFO, a device) is waited for.
type reader struct {
	dir  string
	root *os.Root // opened at first use by the portable way
	fast fastReader
}

// newReader opens nothing: many answers come from the cache.
func newReader(dir string) *reader { return &reader{dir: dir} }

// close ends what was opened on demand; a reader that opened nothing is fine.
func (r *reader) close() {
	if r.root != nil {
		r.root.Close()
	}
	r.fast.close()
}

// open is the portable way: os.Root keeps links inside.
func (r *reader) open(path string) (*os.File, error) {
	if r.root == nil {
		root, err := os.OpenRoot(r.dir)
		if err != nil {
			return nil, err
		}
		r.root = root
	}
	f, err := r.root.OpenFile(filepath.FromSlash(path), os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		f.Close()
		return nil, errNotFile
	}
	return f, nil
}

// fileState is what a kept answer remembers of a file.
type fileState struct{ size, mod, change int64 } // bytes; Unix nanoseconds; change is 0 where the system has no such time

// slowWhole reads a file of at most limit bytes the portable way; a longer one
// is cut there.
func (r *reader) slowWhole(path string, limit int64) ([]byte, fileState, error) {
	f, err := r.open(path)
	if err != nil {
		return nil, fileState{}, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, fileState{}, err
	}
	data := make([]byte, min(fi.Size(), limit))
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fileState{}, err
	}
	return data[:n], stateOf(f), nil
}

// slowHead reads the start of a file into buf the portable way.
func (r *reader) slowHead(path string, buf []byte) int {
	f, err := r.open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	n, _ := io.ReadFull(f, buf)
	return n
}
