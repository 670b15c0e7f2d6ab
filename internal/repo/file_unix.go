//go:build unix

package repo

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
	"time"
)

var errNotPlain = errors.New("not a regular file of a sane size")

// openNonblock keeps an open from waiting for the other end of a FIFO.
const openNonblock = syscall.O_NONBLOCK

// readFile reads a regular file of at most limit bytes, and its modification time, in
// four system calls: package os would also ask whether the file can be polled. Opening
// does not block, so a FIFO in place of a file is no trap. Files that git replaces by a
// rename are read as a whole state.
func readFile(path string, limit int64) (data []byte, mtime time.Time, err error) {
	fail := func(op string, err error) ([]byte, time.Time, error) {
		return nil, time.Time{}, &fs.PathError{Op: op, Path: path, Err: err}
	}
	var fd int
	for {
		if fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		return fail("open", err)
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return fail("stat", err)
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Size > limit {
		return fail("read", errNotPlain)
	}
	data = make([]byte, st.Size)
	populate(data)
	for n := 0; n < len(data); {
		k, err := syscall.Read(fd, data[n:])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return fail("read", err)
		case k == 0:
			data = data[:n] // it was cut short meanwhile
		}
		n += k
	}
	return data, statTime(&st), nil
}

// blockFile reads parts of a file without the bookkeeping of os.File.
type blockFile struct{ fd int }

func openBlocks(path string) (blockFile, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return blockFile{}, err
	}
	var st syscall.Stat_t
	if err = syscall.Fstat(fd, &st); err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = errNotPlain
	}
	if err != nil {
		syscall.Close(fd)
	}
	return blockFile{fd}, err
}

func (f blockFile) Close() { syscall.Close(f.fd) }

func (f blockFile) ReadAt(b []byte, at int64) (int, error) {
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
