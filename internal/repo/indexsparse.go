package repo

import (
	"encoding/binary"
	"os"
	"strings"
)

// maxExpanded bounds the entries that sparse directories turn into.
const maxExpanded = 4 << 20

// expandSparse returns the index with every sparse directory that exists on disk in
// spite of that replaced by the entries it stands for, as git does when it finds one. The
// others stay as they are.
func (r *Repo) expandSparse(ix *Index) (*Index, error) {
	var out []entry
	for i := range ix.entries {
		e := &ix.entries[i]
		present := false
		if e.mode() == ModeDir && e.skipWorktree() {
			fi, err := os.Lstat(r.Path(strings.TrimSuffix(e.name, "/")))
			present = err == nil && fi.IsDir()
		}
		if !present {
			if out != nil {
				out = append(out, *e)
			}
			continue
		}
		if out == nil {
			out = append(make([]entry, 0, len(ix.entries)+64), ix.entries[:i]...)
		}
		var err error
		if out, err = r.expandTree(out, e.name, e.hash(ix.hashSize)); err != nil {
			return nil, err
		}
	}
	if out == nil {
		return ix, nil
	}
	full := *ix
	full.entries = out
	return &full, nil
}

// expandTree appends the files of a tree as skip-worktree entries without stat data.
func (r *Repo) expandTree(out []entry, path string, tree Hash) ([]entry, error) {
	if len(path) > maxName || len(out) > maxExpanded {
		return nil, errIndex
	}
	list, err := r.Tree(tree)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		name := path + t.Name
		if t.Mode == ModeDir {
			if out, err = r.expandTree(out, name+"/", t.Hash); err != nil {
				return nil, err
			}
			continue
		}
		if !safePath(name) {
			return nil, errIndex
		}
		b := append(append([]byte(nil), name...), 0)
		e := entry{name: string(b)[:len(name)], raw: new([rawSize]byte), flags: flagExtend, extra: extraSkip}
		binary.BigEndian.PutUint32(e.raw[24:], plainMode(t.Mode))
		copy(e.raw[statSize:], t.Hash[:])
		out = append(out, e)
	}
	return out, nil
}
