package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/modu-ai/moai/internal/argv"
)

// folder is the absolute path of a folder that the user names. aFile is the call that does for a
// file what the verb does for folders.
func (e *env) folder(name, aFile string) (string, error) {
	dir := name
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(e.dir, dir)
	}
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", hint(nof("there is no folder %s", name), "name one that is there")
	case errors.Is(err, syscall.ENAMETOOLONG): // the path would fill the screen
		return "", nof("there is no such folder: a path of %d bytes is longer than the system takes", len(dir))
	case err != nil && errors.Is(err, syscall.ENOTDIR):
		return "", hint(nof("there is no folder %s: a part of the path is a file", name), "name one that is there")
	case err == nil && !st.IsDir():
		return "", hint(usagef("%s is a file, and a project is a folder", name), aFile+" "+argv.Quote(name))
	}
	return dir, nil // other faults of the folder show when it is read
}
