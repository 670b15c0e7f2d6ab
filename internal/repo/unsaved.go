package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// Keeper answers for single files whether Git holds what is in them, which decides whether
// overwriting or deleting them loses anything. It walks nothing: the first questions about a
// repository look into its index, the others cost a few system calls. It believes what it has
// read for as long as it lives, so it is meant for one command. The zero value is ready for
// use, by several goroutines.
type Keeper struct {
	// Work is charged for what is read; once it is over, everything is unsaved.
	Work *work.Account

	mu    sync.Mutex
	trees map[string]*kept  // by work tree
	dirs  map[string]*kept  // by folder, for the many files of one folder
	real  map[string]string // folders without links, by the names that were asked for
}

// What the answer about one file, a further folder and a repository cost besides the index.
const (
	costFile   = 4 * work.Look
	costFolder = 5 * work.Look
	costOpen   = 100 * work.Look
)

// kept is what is known of one repository, or why nothing is.
type kept struct {
	repo  *Repo
	index *Lookup
	cmp   *scan // with the index that the last question was about
	err   error
}

// Know spares the Keeper opening a repository. It returns what the Keeper reads of its index,
// for other questions about it.
func (k *Keeper) Know(r *Repo) *Lookup {
	t := &kept{repo: r, index: r.Lookup(k.Work)}
	k.mu.Lock()
	defer k.mu.Unlock()
	// Otherwise the work tree is the one that some settings name, and a search from within may find another repository.
	if r.GitDir == filepath.Join(r.WorkTree, ".git") && k.trees[r.WorkTree] == nil {
		k.know(t)
		k.folder(r.WorkTree, t)
	}
	return t.index
}

func (k *Keeper) know(t *kept) {
	if k.trees == nil {
		k.trees = map[string]*kept{}
	}
	k.trees[t.repo.WorkTree] = t
}

// Unsaved says whether path holds content that Git does not have: a file or a link that is
// untracked, ignored, unmerged, or differs from what the index records. What is staged is
// held, committed or not. False also when there is nothing to lose: no file, an empty one, a
// FIFO, a socket, a device. Links are not followed in the last element; in the others they are.
//
// True without a further look for a folder, and for content that cannot be compared in the
// time that ctx gives, or without running a filter program. Errors, beside those of Open:
// *Declined when path lies in a Git directory, and an index that cannot be read.
func (k *Keeper) Unsaved(ctx context.Context, path string) (bool, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return true, err
	}
	if !k.Work.Take(costFile + work.Path(path)) {
		return true, nil
	}
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return true, err
	case err != nil:
		return false, nil
	case fi.IsDir():
		return true, nil
	case !fi.Mode().IsRegular() && fi.Mode()&fs.ModeSymlink == 0, fi.Mode().IsRegular() && fi.Size() == 0:
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	dir, err := k.resolve(filepath.Dir(path))
	if err != nil {
		return true, err
	}
	t := k.at(dir)
	if errors.Is(t.err, errCostly) {
		return true, nil
	}
	if t.err != nil {
		return true, t.err
	}
	rel, err := filepath.Rel(t.repo.WorkTree, filepath.Join(dir, filepath.Base(path)))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return true, ErrNone // core.worktree is elsewhere
	}
	unsaved, err := t.unsaved(ctx, filepath.ToSlash(rel), k.Work)
	if errors.Is(err, errCostly) {
		return true, nil
	}
	return unsaved, err
}

