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
	pace pace

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
	hashes *fileHashes

	stop  atomic.Bool
	found atomic.Int64 // untracked lines, also those beyond the limit
	lines atomic.Int64 // all lines, where somebody counts them

	mu           sync.Mutex
	wake         *sync.Cond
	queue        []*task
	active       int
	idle         atomic.Int32 // workers without work
	handed       atomic.Int32 // len(queue), or -1 once all is done: for those who look without the lock
	slow         atomic.Int32 // directories that were not answered at once
	doubted      atomic.Int32 // files that were doubtful, and how large they are
	doubtedBytes atomic.Int64
	many         atomic.Bool  // the workers that wait for a disk have been started
	procs        atomic.Int32 // GOMAXPROCS before that
	workers      sync.WaitGroup
	fault        error // a worker's panic

	usual [2]uint32 // permissions that need no mention

	// Results, collected as each worker ends.
	permissions Permissions
	changed     []pair
	untracked   []string
	unreadable  []string
	approximate []string
	special     []string
	modes       []OddPermission // of all folders
	empty       []string        // folders
	manyFolders bool
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
	s.root, s.pace = root, newPace(root)
	s.wake = sync.NewCond(&s.mu)
	s.queue = []*task{{hi: len(ix.entries), dir: s.ignore.Root()}}
	if o.Permissions {
		s.guessUsual()
	}
	if o.DirCache != "" && o.Untracked != UntrackedNo && !s.fold {
		s.cache = openDirCache(o.DirCache, ix)
		if root.Local() {
			s.hashes = openFileHashes(o.DirCache)
		}
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
	s.ignore = r.ignoringAll(ix, &s.stop, &o)
	s.attrs = sync.OnceValue(func() *ignore.Attributes { return r.attributes(ix, &s.stop, o.Work) })
	s.subs = sync.OnceValue(func() *submodules { return r.submodules(ix) })
	return s
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
	if !s.pace.counted() {
		limit *= slowUncounted
	}
	if took < limit || s.o.Workers > 0 || s.many.Load() {
		return
	}
	if s.slow.Add(1) >= slowEnough && s.pace.waited() && s.many.CompareAndSwap(false, true) {
		s.root.Slow()
		// A worker that waits keeps its processor for longer than a disk takes to answer.
		if n := runtime.GOMAXPROCS(0); n <= maxWorkers {
			s.procs.Store(int32(n))
			runtime.GOMAXPROCS(maxWorkers + 1)
		}
		s.more(maxWorkers)
	}
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
	special     []string
	odd         []OddPermission
	raised      []string
	modes       []OddPermission
	empty       []string
	manyFolders bool
	buf         []byte // for hashing
}

// subdir is a directory below the one at work, with its range of entries. A sparse
// directory has none.
type subdir struct {
	lo, hi int
	name   string
}
