package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Limits bound what one checkpoint takes in. What is left out is named in the checkpoint. Zero means no limit.
type Limits struct {
	TrackedFile    int64 // bytes of one tracked file
	UntrackedFile  int64 // bytes of one untracked file
	UntrackedFiles int   // number of untracked files
	UntrackedBytes int64 // bytes of all untracked files together
	Files          int   // of a folder outside Git: beyond that there is no snapshot
	Bytes          int64 // the same of all its files together
	Nested         int   // repositories inside that get a checkpoint of their own
}

// DefaultLimits keep a forgotten node_modules or a disk image from becoming part of every checkpoint: users of
// tools without limits report 100 GB of snapshots.
func DefaultLimits() Limits {
	return Limits{TrackedFile: 100 << 20, UntrackedFile: 10 << 20, UntrackedFiles: 2000, UntrackedBytes: 64 << 20, Nested: 8}
}

// item is a path that may differ from the index.
type item struct {
	path string
	pos  int  // in the index, -1 when it is not there
	raw  bool // git calls it unchanged, but converts it, does not look into it or was told not to look at it

	fi   os.FileInfo
	side Side
	leave,
	torn,
	nested bool // a repository of its own
	sub  *repo.Repo // which it is
	skip string     // why it is not in the snapshot
	size int64

	broken   bool // the disk failed
	unlisted bool // as in Skip

	judged, secret bool // whether it may get into a branch was asked with its content; it must not
}

// failed leaves a path out that cannot be read.
func (it *item) failed(err error) { it.skip, it.broken = why(err), broken(err) }

// broken reports an error of the disk, and not of the rights to a file.
func broken(err error) bool { return errors.Is(err, syscall.EIO) }

// snapshot is a working tree as trees, before anything is committed.
type snapshot struct {
	r     *repo.Repo
	w     *repo.ObjectWriter
	ix    *repo.Index
	head  repo.Head
	opts  *CreateOptions
	stats Stats

	headTree, tree, index, unmerged repo.Hash

	past []repo.Ref  // earlier checkpoints of all work trees, the newest first
	last *Checkpoint // the newest of this work tree, nil when it has none

	fault           error // a panic while files were read
	fileMode, links bool
	skipped         []Skip
	nested, torn    []string
	repos           []string // repositories inside that can be opened
	subs            map[string]*repo.Repo
	inner           []Inner
	stored          []string               // paths that have content which the index does not hold, and which nobody has judged
	secret          []string               // paths that must not get into a branch, by their content
	stages          []string               // paths in conflict
	intent          []string               // paths announced with git add -N
	intentModes     []string               // as in Checkpoint
	linked          []string               // files that have other names as well
	realLinks       []string               // links on disk where core.symlinks is off
	raised          []string               // files that run with the rights of their owner or group
	usual           fs.FileMode            // permissions, as Checkpoint.Usual has them
	modes           map[string]fs.FileMode // and other ones
	folders         Folders
	marks           Marks
	stale           []string    // temporary files of restores
	began           time.Time   // the look at the files
	seen            []repo.Seen // of a folder outside Git: what was read
	keep            []Pin       // references that hold the pins, below the checkpoint's own folder
	stateTips       []repo.Hash // commits that an operation under way names
	stateLost       []Skip      // what of it could not be kept
}

// smallIndex are the bytes of an index that is decoded before another thread is awake: some 300 files.
const smallIndex = 24 << 10

// take looks at the working tree and names its trees. What the repository lacks waits in w.
func take(ctx context.Context, r *repo.Repo, w *repo.ObjectWriter, o *CreateOptions) (*snapshot, error) {
	if r.Bare() {
		return nil, errors.New("this repository has no working tree to take a checkpoint of")
	}
	s := &snapshot{r: r, w: w, opts: o, began: time.Now()}
	if r.Shadow {
		s.outside()
	}
	var headErr, err error
	index := func() {
		if o.Look != nil {
			s.ix = o.Look.Index
			return
		}
		s.ix, err = r.Index()
	}
	past := func() {
		if headErr = s.readHead(); headErr == nil {
			s.readPast()
		}
	}
	// Decoding the index keeps one processor busy; the small files are read on another. Repositories inside are many and small.
	both := repo.Both
	if o.depth > 0 || r.IndexSize() < smallIndex {
		both = repo.OneByOne
	}
	fault := both(index, past)
	if err = cmp.Or(fault, headErr, err); err != nil {
		return nil, err
	}
	c := r.Config()
	// The defaults of `git init` on each system, for a repository whose configuration is silent.
	s.fileMode = c.Bool("core.filemode", runtime.GOOS != "windows")
	s.links = c.Bool("core.symlinks", runtime.GOOS != "windows")
	items, err := s.scan(ctx)
	if err != nil {
		return nil, err
	}
	if o.glance && slices.ContainsFunc(items, func(it item) bool { return !it.raw }) {
		return nil, errChanged
	}
	e := s.read(ctx, items)
	if s.fault != nil {
		return nil, s.fault
	}
	b := &builder{w: w, ix: s.ix, read: s.readTree, size: r.HashSize()}
	if s.tree, err = b.tree(e); err != nil || r.Shadow {
		return s, err
	}
	if s.index, err = b.tree(nil); err != nil {
		return nil, err
	}
	return s, s.conflicts()
}

