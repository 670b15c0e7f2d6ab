package repo

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// CacheTree is the index's memory of the trees that it was written as. Where Count is
// not negative, the Count entries below this directory are exactly the tree Hash.
type CacheTree struct {
	Name  string // of the directory, "" for the root
	Count int    // entries below it; negative when something has changed since
	Hash  Hash
	Subs  []CacheTree
}

// Sub finds a subdirectory; nil is a valid receiver and a valid answer. Git orders them by
// the length of the name first; another writer's order only costs time.
func (t *CacheTree) Sub(name string) *CacheTree {
	if t == nil {
		return nil
	}
	i, found := sort.Find(len(t.Subs), func(i int) int {
		return cmp.Or(len(name)-len(t.Subs[i].Name), strings.Compare(name, t.Subs[i].Name))
	})
	if !found {
		i = slices.IndexFunc(t.Subs, func(s CacheTree) bool { return s.Name == name })
	}
	if i < 0 {
		return nil
	}
	return &t.Subs[i]
}

// lazyTree is the extension as it was read, and the tree once somebody has asked.
type lazyTree struct {
	ext  []byte
	once sync.Once
	root *CacheTree
}

// Tree is the root of the cache-tree, or nil when there is none. The first call decodes it.
func (ix *Index) Tree() *CacheTree {
	if ix.tree == nil {
		return nil
	}
	ix.tree.once.Do(func() {
		p := treeParser{b: ix.tree.ext, hashSize: ix.hashSize}
		p.left = len(p.b) / leastRecord
		var root CacheTree
		if p.node(&root, 0) && len(p.b) == 0 {
			ix.tree.root = &root
		}
	})
	return ix.tree.root
}

// RootTree is the tree that the whole index stands for, if that is known: a glance at
// the first record, without decoding the rest.
func (ix *Index) RootTree() (Hash, bool) {
	if ix.tree == nil {
		return Hash{}, false
	}
	p := treeParser{b: ix.tree.ext, hashSize: ix.hashSize}
	var root CacheTree
	if _, ok := p.record(&root); !ok || root.Name != "" || root.Count < 0 {
		return Hash{}, false
	}
	return root.Hash, true
}

type treeParser struct {
	b        []byte
	hashSize int
	left     int // records that the extension has room for and that no directory has claimed
}

// leastRecord is the length of the shortest record, a subtree that has changed: "a\0-1 0\n" without the hash.
const leastRecord = 7

// maxTreeDepth bounds recursion; a path of maxName bytes has no more elements.
const maxTreeDepth = maxName / 2

// node reads one directory and, after it, those below: gitformat-index(5), cache tree.
func (p *treeParser) node(t *CacheTree, depth int) bool {
	subs, ok := p.record(t)
	if !ok || depth > maxTreeDepth {
		return false
	}
	// The number is somebody's word, and so is that of every directory below.
	if p.left -= subs; p.left < 0 {
		return false
	}
	if subs > 0 {
		t.Subs = make([]CacheTree, subs)
	}
	for i := range t.Subs {
		if !p.node(&t.Subs[i], depth+1) {
			return false
		}
	}
	return true
}

// record reads "name\0count subtrees\n" and, for a valid count, the tree's hash.
func (p *treeParser) record(t *CacheTree) (subs int, ok bool) {
	name, rest, ok := bytes.Cut(p.b, []byte{0})
	if !ok {
		return 0, false
	}
	line, rest, ok := bytes.Cut(rest, []byte{'\n'})
	if !ok || len(line) > 24 {
		return 0, false
	}
	count, number, ok := bytes.Cut(line, []byte{' '})
	if !ok {
		return 0, false
	}
	var err1, err2 error
	t.Count, err1 = strconv.Atoi(string(count))
	subs, err2 = strconv.Atoi(string(number))
	if err1 != nil || err2 != nil || subs < 0 || subs > len(rest)/leastRecord {
		return 0, false
	}
	if t.Count >= 0 {
		if len(rest) < p.hashSize {
			return 0, false
		}
		t.Hash = HashOf(rest[:p.hashSize])
		rest = rest[p.hashSize:]
	}
	t.Name, p.b = string(name), rest
	return subs, true
}
