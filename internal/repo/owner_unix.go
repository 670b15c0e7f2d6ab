//go:build unix

package repo

import (
	"os"
	"strconv"
	"syscall"
)

// deviceOf names the file system that holds path.
func deviceOf(path string) (uint64, bool) {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return 0, false
	}
	return uint64(st.Dev), true // int32 on some systems
}

// ownedByUser says whether the paths that decide what a repository is belong to the
// user who runs this process. Root under sudo may also use what SUDO_UID owns.
// Empty paths count as owned.
func ownedByUser(paths ...string) bool {
	uid := os.Geteuid()
	sudo := -1
	if uid == 0 {
		if n, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32); err == nil {
			sudo = int(n)
		}
	}
	for _, p := range paths {
		if p == "" {
			continue
		}
		var st syscall.Stat_t
		if syscall.Lstat(p, &st) != nil {
			return false
		}
		if owner := int(st.Uid); owner != uid && owner != sudo {
			return false
		}
	}
	return true
}
