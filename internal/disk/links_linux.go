package disk

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// straight reports that a path is one that EvalLinks gives back as it is: clean, there, and no part of it is a link. The kernel goes along
// it in one call where package filepath asks about each part. Nothing is opened by that, so that a FIFO or a device does not notice. An older
// kernel, or a sandbox that forbids the call, has the path gone along as elsewhere.
func straight(path string) bool {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return false
	}
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if err != nil {
		return false
	}
	unix.Close(fd)
	return true
}
