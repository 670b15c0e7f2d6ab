//go:build !windows

package repo

import (
	"os"
	"syscall"
)

// holds has the kernel hold a file for this process, and let go when the process ends, however that is. False is that another one holds it, or
// that the file system cannot.
func holds(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
