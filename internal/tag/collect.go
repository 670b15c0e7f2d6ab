package tag

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/ignore"
)

// Options say where TAGs are looked for.
type Options struct {
	Root    string
	Grammar *Grammar
	Syntax  func(path string) Syntax // nil: SyntaxOf
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
	Tags     []Tag // by path and line
	Files    int   // looked at
	Read     int   // of those, read; the index knew the rest
	Warnings []string
}

// Collect finds every TAG below a root: in regular files that Git would not ignore and that are not binary,
// hidden ones included (the SPECs lie in .moai). Links are not followed.
func Collect(o Options) (*Result, error) {
	t, err := openTree(o.Root)
	if err != nil {
		return nil, fmt.Errorf("look for TAGs: %w", err)
	}
	defer t.close()
	if o.Syntax == nil {
		o.Syntax = SyntaxOf
	}
	c := &collector{o: &o, tree: t, started: time.Now().UnixNano()}
	c.cond.L = &c.mu
	c.old = map[string]*node{}
	exclude := c.small(".git/info/exclude")
	key := indexKey(&o, exclude)
	if o.Index != "" {
		c.old = loadIndex(o.Index, key)
	}
	m := ignore.New(ignore.Options{
		Read:  func(dir string) []byte { return c.small(dir + ".gitignore") },
		Lower: func() [][]byte { return append(slices.Clone(o.Exclude), exclude) },
	})
	c.push(job{dir: &node{}, ignored: m.Root()})
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		wg.Go(c.work)
	}
	wg.Wait()
	if c.fault != nil {
		return nil, fmt.Errorf("look for TAGs: %w", c.fault)
	}
	r := &Result{Warnings: c.warnings}
	r.gather(c.nodes)
	slices.Sort(r.Warnings)
	if o.Index != "" && c.dirty {
		if err := saveIndex(o.Index, key, c.nodes); err != nil {
			r.Warnings = append(r.Warnings, "index not saved: "+err.Error())
		}
	}
	return r, nil
}

// gather takes the TAGs over from the nodes, by path and line.
func (r *Result) gather(nodes []*node) {
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.path, b.path) })
	total := 0
	for _, n := range nodes {
		for i := range n.files {
			total += len(n.files[i].tags)
		}
	}
	r.Tags = make([]Tag, 0, total)
	for _, n := range nodes {
		r.Files += len(n.files)
		r.Read += n.read
		for i := range n.files {
			r.Tags = append(r.Tags, n.files[i].tags...)
		}
	}
	// Directories in order are nearly all paths in order; the rest is "a/b" after "a-b".
	order := func(a, b Tag) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line, a.column-b.column)
	}
	if !slices.IsSortedFunc(r.Tags, order) {
		slices.SortFunc(r.Tags, order)
	}
}

// A stamp tells one state of a file from another. The time of change (ctime) cannot be set back, which
// catches an edit that keeps size and mtime.
type stamp struct {
	size, mtime, ctime int64
	inode              uint64
}

// settled is Git's rule for racy entries: a file changed so shortly before it was read that another change
// could carry the same time must be read again. Two seconds is the coarsest clock of a file system (FAT).
const settled = int64(2 * time.Second)

func (s stamp) stable(read int64) bool { return s.ctime < read-settled }

// node is one directory: what is in it that counts, and the state in which that was seen.
type node struct {
	path    string // "" or "a/b/"
	stamp   stamp
	stable  bool
	ignores bool  // has a .gitignore
	rules   stamp // of that file
	subs    []string
	files   []file
	read    int
}

// file is one file of a node.
type file struct {
	name   string
	stamp  stamp
	stable bool
	tags   []Tag
}

// collector walks a tree with several workers. Jobs are directories, or parts of one with many files.
type collector struct {
	o       *Options
	tree    *tree
	started int64
	old     map[string]*node // of the index

	mu       sync.Mutex
	cond     sync.Cond
	jobs     []job
	busy     int
	nodes    []*node
	dirty    bool // the index is to be written
	warnings []string
	fault    error // a panic of a worker; it ends the search
}

