package disk

import (
	"io"
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
		return nil, st, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	data, err := f.head(st.Size)
	if err != nil {
		return nil, st, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return data, st, nil
}

// ReadItself is ReadFile that follows no link in the last name. A file that changes its length meanwhile is read as no state of it.
func ReadItself(path string, limit int64) ([]byte, error) {
	f, st, err := openItself(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st.Size > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	data, err := f.head(st.Size + 1)
	if err == nil && int64(len(data)) != st.Size {
		err = ErrChanged
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return data, nil
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

// ReadEnds reads the first and the last bytes of a file of any size, limit of each at most. Of a small one both are all of it.
func ReadEnds(path string, limit int64) (head, tail []byte, err error) {
	f, st, err := OpenFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if head, err = f.head(min(st.Size, limit)); err != nil || st.Size <= limit {
		return head, head, err
	}
	tail, err = f.tail(st.Size, limit)
	return head, tail, err
}

// ReadTail reads the last part of a file, limit bytes of it at most.
func ReadTail(path string, limit int64) ([]byte, error) {
	f, st, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.tail(st.Size, min(st.Size, limit))
}

// tail reads the last n bytes of a file of a size.
func (f File) tail(size, n int64) ([]byte, error) {
	b := make([]byte, n)
	got, err := f.ReadAt(b, size-n)
	if got == len(b) {
		err = nil
	}
	return b[:got], err
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
	return OpenRegular(os.OpenFile, path, 0)
}

// Opener is os.OpenFile, or that of an os.Root.
type Opener func(name string, flag int, perm fs.FileMode) (*os.File, error)

// OpenRegular opens a regular file for reading, and waits for nothing. With NoFollow it follows no link in the last name, where the
// system can refuse to. The open file is asked what it is, since the name may mean another one by now.
func OpenRegular(open Opener, name string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := open(name, os.O_RDONLY|Nonblock|flag, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

// ReadRegular reads what OpenRegular opens, and refuses more than limit bytes. What counts is what is read: many files of /proc
// have no size, and do not end for a long time.
func ReadRegular(open Opener, name string, flag int, limit int64) ([]byte, fs.FileInfo, error) {
	f, fi, err := OpenRegular(open, name, flag)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var data []byte
	if fi.Size() <= limit {
		data, err = io.ReadAll(io.LimitReader(f, limit+1))
	}
	if err == nil && (fi.Size() > limit || int64(len(data)) > limit) {
		err = &fs.PathError{Op: "read", Path: name, Err: ErrTooLarge}
	}
	if err != nil {
		return nil, nil, err
	}
	return data, fi, nil
}
