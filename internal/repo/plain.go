package repo

import (
	"io/fs"
	"os"
)

// openPlain opens a regular file for reading, and refuses everything else at once: a repository that came from elsewhere can
// have a FIFO in any place, and to open one is to wait for somebody who writes.
func openPlain(path string) (*os.File, fs.FileInfo, error) {
	if openNonblock == 0 {
		// Where an open cannot be kept from waiting the only way is to look first.
		if fi, err := os.Stat(path); err != nil {
			return nil, nil, err
		} else if !fi.Mode().IsRegular() {
			return nil, nil, &fs.PathError{Op: "open", Path: path, Err: errNotPlain}
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotPlain}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}
