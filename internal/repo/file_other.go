//go:build !unix

package repo

import (
	"errors"
	"io"
	"os"
	"time"
)

var errNotPlain = errors.New("not a regular file of a sane size")

// readFile reads a regular file of at most limit bytes, and its modification time.
func readFile(path string, limit int64) (data []byte, mtime time.Time, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > limit {
		return nil, time.Time{}, errNotPlain
	}
	data = make([]byte, fi.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, time.Time{}, err
	}
	return data[:n], fi.ModTime(), nil
}

// blockFile reads parts of a file.
type blockFile struct{ f *os.File }

func openBlocks(path string) (blockFile, error) {
	f, err := os.Open(path)
	return blockFile{f}, err
}

func (f blockFile) Close() { f.f.Close() }

func (f blockFile) ReadAt(b []byte, at int64) (int, error) { return f.f.ReadAt(b, at) }
