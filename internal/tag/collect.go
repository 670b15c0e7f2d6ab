package tag

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/work"
)

// Options say where TAGs are looked for.
type Options struct {
	Root    string
	Grammar *Grammar
	Syntax  func(path string) Syntax
	// Index is the file that remembers unchanged files; "" for none. It is rebuilt silently when it is missing,
	// damaged or made with another table.
	Index string
	// Version changes whenever Syntax may answer otherwise; an index of another version does not count.
	Version string
	// Exclude are ignore rules from outside the tree (the user's own), weakest first.
	Exclude [][]byte
}

// Result is what a tree holds.
type Result struct {
	Files    int // looked at
	Read     int // of those, read; the index knew the rest
	Warnings []string
	grammar  *Grammar
	found    []source
}

// source is a file with TAGs, encoded.
type source struct{ path, tags string }

// Collect finds every TAG below a root: in regular files that Git would not ignore and that are not binary,
// hidden ones included (the SPECs lie in .moai). Links are not followed.
func Collect(o Options) (*Result, error) {
	t, err := openTree(o.Root)
	if err != nil {
		return nil, fmt.Errorf("look for TAGs: %w", err)
	}
	defer t.Close()
	c := &collector{o: &o, tree: t}
	c.cond.L = &c.mu
	c.old = map[string]*node{}
	up := t.lookAbove(o.Root)
	key := indexKey(&o, &up)
	if o.Index != "" {
		c.old = loadIndex(o.Index, key)
	}
	m := up.matcher(func(dir string) []byte { return t.small(dir + ".gitignore") }, o.Exclude)
	c.push(job{dir: &node{}, ignored: m.Dir(up.rel)})
	var wg sync.WaitGroup
	for range min(work.Processors(), 8) {
		wg.Go(c.work)
	}
	wg.Wait()
	if c.fault != nil {
		return nil, fmt.Errorf("look for TAGs: %w", c.fault)
	}
	r := &Result{Warnings: c.warnings, grammar: o.Grammar}
	r.gather(c.nodes)
	slices.Sort(r.Warnings)
	if o.Index != "" && c.dirty {
		if err := saveIndex(o.Index, key, c.nodes); err != nil {
			r.Warnings = append(r.Warnings, "index not saved: "+err.Error())
		}
	}
	return r, nil
}

// gather takes over from the nodes what holds TAGs, by path.
func (r *Result) gather(nodes []*node) {
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.path, b.path) })
	for _, n := range nodes {
		r.Files += len(n.files)
		r.Read += n.read
		for i := range n.files {
			if f := &n.files[i]; f.tags != "" {
				r.found = append(r.found, source{n.path + f.name, f.tags})
			}
		}
	}
	// Directories in order are nearly all paths in order; the rest is "a/b" after "a-b".
	order := func(a, b source) int { return strings.Compare(a.path, b.path) }
	if !slices.IsSortedFunc(r.found, order) {
		slices.SortFunc(r.found, order)
	}
}

// All gives every TAG, by path and place in the file.
func (r *Result) All() iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		for _, f := range r.found {
			if !r.grammar.decode(f.path, f.tags, yield) {
				return
			}
		}
	}
}
