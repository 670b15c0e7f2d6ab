//go:build unix

package ground

import (
	"os"
	"syscall"
)

// otherDevice reports whether two paths are there and on different file systems.
func otherDevice(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Lstat(b)
	if err != nil {
		return false
	}
	x, ok1 := one.Sys().(*syscall.Stat_t)
	y, ok2 := two.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Dev != y.Dev
}
