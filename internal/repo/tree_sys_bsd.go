//go:build darwin || netbsd || freebsd

package repo

import (
	"io/fs"
	"syscall"
)

func fillSys(fi fs.FileInfo, st *fileStat) {
	if s, ok := fi.Sys().(*syscall.Stat_t); ok {
		st.ctime, st.ctimeNs = int64(s.Ctimespec.Sec), uint32(s.Ctimespec.Nsec) // 32 bits on some systems
		st.ino, st.uid, st.gid, st.full = uint32(s.Ino), s.Uid, s.Gid, true
	}
}
