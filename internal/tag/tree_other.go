//go:build !linux || !(amd64 || arm64)

package tag

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/state"
)

// tree reads one directory tree by paths relative to its root.
type tree struct{ root string }

// openTree checks that the root is a directory, for a better message than that of the first look-up.
func openTree(root string) (*tree, error) {
	st, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: root, Err: errors.New("not a directory")}
	}
	return &tree{root}, nil
}

func (t *tree) close() {}

func (t *tree) path(rel string) string { return filepath.Join(t.root, filepath.FromSlash(rel)) }

// entry is a name in a directory; links and special files are left out when listing.
type entry struct {
	name string
	dir  bool
}

// list reads the names in a directory, "" being the root.
func (t *tree) list(dir string, _ []byte) ([]entry, error) {
	list, err := os.ReadDir(t.path(dir))
	var out []entry
	for _, e := range list {
		if e.IsDir() || e.Type().IsRegular() {
			out = append(out, entry{e.Name(), e.IsDir()})
		}
	}
	return out, err
}

// enter is for systems where asking within a directory is cheaper.
func (t *tree) enter(dir string, _ int) (sub *tree, prefix string) { return t, dir }

// leave undoes enter.
func (t *tree) leave(*tree) {}

// stat gives the stamp of a file or directory, not following a link; ok is false when there is none.
func (t *tree) stat(rel string) (s stamp, dir, ok bool) {
	st, err := os.Lstat(t.path(rel))
	if err != nil {
		return stamp{}, false, false
	}
	return stampOf(t.path(rel), st), st.IsDir(), st.IsDir() || st.Mode().IsRegular()
}

// stampOf leaves the size of directories out: on some systems it changes with nothing that matters here.
func stampOf(path string, st fs.FileInfo) stamp {
	s := stamp{mtime: st.ModTime().UnixNano()}
	s.ctime, s.inode = changeOf(path, st)
	if !st.IsDir() {
		s.size = st.Size()
	}
	return s
}

// handle is an open file.
type handle struct{ f *os.File }

// open opens a regular file and gives the stamp it has.
func (t *tree) open(rel string) (handle, stamp, error) {
	if st, err := os.Lstat(t.path(rel)); err != nil || !st.Mode().IsRegular() {
		return handle{}, stamp{}, errors.Join(err, errors.New("not a regular file"))
	}
	// What was a file a moment ago may be a pipe now.
	f, err := os.OpenFile(t.path(rel), os.O_RDONLY|state.Nonblock, 0)
	if err != nil {
		return handle{}, stamp{}, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close()
		return handle{}, stamp{}, err
	}
	return handle{f}, stampOf(t.path(rel), st), nil
}

// read gives 0 at the end, as the system call does.
func (h handle) read(b []byte) (int, error) {
	n, err := h.f.Read(b)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// rewind goes back to the start of the file.
func (h handle) rewind() error {
	_, err := h.f.Seek(0, io.SeekStart)
	return err
}

func (h handle) close() { h.f.Close() }
