package disk

import (
	"io/fs"
	"os"
)

// ReadFile reads a regular file of at most limit bytes, and its state, in few system calls. A link is followed. Files
// that git replaces by a rename are read as a whole state.
func ReadFile(path string, limit int64) ([]byte, Stat, error) {
	f, st, err := OpenFile(path)
	if err != nil {
		return nil, st, err
	}
	defer f.Close()
	if st.Size > limit {
		return nil, st, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	data, err := f.head(st.Size)
	if err != nil {
		return nil, st, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return data, st, nil
}

// ReadHead is ReadFile for a file of any size, which is cut at limit.
func ReadHead(path string, limit int64) ([]byte, Stat, error) {
	f, st, err := OpenFile(path)
	if err != nil {
		return nil, st, err
	}
	defer f.Close()
	data, err := f.head(min(st.Size, limit))
	return data, st, err
}

// head reads the next n bytes, or what there is.
func (f File) head(n int64) ([]byte, error) {
	b := make([]byte, n)
	Populate(b)
	got, err := f.Fill(b)
	return b[:got], err
}

// Fill reads until b is full or the file ends.
func (f File) Fill(b []byte) (n int, err error) {
	for n < len(b) {
		k, err := f.Read(b[n:])
		if k <= 0 || err != nil {
			return n, err
		}
		n += k
	}
	return n, nil
}

// OpenPlain opens a regular file for reading as an os.File, and refuses everything else at once: a repository that came
// from elsewhere can have a FIFO in any place, and to open one is to wait for somebody who writes. A link is followed.
func OpenPlain(path string) (*os.File, fs.FileInfo, error) {
	if Nonblock == 0 {
		// Where an open cannot be kept from waiting the only way is to look first.
		if fi, err := os.Stat(path); err != nil {
			return nil, nil, err
		} else if !fi.Mode().IsRegular() {
			return nil, nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|Nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}
