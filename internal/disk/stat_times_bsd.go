//go:build darwin || netbsd || freebsd

package disk

import "syscall"

func times(raw *syscall.Stat_t) (mtime int64, mtimeNs uint32, ctime int64, ctimeNs uint32) {
	return int64(raw.Mtimespec.Sec), uint32(raw.Mtimespec.Nsec), int64(raw.Ctimespec.Sec), uint32(raw.Ctimespec.Nsec) // 32 bits on some systems
}
