package repo

import (
	"path/filepath"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/work"
)

// directory handles one directory that has entries in the index (or the root).
func (w *worker) directory(t *task) {
	links := w.split(t)
	if !w.afford(work.Folder + len(w.files)*work.Entry) {
		return
	}
	rel := strings.TrimSuffix(t.path, "/")
	if w.cache != nil && !t.again && w.cachedDirectory(t, rel) {
		w.descend(t)
		return
	}
	d, state := w.root.open(rel)
	if state != opened {
		w.closed(t, state)
		return
	}
	defer d.Close()
	look := w.o.Untracked != UntrackedNo
	if look {
		if d.list(&w.list, w.fold) != opened {
			w.unreadable = append(w.unreadable, t.path)
			look = false
		}
		w.afford(len(w.list.entries) * work.Name)
	}
	if t.again {
		if look {
			w.others(t, d)
		}
		return
	}
	if look && t.path != "" && w.list.hasGit && !isRepository(filepath.Join(w.r.WorkTree, filepath.FromSlash(rel))) {
		w.otherGit(t.dir)
	}
	// A folder whose files have all been deleted is one without names.
	w.noteFolder(t.path, d, look && len(w.list.entries) == 0 && !w.list.hasGit)
	proven := w.compareFiles(d, len(t.path))
	if look {
		// A sparse directory that is still in the index is not on disk.
		dirs, others := 0, 0
		for _, d := range w.dirs {
			if d.lo < 0 {
				dirs++
			}
		}
		for i := range w.list.entries {
			switch w.list.entries[i].kind {
			case disk.KindDir:
				dirs++
			// A count that a directory may be part of proves nothing.
			case disk.KindUnknown:
				proven = false
			default:
				others++
			}
		}
		if !proven || w.fold || dirs != len(w.dirs)+links || others != len(w.files)-links {
			t.listed = true
			w.others(t, d)
		} else if w.cache != nil && (!w.list.hasGit || t.path == "") { // its .git would be named once and no more
			w.cache.note(t.path, d)
		}
	}
	w.descend(t)
}

// afford charges work, and stops the walk where there is not enough for it.
func (s *scan) afford(units int) bool {
	if s.o.Work.Take(units) {
		return true
	}
	s.stop.Store(true)
	return false
}

// listed charges n lines of the answer, and stops the walk where they are too many.
func (s *scan) listed(n int) bool {
	if s.o.Most > 0 && s.lines.Add(int64(n)) > int64(s.o.Most) {
		s.stop.Store(true)
		return false
	}
	return s.afford(n * work.Name)
}

// split sorts the entries of t into files here and directories below; it returns how many
// of the files are gitlinks, which are directories on disk.
func (w *worker) split(t *task) (links int) {
	es := w.ix.entries
	at := len(t.path)
	w.files, w.dirs = w.files[:0], w.dirs[:0]
	for i := t.lo; i < t.hi; {
		name := es[i].name[at:]
		slash := strings.IndexByte(name, '/')
		if slash < 0 {
			w.files = append(w.files, i)
			if es[i].mode() == ModeGitlink {
				links++
			}
			// One line for all stages of a path.
			for i++; i < t.hi && es[i].stage() != 0 && es[i].name == es[i-1].name; i++ {
			}
			continue
		}
		if es[i].mode() == ModeDir && slash == len(name)-1 {
			w.dirs = append(w.dirs, subdir{-1, -1, name[:slash]})
			i++
			continue
		}
		end := rangeEnd(es, i, t.hi, es[i].name[:at+slash+1])
		w.dirs = append(w.dirs, subdir{i, end, name[:slash]})
		i = end
	}
	return links
}

// rangeEnd finds the first entry from i on that does not begin with prefix: by growing
// steps, then by halving, since directories are small and indexes are not.
func rangeEnd(es []entry, i, hi int, prefix string) int {
	step, j := 1, i+1
	for j < hi && strings.HasPrefix(es[j].name, prefix) {
		j += step
		step *= 2
	}
	lo := max(j-step/2, i)
	top := min(j, hi)
	return lo + sort.Search(top-lo, func(k int) bool { return !strings.HasPrefix(es[lo+k].name, prefix) })
}

// closed handles a directory that cannot be opened.
func (w *worker) closed(t *task, state openState) {
	if state == unreadable {
		w.unreadable = append(w.unreadable, t.path)
		w.noteClosed(t.path)
		// It may still be passable: ask for each file by its path.
		w.byPath(t.lo, t.hi)
		return
	}
	for i := t.lo; i < t.hi && !w.stop.Load(); i++ {
		e := &w.ix.entries[i]
		if e.stage() == 0 && !e.skipWorktree() && !e.assumeValid() && e.mode() != ModeDir {
			w.change('D', i, nil)
		}
	}
	// The parent's numbers added up although this is no directory, so another name took
	// its place there: list the parent's names after all.
	if p := t.parent; p != nil && !p.listed && w.o.Untracked != UntrackedNo && !t.again {
		p.retry.Do(func() {
			w.push(&task{lo: p.lo, hi: p.hi, path: p.path, dir: p.dir, parent: p.parent, again: true})
		})
	}
}

// byPath compares entries by their full path.
func (w *worker) byPath(lo, hi int) {
	var st disk.Stat
	for i := lo; i < hi && !w.stop.Load(); i++ {
		e := &w.ix.entries[i]
		if e.stage() != 0 || e.skipWorktree() || e.assumeValid() || e.mode() == ModeDir {
			continue
		}
		switch w.root.lstat(e.name, &st) {
		case opened:
			w.compare(i, &st)
		case missing:
			w.change('D', i, nil)
		}
	}
}

// compareFiles compares the tracked files of one directory, whose names below d begin at
// the given byte. It returns false when some of them were not looked at or not there, so
// that counting names proves nothing.
func (w *worker) compareFiles(d folder, at int) (proven bool) {
	proven = true
	var st disk.Stat
	for _, i := range w.files {
		e := &w.ix.entries[i]
		if e.stage() != 0 || e.assumeValid() || e.skipWorktree() && !w.sparse {
			proven = false
			continue
		}
		switch d.lstat(e.name[at:], &st) {
		case opened:
			w.compare(i, &st)
		case missing:
			proven = false
			if !e.skipWorktree() {
				w.change('D', i, nil)
			}
		default:
			proven = false
			w.unreadable = append(w.unreadable, e.name)
		}
		if w.stop.Load() {
			return false
		}
	}
	return proven
}

// descend queues the directories below t.
func (w *worker) descend(t *task) {
	// Most directories have none below them, and so cost no slab.
	if len(w.dirs) == 0 {
		return
	}
	at := len(t.path)
	tasks := make([]task, len(w.dirs))
	dirs := make([]ignore.Dir, len(w.dirs))
	for k, sub := range w.dirs {
		if sub.lo < 0 {
			continue
		}
		path := w.ix.entries[sub.lo].name[:at+len(sub.name)+1]
		if b := w.o.Below; b != "" && !w.fold && !strings.HasPrefix(path, b) && !strings.HasPrefix(b, path) {
			continue
		}
		t.dir.Init(&dirs[k], path, sub.name)
		n := &tasks[k]
		n.lo, n.hi, n.path, n.dir, n.parent = sub.lo, sub.hi, path, &dirs[k], t
		w.stack = append(w.stack, n)
	}
}
