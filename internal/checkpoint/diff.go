package checkpoint

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// Change is one path that two trees hold differently. Old or New without a mode means that the path is absent there.
type Change struct {
	Path     string
	Old, New Side
	Aside    bool // what is there now is moved aside: it is too large to be saved first
}

// Side is what a tree holds at a path.
type Side struct {
	Mode uint32
	Hash repo.Hash
}

// Status is git's letter: A added, D deleted, T type changed, M modified.
func (c Change) Status() byte {
	switch {
	case c.Old.Mode == 0:
		return 'A'
	case c.New.Mode == 0:
		return 'D'
	case c.Old.Mode&0o170000 != c.New.Mode&0o170000:
		return 'T'
	}
	return 'M'
}

// maxDepth bounds the nesting of trees; the names of deeper files could not be opened on any system.
const maxDepth = 2048

// treeReader gives the entries of a tree: the repository's, or one that has not been written.
type treeReader func(repo.Hash) ([]repo.TreeEntry, error)

// diffTrees compares two trees and skips equal subtrees. Zero hashes are empty trees. Changes come in path order of files.
func diffTrees(read treeReader, a, b repo.Hash) ([]Change, error) {
	d := &differ{read: read, left: maxChanges}
	return d.all(a, b)
}

// DiffTrees lists the paths in which two trees differ; the zero hash is an empty one.
func DiffTrees(r *repo.Repo, a, b repo.Hash) ([]Change, error) { return diffTrees(r.Tree, a, b) }

// diffReadable is diffTrees for a repository that may be damaged. Folders below the top that cannot be read in b are left out and returned
// as unread; one that cannot be read in a counts as empty.
func diffReadable(read treeReader, a, b repo.Hash) (changes []Change, unread []Skip, err error) {
	d := &differ{read: read, left: maxChanges, damaged: func(path string, err error) { unread = append(unread, Skip{Path: path, Why: why(err)}) }}
	changes, err = d.all(a, b)
	return changes, unread, err
}

func (d *differ) all(a, b repo.Hash) ([]Change, error) {
	if err := d.dir("", a, b, 0); err != nil {
		return nil, err
	}
	slices.SortFunc(d.out, func(x, y Change) int { return cmp.Compare(x.Path, y.Path) })
	return d.out, nil
}

type differ struct {
	read treeReader
	out  []Change
	left int // of maxChanges

	damaged func(path string, err error) // is told of a folder that cannot be read, which then has no changes; nil: that is an error
}

const (
	// maxChanges bounds what is listed of two trees, and maxFiles what is visited of one. A stranger may have made the tree, and a few
	// kilobytes can stand for 10^12 files, by naming the same folders again and again.
	maxChanges = 1 << 20
	maxFiles   = 4 << 20
	// treeWeight is what reading a folder counts as, in files: it takes some 20 µs, and an empty one would be free otherwise.
	treeWeight = 4
)

var errTooMany = errors.New("there are too many files to compare")

func (d *differ) list(h repo.Hash) ([]repo.TreeEntry, error) {
	if h.IsZero() {
		return nil, nil
	}
	es, err := d.read(h)
	// Git's order puts "a.b" before the directory "a"; names alone make both sides comparable.
	slices.SortFunc(es, func(x, y repo.TreeEntry) int { return strings.Compare(x.Name, y.Name) })
	return es, err
}

// dir compares two directories. Equal ones have equal names, whatever is in them: that is what makes this fast.
func (d *differ) dir(path string, a, b repo.Hash, depth int) error {
	if a == b || depth > maxDepth {
		return nil
	}
	if d.left -= treeWeight; d.left < 0 {
		return errTooMany
	}
	ea, err := d.list(a)
	if err != nil && (d.damaged == nil || path == "") {
		return err
	}
	eb, err := d.list(b)
	if err != nil {
		if d.damaged == nil || path == "" {
			return err
		}
		d.damaged(path, err)
		return nil
	}
	for len(ea) > 0 || len(eb) > 0 {
		var x, y repo.TreeEntry
		switch {
		// Both lists are in order, so one pass pairs equal names and tells which side a lone one is on.
		case len(eb) == 0 || len(ea) > 0 && ea[0].Name < eb[0].Name:
			x, ea = ea[0], ea[1:]
		case len(ea) == 0 || eb[0].Name < ea[0].Name:
			y, eb = eb[0], eb[1:]
		default:
			x, ea, y, eb = ea[0], ea[1:], eb[0], eb[1:]
		}
		if x.Hash == y.Hash && x.Mode == y.Mode {
			continue
		}
		if d.left--; d.left < 0 {
			return errTooMany
		}
		name := path + cmp.Or(x.Name, y.Name)
		// A directory on either side is compared by what is in it; a file on the other side still counts as one that comes or goes.
		var da, db repo.Hash
		if x.Mode == repo.ModeDir {
			da, x = x.Hash, repo.TreeEntry{}
		}
		if y.Mode == repo.ModeDir {
			db, y = y.Hash, repo.TreeEntry{}
		}
		if !da.IsZero() || !db.IsZero() {
			if err := d.dir(name+"/", da, db, depth+1); err != nil {
				return err
			}
		}
		if x.Mode != 0 || y.Mode != 0 {
			d.out = append(d.out, Change{Path: name, Old: Side{x.Mode, x.Hash}, New: Side{y.Mode, y.Hash}})
		}
	}
	return nil
}

// lookup finds one path in a tree; the mode is zero when it is absent.
func lookup(read treeReader, tree repo.Hash, path string) (Side, error) {
	return descend(tree, path, func(tree repo.Hash, name string) (Side, error) {
		es, err := read(tree)
		for _, e := range es {
			if e.Name == name {
				return Side{e.Mode, e.Hash}, err
			}
		}
		return Side{}, err
	})
}

// descend follows a path from a tree, from child to child.
func descend(tree repo.Hash, path string, child func(tree repo.Hash, name string) (Side, error)) (s Side, err error) {
	s = Side{Mode: repo.ModeDir, Hash: tree}
	for part := range strings.SplitSeq(path, "/") {
		if s.Mode != repo.ModeDir || s.Hash.IsZero() { // a file where a directory would be: nothing can be below it
			return Side{}, nil
		}
		if s, err = child(s.Hash, part); err != nil {
			return Side{}, err
		}
	}
	return s, nil
}

// within says whether a path is asked for: paths name files or directories; none means all.
func within(path string, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	for _, p := range paths {
		if p == "" || p == "." || path == p || strings.HasPrefix(path, p) && path[len(p)] == '/' {
			return true
		}
	}
	return false
}
