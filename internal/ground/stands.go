package ground

import (
	"os"
	"path/filepath"
	"sort"
)

// Existing is the nearest folder upwards that is there. A link to a folder, such as
// the name under which a project is known, is one; a link that is a target is not.
func Existing(dir string) string {
	dir = filepath.Clean(dir)
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 && filepath.Dir(dir) != dir && !HasGit(dir) {
		dir = filepath.Dir(dir)
	}
	if isFolder(dir) {
		return dir
	}
	// What is in no folder is none: so the last one is searched for by halves. A path may have thousands of parts.
	top := len(filepath.VolumeName(dir))
	parts := []int{}
	for i := len(dir) - 1; i > top; i-- {
		if os.IsPathSeparator(dir[i]) {
			parts = append(parts, i)
		}
	}
	if n := sort.Search(len(parts), func(i int) bool { return isFolder(dir[:parts[i]]) }); n < len(parts) {
		return dir[:parts[n]]
	}
	return filepath.Dir(dir[:min(len(dir), top+1)])
}

func isFolder(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// IsRepository reports whether a folder holds a history.
func IsRepository(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && info.IsDir()
}

// HasGit reports whether a folder is a work tree of its own, wherever its history is.
func HasGit(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && (info.IsDir() || info.Mode().IsRegular())
}

// HasGitFile reports whether a folder is a submodule or a linked work tree.
func HasGitFile(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && info.Mode().IsRegular()
}
