//go:build !unix

package disk

import (
	"io"
	"io/fs"
	"os"
)

// Nonblock is not needed where no file system holds FIFOs.
const Nonblock = 0

// NoFollow has no counterpart here: who must follow no link looks at the file's type before and after it is opened.
const NoFollow = 0

// HardLinked is not told here: a file's information does not say how many names it has.
func HardLinked(fs.FileInfo) bool { return false }

// File is a regular file that is read.
type File struct{ f *os.File }

// OpenFile opens a regular file for reading, and gives its state. A link is followed.
func OpenFile(path string) (File, Stat, error) {
	f, _, err := OpenPlain(path)
	if err != nil {
		return File{}, Stat{}, err
	}
	st, err := statOf(f)
	if err != nil {
		f.Close()
		return File{}, Stat{}, err
	}
	return File{f}, st, nil
}

func openItself(path string) (File, Stat, error) {
	if strange(path) {
		return File{}, Stat{}, notRegular(path)
	}
	return OpenFile(path)
}

// Read gives 0 at the end, and no error.
func (f File) Read(b []byte) (int, error) {
	n, err := f.f.Read(b)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt reads all of b from there.
func (f File) ReadAt(b []byte, at int64) (int, error) { return f.f.ReadAt(b, at) }

// Rewind goes back to the start.
func (f File) Rewind() error {
	_, err := f.f.Seek(0, io.SeekStart)
	return err
}

// Close does not care for errors: the file was only read.
func (f File) Close() { f.f.Close() }

// Create makes a file that is not there yet, and leaves none that holds a part of the data.
func Create(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// maxMapped bounds what is read in place of a mapping: the index of ten million files.
const maxMapped = 1 << 30

// Map reads the file. A mapping on Windows would keep git from replacing it.
func Map(path string, _ bool) (data []byte, st Stat, done func(), err error) {
	data, st, err = ReadFile(path, maxMapped)
	return data, st, func() {}, err
}