type job struct {
	dir      *node
	ignored  *ignore.Dir
	relist   bool // the rules above changed: what the index says of this directory does not count
	from, to int  // files of dir to look at, when to > 0
	was      *node
}

const batch = 256

func (c *collector) push(jobs ...job) {
	c.mu.Lock()
	c.jobs = append(c.jobs, jobs...)
	c.mu.Unlock()
	if len(jobs) > 1 {
		c.cond.Broadcast()
	} else {
		c.cond.Signal()
	}
}

func (c *collector) warn(name string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.warnings) < 100 {
		c.warnings = append(c.warnings, name+": "+err.Error())
	}
}

// work takes jobs until there is none and nobody is left who could add one.
func (c *collector) work() {
	w := worker{c: c, dents: make([]byte, 32<<10)}
	c.mu.Lock()
	for {
		for len(c.jobs) == 0 {
			if c.busy == 0 {
				c.mu.Unlock()
				c.cond.Broadcast()
				return
			}
			c.cond.Wait()
		}
		j := c.jobs[len(c.jobs)-1]
		c.jobs = c.jobs[:len(c.jobs)-1]
		c.busy++
		c.mu.Unlock()
		fault := guard(func() {
			if j.to > 0 {
				w.files(j)
			} else {
				w.directory(j)
			}
		})
		c.mu.Lock()
		c.busy--
		if c.fault == nil {
			c.fault = fault
		}
		if c.fault != nil {
			c.jobs = nil
		}
		c.dirty = c.dirty || w.dirty
		if c.busy == 0 && len(c.jobs) == 0 {
			c.cond.Broadcast()
		}
	}
}

type worker struct {
	c     *collector
	dents []byte
	buf   []byte
	dirty bool
	jobs  []job
}

func (w *worker) directory(j job) {
	c, n := w.c, j.dir
	now := time.Now().UnixNano()
	st, dir, ok := c.tree.stat(strings.TrimSuffix(n.path, "/"))
	if !ok || !dir {
		w.dirty = true // removed meanwhile
		return
	}
	was := c.old[n.path]
	n.stamp, n.stable = st, st.stable(now)
	known := was != nil && !j.relist && was.stable && was.stamp == st
	below := j.relist
	if was != nil && was.ignores {
		rules, _, ok := c.tree.stat(n.path + ".gitignore")
		if !ok || rules != was.rules || !rules.stable(now) {
			known, below = false, true
		}
	}
	if known {
		n.ignores, n.rules, n.subs = was.ignores, was.rules, was.subs
		n.files = make([]file, len(was.files))
		for i := range was.files {
			n.files[i].name = was.files[i].name
		}
	} else {
		w.dirty = true
		w.list(n, j.ignored)
		if was == nil || was.ignores != n.ignores {
			below = true
		}
	}
	w.jobs = w.jobs[:0]
	for _, name := range n.subs {
		w.jobs = append(w.jobs, job{dir: &node{path: n.path + name + "/"}, ignored: j.ignored.Child(name), relist: below})
	}
	end := min(len(n.files), batch)
	for from := end; from < len(n.files); from += batch {
		w.jobs = append(w.jobs, job{dir: n, from: from, to: min(from+batch, len(n.files)), was: was})
	}
	if len(w.jobs) > 0 {
		c.push(w.jobs...)
	}
	c.mu.Lock()
	c.nodes = append(c.nodes, n)
	c.mu.Unlock()
	w.files(job{dir: n, from: 0, to: end, was: was})
}

