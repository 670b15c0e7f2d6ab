package checkpoint

import (
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// edits is a tree of names that differ from the index: files with new content, files that are gone, new directories.
type edits struct {
	side *Side // content at this very path; mode 0 means that there is none; nil means that the index speaks
	subs map[string]*edits
}

func (e *edits) at(path string) *edits {
	for name := range strings.SplitSeq(path, "/") {
		sub := e.subs[name]
		if sub == nil {
			sub = &edits{}
			if e.subs == nil {
				e.subs = map[string]*edits{}
			}
			e.subs[name] = sub
		}
		e = sub
	}
	return e
}

// set says what is at path. A path that ends in a slash (a nested repository) stands for the name without it.
func (e *edits) set(path string, s Side) { e.at(strings.TrimSuffix(path, "/")).side = &s }

// builder makes trees from the index and edits. Directories without edits cost nothing where the index remembers their tree.
type builder struct {
	w    *repo.ObjectWriter
	ix   *repo.Index
	read treeReader
	size int // of hashes
}

// fewNames is more than most directories hold.
const fewNames = 32

// tree builds the whole tree; e may be nil, which gives the tree of the index itself.
func (b *builder) tree(e *edits) (repo.Hash, error) {
	h, _, err := b.dir("", e, b.ix.Tree(), 0, b.ix.Len(), 0)
	return h, err
}

// dir builds one directory, whose index entries are [lo, hi). It reports whether the directory holds anything: git has no
// empty directories, except the root.
func (b *builder) dir(prefix string, e *edits, cached *repo.CacheTree, lo, hi, depth int) (repo.Hash, bool, error) {
	// Git checks too that a remembered tree is really stored: `git commit --dry-run` and others leave some that are not.
	if e == nil && cached != nil && cached.Count >= 0 && hi > lo && b.w.Has(cached.Hash) {
		return cached.Hash, true, nil
	}
	if depth > maxDepth {
		return repo.Hash{}, false, nil
	}
	out := make([]repo.TreeEntry, 0, min(hi-lo, fewNames)+1)
	// Names come from two sides: the index, in its order, and the edits, in none. The index goes first.
	var done map[string]bool // names of edits that had an index entry
	if e != nil {
		done = make(map[string]bool, len(e.subs))
	}
	for i := lo; i < hi; {
		en := b.ix.At(i)
		name, _, isDir := strings.Cut(en.Path[len(prefix):], "/")
		var sub *edits
		if e != nil {
			sub = e.subs[name]
		}
		if !isDir {
			i++
			for i < hi && b.ix.Path(i) == en.Path { // stages of a conflict
				i++
			}
			if sub == nil && en.Stage == 0 && en.Flags&repo.IntentToAdd == 0 {
				out = append(out, repo.TreeEntry{Mode: en.Mode, Name: name, Hash: en.Hash})
			}
			continue // an edited name is added below, with what it is now
		}
		// Entries of one directory stand together, though not in the order of trees: "a.b" comes between "a" and "a/b".
		below := prefix + name + "/"
		j := i + sort.Search(hi-i, func(k int) bool {
			p := b.ix.Path(i + k)
			return p > below && !strings.HasPrefix(p, below)
		})
		if en.Mode == repo.ModeDir && en.Path == below && sub == nil { // a sparse directory
			out = append(out, repo.TreeEntry{Mode: repo.ModeDir, Name: name, Hash: en.Hash})
			i = j
			continue
		}
		if sub != nil {
			done[name] = true
			// Something was put into a directory that the sparse index has folded: its tree is read and changed on the way down.
			if en.Mode == repo.ModeDir && en.Path == below && sub.side == nil {
				h, some, err := retreeDir(b.w, b.read, b.size, en.Hash, sub, false)
				if err != nil {
					return h, false, err
				}
				if some {
					out = append(out, repo.TreeEntry{Mode: repo.ModeDir, Name: name, Hash: h})
				}
				i = j
				continue
			}
		}
		// A file of this name that is gone hides nothing below: a directory may have taken its place.
		if sub == nil || sub.side == nil || sub.side.Mode == 0 {
			// Without edits below and with a tree that the index remembers, this returns at once.
			h, some, err := b.dir(below, sub, cached.Sub(name), i, j, depth+1)
			if err != nil {
				return h, false, err
			}
			if some {
				out = append(out, repo.TreeEntry{Mode: repo.ModeDir, Name: name, Hash: h})
			}
		} else {
			out = append(out, repo.TreeEntry{Mode: sub.side.Mode, Name: name, Hash: sub.side.Hash})
		}
		i = j
	}
	if e != nil {
		var err error
		if out, err = b.added(out, prefix, e, done, depth); err != nil {
			return repo.Hash{}, false, err
		}
	}
	// Git has no name for an empty directory below the root.
	if len(out) == 0 && prefix != "" {
		return repo.Hash{}, false, nil
	}
	slices.SortFunc(out, repo.CompareTree)
	h, err := b.w.Add(repo.KindTree, repo.AppendTree(b.size, nil, out))
	return h, len(out) > 0, err
}

// added appends what edits put into a directory under names that the index does not have there.
func (b *builder) added(out []repo.TreeEntry, prefix string, e *edits, done map[string]bool, depth int) ([]repo.TreeEntry, error) {
	for name, sub := range e.subs {
		switch {
		case done[name]:
		case sub.side != nil && sub.side.Mode != 0:
			out = append(out, repo.TreeEntry{Mode: sub.side.Mode, Name: name, Hash: sub.side.Hash})
		case sub.subs != nil:
			h, some, err := b.dir(prefix+name+"/", sub, nil, 0, 0, depth+1)
			if err != nil {
				return nil, err
			}
			if some {
				out = append(out, repo.TreeEntry{Mode: repo.ModeDir, Name: name, Hash: h})
			}
		}
	}
	return out, nil
}
