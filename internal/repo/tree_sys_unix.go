//go:build unix && !darwin && !netbsd && !freebsd && !(linux && (amd64 || arm64))

package repo

import (
	"io/fs"
	"syscall"
)

func fillSys(fi fs.FileInfo, st *fileStat) {
	if s, ok := fi.Sys().(*syscall.Stat_t); ok {
		st.ino, st.uid, st.gid = uint32(s.Ino), uint32(s.Uid), uint32(s.Gid)
	}
}
