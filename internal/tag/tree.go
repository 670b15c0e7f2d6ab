package tag

import (
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// tree reads one directory tree by paths relative to its root.
type tree struct{ disk.Folder }

// openTree opens the root; what is asked for later is looked up from there.
func openTree(root string) (*tree, error) {
	d, err := disk.OpenTree(root)
	return &tree{d}, err
}

// entry is a name in a directory; links and special files are left out when listing.
type entry struct {
	name string
	dir  bool
}

// list reads the names in a directory, "" being the root. buf is scratch space.
func (t *tree) list(dir string, buf *[]byte) ([]entry, error) {
	d, err := t.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var out []entry
	err = d.Each(buf, func(name string, kind disk.Kind) bool {
		if kind == disk.KindUnknown {
			var st disk.Stat
			if d.Lstat(name, &st) != nil {
				return true
			}
			kind = st.Kind()
		}
		if kind == disk.KindFile || kind == disk.KindDir {
			out = append(out, entry{strings.Clone(name), kind == disk.KindDir})
		}
		return true
	})
	return out, err
}

// enter opens a directory in which several files are asked for, so that the kernel does not walk down to it
// for each; names are then to be asked with prefix in front of them.
func (t *tree) enter(dir string, files int) (sub *tree, prefix string) {
	// Opening and closing cost two calls, and each name asked within saves a part of one: below six files it does not pay.
	if files < 6 || dir == "" {
		return t, dir
	}
	d, err := t.Peek(dir)
	if err != nil {
		return t, dir
	}
	return &tree{d}, ""
}

// leave closes what enter opened.
func (t *tree) leave(sub *tree) {
	if sub != t {
		sub.Close()
	}
}

// stat gives the stamp of a file or directory, not following a link; ok is false when there is none.
func (t *tree) stat(rel string) (s stamp, dir, ok bool) {
	var st disk.Stat
	if t.Lstat(rel, &st) != nil {
		return stamp{}, false, false
	}
	return t.stamp(rel, &st), st.IsDir(), st.IsRegular() || st.IsDir()
}

// open opens a regular file and gives the stamp it has; a pipe that took its place does not block.
func (t *tree) open(rel string) (disk.File, stamp, error) {
	f, st, err := t.File(rel)
	if err != nil {
		return f, stamp{}, err
	}
	return f, t.stamp(rel, &st), nil
}

// stamp takes what tells two states of a file apart. It leaves the size of directories out: on some systems it changes
// with nothing that matters here.
func (t *tree) stamp(rel string, st *disk.Stat) stamp {
	t.Complete(rel, st)
	s := stamp{size: st.Size, mtime: st.ModifiedNano(), ctime: st.ChangedNano(), inode: st.Ino}
	if st.IsDir() {
		s.size = 0
	}
	if s.ctime == 0 { // nobody knows it: a file whose size and time were both set back looks unchanged
		s.ctime = s.mtime
	}
	return s
}
