package state

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// Account is the home that the directory service names for the user of this process, ""
// if it names none. Asking it takes longer than a whole hook call, so a folder of this
// user in the place where all homes are, which only an administrator makes, is taken for it.
func Account(named string) string {
	if name, ok := strings.CutPrefix(named, "/Users/"); ok && !strings.Contains(name, "/") {
		if info, err := os.Lstat(named); err == nil && info.IsDir() && Belongs(info) {
			return named
		}
	}
	u, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}
