// Package walk lists the regular files below a folder, on all processors,
// leaving out what Git would ignore.
//
// It is not filepath.WalkDir: the order is not defined, links are never followed
// and reported only where Options.Links asks for them, and FIFOs, sockets and devices are not. Its invariant:
// it ends – a limit on files and depth, and the context, bound it on any tree –
// and it says so when one of them did.
package walk

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/work"
)

// File is one regular file.
type File struct {
	Path string      // relative to the root, with slashes; in a Folder the name alone
	Size int64       // bytes; -1 when Options.Size did not ask for it
	Mode fs.FileMode // permission bits; 0 when Options.Size did not ask for it
}

// Options bound and narrow a walk. The zero value lists everything but .git.
type Options struct {
	// Ignore leaves out what Git would; nil leaves out nothing.
	Ignore *ignore.Matcher
	// Skip keeps the walk out of folders by their name alone. ".git" is always skipped.
	Skip func(name string) bool
	// Skipped hears of each folder that Skip keeps the walk out of, with a slash at its end. Calls may overlap.
	Skipped func(dir string)
	// Deeper hears of each folder that Depth keeps the walk out of, with a slash at its end. Calls may overlap.
	Deeper func(dir string)
	// Git hears of each folder that has a ".git" in it, with a slash at its end, "" for the root. Calls may overlap.
	Git func(dir string)
	// Empty hears of each folder below the one where the walk starts in which nothing is, with a slash at its end. Calls may overlap.
	Empty func(dir string)
	// Links lists symbolic links as well, with size 0; none is followed.
	Links bool
	// Only leaves out files by their name alone, before ignore rules are asked
	// about them; nil leaves out none.
	Only func(name string) bool
	// Size says for which names the size and mode are wanted; asking the system
	// for them is half the cost of a walk. nil asks for none.
	Size func(name string) bool
	// Sizes is after how many of them the system is asked for one in sizeStep only:
	// the others in the same folder with the same extension get its size and mode.
	// 0 means that it is always asked.
	Sizes int64
	// Below starts the walk in this folder of the root ("a/b"); paths stay
	// relative to the root.
	Below string
	// Files and Depth end the walk: 0 means 2,000,000 files and 200 levels.
	Files, Depth int
	// Jobs is the number of workers; 0 means one for each processor, at most 8.
	Jobs int
}

// Stats is what a walk did.
type Stats struct {
	Files, Folders int
	// Unread counts folders that could not be listed.
	Unread int
	// Guessed counts files that got a neighbour's size (see Options.Sizes).
	Guessed int
	// Cut says that a limit or the context ended the walk before it was done.
	Cut bool
}

const (
	defaultFiles = 2_000_000
	defaultDepth = 200

	// sizeStep thins the questions for sizes until they cost less than the names.
	sizeStep = 16
)

// Files calls visit for every regular file below root. visit is called from
// several goroutines at once unless Jobs is 1. The only errors are that root is
// no folder, or cannot be read, and a panic of visit; a context that ends is
// Stats.Cut.
func Files(ctx context.Context, root string, o Options, visit func(File)) (Stats, error) {
	return Folders(ctx, root, o, func(dir string, files []File) {
		for _, f := range files {
			f.Path = dir + f.Path
			visit(f)
		}
	})
}

// Folders is Files by folder: visit gets the files of one that has any, with its
// path ("" or "a/b/"). The slice is used again when visit returns.
func Folders(ctx context.Context, root string, o Options, visit func(dir string, files []File)) (Stats, error) {
	if o.Files <= 0 {
		o.Files = defaultFiles
	}
	if o.Depth <= 0 {
		o.Depth = defaultDepth
	}
	if o.Jobs <= 0 {
		o.Jobs = min(work.Processors(), 8)
	}
	w := &walker{o: o, ctx: ctx, visit: visit}
	w.wake.L = &w.mu
	start := folder{path: o.Below}
	if start.path != "" {
		start.path += "/"
	}
	if o.Ignore != nil {
		start.rules = o.Ignore.Dir(o.Below)
	}
	var err error
	if w.root, err = disk.OpenTree(root); err != nil {
		return Stats{}, err
	}
	defer w.root.Close()
	w.root.Slow() // whoever walks is not alone: a disk may have to be waited for
	w.todo = append(w.todo, start)
	var wg sync.WaitGroup
	for range o.Jobs - 1 {
		wg.Go(w.work)
	}
	w.work()
	wg.Wait()
	if w.fault != nil {
		return w.stats, w.fault
	}
	return w.stats, w.err
}

// folder is one that is still to be listed.
type folder struct {
	path  string // "" or "a/b/"
	depth int
	rules *ignore.Dir
}

type walker struct {
	root  disk.Folder
	o     Options
	ctx   context.Context
	visit func(dir string, files []File)
	asked atomic.Int64 // for how many files the system was asked

	mu     sync.Mutex
	wake   sync.Cond
	todo   []folder // last in, first out: memory stays near depth × width
	active int
	stats  Stats
	err    error // the root could not be listed
	fault  error // a panic of a worker or of visit; it ends the walk
}

