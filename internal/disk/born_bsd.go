//go:build darwin || netbsd || freebsd

package disk

import (
	"syscall"
	"time"
)

func birth(path string) (born time.Time, names uint32, ok bool) {
	var st syscall.Stat_t
	err := ignoringEINTR(func() error { return syscall.Lstat(path, &st) })
	return time.Unix(int64(st.Birthtimespec.Sec), int64(st.Birthtimespec.Nsec)), uint32(st.Nlink), err == nil && st.Birthtimespec.Sec > 0
}
