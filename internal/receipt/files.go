package receipt

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Bounds of what is hashed. A tree with more changes, or larger ones, has no name, and so no receipt.
const (
	maxChanges = 2000
	maxFile    = 32 << 20
	maxBytes   = 64 << 20
	maxObjects = 2 * work.Disk // what HEAD's folders may take to unpack: 5 MB of them
)

// errNoName is why files have none.
var errNoName = errors.New("there is too much that Git does not hold, or a merge waits to be finished")

// Files are those of a work tree: tracked ones as they are on disk, and untracked ones that Git does not ignore.
type Files struct {
	ix      *repo.Index
	changes []change // by path
	staged  []string // paths that differ between HEAD and index
}

// change is a file that differs from the index.
type change struct {
	path      string
	mode      uint32 // 0: it is gone
	hash      repo.Hash
	untracked bool
}

// Look reads which files there are.
func Look(ctx context.Context, r *repo.Repo, dirCache string) (*Files, error) {
	r.Charge(work.New(maxObjects))
	ix, err := r.Index()
	if err != nil {
		return nil, fmt.Errorf("name the files: %w", err)
	}
	st, err := r.Status(ctx, repo.StatusOptions{
		Untracked: repo.UntrackedAll, NoRenames: true, NoSubmodules: true, Most: maxChanges, DirCache: dirCache, Index: ix,
	})
	if err != nil {
		return nil, fmt.Errorf("name the files: %w", err)
	}
	if st.Partial || st.Unjudged || st.Conflicts > 0 {
		return nil, errNoName
	}
	f := &Files{ix: ix}
	var cleaner *repo.Cleaner
	bytes := int64(maxBytes)
	for i := range st.Changes {
		c := &st.Changes[i]
		if c.X != ' ' && c.X != '?' {
			f.staged = append(f.staged, c.Path)
		}
		if c.Y == ' ' || strings.HasSuffix(c.Path, "/") { // a repository inside is its own
			continue
		}
		one := change{path: c.Path, untracked: c.Y == '?'}
		if c.Y != 'D' {
			if cleaner == nil {
				cleaner = r.CleanerOf(ix)
			}
			size, ok := int64(0), false
			if one.hash, one.mode, size, ok = cleaner.Name(c.Path, min(bytes, maxFile)); !ok {
				return nil, errNoName
			}
			bytes -= size
		}
		f.changes = append(f.changes, one)
	}
	slices.SortFunc(f.changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return f, nil
}

// Work names all of them.
func (f *Files) Work() string { return f.name(func(*change) bool { return true }) }

// Taking is what of the files a commit takes besides what is staged.
type Taking struct {
	All     bool     // tracked ones that were changed: commit -a
	Every   bool     // untracked ones, too: add -A
	Paths   []string // files, and folders that end in "/", relative to the work tree; "" is all of it
	Tracked []string // the same for tracked ones alone: add -u, commit PATH
	Only    bool     // nothing that is staged elsewhere: commit PATH
}

// Commit names what a commit would hold, "" where that cannot be told, and lists what it leaves out of the files.
func (f *Files) Commit(t *Taking) (name string, left []string) {
	for i := range f.changes {
		if !t.takes(&f.changes[i]) {
			left = append(left, f.changes[i].path)
		}
	}
	if t.Only {
		for _, path := range f.staged {
			if !covers(t.Paths, path) && !covers(t.Tracked, path) {
				left = append(left, path)
			}
		}
		if len(left) > 0 {
			return "", left // what HEAD has of these is not looked up
		}
	}
	return f.name(t.takes), left
}

// Taken lists the paths that a commit changes, as far as the words tell.
func (f *Files) Taken(t *Taking) []string {
	list := slices.Clone(f.staged)
	for i := range f.changes {
		if c := &f.changes[i]; t.takes(c) && !slices.Contains(list, c.path) {
			list = append(list, c.path)
		}
	}
	return list
}

func (t *Taking) takes(c *change) bool {
	return t.Every || t.All && !c.untracked || covers(t.Paths, c.path) || !c.untracked && covers(t.Tracked, c.path)
}

func covers(list []string, path string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		return p == "" || p == path || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

// name is the hash of all paths with modes and contents, sorted by path: those of the index, with the changes that are taken in place of them.
func (f *Files) name(takes func(*change) bool) string {
	sum := sha256.New()
	w := lister{bufio.NewWriterSize(sum, 32<<10), sum}
	changes := f.changes
	next := func() *change {
		for len(changes) > 0 && !takes(&changes[0]) {
			changes = changes[1:]
		}
		if len(changes) == 0 {
			return nil
		}
		return &changes[0]
	}
	at := next()
	for e := range f.ix.Entries() {
		for at != nil && at.path < e.Path {
			w.add(at.path, at.mode, &at.hash)
			changes = changes[1:]
			at = next()
		}
		switch {
		case at != nil && at.path == e.Path:
			w.add(at.path, at.mode, &at.hash)
			changes = changes[1:]
			at = next()
		case e.Flags&repo.IntentToAdd == 0:
			w.add(e.Path, e.Mode, &e.Hash)
		}
	}
	for ; at != nil; at = next() {
		w.add(at.path, at.mode, &at.hash)
		changes = changes[1:]
	}
	_ = w.Flush() // a hash takes everything
	return hex.EncodeToString(w.sum.Sum(nil)[:16])
}

// maxTree bounds how many files of a tree are named.
const maxTree = 200_000

// NameTree names the files of a tree as Work would, had a work tree just them.
func NameTree(r *repo.Repo, tree repo.Hash) (string, error) {
	sum := sha256.New()
	w, left := lister{bufio.NewWriterSize(sum, 32<<10), sum}, maxTree
	var add func(tree repo.Hash, above string) error
	add = func(tree repo.Hash, above string) error {
		list, err := r.Tree(tree)
		if err != nil {
			return fmt.Errorf("name the files: %w", err)
		}
		for i := range list {
			e := &list[i]
			if left--; left < 0 {
				return errNoName
			}
			if e.Mode == treeMode {
				if err := add(e.Hash, above+e.Name+"/"); err != nil {
					return err
				}
				continue
			}
			w.add(above+e.Name, e.Mode, &e.Hash)
		}
		return nil
	}
	if err := add(tree, ""); err != nil {
		return "", err
	}
	_ = w.Flush()
	return hex.EncodeToString(w.sum.Sum(nil)[:16]), nil
}

// treeMode is how Git writes a folder.
const treeMode = 0o40000

type lister struct {
	*bufio.Writer
	sum hash.Hash
}

func (w *lister) add(path string, mode uint32, h *repo.Hash) {
	if mode == 0 {
		return
	}
	_, _ = w.WriteString(path)
	_ = w.WriteByte(0)
	_, _ = w.Write(binary.BigEndian.AppendUint32(w.AvailableBuffer(), mode))
	_, _ = w.Write(h.Bytes())
}
