//go:build unix

package repo

import (
	"errors"

	"golang.org/x/sys/unix"
)

// mapFile maps a file that is never changed in place (a pack index), and says how to give the map back.
func mapFile(path string) ([]byte, func([]byte), error) {
	f, fi, err := openPlain(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if fi.Size() == 0 || fi.Size() != int64(int(fi.Size())) {
		return nil, nil, errors.New("cannot map " + path)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(fi.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	return b, func(b []byte) { _ = unix.Munmap(b) }, err
}
