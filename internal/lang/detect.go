package lang

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
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
	// Rev is a commit, in words of gitrevisions(7), whose files are read instead of those in the folder. It turns the cache off.
	Rev string
	// Files bounds a walk where there is no index; 0 means 1,000,000.
	Files int
}

// maxWalk is how many files a folder without an index is walked for.
const maxWalk = 1_000_000

// exactSizes is for how many files a walk asks the system for sizes before it asks
// for a part of them. Projects without an index are smaller; beyond, the questions
// take longer than all the rest, and shares of so many files hardly feel them.
const exactSizes = 100_000

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
	// Everything below is read through one root, which no link leads out of.
	var read reader = disk.NewRoot(dir)
	var past *past
	if o.Rev != "" {
		if past, err = openRevision(dir, o.Rev); err != nil {
			return nil, fmt.Errorf("read revision: %w", err)
		}
		read = past.below
	}
	defer read.Close()
	d := &detection{t: t, o: o, dir: dir, read: read, scan: newScan(ctx, t, read)}
	defer func() {
		if d.around != nil {
			d.around.Close()
		}
	}()
	d.scan.each = o.Each
	d.root = newFolder(t, read, "", &d.inputs)
	d.root.list()
	if past == nil {
		d.gather(ctx)
	} else if err := d.revision(ctx, past); err != nil {
		return nil, fmt.Errorf("read revision: %w", err)
	}
	if err := d.scan.settle(); err != nil {
		return nil, fmt.Errorf("read files: %w", err)
	}
	d.judge()
	// A partial answer would be kept as if it were the whole; and without an index
	// nothing tells that a file deep down was added.
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
	read    reader
	around  reader // the repository's, where the folder lies in one that begins above it
	scan    *scan
	root    *folder
	inputs  []input // what a cached answer depends on
	stamped bool    // they are all there is, an index among them
	source  string
	notes   []string
	report  *Report
	atRoot  map[int16]found // see rootManifests
}

// note adds a line that people see beside the answer, once.
func (d *detection) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(d.notes, text) {
		d.notes = append(d.notes, text)
	}
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
		d.enclose(r)
		found, err := d.index(ctx, r)
		if err != nil {
			d.note("the Git index cannot be read (%v); the folder was walked", err)
			d.restart()
			break
		}
		if found {
			return
		}
	}
	d.walk(ctx)
}

// enclose finds the projects of the repository that lie around the folder: a member of a workspace has its lock file and versions there.
func (d *detection) enclose(r *repo.Repo) {
	if prefix, err := d.prefix(r); err == nil && prefix != "" {
		d.encloseIn(disk.NewRoot(r.WorkTree), prefix)
	}
}

// encloseIn does that for a folder of the repository that root reads.
func (d *detection) encloseIn(root reader, prefix string) {
	d.around = root
	inner := d.root
	dir := strings.TrimSuffix(prefix, "/")
	for depth := -1; dir != "" && depth >= -maxEnclosing; depth-- {
		if dir = path.Dir(dir); dir == "." {
			dir = ""
		}
		f := newFolder(d.t, d.around, dir, &d.inputs)
		if f.depth = depth; dir == "" || len(manifestsIn(d.t, f)) > 0 {
			inner.above, inner = f, f
		}
	}
}

// maxEnclosing bounds how many folders above are looked at.
const maxEnclosing = 32

// index feeds the tracked files; false when there are none below the folder.
func (d *detection) index(ctx context.Context, r *repo.Repo) (bool, error) {
	prefix, err := d.prefix(r)
	if err != nil {
		return false, nil
	}
	file := filepath.Join(r.GitDir, "index")
	d.attributesOf([]string{".gitattributes"})
	stream := func(visit func(*tracked) bool) (input, bool, error) {
		return streamIndex(file, r.HashSize(), visit)
	}
	d.foresee(ctx, prefix, stream)
	in, err := d.entries(ctx, prefix, stream)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		// A split index, or a damaged one: package repo knows, or says what is wrong.
		d.restart()
		if in, err = d.entries(ctx, prefix, decoded(r, in)); err != nil {
			return false, err
		}
	}
	if d.scan.report.Files == 0 {
		return false, nil
	}
	d.inputs = append(d.inputs, in)
	d.stamped = in.path != ""
	d.source = "git index"
	d.untracked(ctx)
	return true, nil
}

// foresee reads the attributes of all folders first, where the caller wants to hear of every file: else it would hear of some files twice,
// before and after their folder's attributes were read.
func (d *detection) foresee(ctx context.Context, prefix string, each source) {
	if told := d.o.Each; told != nil {
		d.o.Each, d.scan.each = nil, nil
		_, _ = d.entries(ctx, prefix, each) // what is wrong the second look says
		d.o.Each = told
		d.restart()
	}
}

// prefix is where the folder lies in the repository, with a slash at its end; "" for
// its root. It fails when the folder lies outside.
func (d *detection) prefix(r *repo.Repo) (string, error) {
	if d.dir == r.WorkTree {
		return "", nil // most often, and then no link on the way need be followed
	}
	real, err := filepath.EvalSymlinks(d.dir)
	if err != nil {
		return "", nil // it is gone by now: what the index says of all of it is the best answer
	}
	rel, err := filepath.Rel(r.WorkTree, real)
	switch {
	case err != nil:
		return "", err
	case rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)):
		return "", fs.ErrNotExist
	case rel == ".":
		return "", nil
	}
	return filepath.ToSlash(rel) + "/", nil
}

