//go:build unix

package state

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
