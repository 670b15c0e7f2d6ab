package repo

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
)

// others lists the untracked names of a directory that has entries in the index. d is the
// open directory, w.list its names.
func (w *worker) others(t *task, d folder) {
	if t.dir.Ignored() {
		return
	}
	if !w.list.hasIgnore && !w.ruleSkipped(t) {
		t.dir.NoFile()
	}
	known := w.lookup(t.path)
	// Deciding about a directory lists it, into the same buffer: put those off.
	var dirs []string
	for _, e := range w.list.entries {
		if w.stop.Load() {
			return
		}
		tracked, asDir := known(e.name)
		if e.kind == disk.KindUnknown {
			e.kind = w.kindOf(d, e.name)
		}
		// A tracked name is never untracked, whatever stands in its place, except what lies
		// in a directory that took the place of a file: git names that with UntrackedAll.
		if asDir && e.kind == disk.KindDir || tracked == trackedLink || tracked == trackedFile && (e.kind != disk.KindDir || w.o.Untracked != UntrackedAll) {
			continue
		}
		switch e.kind {
		case disk.KindDir:
			if !t.dir.Match(e.name, true) {
				dirs = append(dirs, strings.Clone(e.name))
			}
		case disk.KindFile, disk.KindLink:
			if !t.dir.Match(e.name, false) {
				w.other(strings.Clone(t.path + e.name)) // "" + name would alias the buffer
			}
		case disk.KindOther:
			w.passOver(t.dir, e.name)
		}
	}
	for _, name := range dirs {
		w.otherDir(t, t.dir.Child(name))
	}
}

// ruleSkipped says whether the directory's .gitignore may come from the index.
func (w *worker) ruleSkipped(t *task) bool {
	_, ok := w.ix.Find(t.path + ".gitignore")
	return ok
}

// otherDir decides about an untracked directory that is not ignored itself.
func (w *worker) otherDir(t *task, d *ignore.Dir) {
	if w.o.Untracked == UntrackedAll {
		w.stack = append(w.stack, &task{path: d.Path(), dir: d, parent: t})
		return
	}
	if w.holdsOthers(d, 0) {
		w.other(d.Path())
	}
}

// other records an untracked path.
func (w *worker) other(path string) {
	if n := w.found.Add(1); w.o.Limit <= 0 || n <= int64(w.o.Limit) {
		w.untracked = append(w.untracked, path)
	}
	w.listed(1)
}

// maxSpecial bounds the list of what git does not see.
const maxSpecial = 1000

// passOver notes what is no file, for who has to name what it leaves out.
func (w *worker) passOver(d *ignore.Dir, name string) {
	if w.o.Untracked == UntrackedAll && len(w.special) < maxSpecial && !d.Match(name, false) {
		w.special = append(w.special, strings.Clone(d.Path()+name))
	}
}

// otherGit notes a .git of the listed folder, where it has one, that makes no repository: git passes over that name.
func (w *worker) otherGit(d *ignore.Dir) {
	if w.list.hasGit && w.o.Untracked == UntrackedAll && len(w.special) < maxSpecial {
		w.special = append(w.special, d.Path()+".git")
	}
}

// maxDepth ends the search in untracked directories; deeper paths cannot be opened.
const maxDepth = 2048

// holdsOthers says whether there is a file in d, or below, that is not ignored: git shows
// no empty directories. A nested repository always counts.
func (w *worker) holdsOthers(d *ignore.Dir, depth int) bool {
	if depth > maxDepth || w.stop.Load() {
		return false
	}
	dirs, found := w.filesOf(d, func(string) bool { return false })
	if found {
		return true
	}
	for _, name := range dirs {
		if w.holdsOthers(d.Child(name), depth+1) {
			return true
		}
	}
	return false
}

// listUntracked lists every file of an untracked directory and queues what is below it.
func (w *worker) listUntracked(t *task) {
	dirs, nested := w.filesOf(t.dir, func(name string) bool {
		w.other(t.path + name)
		return true
	})
	if nested {
		// One that took the place of a tracked file is a change of that file already.
		if _, tracked := w.ix.Find(strings.TrimSuffix(t.path, "/")); !tracked {
			w.other(t.path)
		}
		return
	}
	for _, name := range dirs {
		c := t.dir.Child(name)
		w.stack = append(w.stack, &task{path: c.Path(), dir: c, parent: t})
	}
}