// readHead finds the commit that HEAD stands on and its tree.
func (s *snapshot) readHead() (err error) {
	if s.head, err = s.r.Head(); err != nil || s.head.Unborn {
		return err
	}
	c, err := s.r.Commit(s.head.Hash)
	if err == nil {
		s.headTree = c.Tree
	}
	return err
}

// readPast lists what was saved before, the newest first, and reads the newest of this work tree. What cannot be read does not
// keep a new checkpoint from being made.
func (s *snapshot) readPast() {
	if s.opts.mark != nil {
		return // the timeline says what was saved last
	}
	s.past, _ = names(s.r)
	for c := range own(s.r, s.past) {
		s.last = c
		return
	}
}

// readTree reads a tree that the repository has or that waits to be written.
func (s *snapshot) readTree(h repo.Hash) ([]repo.TreeEntry, error) { return s.w.Tree(s.r, h) }

// conflicts keeps the stages of unmerged paths as a tree 1/path, 2/path, 3/path: a commit's tree cannot hold them otherwise.
func (s *snapshot) conflicts() error {
	if len(s.stages) == 0 {
		return nil
	}
	e := &edits{}
	for _, p := range s.stages {
		for i, _ := s.ix.Find(p); i < s.ix.Len(); i++ {
			en := s.ix.At(i)
			if en.Path != p {
				break
			}
			if en.Stage > 0 {
				e.set(fmt.Sprintf("%d/%s", en.Stage, p), Side{en.Mode, en.Hash})
			}
		}
	}
	b := &builder{w: s.w, ix: &repo.Index{}, size: s.r.HashSize()}
	h, _, err := b.dir("", e, nil, 0, 0, 0)
	s.unmerged = h
	return err
}

// read stores the content of all items within the limits and gives what differs from the index.
func (s *snapshot) read(ctx context.Context, items []item) *edits {
	began := time.Now()
	s.crowd(items)
	fault := repo.Parallel(len(items), func(i int) {
		if items[i].skip == "" {
			s.stat(&items[i])
		}
	})
	s.fault = cmp.Or(s.fault, fault)
	s.limit(items)
	if s.fault = cmp.Or(s.fault, s.tooMuch(items)); s.fault != nil {
		return nil
	}
	// Sizes are known and what is too much is marked; only now is content read.
	s.contents(ctx, items, false, time.Time{})
	s.contents(ctx, items, true, halfway(ctx, began))
	e := &edits{}
	for i := range items {
		s.permission(&items[i])
		s.note(&items[i], e)
	}
	s.settlePermissions(items)
	s.see(items)
	s.hidden()
	// Files are read in any order, and equal checkpoints must have equal messages to be found equal.
	slices.Sort(s.nested)
	slices.Sort(s.repos)
	slices.Sort(s.torn)
	if e.subs == nil {
		return nil // the index's own tree, which it may remember
	}
	return e
}

// contents stores either what git calls changed, or what it converts. The latter comes last and may take only part of the time:
// a repository full of big LFS files must not cost the work in progress its checkpoint.
func (s *snapshot) contents(ctx context.Context, items []item, raw bool, until time.Time) {
	fault := repo.Parallel(len(items), func(i int) {
		it := &items[i]
		if it.fi == nil || it.skip != "" || it.raw != raw {
			return
		}
		if ctx.Err() != nil || !until.IsZero() && time.Now().After(until) {
			it.skip = "no time left"
			return
		}
		s.content(it)
	})
	s.fault = cmp.Or(s.fault, fault)
}

// halfway is the middle between a moment and the deadline; zero without one.
func halfway(ctx context.Context, from time.Time) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return from.Add(end.Sub(from) / 2)
}

// stat looks at the path itself, never through a link.
func (s *snapshot) stat(it *item) {
	fi, err := os.Lstat(s.r.Path(strings.TrimSuffix(it.path, "/")))
	switch {
	case err == nil:
		it.fi = fi
		// Kept it could be, but not brought back: that is to be known before it goes.
		if it.pos < 0 && !safePath(strings.TrimSuffix(it.path, "/")) {
			it.skip = "its name is not safe to write"
		}
	// A folder on the way that has become a file is a vanished file, too.
	case disk.Absent(err):
		// Gone: a tracked file was deleted, an untracked one has vanished since it was listed.
		it.leave = it.pos < 0
	default:
		it.failed(err)
	}
}

