//go:build unix && !darwin && !netbsd && !freebsd

package disk

import "syscall"

func times(raw *syscall.Stat_t) (mtime int64, mtimeNs uint32, ctime int64, ctimeNs uint32) {
	return int64(raw.Mtim.Sec), uint32(raw.Mtim.Nsec), int64(raw.Ctim.Sec), uint32(raw.Ctim.Nsec) // 32 bits on some systems
}
