package disk

import (
	"io/fs"
	"os"
)

// OpenOwn opens a file that moai keeps for itself, to be read, and written where flag says so. It waits for nothing, and takes
// regular files alone: through a link, what is kept would be written into whatever file somebody has it lead to.
func OpenOwn(path string, flag int) (*os.File, error) {
	if NoFollow == 0 && strange(path) {
		return nil, notRegular(path)
	}
	private := func(name string, flag int, _ fs.FileMode) (*os.File, error) { return os.OpenFile(name, flag, 0o600) }
	f, _, err := OpenRegular(private, path, flag|NoFollow)
	if err != nil && !Absent(err) && strange(path) { // systems have many words for it
		err = notRegular(path)
	}
	return f, err
}

// strange reports something else than a regular file.
func strange(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && !fi.Mode().IsRegular()
}

func notRegular(path string) error { return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular} }
