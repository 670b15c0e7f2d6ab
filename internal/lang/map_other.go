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
	return data, stateOf(fi), func() {}, err
}
