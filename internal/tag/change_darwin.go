package tag

import (
	"io/fs"
	"syscall"
)

// changeOf gives the time of change and the inode of a file.
func changeOf(_ string, st fs.FileInfo) (ctime int64, inode uint64) {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano(), s.Ino
	}
	return st.ModTime().UnixNano(), 0
}