// resolve is a folder without links, remembered.
func (k *Keeper) resolve(dir string) (string, error) {
	if real, ok := k.real[dir]; ok {
		return real, nil
	}
	parts := strings.Count(dir, string(filepath.Separator))
	if !k.Work.Take(parts * work.Path(dir)) {
		return dir, nil // what is asked next ends
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	if k.real == nil {
		k.real = map[string]string{}
	}
	k.real[dir] = real
	return real, nil
}

// at is the repository that holds the folder dir.
func (k *Keeper) at(dir string) *kept {
	if t := k.dirs[dir]; t != nil {
		return t
	}
	t := k.open(dir)
	k.folder(dir, t)
	return t
}

func (k *Keeper) folder(dir string, t *kept) {
	if k.dirs == nil {
		k.dirs = map[string]*kept{}
	}
	k.dirs[dir] = t
}

func (k *Keeper) open(dir string) *kept {
	if up := filepath.Dir(dir); k.Work.Take(costFolder) && up != dir && sameRepository(dir, up) {
		return k.at(up)
	}
	t := &kept{}
	if !k.Work.Take(costOpen) {
		t.err = errCostly
		return t
	}
	if t.repo, t.err = Open(dir); t.err != nil {
		return t
	}
	if t.repo.Bare() {
		t.err = declined(t.repo.GitDir, "it has no work tree")
		return t
	}
	if known := k.trees[t.repo.WorkTree]; known != nil {
		return known
	}
	t.index = t.repo.Lookup(k.Work)
	k.know(t)
	return t
}

// sameRepository says that a search for a repository which begins in dir goes on in up,
// the folder above it: nothing in dir could be one, and nothing ends the search between them.
func sameRepository(dir, up string) bool {
	for _, name := range [...]string{".git", "HEAD"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	if os.Getenv("GIT_CEILING_DIRECTORIES") != "" {
		return false
	}
	a, known := deviceOf(dir)
	b, alsoKnown := deviceOf(up)
	return known == alsoKnown && a == b
}

// unsaved compares one file, whatever flags keep git from looking at it.
func (t *kept) unsaved(ctx context.Context, rel string, k *work.Account) (bool, error) {
	name := rel // as it is on the disk
	rel = precompose(rel)
	ix, err := t.index.About(rel)
	if err != nil {
		return true, err
	}
	if t.cmp == nil || t.cmp.ix != ix {
		t.cmp = t.repo.newComparison(ctx, ix, StatusOptions{Work: k, Wary: true})
	}
	i, ok := t.cmp.find(rel)
	if !ok || t.cmp.ix.entries[i].stage() != 0 {
		return true, nil
	}
	root, err := openRoot(t.repo.WorkTree)
	if err != nil {
		return true, err
	}
	defer root.Close()
	var st disk.Stat
	switch root.lstatName(name, &st) {
	case missing:
		return false, nil // gone since
	case unreadable:
		return true, nil
	}
	t.cmp.stop.Store(ctx.Err() != nil || k.Over())
	release := context.AfterFunc(ctx, func() { t.cmp.stop.Store(true) })
	defer release()
	w := worker{scan: t.cmp}
	w.compare(i, &st)
	if len(w.changed) > 0 || len(w.unreadable) > 0 || t.cmp.stop.Load() {
		return true, nil
	}
	// The index has its name; whether the content is there, too, is another question.
	_, err = t.repo.BlobSize(t.cmp.ix.entries[i].hash(t.cmp.ix.hashSize))
	return err != nil, nil
}

// oneFile says whether two spellings of a path lead to one file, as where the disk does not tell case apart.
func (s *scan) oneFile(a, b string) bool {
	one, err := os.Lstat(filepath.Join(s.r.WorkTree, filepath.FromSlash(a)))
	if err != nil {
		return false
	}
	other, err := os.Lstat(filepath.Join(s.r.WorkTree, filepath.FromSlash(b)))
	return err == nil && os.SameFile(one, other)
}

// find is Index.Find, by the rules of core.ignoreCase.
func (s *scan) find(rel string) (int, bool) {
	i, ok := s.ix.Find(rel)
	if ok || !s.fold {
		return i, ok
	}
	for i := range s.ix.entries {
		if equalFold(s.ix.entries[i].name, rel) {
			return i, s.oneFile(s.ix.entries[i].name, rel)
		}
	}
	return 0, false
}
