package lang

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/walk"
)

// Options of Detect. The zero value is a plain answer without a cache.
type Options struct {
	// Cache is a folder of moai's own for answers that stay true until the index or
	// a manifest changes; empty for none.
	Cache string
	// Projects asks for an answer for every project below the root; without it they
	// are only counted, since each costs a folder's worth of reading.
	Projects bool
	// Each is called for every file with a known language: id is its language, kind
	// why it does not count, if it does not. It turns the cache off.
	Each func(path, id string, kind PathKind, size int64)
	// Files bounds a walk where there is no index; 0 means 1,000,000.
	Files int
}

// maxWalk is how many files a folder without an index is walked for.
const maxWalk = 1_000_000

// maxUntracked bounds the walk through folders that an index does not know.
const maxUntracked = 5_000

// Detect says what the project in dir is written in. It fails only when dir is
// no folder that can be read; whatever else goes wrong is a note in the report.
func Detect(ctx context.Context, t *Table, dir string, o Options) (*Report, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find folder: %w", err)
	}
	cache := newCache(t, dir, o)
	if r := cache.load(); r != nil {
		return r, nil
	}
	if fi, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("read folder: %w", err)
	} else if !fi.IsDir() {
		return nil, fmt.Errorf("read folder: %s is a file; use moai detect --explain for one file", dir)
	}
	read := newReader(dir)
	defer read.close()
	d := &detection{t: t, o: o, dir: dir, read: read, scan: newScan(t, read)}
	d.scan.each = o.Each
	d.root = newFolder(read, "", &d.inputs)
	d.root.list()
	d.gather(ctx)
	d.scan.settle(ctx)
	d.judge()
	if !d.scan.report.Partial && d.stamped {
		cache.store(d.report, d.inputs)
	}
	return d.report, nil
}

// detection is one run of Detect.
type detection struct {
	t       *Table
	o       Options
	dir     string
	read    *reader
	scan    *scan
	root    *folder
	inputs  []input // what a cached answer depends on
	stamped bool    // an index is among them
	source  string
	notes   []string
	report  *Report
}

func (d *detection) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// gather brings the tree's files to the scan: from the index where there is one
// with files below the folder, otherwise by walking.
func (d *detection) gather(ctx context.Context) {
	r, err := repo.Open(d.dir)
	var declined *repo.Declined
	switch {
	case errors.Is(err, repo.ErrNone):
	case errors.As(err, &declined):
		d.note("the Git repository is not read (%s); the folder was walked", declined.Reason)
	case err != nil:
		d.note("the Git repository cannot be read (%v); the folder was walked", err)
	case !r.Bare():
		ix, err := r.Index()
		if err != nil {
			d.note("the Git index cannot be read (%v); the folder was walked", err)
			break
		}
		if d.index(ctx, r, ix) {
			return
		}
	}
	d.walk(ctx)
}

// index feeds the tracked files; false when there are none below the folder.
func (d *detection) index(ctx context.Context, r *repo.Repo, ix *repo.Index) bool {
	prefix := ""
	if real, err := filepath.EvalSymlinks(d.dir); err == nil {
		rel, err := filepath.Rel(r.WorkTree, real)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return false
		}
		if rel != "." {
			prefix = filepath.ToSlash(rel) + "/"
		}
	}
	from, to := 0, ix.Len()
	if prefix != "" {
		from, _ = ix.Find(prefix)
		to, _ = ix.Find(prefix[:len(prefix)-1] + "0") // '0' follows '/'
	}
	if from >= to {
		return false
	}
	d.stamp(filepath.Join(r.GitDir, "index"))
	d.attributes(ix, from, to, prefix)
	last, sparse := "", false
	for i := from; i < to; i++ {
		if i&4095 == 4095 && ctx.Err() != nil {
			d.scan.report.Partial = true
			break
		}
		e := ix.At(i)
		if e.Mode&modeType != modeRegular {
			sparse = sparse || e.Mode == modeSparse
			continue
		}
		path := e.Path[len(prefix):]
		if path == last {
			continue // another stage of a conflict
		}
		last = path
		size := int64(e.Size)
		// Zero is also what an index holds for files that it has not looked at.
		if size == 0 && e.Flags&repo.SkipWorktree == 0 {
			size, _ = d.read.size(path)
		}
		d.scan.file(path, size, e.Mode&0o100 != 0)
	}
	if sparse {
		d.note("a sparse checkout: folders that are not checked out were left out")
	}
	d.source = "git index"
	d.untracked(ctx)
	return true
}

// Index modes, as git writes them.
const (
	modeType    = 0o170000
	modeRegular = 0o100000
	modeSparse  = 0o040000
)

