package state

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Exchange has two files take each other's place in one step. Where that cannot be done it says [errors.ErrUnsupported].
func Exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return errors.ErrUnsupported
	}
	return fmt.Errorf("exchange files: %w", err)
}

// swap has two files take each other's place, and removes the old one then: readers find one of the two, whole, as with Rename.
// File systems that cannot do it, and a place where nothing is yet, get a Rename.
func swap(from, to string) error {
	if Exchange(from, to) != nil {
		return Rename(from, to)
	}
	_ = os.Remove(from) // one that stays is swept
	return nil
}
