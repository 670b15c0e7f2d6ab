//go:build !unix

package lang

import (
	"io"
	"io/fs"
	"os"
)

// maxIndex bounds an index that is read into memory: ten million files.
const maxIndex = 1 << 30

// mapFile reads a regular file.
func mapFile(path string) (data []byte, state fileState, done func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, state, nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, state, nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxIndex {
		return nil, state, nil, &fs.PathError{Op: "read", Path: path, Err: errNotFile}
	}
	data = make([]byte, fi.Size())
	_, err = io.ReadFull(f, data)
	return data, stateOf(f), func() {}, err
}

// stateAt is the state of what a path leads to.
func stateAt(path string) (fileState, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	return fileState{size: fi.Size(), mod: fi.ModTime().UnixNano()}, nil
}

// stateOf is the state of an open file; the zero value when it has none.
func stateOf(f *os.File) fileState {
	fi, err := f.Stat()
	if err != nil {
		return fileState{}
	}
	return fileState{size: fi.Size(), mod: fi.ModTime().UnixNano()}
}

// readSmall reads a regular file of at most limit bytes, cut there.
func readSmall(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return nil, errNotFile
	}
	return io.ReadAll(io.LimitReader(f, limit))
}