// entries feeds what each brings. Attribute files below the root come to light on
// the way; when one of them speaks of languages, all starts again with it.
func (d *detection) entries(ctx context.Context, prefix string, each source) (input, error) {
	f := &feed{ctx: ctx, scan: d.scan, prefix: prefix}
	in, sparse, err := each(f.entry)
	if err == nil && f.outside {
		err = errDamaged
	}
	if err != nil {
		return in, err
	}
	attrs := d.scan.attrFiles
	if sparse {
		d.note("a sparse checkout: folders that are not checked out were left out")
	}
	had := d.scan.attrs
	if d.attributesOf(append([]string{".gitattributes"}, attrs...)); len(attrs) > 0 && d.scan.attrs != nil && (had == nil || len(had.rules) < len(d.scan.attrs.rules)) {
		d.restart()
		return d.entries(ctx, prefix, func(visit func(*tracked) bool) (input, bool, error) {
			s, _, err := each(visit)
			return s, false, err
		})
	}
	return in, nil
}

// restart forgets what the scan has counted.
func (d *detection) restart() {
	attrs := d.scan.attrs
	d.scan.abandon()
	d.scan = newScan(d.scan.ctx, d.t, d.read)
	d.scan.each, d.scan.attrs = d.o.Each, attrs
}

// attributesOf reads .gitattributes files; most say nothing about languages.
func (d *detection) attributesOf(files []string) {
	a := &attributes{}
	for _, file := range files {
		data := d.root.data(file)
		if holdsText(data, "linguist-") || holdsText(data, "gitlab-language") {
			a.parse(d.t, strings.TrimSuffix(file, ".gitattributes"), data)
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
	for i := range d.scan.nodes {
		if d.scan.nodes[i].up == 0 {
			known[d.scan.name(int32(i))] = true
		}
	}
	var rules *ignore.Matcher
	for _, e := range d.root.ordered() {
		name, mode := e.name, e.mode
		if known[name] || d.scan.rootNames[name] || name == ".git" || !mode.IsDir() && !mode.IsRegular() {
			continue
		}
		// Hidden folders and build output hold nobody's new project.
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
			// Nothing tells cheaply whether more files have come into it.
			d.stamped = false
			d.walked(ctx, rules, name, maxUntracked)
		} else if st, err := disk.At(filepath.Join(d.dir, name)); err == nil {
			state := stateOf(&st)
			d.inputs = append(d.inputs, newInput(name, inputFile, state, func() string { return "" }))
			d.scan.file(name, state.size, false)
		}
	}
}

// ignoring is a matcher over the folder's own .gitignore files.
func (d *detection) ignoring() *ignore.Matcher {
	const most = 4_000_000 // steps: a twentieth of a second
	var mu sync.Mutex
	return ignore.New(ignore.Options{Most: most, Read: func(dir string) []byte {
		mu.Lock() // the root is opened once
		defer mu.Unlock()
		data, _, err := d.read.File(dir+".gitignore", maxManifest)
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
	type listed struct {
		path  string
		files []walk.File
	}
	var mu sync.Mutex
	var folders []listed
	// Workers bring folders and names in any order, and the same tree must give the
	// same answer; names are put in order where there is a worker for it.
	stats, err := walk.Folders(ctx, d.dir, walk.Options{
		Ignore: rules, Skip: d.t.ignoredDir, Below: below, Files: limit, Only: d.matters, Size: func(string) bool { return true }, Sizes: exactSizes,
	}, func(dir string, files []walk.File) {
		files = slices.Clone(files)
		slices.SortFunc(files, func(a, b walk.File) int { return strings.Compare(a.Path, b.Path) })
		mu.Lock()
		folders = append(folders, listed{dir, files})
		mu.Unlock()
	})
	if err != nil {
		d.note("the folder cannot be listed: %v", err)
	}
	switch {
	case stats.Unread == 1:
		d.note("1 folder cannot be read; what is in it was left out")
	case stats.Unread > 1:
		d.note("%d folders cannot be read; what is in them was left out", stats.Unread)
	}
	if stats.Cut {
		d.scan.report.Partial = true
		d.note("the walk ended after %d files; the rest was left out", stats.Files)
	}
	if stats.Guessed > 0 {
		d.note("of %d files, %d were not asked for their size; a neighbour's stands for it", stats.Files, stats.Guessed)
	}
	slices.SortFunc(folders, func(a, b listed) int { return strings.Compare(a.path, b.path) })
	if below == "" {
		var attrs []string
		for _, l := range folders {
			for i := range l.files {
				if l.files[i].Path == ".gitattributes" && d.t.PathKind(l.path+"x") == Own { // as with an index
					attrs = append(attrs, l.path+".gitattributes")
				}
			}
		}
		d.attributesOf(attrs)
	}
	for _, l := range folders {
		for i := range l.files {
			f := &l.files[i]
			d.scan.file(l.path+f.Path, max(f.Size, 0), f.Mode&0o111 != 0)
		}
	}
}

// matters says which names a walk is for: known languages, manifests, and files
// without an extension, which may be programs.
func (d *detection) matters(name string) bool {
	ref, ext := d.t.byName(name)
	return ref.Lang != 0 || ref.Claims != 0 || ext == "" || ref.Flags&(ManifestExt|ManifestAny) != 0
}
