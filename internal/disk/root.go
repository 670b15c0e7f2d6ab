package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Root reads regular files below one folder. Links that lead out of it are refused, and nothing that could block is
// waited for. Methods are safe for use by several goroutines where they say so.
type Root struct {
	dir  string
	root *os.Root // opened at first use by the portable way
	fast fastRoot

	listing []byte // names of the folder that was listed last
}

// NewRoot opens nothing yet: many answers come from elsewhere.
func NewRoot(dir string) *Root { return &Root{dir: dir} }

// Dir is the folder.
func (r *Root) Dir() string { return r.dir }

// Close ends what was opened on demand; a root that opened nothing is fine.
func (r *Root) Close() {
	if r.root != nil {
		r.root.Close()
	}
	r.fast.close()
}

// open is the portable way: os.Root keeps links inside.
func (r *Root) open(path string) (*os.File, error) {
	if r.root == nil {
		root, err := os.OpenRoot(r.dir)
		if err != nil {
			return nil, err
		}
		r.root = root
	}
	f, _, err := OpenRegular(r.root.OpenFile, filepath.FromSlash(path), 0)
	return f, err
}

// slowFile reads a file of at most limit bytes the portable way; a longer one is cut there.
func (r *Root) slowFile(path string, limit int64) ([]byte, Stat, error) {
	f, err := r.open(path)
	if err != nil {
		return nil, Stat{}, err
	}
	defer f.Close()
	st, err := statOf(f)
	if err != nil {
		return nil, Stat{}, err
	}
	data := make([]byte, min(st.Size, limit))
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, Stat{}, err
	}
	return data[:n], st, nil
}

// slowHead reads the start of a file into buf the portable way, by a root of its own: several do at once.
func (r *Root) slowHead(path string, buf []byte) int {
	own := NewRoot(r.dir)
	defer own.Close()
	f, err := own.open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	n, _ := io.ReadFull(f, buf)
	return n
}

// listed is room for the names of most folders.
const listed = 16 << 10

// List calls visit for the names in a folder below the root, in no order, until it says false, and gives the folder's state; not ok where it
// cannot be read. A link to a folder is followed. Names are good until the next folder is listed.
func (r *Root) List(path string, visit func(name string, kind Kind) (more bool)) (st Stat, ok bool) {
	d, err := Open(filepath.Join(r.dir, filepath.FromSlash(path)))
	if err != nil {
		return st, false
	}
	defer d.Close()
	if r.listing == nil {
		r.listing = make([]byte, listed)
	}
	ok = d.Stat(&st) == nil
	var of Stat
	_ = d.Each(&r.listing, func(name string, kind Kind) bool {
		if kind == KindUnknown && d.Lstat(name, &of) == nil {
			kind = of.Kind()
		}
		return visit(name, kind)
	})
	return st, ok
}

// Size is the length of a regular file, and whether there is one: a link is none.
func (r *Root) Size(path string) (int64, bool) {
	fi, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(path)))
	if err != nil || !fi.Mode().IsRegular() {
		return 0, false
	}
	return fi.Size(), true
}
