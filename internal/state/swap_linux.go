package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// swap has two files take each other's place, and removes the old one then: readers find one of the two, whole, as with Rename.
// File systems that cannot do it, and a place where nothing is yet, get a Rename.
func swap(from, to string) error {
	if unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_EXCHANGE) != nil {
		return Rename(from, to)
	}
	_ = os.Remove(from) // one that stays is swept
	return nil
}
