package checkpoint

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

var errNotPlain = errors.New("not a regular file")

// opener is os.OpenFile, or that of an os.Root.
type opener func(name string, flag int, perm fs.FileMode) (*os.File, error)

// openPlain opens a regular file for reading. It follows no link where the system can refuse to, waits for no FIFO, and what is
// no regular file is errNotPlain.
func openPlain(open opener, name string) (*os.File, fs.FileInfo, error) {
	f, err := open(name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotPlain}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

// readPlain reads a regular file of at most limit bytes.
func readPlain(name string, limit int64) ([]byte, error) {
	f, fi, err := openPlain(os.OpenFile, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("too big")}
	}
	return io.ReadAll(io.LimitReader(f, limit))
}