// stamp makes a cached answer depend on a file outside the folder's rules.
func (d *detection) stamp(path string) {
	if fi, err := os.Stat(path); err == nil {
		d.inputs = append(d.inputs, input{Path: path, Time: fi.ModTime().UnixNano(), Size: fi.Size()})
		d.stamped = true
	}
}

// attributes reads the .gitattributes files; most say nothing about languages.
func (d *detection) attributes(ix *repo.Index, from, to int, prefix string) {
	var files []string
	if d.root.exists(".gitattributes") {
		files = append(files, ".gitattributes")
	}
	i := 0
	for path := range ix.Paths() {
		if i >= to {
			break
		}
		if i >= from && strings.HasSuffix(path, "/.gitattributes") && len(path) > len(prefix)+len(".gitattributes") {
			files = append(files, path[len(prefix):])
		}
		i++
	}
	d.attributesOf(files)
}

func (d *detection) attributesOf(files []string) {
	a := &attributes{}
	for _, file := range files {
		data := d.root.data(file)
		if holdsText(data, "linguist-") || holdsText(data, "gitlab-language") {
			a.parse(strings.TrimSuffix(file, ".gitattributes"), data)
		}
	}
	if len(a.rules) > 0 {
		d.scan.attrs = a
	}
}

// untracked adds what lies beside the tracked files at the root: a new project
// has written code before the first git add. Deeper, the index is close enough.
func (d *detection) untracked(ctx context.Context) {
	known := map[string]bool{}
	for i := range d.scan.dirs {
		if n := &d.scan.dirs[i]; n.up == 0 {
			known[strings.TrimSuffix(n.path, "/")] = true
		}
	}
	var rules *ignore.Matcher
	for _, name := range d.root.names {
		mode := d.root.entries[name]
		if known[name] || d.scan.rootNames[name] || name == ".git" || !mode.IsDir() && !mode.IsRegular() {
			continue
		}
		if mode.IsDir() && (strings.HasPrefix(name, ".") || d.t.ignoredDir(name)) {
			continue
		}
		if rules == nil {
			rules = d.ignoring()
		}
		if rules.Root().Match(name, mode.IsDir()) {
			continue
		}
		if mode.IsDir() {
			d.walked(ctx, rules, name, maxUntracked)
		} else if size, ok := d.read.size(name); ok {
			d.scan.file(name, size, false)
		}
	}
}

// ignoring is a matcher over the folder's own .gitignore files.
func (d *detection) ignoring() *ignore.Matcher {
	var mu sync.Mutex
	return ignore.New(ignore.Options{Read: func(dir string) []byte {
		mu.Lock() // the reader opens its root once
		defer mu.Unlock()
		data, _, err := d.read.whole(dir+".gitignore", maxManifest)
		if err != nil {
			return nil
		}
		return data
	}})
}

// walk lists the folder where there is no index.
func (d *detection) walk(ctx context.Context) {
	d.source = "folder walk"
	limit := d.o.Files
	if limit <= 0 {
		limit = maxWalk
	}
	d.walked(ctx, d.ignoring(), "", limit)
}

// walked lists one folder and feeds its files in order.
func (d *detection) walked(ctx context.Context, rules *ignore.Matcher, below string, limit int) {
	var mu sync.Mutex
	var files []walk.File
	stats, err := walk.Files(ctx, d.dir, walk.Options{
		Ignore: rules, Skip: d.t.ignoredDir, Below: below, Files: limit, Size: d.sizeMatters,
	}, func(f walk.File) {
		mu.Lock()
		files = append(files, f)
		mu.Unlock()
	})
	if err != nil {
		d.note("the folder cannot be listed: %v", errors.Unwrap(&fs.PathError{Err: err}))
	}
	if stats.Unread > 0 {
		d.note("%d folders cannot be read", stats.Unread)
	}
	if stats.Cut {
		d.scan.report.Partial = true
		d.note("the walk ended after %d files; the rest was left out", stats.Files)
	}
	slices.SortFunc(files, func(a, b walk.File) int { return strings.Compare(a.Path, b.Path) })
	if below == "" {
		var attrs []string
		for i := range files {
			if p := files[i].Path; p == ".gitattributes" || strings.HasSuffix(p, "/.gitattributes") {
				attrs = append(attrs, p)
			}
		}
		d.attributesOf(attrs)
	}
	for i := range files {
		f := &files[i]
		d.scan.file(f.Path, max(f.Size, 0), f.Mode&0o111 != 0)
	}
}

// sizeMatters says which names a walk must ask the system about.
func (d *detection) sizeMatters(name string) bool {
	ref, ext := d.t.byName(name)
	return ref.Lang != 0 || ref.Count > 0 || ext == ""
}