func (w *walker) work() {
	l := &lister{root: w.root}
	var subs []folder
	for {
		w.mu.Lock()
		for len(w.todo) == 0 && w.active > 0 {
			w.wake.Wait()
		}
		if len(w.todo) == 0 {
			w.wake.Broadcast()
			w.mu.Unlock()
			return
		}
		f := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.active++
		w.mu.Unlock()

		var files, guessed int
		var err error
		// A fault in one folder must not end the process: that of a hook would refuse a tool.
		fault := work.Guard(func() { subs, files, guessed, err = w.folder(l, f, subs[:0]) })

		w.mu.Lock()
		w.active--
		w.stats.Folders++
		w.stats.Files += files
		w.stats.Guessed += guessed
		if err != nil {
			w.stats.Unread++
			if f.depth == 0 {
				w.err = err
			}
		}
		if w.fault == nil {
			w.fault = fault
		}
		if w.stats.Files >= w.o.Files || w.ctx.Err() != nil || w.fault != nil {
			w.stats.Cut = w.stats.Cut || len(w.todo)+len(subs)+w.active > 0
			w.todo, subs = nil, subs[:0]
		}
		w.todo = append(w.todo, subs...)
		if len(subs) > 0 || w.active == 0 {
			w.wake.Broadcast()
		}
		w.mu.Unlock()
	}
}

// folder lists one folder, visits its files and returns the folders in it.
func (w *walker) folder(l *lister, f folder, subs []folder) (_ []folder, found, guessed int, err error) {
	entries, err := l.list(f.path)
	if err != nil {
		return subs, 0, 0, err
	}
	defer l.done()
	if f.rules != nil && !hasRules(entries) {
		f.rules.NoFile()
	}
	if len(entries) == 0 && f.depth > 0 && w.o.Empty != nil {
		w.o.Empty(f.path)
	}
	files := l.files[:0]
	var like neighbours
	for i := range entries {
		// By the names looked at and not the files found: rules may leave out all of a million.
		if i&1023 == 1023 && (w.ctx.Err() != nil || len(files) >= w.o.Files) {
			w.mu.Lock()
			w.stats.Cut = true
			w.mu.Unlock()
			break
		}
		e := &entries[i]
		file := File{Size: -1}
		if e.kind == disk.KindUnknown {
			e.kind, file.Size, file.Mode = l.stat(e.name)
		}
		switch e.kind {
		case disk.KindDir:
			if e.name == ".git" {
				if w.o.Git != nil {
					w.o.Git(f.path)
				}
				continue
			}
			if w.o.Skip != nil && w.o.Skip(e.name) {
				if w.o.Skipped != nil {
					w.o.Skipped(f.path + e.name + "/")
				}
				continue
			}
			if f.rules != nil && f.rules.Match(e.name, true) {
				continue
			}
			if f.depth+1 >= w.o.Depth {
				w.mu.Lock()
				w.stats.Cut = true
				w.mu.Unlock()
				if w.o.Deeper != nil {
					w.o.Deeper(f.path + e.name + "/")
				}
				continue
			}
			sub := folder{path: f.path + e.name + "/", depth: f.depth + 1}
			if f.rules != nil {
				sub.rules = f.rules.Child(e.name)
			}
			subs = append(subs, sub)
		case disk.KindLink:
			if w.o.Links && (w.o.Only == nil || w.o.Only(e.name)) && (f.rules == nil || !f.rules.Match(e.name, false)) {
				files = append(files, File{Path: e.name})
			}
		case disk.KindFile:
			if w.o.Only != nil && !w.o.Only(e.name) || f.rules != nil && f.rules.Match(e.name, false) {
				continue
			}
			if file.Size < 0 && w.o.Size != nil && w.o.Size(e.name) {
				n := like.of(e.name, w.o.Sizes > 0 && w.asked.Load() >= w.o.Sizes)
				if n != nil && n.left > 0 {
					n.left--
					guessed++
					file.Size, file.Mode = n.size, n.mode
				} else {
					var kind disk.Kind
					if kind, file.Size, file.Mode = l.stat(e.name); kind != disk.KindFile {
						continue // it was replaced since the listing
					}
					if n != nil {
						n.size, n.mode, n.left = file.Size, file.Mode, sizeStep-1
					}
					w.asked.Add(1)
				}
			}
			file.Path = e.name
			files = append(files, file)
		}
	}
	if l.files = files; len(files) > 0 {
		w.visit(f.path, files)
	}
	return subs, len(files), guessed, nil
}

// neighbours are the last files of one folder that the system was asked about, by
// extension.
type neighbours map[string]*neighbour

// neighbour is one of them, and for how many more it stands.
type neighbour struct {
	size int64
	mode fs.FileMode
	left int
}

// of finds who may stand for a file; nil when nobody may: sizes are still exact, or
// the file has no extension, and whether it may be run says what it is.
func (n *neighbours) of(name string, guess bool) *neighbour {
	dot := strings.LastIndexByte(name, '.')
	if !guess || dot <= 0 {
		return nil
	}
	if *n == nil {
		*n = neighbours{}
	}
	like := (*n)[name[dot:]]
	if like == nil {
		like = &neighbour{}
		(*n)[name[dot:]] = like
	}
	return like
}
