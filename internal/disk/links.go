package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// EvalLinks is filepath.EvalSymlinks that asks the system where the working directory is, in one call, and looks at
// those parts of a path alone that lie below. A hook is started in the project, and each part of a path is a look.
func EvalLinks(path string) (string, error) {
	if rest, ok := belowHere(path); ok && plain(path[:len(path)-len(rest)], rest) {
		return path, nil
	}
	if straight(path) {
		return path, nil
	}
	return filepath.EvalSymlinks(path)
}

// belowHere is the part of a clean path that lies below the working directory, whose own path has no links.
func belowHere(path string) (rest string, ok bool) {
	if runtime.GOOS != "linux" || !filepath.IsAbs(path) || filepath.Clean(path) != path { // elsewhere the system may remember what it was told
		return "", false
	}
	here, err := syscall.Getwd()
	if err != nil || !strings.HasPrefix(path, here) {
		return "", false
	}
	rest = path[len(here):]
	return rest, rest == "" || rest[0] == filepath.Separator
}

// plain reports that all parts of rest, which begins with a separator, are below top, and that none is a link.
func plain(top, rest string) bool {
	path := top + rest
	for at := len(top); at < len(path); {
		end := len(path)
		if next := strings.IndexByte(path[at+1:], filepath.Separator); next >= 0 {
			end = at + 1 + next
		}
		if info, err := os.Lstat(path[:end]); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
		at = end
	}
	return true
}
