package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// folders checks that moai can keep its state. Without it hooks still answer,
// but sessions forget and nothing is recorded.
func folders(e *Env) Result {
	r := Result{Detail: "state and configuration can be kept"}
	for _, dir := range []struct{ name, path string }{{"state", e.StateDir}, {"configuration", e.ConfigDir}} {
		item := Item{Name: dir.name, Detail: dir.path}
		if dir.path == "" {
			item.Status, item.Detail = Warn, "no home folder, so no place for it"
		} else if err := writable(dir.path); err != nil {
			item.Status, item.Detail = Fail, dir.path+": "+plain(err)
			r.Fix = "chmod u+rwx " + dir.path
		}
		r.Items = append(r.Items, item)
	}
	if r = sum(r); r.Status != OK {
		r.Detail = "moai cannot keep what it should remember"
	}
	return r
}

// writable makes a file and removes it again, in dir or, when that is not there
// yet, in the folder in which it would be made.
func writable(dir string) error {
	for {
		f, err := os.CreateTemp(dir, ".doctor-*")
		if err == nil {
			name := f.Name()
			_ = f.Close()
			return os.Remove(name)
		}
		up := filepath.Dir(dir)
		if _, statErr := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || statErr == nil || up == dir {
			return err
		}
		dir = up
	}
}
