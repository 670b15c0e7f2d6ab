//go:build !linux

package walk

import (
	"io/fs"
	"os"
	"path/filepath"
)

// platform lists folders the portable way.
type platform struct{ root string }

func (p *platform) open(root string) error {
	fi, err := os.Stat(root)
	if err == nil && !fi.IsDir() {
		err = &fs.PathError{Op: "walk", Path: root, Err: fs.ErrInvalid}
	}
	p.root = root
	return err
}

func (p *platform) close() {}

func (p *platform) lister() *lister { return &lister{root: p.root} }

// lister belongs to one worker.
type lister struct {
	root, dir string
	entries   []entry
	files     []File // of the folder, for visit
}

// list reads the names in a folder. A folder that was replaced by a link since
// its parent was listed is not entered.
func (l *lister) list(path string) ([]entry, error) {
	l.dir = filepath.Join(l.root, filepath.FromSlash(path))
	if path != "" {
		if fi, err := os.Lstat(l.dir); err != nil || !fi.IsDir() {
			return nil, fs.ErrInvalid
		}
	}
	d, err := os.Open(l.dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	l.entries = l.entries[:0]
	for {
		list, err := d.ReadDir(1024)
		for _, e := range list {
			l.entries = append(l.entries, entry{e.Name(), e.Type()})
		}
		if err != nil || len(list) == 0 {
			return l.entries, nil
		}
	}
}

// stat asks for one entry of the listed folder.
func (l *lister) stat(name string) (kind fs.FileMode, size int64, mode fs.FileMode) {
	fi, err := os.Lstat(filepath.Join(l.dir, name))
	if err != nil {
		return modeUnknown, -1, 0
	}
	return fi.Mode().Type(), fi.Size(), fi.Mode().Perm()
}

func (l *lister) done() {}
