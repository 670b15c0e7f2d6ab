package repo

import (
	"encoding/binary"
	"os"
	"strings"
)

// maxExpanded bounds the entries that sparse directories turn into, and the folders that are read for them, which may be empty.
const maxExpanded = 4 << 20

// expandSparse returns the index with every sparse directory that exists on disk in
// spite of that replaced by the entries it stands for, as git does when it finds one. The
// others stay as they are.
func (r *Repo) expandSparse(ix *Index) (*Index, error) {
	e := expansion{r: r, left: maxExpanded}
	return e.index(ix)
}

// expansion is the work on one index.
type expansion struct {
	r    *Repo
	out  []entry // nil as long as nothing differs from the index
	left int     // of maxExpanded
}

func (x *expansion) index(ix *Index) (*Index, error) {
	for i := range ix.entries {
		e := &ix.entries[i]
		present := false
		if e.mode() == ModeDir && e.skipWorktree() {
			fi, err := os.Lstat(x.r.Path(strings.TrimSuffix(e.name, "/")))
			present = err == nil && fi.IsDir()
		}
		if !present {
			if x.out != nil {
				x.out = append(x.out, *e)
			}
			continue
		}
		if x.out == nil {
			// Not before there is something to expand: in most sparse checkouts there is nothing.
			x.out = append(make([]entry, 0, len(ix.entries)+64), ix.entries[:i]...)
		}
		if err := x.tree(e.name, e.hash(ix.hashSize)); err != nil {
			return nil, err
		}
	}
	if x.out == nil {
		return ix, nil
	}
	full := *ix
	full.entries = x.out
	return &full, nil
}

// tree appends the files of a tree as skip-worktree entries without stat data.
func (x *expansion) tree(path string, tree Hash) error {
	list, err := x.r.Tree(tree)
	if err != nil {
		return err
	}
	if x.left -= len(list) + 1; x.left < 0 || len(path) > maxName {
		return errIndex
	}
	for _, t := range list {
		name := path + t.Name
		if t.Mode == ModeDir {
			if err := x.tree(name+"/", t.Hash); err != nil {
				return err
			}
			continue
		}
		// The index's own paths were checked when it was decoded; a tree's are anybody's.
		if !safePath(name) {
			return errIndex
		}
		// As in the file of an index, a zero byte stands behind the name in memory: the kernel reads it there.
		b := append(append([]byte(nil), name...), 0)
		e := entry{name: string(b)[:len(name)], raw: new([rawSize]byte), flags: flagExtend, extra: extraSkip}
		binary.BigEndian.PutUint32(e.raw[24:], plainMode(t.Mode))
		copy(e.raw[statSize:], t.Hash[:])
		x.out = append(x.out, e)
	}
	return nil
}
