//go:build unix

package state

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file belongs to this user, and to nobody else.
func ours(info fs.FileInfo) bool { return Belongs(info) && info.Mode().Perm()&0o077 == 0 }

// Belongs reports whether this user owns a file. Unlike ours it does not ask who else may read it.
func Belongs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
