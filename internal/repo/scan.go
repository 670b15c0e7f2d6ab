package repo

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modu-ai/moai/internal/ignore"
)

// scan is one pass over the work tree. Each directory is one task that does both jobs at
// once: compare the tracked files in it, and find the untracked ones.
//
// Most tasks never look a name up. Where the numbers of directories and of other names
// are what the index has, and every tracked name answered, there cannot be an untracked
// name, so neither an ignore file nor a table is needed. A clean tree reads no ignore
// file at all.
type scan struct {
	ctx  context.Context // for submodules; the walk itself reads stop
	r    *Repo
	ix   *Index
	o    StatusOptions
	root folder

	fileMode  bool // core.fileMode: the executable bit is meaningful
	symlinks  bool // core.symlinks
	ctime     bool // core.trustCtime
	minimal   bool // core.checkStat=minimal
	fold      bool // core.ignoreCase
	sparse    bool // core.sparseCheckout: files present in spite of skip-worktree count
	mtime     int64
	mtimeNs   uint32
	emptyBlob Hash

	ignore *ignore.Matcher
	attrs  func() *ignore.Attributes
	subs   func() *submodules
	cache  *dirCache

	stop  atomic.Bool
	found atomic.Int64 // untracked lines, also those beyond the limit

	mu      sync.Mutex
	wake    *sync.Cond
	queue   []*task
	active  int
	idle    atomic.Int32
	slow    atomic.Int32 // directories that were not answered at once
	many    atomic.Bool  // the workers that wait for a disk have been started
	procs   atomic.Int32 // GOMAXPROCS before that
	workers sync.WaitGroup
	fault   error // a worker's panic

	// Results, collected as each worker ends.
	changed     []pair
	untracked   []string
	unreadable  []string
	approximate []string
}

// task is one directory: the entries lo to hi of the index lie below it. A task without
// entries lists an untracked directory (UntrackedAll).
type task struct {
	lo, hi int
	path   string // "" or "a/b/"
	dir    *ignore.Dir
	parent *task
	retry  sync.Once
	again  bool // list the untracked names only: a child turned out to be no directory
	listed bool // the untracked names have been listed
}

const (
	maxWorkers = 16
	// perWorker is how many entries make another worker worth its start.
	perWorker = 256
)

func (r *Repo) newScan(ctx context.Context, ix *Index, o StatusOptions) (*scan, error) {
	root, err := openRoot(r.WorkTree)
	if err != nil {
		return nil, declined(r.WorkTree, "its work tree cannot be opened: ", err.Error())
	}
	s := r.newComparison(ctx, ix, o)
	s.root = root
	s.wake = sync.NewCond(&s.mu)
	s.queue = []*task{{hi: len(ix.entries), dir: s.ignore.Root()}}
	if o.DirCache != "" && o.Untracked != UntrackedNo && !s.fold {
		s.cache = openDirCache(o.DirCache, ix)
	}
	return s, nil
}

// newComparison is a scan that only compares files with their entries: it has no work tree
// open and nothing to walk.
func (r *Repo) newComparison(ctx context.Context, ix *Index, o StatusOptions) *scan {
	c := r.Config()
	s := &scan{
		ctx: ctx, r: r, ix: ix, o: o,
		fileMode: c.Bool("core.filemode", runtime.GOOS != "windows"),
		symlinks: c.Bool("core.symlinks", true),
		ctime:    c.Bool("core.trustctime", true),
		minimal:  strings.EqualFold(c.String("core.checkstat"), "minimal"),
		fold:     c.Bool("core.ignorecase", false),
		sparse:   c.Bool("core.sparsecheckout", false) && !c.Bool("sparse.expectfilesoutsideofpatterns", false),
	}
	if !ix.mtime.IsZero() {
		s.mtime, s.mtimeNs = ix.mtime.Unix(), uint32(ix.mtime.Nanosecond())
	}
	s.emptyBlob = hashBlob(nil, ix.hashSize)
	s.ignore = r.ignoring(ix, &s.stop)
	s.attrs = sync.OnceValue(func() *ignore.Attributes { return r.attributes(ix) })
	s.subs = sync.OnceValue(func() *submodules { return r.submodules(ix) })
	return s
}