// filesOf lists the untracked directory d. It calls file for each file that is not
// ignored and returns true when that says false, or when d is a nested repository;
// otherwise it returns the directories that are not ignored.
func (w *worker) filesOf(d *ignore.Dir, file func(name string) bool) (dirs []string, end bool) {
	rel := strings.TrimSuffix(d.Path(), "/")
	f, state := w.root.open(rel)
	failed := state == unreadable || state == opened && f.list(&w.list, w.fold) != opened
	if failed {
		w.unreadable = append(w.unreadable, d.Path())
	}
	if state != opened {
		return nil, false
	}
	defer f.Close()
	// A .git that is none makes no repository: its neighbours are files like others.
	if w.list.hasGit && isRepository(filepath.Join(w.r.WorkTree, filepath.FromSlash(rel))) {
		return nil, true
	}
	w.otherGit(d)
	w.noteFolder(d.Path(), f, !failed && len(w.list.entries) == 0 && !w.list.hasGit)
	if !w.list.hasIgnore {
		d.NoFile()
	}
	for _, e := range w.list.entries {
		if w.stop.Load() {
			return nil, false
		}
		if e.kind == disk.KindUnknown {
			e.kind = w.kindOf(f, e.name)
		}
		switch e.kind {
		case disk.KindDir:
			if !d.Match(e.name, true) {
				dirs = append(dirs, strings.Clone(e.name))
			}
		case disk.KindFile, disk.KindLink:
			if !d.Match(e.name, false) && !file(e.name) {
				return nil, true
			}
		case disk.KindOther:
			w.passOver(d, e.name)
		}
	}
	return dirs, false
}

// isRepository says whether dir holds a .git that git would take for a repository.
func isRepository(dir string) bool {
	dot := filepath.Join(dir, ".git")
	if _, ok := gitDir(dot); ok {
		return true
	}
	target, err := readGitFile(dot)
	if err != nil {
		return false
	}
	_, ok := gitDir(target)
	return ok
}

func (w *worker) kindOf(d folder, name string) disk.Kind {
	var st disk.Stat
	if d.lstatName(name, &st) != opened {
		return disk.KindOther
	}
	switch {
	case st.IsDir():
		return disk.KindDir
	case st.IsRegular():
		return disk.KindFile
	case st.IsLink():
		return disk.KindLink
	}
	return disk.KindOther
}

type trackedKind uint8

const (
	trackedNot trackedKind = iota
	trackedFile
	trackedLink // a gitlink
)

// lookup returns a function that says whether a name of the directory at work is tracked
// as a file, and whether there are tracked paths below it. in is that directory, as it stands before
// names in the entries' paths.
func (w *worker) lookup(in string) func(name string) (file trackedKind, dir bool) {
	es, at := w.ix.entries, len(in)
	kind := func(i int) trackedKind {
		if es[i].mode() == ModeGitlink {
			return trackedLink
		}
		return trackedFile
	}
	// Sorted by bytes, names that differ in case do not stand together: tables instead of a search.
	if w.fold {
		files := make(map[string]trackedKind, len(w.files))
		spelt := map[string][]string{} // as the index has them, by their keys
		for _, i := range w.files {
			name := es[i].name[at:]
			key := foldName(name)
			files[key], spelt[key] = kind(i), append(spelt[key], name)
		}
		dirs := make(map[string]bool, len(w.dirs))
		for _, d := range w.dirs {
			key := foldName(d.name)
			dirs[key], spelt[key] = true, append(spelt[key], d.name)
		}
		return func(name string) (trackedKind, bool) {
			key := foldName(name)
			if w.o.Wary && (files[key] != trackedNot || dirs[key]) && w.another(in, name, spelt[key]) {
				return trackedNot, false
			}
			return files[key], dirs[key]
		}
	}
	// Files are in order by name; directories are in order by name and slash.
	return func(name string) (file trackedKind, dir bool) {
		k := sort.Search(len(w.files), func(k int) bool { return es[w.files[k]].name[at:] >= name })
		if k < len(w.files) && es[w.files[k]].name[at:] == name {
			file = kind(w.files[k])
		}
		k = sort.Search(len(w.dirs), func(k int) bool { return compareDir(w.dirs[k].name, name) >= 0 })
		dir = k < len(w.dirs) && w.dirs[k].name == name
		return file, dir
	}
}

// another says whether a name that is in the index only in other letters is a file or folder of its own: the disk tells case apart, whatever
// the settings say of it, and git does not see what stands there.
func (w *worker) another(in, name string, spelt []string) bool {
	if slices.Contains(spelt, name) {
		return false
	}
	dir := filepath.Join(w.r.WorkTree, filepath.FromSlash(in))
	is, err := os.Lstat(filepath.Join(dir, name))
	return err == nil && !slices.ContainsFunc(spelt, func(other string) bool {
		there, err := os.Lstat(filepath.Join(dir, other))
		return err == nil && os.SameFile(is, there)
	})
}

// compareDir orders names as if both ended in a slash.
func compareDir(a, b string) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 || len(a) == len(b) {
		return c
	}
	if len(a) > n {
		return int(a[n]) - '/'
	}
	return '/' - int(b[n])
}