// limit decides what is too much. Untracked files of small top-level directories come first, so that a huge unpacked archive does
// not crowd out the few new source files.
func (s *snapshot) limit(items []item) {
	l := s.opts.Limits
	var loose []*item
	for i := range items {
		it := &items[i]
		// Links and repositories inside weigh nothing.
		if it.fi == nil || !it.fi.Mode().IsRegular() {
			continue
		}
		limit := l.TrackedFile
		if it.pos < 0 {
			limit = l.UntrackedFile
		}
		if size := it.fi.Size(); limit > 0 && size > limit {
			it.skip = fmt.Sprintf("%s, over the limit of %s", Size(size), Size(limit))
		} else if it.pos < 0 {
			loose = append(loose, it)
		}
		if it.pos < 0 && it.fi.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
			s.raised = append(s.raised, it.path) // the walk has seen the others
		}
		if disk.HardLinked(it.fi) {
			s.linked = append(s.linked, it.path)
		}
	}
	smallFirst(loose)
	var files int
	var bytes int64
	for _, it := range loose {
		files++
		bytes += it.fi.Size()
		switch {
		case l.UntrackedFiles > 0 && files > l.UntrackedFiles:
			it.skip = overFiles(l.UntrackedFiles)
		case l.UntrackedBytes > 0 && bytes > l.UntrackedBytes:
			// Smaller ones that come later may still fit.
			bytes -= it.fi.Size()
			it.skip = fmt.Sprintf("over the limit of %s for untracked files", Size(l.UntrackedBytes))
		}
	}
}

// content stores what is at the path.
func (s *snapshot) content(it *item) {
	path := s.r.Path(strings.TrimSuffix(it.path, "/"))
	switch mode := it.fi.Mode(); {
	case mode&os.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			it.failed(err)
			return
		}
		// As Git stores a link: its target, with slashes on all systems.
		h, err := s.w.Add(repo.KindBlob, []byte(filepath.ToSlash(target)))
		it.side = Side{repo.ModeLink, h}
		s.failed(it, err)
	case mode.IsDir():
		s.nestedRepo(it, path)
	case mode.IsRegular():
		var look func([]byte)
		if s.opts.judge && !it.raw { // most of what is raw turns out to be what the index has
			look = func(b []byte) { it.judged, it.secret = true, s.keepsOut(it.path, b) }
		}
		h, fi, err := store(s.w, path, look)
		if errors.Is(err, errTorn) {
			// Half of an old and half of a new state is more than nothing, and is named.
			it.torn, err = true, nil
		}
		if disk.Absent(err) {
			it.fi, it.leave = nil, it.pos < 0
			return
		}
		if s.failed(it, err) {
			return
		}
		it.size = fi.Size()
		it.side = Side{s.mode(it, fi), h}
	default:
		it.skip = special(mode)
	}
}

// special names what is no file, link or folder.
func special(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	}
	return "not a regular file"
}

func (s *snapshot) failed(it *item, err error) bool {
	if err != nil {
		it.failed(err)
	}
	return err != nil
}

// mode is the file's mode as git would record it, by core.fileMode and core.symlinks.
func (s *snapshot) mode(it *item, fi os.FileInfo) uint32 {
	if it.pos >= 0 {
		was := s.ix.At(it.pos).Mode
		// Without symbolic links git writes a link as a plain file that holds its target.
		if !s.links && was == repo.ModeLink {
			return repo.ModeLink
		}
		if !s.fileMode && was == repo.ModeExec {
			return repo.ModeExec
		}
	}
	// The owner's bit alone counts, as in Git.
	if s.fileMode && fi.Mode()&0o100 != 0 {
		return repo.ModeExec
	}
	return repo.ModeFile
}

// note enters an item into the edits and the statistics.
func (s *snapshot) note(it *item, e *edits) {
	name := strings.TrimSuffix(it.path, "/")
	if it.nested {
		s.repos = append(s.repos, name)
		if s.subs == nil {
			s.subs = map[string]*repo.Repo{}
		}
		s.subs[name] = it.sub
	}
	if it.side.Mode == repo.ModeGitlink && !it.raw {
		s.nested = append(s.nested, name)
	}
	switch {
	case it.skip != "":
		s.skipped = append(s.skipped, Skip{Path: it.path, Why: it.skip, Tracked: it.pos >= 0, Broken: it.broken, Unlisted: it.unlisted, safe: it.raw && !it.broken && !it.unlisted})
		return
	case it.leave:
		return
	// Read only to see whether a filter had changed it: mostly it had not.
	case it.raw:
		if en := s.ix.At(it.pos); it.side == (Side{en.Mode, en.Hash}) {
			return
		}
	case it.side.Mode == 0:
		s.stats.Deleted++
	case it.pos < 0:
		s.stats.Untracked++
	default:
		s.stats.Changed++
	}
	if it.torn {
		s.torn = append(s.torn, name)
	}
	if !it.raw {
		s.stats.Bytes += it.size
	}
	switch {
	case it.secret:
		s.secret = append(s.secret, name)
	case it.side.Mode != 0 && !it.judged:
		s.stored = append(s.stored, name)
	}
	e.set(name, it.side)
}
