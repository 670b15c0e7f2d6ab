package ground

import (
	"os"
	"path/filepath"
)

// Existing is the nearest folder upwards that is there. A link to a folder, such as
// the name under which a project is known, is one; a link that is a target is not.
func Existing(dir string) string {
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 && filepath.Dir(dir) != dir && !IsRepository(dir) && !HasGitFile(dir) {
		dir = filepath.Dir(dir)
	}
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

// IsRepository reports whether a folder holds a history.
func IsRepository(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && info.IsDir()
}

// HasGitFile reports whether a folder is a submodule or a linked work tree.
func HasGitFile(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && info.Mode().IsRegular()
}
