//go:build unix

package disk

import (
	"io"
	"io/fs"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Nonblock keeps an open from waiting for the other end of a FIFO.
const Nonblock = syscall.O_NONBLOCK

// NoFollow keeps an open from going through a link in the last name.
const NoFollow = syscall.O_NOFOLLOW

// HardLinked reports a file that has another name as well.
func HardLinked(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

// File is a regular file that is read, without the bookkeeping of os.File: package os registers every file with the
// poller, which doubles the cost of reading a small one.
type File struct {
	fd    int
	quick bool // the scheduler is not told, see pace
}

// OpenFile opens a regular file for reading, and gives its state. A link is followed.
func OpenFile(path string) (File, Stat, error) { return openWith(path, 0) }

func openItself(path string) (File, Stat, error) { return openWith(path, NoFollow) }

func openWith(path string, flag int) (File, Stat, error) {
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK|flag, 0)
		return err
	})
	if err != nil {
		return File{}, Stat{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f, st, err := regular(fd, false)
	if err != nil {
		err = &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return f, st, err
}

// regular takes a file that is open if it is regular, and closes it if not. The open file is asked, since the name may
// mean another one by now.
func regular(fd int, quick bool) (File, Stat, error) {
	f := File{fd, quick}
	st, err := fstat(fd)
	if err == nil && !st.IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		f.Close()
		return File{}, Stat{}, err
	}
	return f, st, nil
}

// Read gives 0 at the end, and no error.
func (f File) Read(b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	for {
		if f.quick {
			n, err = read(f.fd, b)
		} else {
			n, err = syscall.Read(f.fd, b)
		}
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

// ReadAt reads all of b from there.
func (f File) ReadAt(b []byte, at int64) (int, error) {
	for n := 0; n < len(b); {
		k, err := syscall.Pread(f.fd, b[n:], at+int64(n))
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return n, err
		case k == 0:
			return n, io.ErrUnexpectedEOF
		}
		n += k
	}
	return len(b), nil
}

// Rewind goes back to the start.
func (f File) Rewind() error {
	_, err := syscall.Seek(f.fd, 0, io.SeekStart)
	return err
}

// Close does not care for errors: the file was only read.
func (f File) Close() {
	if f.quick {
		closeQuick(f.fd)
		return
	}
	_ = syscall.Close(f.fd)
}

// Create makes a file of this user's alone that is not there yet, and leaves none that holds a part of the data.
func Create(path string, data []byte) error {
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	for len(data) > 0 && err == nil {
		n, failed := syscall.Write(fd, data)
		switch {
		case failed == syscall.EINTR:
		case failed != nil:
			err = failed
		case n == 0:
			err = io.ErrShortWrite
		default:
			data = data[n:]
		}
	}
	if failed := syscall.Close(fd); err == nil {
		err = failed
	}
	if err != nil {
		_ = syscall.Unlink(path)
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// maxPopulate is the index of half a million files. What is larger may be a hole.
const maxPopulate = 64 << 20

// Map shows the bytes of a regular file that is never changed in place without copying them; done gives them back.
// whole says that all of them will be looked at: page by page, as each is first touched, they take longer. Who cuts the
// file short meanwhile makes its pages vanish, which is a fault where they are read. A link is followed.
func Map(path string, whole bool) (data []byte, st Stat, done func(), err error) {
	f, st, err := OpenFile(path)
	if err != nil {
		return nil, st, nil, err
	}
	defer f.Close()
	if st.Size <= 0 || st.Size > math.MaxInt {
		return nil, st, nil, &fs.PathError{Op: "map", Path: path, Err: ErrNotRegular}
	}
	flags := unix.MAP_PRIVATE
	if whole && st.Size <= maxPopulate {
		flags |= mapPopulate
	}
	if data, err = unix.Mmap(f.fd, 0, int(st.Size), unix.PROT_READ, flags); err != nil {
		return nil, st, nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	return data, st, func() { _ = unix.Munmap(data) }, nil
}
