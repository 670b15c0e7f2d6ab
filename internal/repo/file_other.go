//go:build !unix

package repo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

var errNotPlain = errors.New("not a regular file of a sane size")

// openNonblock: there is no such thing here.
const openNonblock = 0

// readFile reads a regular file of at most limit bytes, and its modification time.
func readFile(path string, limit int64) (data []byte, mtime time.Time, err error) {
	f, fi, err := openPlain(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	if fi.Size() > limit {
		return nil, time.Time{}, errNotPlain
	}
	data, err = readPlain(f, fi)
	return data, fi.ModTime(), err
}

// blockFile reads parts of a file.
type blockFile struct{ f *os.File }

func openBlocks(path string) (blockFile, error) {
	f, _, err := openPlain(path)
	return blockFile{f}, err
}

func (f blockFile) Close() { f.f.Close() }

func (f blockFile) ReadAt(b []byte, at int64) (int, error) { return f.f.ReadAt(b, at) }

// readPlain reads what openPlain has opened, as long as it was then.
func readPlain(f *os.File, fi fs.FileInfo) ([]byte, error) {
	b := make([]byte, fi.Size())
	n, err := io.ReadFull(f, b)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return b[:n], err
}
