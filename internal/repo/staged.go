package repo

import (
	"errors"
	"strings"
	"sync/atomic"
)

// pair is one difference before renames are looked for: a path with what it was and what
// it is. It also serves the work tree side, where contents are files.
type pair struct {
	status           byte
	path, orig       string
	entry            int // position in the index, or -1
	oldHash, newHash Hash
	oldMode, newMode uint32
	work             bool // the new content is the file in the work tree
}

// staging compares HEAD's tree with the index.
type staging struct {
	r    *Repo
	ix   *Index
	stop *atomic.Bool
	pays func(n int) bool // asked before n lines are added
	out  []pair
	left int // of maxDifferences
}

const (
	// maxDifferences bounds what is listed of HEAD and the index. A commit of a few kilobytes can stand for 10^12 files, by naming
	// the same folders again and again; of a real tree of a million files some hundred thousand may differ.
	maxDifferences = 1 << 20
	// treeWeight is what reading a folder counts as, in files: it takes some 20 µs, and an empty one would be free otherwise.
	treeWeight = 4
)

var errTooMany = errors.New("HEAD and the index differ in too many files")

// staged lists what differs between HEAD and the index. Where the index remembers the
// tree that a directory was, and it is HEAD's, nothing below is read: on a clean index
// that is one commit object, and no tree at all. It ends with errCostly where pays says no.
func (r *Repo) staged(ix *Index, stop *atomic.Bool, pays func(n int) bool) ([]pair, error) {
	name, err := r.headRef()
	if err != nil {
		return nil, err
	}
	s := staging{r: r, ix: ix, stop: stop, pays: pays, left: maxDifferences}
	h, ok := ParseHash(name)
	if !ok {
		if h, err = r.lookup(name); errors.Is(err, ErrNoRef) {
			err = s.newEntries(0, len(ix.entries)) // an unborn branch
			return s.out, err
		} else if err != nil {
			return nil, err
		}
	}
	tree, err := r.treeOf(h)
	if err != nil {
		return nil, err
	}
	// The common case, and the reason why a clean index costs one object.
	if root, ok := ix.RootTree(); ok && root == tree {
		return nil, nil
	}
	err = s.compare("", tree, ix.Tree(), 0, len(ix.entries))
	return s.out, err
}

func (r *Repo) treeOf(commit Hash) (Hash, error) {
	c, err := r.Commit(commit)
	if err != nil {
		return Hash{}, err
	}
	return c.Tree, nil
}

// list adds a line.
func (s *staging) list(p pair) error {
	if !s.pays(1) {
		return errCostly
	}
	s.out = append(s.out, p)
	return nil
}

// added lists entries that HEAD does not have.
func (s *staging) added(lo, hi int) error {
	for i := lo; i < hi; i++ {
		e := &s.ix.entries[i]
		if e.stage() != 0 || e.intentToAdd() || e.mode() == ModeDir {
			continue
		}
		if err := s.list(pair{status: 'A', path: e.name, entry: i, newHash: e.hash(s.ix.hashSize), newMode: e.mode()}); err != nil {
			return err
		}
	}
	return nil
}

// compare merges one tree of HEAD with the entries lo to hi below path. Both are in the
// same order: by name, directories as if their name ended in a slash.
func (s *staging) compare(path string, tree Hash, cached *CacheTree, lo, hi int) error {
	if cached != nil && cached.Count >= 0 && cached.Hash == tree || s.stop.Load() {
		return nil
	}
	old, err := s.r.Tree(tree)
	if err != nil {
		return err
	}
	at := len(path)
	for i := lo; i < hi || len(old) > 0; {
		if i >= hi {
			if err := s.deleted(path, &old[0]); err != nil {
				return err
			}
			old = old[1:]
			continue
		}
		e := &s.ix.entries[i]
		key, end := e.name[at:], i+1
		if slash := strings.IndexByte(key, '/'); slash >= 0 {
			key = key[:slash+1]
			end = rangeEnd(s.ix.entries, i, hi, e.name[:at+slash+1])
		} else {
			for end < hi && s.ix.entries[end].name == e.name {
				end++ // stages of one path
			}
		}
		// Without anything left of HEAD all that follows is new.
		c := 1
		if len(old) > 0 {
			// Both in the order of the index, where "a.b" comes between "a" and "a/b".
			c = strings.Compare(treeKey(&old[0]), key)
		}
		switch {
		case c < 0:
			if err := s.deleted(path, &old[0]); err != nil {
				return err
			}
			old = old[1:]
			continue
		case c > 0:
			if err := s.newEntries(i, end); err != nil {
				return err
			}
		case strings.HasSuffix(key, "/"):
			// A sparse index holds the whole directory as one entry, which can only be compared as a tree.
			if e.mode() == ModeDir && len(e.name) == at+len(key) {
				err = s.trees(e.name, old[0].Hash, e.hash(s.ix.hashSize), i)
			} else {
				err = s.compare(e.name[:at+len(key)], old[0].Hash, cached.Sub(key[:len(key)-1]), i, end)
			}
			if err != nil {
				return err
			}
			old = old[1:]
		default:
			if err := s.file(&old[0], i); err != nil {
				return err
			}
			old = old[1:]
		}
		i = end
	}
	return nil
}

