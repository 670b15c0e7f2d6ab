package tag

import (
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/work"
)

// A stamp tells one state of a file from another. The time of change (ctime) cannot be set back, which
// catches an edit that keeps size and mtime.
type stamp struct {
	size, mtime, ctime int64
	inode              uint64
}

// settled is Git's rule for racy entries: a file changed so shortly before it was read that another change
// could carry the same time must be read again. Two seconds is the coarsest clock of a file system (FAT).
const settled = int64(2 * time.Second)

// stable reports whether a file with this stamp, read at a time, can be believed unchanged as long as the stamp is the same.
func (s stamp) stable(read int64) bool { return s.ctime < read-settled }

// node is one directory: what is in it that counts, and the state in which that was seen.
type node struct {
	path    string // "" or "a/b/"
	stamp   stamp
	stable  bool
	ignores bool  // has a .gitignore
	rules   stamp // of that file; zero while it is too fresh to be believed
	subs    []string
	files   []file
	read    int
}

// file is one file of a node.
type file struct {
	name   string
	stamp  stamp
	stable bool
	tags   string // encoded
}

// collector walks a tree with several workers. Jobs are directories, or parts of one with many files.
type collector struct {
	o    *Options
	tree *tree
	old  map[string]*node // of the index

	mu   sync.Mutex
	cond sync.Cond
	// A stack with a condition instead of a channel: directories are found while others are worked on, so nobody can say how many jobs there
	// will be, and a channel of a fixed size would block its own readers.
	jobs     []job
	busy     int
	nodes    []*node
	dirty    bool // the index is to be written
	warnings []string
	fault    error // a panic of a worker; it ends the search
}

// job is a directory to list, or with to > 0 a part of its files to look at.
type job struct {
	dir      *node
	ignored  *ignore.Dir
	relist   bool // the rules above changed: what the index says of this directory does not count
	from, to int  // files of dir to look at, when to > 0
	was      *node
}

// batch is how many files make a job of their own, so that one directory of 100,000 files keeps every worker busy.
const batch = 256

// push adds jobs and wakes as many workers as can use them.
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

// warn keeps the first hundred faults: a tree that cannot be read at all has one for each file.
func (c *collector) warn(name string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.warnings) < 100 {
		c.warnings = append(c.warnings, name+": "+err.Error())
	}
}

// work takes jobs until there is none and nobody is left who could add one.
func (c *collector) work() {
	w := worker{c: c}
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
		// The newest first: depth-first keeps the list of jobs short on wide trees.
		j := c.jobs[len(c.jobs)-1]
		c.jobs = c.jobs[:len(c.jobs)-1]
		c.busy++
		c.mu.Unlock()
		fault := work.Guard(func() {
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

// worker is one of the goroutines, with the memory that it uses again for each job.
type worker struct {
	c     *collector
	dents []byte
	buf   []byte
	dirty bool
	jobs  []job
}

// directory brings one directory up to date: from the index when neither it nor its rules changed, else by listing it.
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
	// A directory's own time of change tells that a name came or went, not that a file in it changed: those are asked one by one.
	known := was != nil && !j.relist && was.stable && was.stamp == st
	below := j.relist
	if was != nil && was.ignores {
		if rules, _, ok := c.tree.stat(n.path + ".gitignore"); !ok || rules != was.rules {
			known, below = false, true
		}
	}
	if known {
		// The files are brought up to date in place: nobody else looks at this node of the index.
		n.ignores, n.rules, n.subs, n.files = was.ignores, was.rules, was.subs, was.files
	} else {
		w.dirty = true
		w.list(n, j.ignored)
		// Rules came or went: everything below is to be judged again.
		if was == nil || was.ignores != n.ignores {
			below = true
		}
	}
	w.jobs = w.jobs[:0]
	for _, name := range n.subs {
		w.jobs = append(w.jobs, job{dir: &node{path: n.path + name + "/"}, ignored: j.ignored.Child(name), relist: below})
	}
	// The first part is done here, where the directory is still in the caches; the others are for whoever is free.
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
	entries, err := w.c.tree.list(strings.TrimSuffix(n.path, "/"), &w.dents)
	if err != nil {
		w.c.warn(path.Clean(n.path), err)
		n.stable = false
	}
	for _, e := range entries {
		if e.name == ".gitignore" && !e.dir {
			n.ignores = true
			// They are read below. Rules so fresh that they may have changed since under the same stamp leave none behind,
			// which no stamp of the next run is equal to.
			now := time.Now().UnixNano()
			if st, _, ok := w.c.tree.stat(n.path + e.name); ok && st.stable(now) {
				n.rules = st
			}
		}
	}
	if !n.ignores {
		d.NoFile()
	}
	for _, e := range entries {
		// Git never tracks a .git, whatever the rules say: neither the repository nor the file of a submodule.
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
		if was := j.was.find(f.name, i); was != nil && was.stable {
			if st, dir, ok := sub.stat(prefix + f.name); ok && !dir && st == was.stamp {
				*f = *was
				continue
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
