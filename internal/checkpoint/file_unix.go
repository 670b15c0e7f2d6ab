//go:build unix

package checkpoint

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow keeps an open from going through a link that was put there meanwhile, and from waiting for a FIFO's other end.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

// hardLinked reports a file that has another name as well.
func hardLinked(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