// newEntries lists entries without a counterpart, whole directories included.
func (s *staging) newEntries(lo, hi int) error {
	if err := s.added(lo, hi); err != nil {
		return err
	}
	for i := lo; i < hi; i++ {
		// A folded folder of a sparse index stands for files that HEAD has not.
		if e := &s.ix.entries[i]; e.mode() == ModeDir {
			if err := s.trees(e.name, Hash{}, e.hash(s.ix.hashSize), i); err != nil {
				return err
			}
		}
	}
	return nil
}

// treeKey orders a tree's entries as the index does, where a folder is a prefix that ends in a slash.
func treeKey(e *TreeEntry) string {
	if e.Mode == ModeDir {
		return e.Name + "/"
	}
	return e.Name
}

// file compares one path that both sides have.
func (s *staging) file(old *TreeEntry, i int) error {
	e := &s.ix.entries[i]
	p := pair{path: e.name, entry: i, oldHash: old.Hash, oldMode: plainMode(old.Mode), newHash: e.hash(s.ix.hashSize), newMode: plainMode(e.mode())}
	switch {
	case e.stage() != 0:
		return nil // shown as a conflict
	case e.intentToAdd():
		// Announced, without content yet: for a commit the path is not there.
		p.status, p.entry, p.newHash, p.newMode = 'D', -1, Hash{}, 0
	case p.oldMode&modeType != p.newMode&modeType:
		p.status = 'T'
	case p.oldHash != p.newHash || p.oldMode != p.newMode:
		p.status = 'M'
	default:
		return nil
	}
	return s.list(p)
}

// deleted lists what HEAD has and the index has not.
func (s *staging) deleted(path string, old *TreeEntry) error {
	if old.Mode == ModeDir {
		return s.trees(path+old.Name+"/", old.Hash, Hash{}, -1)
	}
	return s.list(pair{status: 'D', path: path + old.Name, entry: -1, oldHash: old.Hash, oldMode: plainMode(old.Mode)})
}

// trees compares two trees without the index: for directories that are gone, and for those
// that a sparse index holds as one entry. A zero hash is an empty tree.
func (s *staging) trees(path string, before, after Hash, entry int) error {
	if before == after || s.stop.Load() {
		return nil
	}
	if len(path) > maxName {
		return errIndex
	}
	var old, cur []TreeEntry
	var err error
	if !before.IsZero() {
		if old, err = s.r.Tree(before); err != nil {
			return err
		}
	}
	if !after.IsZero() {
		if cur, err = s.r.Tree(after); err != nil {
			return err
		}
	}
	if s.left -= len(old) + len(cur) + treeWeight; s.left < 0 {
		return errTooMany
	}
	for len(old) > 0 || len(cur) > 0 {
		c := 0
		switch {
		case len(old) == 0:
			c = 1
		case len(cur) == 0:
			c = -1
		default:
			c = strings.Compare(treeKey(&old[0]), treeKey(&cur[0]))
		}
		var o, n TreeEntry
		if c <= 0 {
			o, old = old[0], old[1:]
		}
		if c >= 0 {
			n, cur = cur[0], cur[1:]
		}
		name := path + o.Name
		if c > 0 {
			name = path + n.Name
		}
		if o.Mode == ModeDir || n.Mode == ModeDir {
			if err := s.trees(name+"/", o.Hash, n.Hash, entry); err != nil {
				return err
			}
			continue
		}
		p := pair{path: name, entry: entry, oldHash: o.Hash, newHash: n.Hash, oldMode: plainMode(o.Mode), newMode: plainMode(n.Mode)}
		switch {
		case c < 0:
			p.status = 'D'
		case c > 0:
			p.status = 'A'
		case p.oldMode&modeType != p.newMode&modeType:
			p.status = 'T'
		case p.oldHash != p.newHash || p.oldMode != p.newMode:
			p.status = 'M'
		default:
			continue
		}
		if err := s.list(p); err != nil {
			return err
		}
	}
	return nil
}

// plainMode reduces the modes of files in old trees (0664 and the like) to the two kinds
// that the index knows.
func plainMode(m uint32) uint32 {
	if m&modeType == modeRegular {
		if m&modeExecBit != 0 {
			return ModeExec
		}
		return ModeFile
	}
	return m
}