// run walks the tree, with one worker for each processor as long as the answers come from
// memory.
func (s *scan) run() {
	n := s.o.Workers
	if n <= 0 {
		n = min(len(s.ix.entries)/perWorker+2, runtime.GOMAXPROCS(0), maxWorkers)
	}
	s.start(n)
	s.workers.Wait()
	if n := int(s.procs.Load()); n > 0 && runtime.GOMAXPROCS(0) == maxWorkers+1 {
		runtime.GOMAXPROCS(n)
	}
	if s.cache != nil && !s.stop.Load() {
		s.cache.save()
	}
}

// start adds n workers.
func (s *scan) start(n int) {
	s.mu.Lock()
	s.active += n
	s.mu.Unlock()
	for range n {
		s.workers.Go(func() {
			w := worker{scan: s}
			fault := guard(w.loop)
			s.mu.Lock()
			defer s.mu.Unlock()
			if fault != nil {
				// It was at work when it fell; the others find nothing more to do.
				s.fault = fault
				s.active--
				s.stop.Store(true)
				s.wake.Broadcast()
			}
			s.changed = append(s.changed, w.changed...)
			s.untracked = append(s.untracked, w.untracked...)
			s.unreadable = append(s.unreadable, w.unreadable...)
			s.approximate = append(s.approximate, w.approximate...)
		})
	}
}

// A directory from memory takes some 10 µs and 1.2 µs for each file. After a few that took
// so much longer, the walk looks whether it is a disk that it waits for, and goes on with
// many workers that wait at the same time. Where nobody counts what is read from disks, only
// time can tell, and a busy machine takes its time too.
const (
	slowDirectory = 60 * time.Microsecond
	slowFile      = 4 * time.Microsecond
	slowEnough    = 4
	slowUncounted = 5 // times as long
)

// timed notes how long a directory with so many files took.
func (s *scan) timed(took time.Duration, files int) {
	limit := slowDirectory + time.Duration(files)*slowFile
	if !s.root.pace.counted() {
		limit *= slowUncounted
	}
	if took < limit || s.o.Workers > 0 || s.many.Load() {
		return
	}
	if s.slow.Add(1) >= slowEnough && s.root.pace.waited() && s.many.CompareAndSwap(false, true) {
		s.root.pace.slow()
		// A worker that waits keeps its processor for longer than a disk takes to answer.
		if n := runtime.GOMAXPROCS(0); n <= maxWorkers {
			s.procs.Store(int32(n))
			runtime.GOMAXPROCS(maxWorkers + 1)
		}
		s.start(maxWorkers)
	}
}

// push adds work from outside a worker's own stack.
func (s *scan) push(t *task) {
	s.mu.Lock()
	s.queue = append(s.queue, t)
	s.mu.Unlock()
	s.wake.Signal()
}

// worker walks directories depth first and hands work over only when somebody is idle.
type worker struct {
	*scan
	stack []*task
	list  listing
	files []int
	dirs  []subdir

	changed     []pair
	untracked   []string
	unreadable  []string
	approximate []string
	buf         []byte // for hashing
}

// subdir is a directory below the one at work, with its range of entries. A sparse
// directory has none.
type subdir struct {
	lo, hi int
	name   string
}

func (w *worker) loop() {
	for {
		n := len(w.stack)
		if n == 0 {
			if !w.steal() {
				return
			}
			continue
		}
		t := w.stack[n-1]
		w.stack = w.stack[:n-1]
		if w.stop.Load() {
			continue
		}
		if t.hi == t.lo && t.parent != nil && !t.again {
			w.listUntracked(t)
		} else {
			began := time.Now()
			w.directory(t)
			w.timed(time.Since(began), len(w.files))
		}
		if n := len(w.stack); n > 1 && w.idle.Load() > 0 {
			// The oldest half holds the biggest subtrees.
			w.mu.Lock()
			w.queue = append(w.queue, w.stack[:n/2]...)
			w.mu.Unlock()
			w.wake.Broadcast()
			w.stack = append(w.stack[:0], w.stack[n/2:]...)
		}
	}
}

// steal waits for work; false when all are done.
func (w *worker) steal() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active--
	w.idle.Add(1)
	for len(w.queue) == 0 && w.active > 0 {
		w.wake.Wait()
	}
	idle := int(w.idle.Add(-1))
	if len(w.queue) == 0 {
		w.wake.Broadcast()
		return false
	}
	w.active++
	n := len(w.queue)/(idle+2) + 1
	n = min(n, len(w.queue))
	w.stack = append(w.stack, w.queue[:n]...)
	w.queue = append(w.queue[:0], w.queue[n:]...)
	return true
}