// list reads a directory and leaves out what does not count.
func (w *worker) list(n *node, d *ignore.Dir) {
	entries, err := w.c.tree.list(strings.TrimSuffix(n.path, "/"), w.dents)
	if err != nil {
		w.c.warn(path.Clean(n.path), err)
		n.stable = false
	}
	for _, e := range entries {
		if e.name == ".gitignore" && !e.dir {
			n.ignores = true
			n.rules, _, _ = w.c.tree.stat(n.path + e.name)
		}
	}
	if !n.ignores {
		d.NoFile()
	}
	for _, e := range entries {
		if e.name == ".git" || d.Match(e.name, e.dir) {
			continue
		}
		if e.dir {
			n.subs = append(n.subs, e.name)
		} else {
			n.files = append(n.files, file{name: e.name})
		}
	}
	slices.SortFunc(n.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// files brings a part of a directory's files up to date.
func (w *worker) files(j job) {
	n := j.dir
	read := 0
	sub, prefix := w.c.tree.enter(n.path, j.to-j.from)
	defer w.c.tree.leave(sub)
	for i := j.from; i < j.to; i++ {
		f := &n.files[i]
		if was := j.was.find(f.name, i); was != nil {
			if was.stable {
				if st, dir, ok := sub.stat(prefix + f.name); ok && !dir && st == was.stamp {
					*f = *was
					continue
				}
			}
		}
		w.dirty = true
		read++
		w.read(f, n.path+f.name, sub, prefix+f.name)
	}
	if read > 0 {
		w.c.mu.Lock()
		n.read += read
		w.c.mu.Unlock()
	}
}

// find looks a file up by name; in an unchanged directory it stands at the same place.
func (n *node) find(name string, i int) *file {
	if n == nil {
		return nil
	}
	if i < len(n.files) && n.files[i].name == name {
		return &n.files[i]
	}
	k, ok := slices.BinarySearchFunc(n.files, name, func(f file, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return nil
	}
	return &n.files[k]
}

// read scans one file, in pieces when it is large. It is asked for as rel of t.
func (w *worker) read(f *file, name string, t *tree, rel string) {
	now := time.Now().UnixNano()
	h, st, err := t.open(rel)
	if err != nil {
		w.c.warn(name, err)
		return
	}
	defer h.close()
	f.stamp, f.stable = st, st.stable(now)
	if w.buf == nil {
		w.buf = make([]byte, chunk+lineLeft+lineRight)
	}
	s := scanner{g: w.c.o.Grammar, path: name, of: w.c.o.Syntax}
	n, done := 0, false
	for n < chunk && !done {
		got, err := h.read(w.buf[n:chunk])
		if err != nil {
			w.c.warn(name, err)
			f.stable = false
			return
		}
		n += got
		// A regular file that gave as much as its size has given all, unless it is growing under us.
		done = got == 0 || int64(n) == st.size
	}
	if done {
		f.tags = s.whole(w.buf[:n])
		return
	}
	f.tags = w.stream(&s, h, n, f)
}

// stream scans a file that does not fit: piece by piece, each with the end of the piece before in front of
// it, for a TAG's line may have begun there.
func (w *worker) stream(s *scanner, h handle, n int, f *file) []Tag {
	if bytes.IndexByte(w.buf[:nulWithin], 0) >= 0 {
		return nil
	}
	from := 0 // TAGs that start before it are done
	for {
		got, err := h.read(w.buf[n:])
		if err != nil {
			w.c.warn(s.path, err)
			f.stable = false
			return s.out
		}
		n += got
		to := n
		if got > 0 {
			if n < len(w.buf) {
				continue
			}
			to = n - lineRight // what starts behind may go on in the next piece
		}
		s.fence = fences{}
		s.piece(w.buf[:n], from, to)
		if got == 0 {
			return s.out
		}
		keep := to - lineLeft
		s.lines += bytes.Count(w.buf[:keep], []byte{'\n'})
		n = copy(w.buf, w.buf[keep:n])
		from = to - keep
	}
}

// small reads a file of rules; a link is none, as in Git.
func (c *collector) small(rel string) []byte {
	h, st, err := c.tree.open(rel)
	if err != nil || st.size > 1<<20 {
		if err == nil {
			h.close()
		}
		return nil
	}
	defer h.close()
	buf := make([]byte, st.size)
	n := 0
	for n < len(buf) {
		got, err := h.read(buf[n:])
		if got <= 0 || err != nil {
			break
		}
		n += got
	}
	return buf[:n]
}
