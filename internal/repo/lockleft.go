package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// Git cannot tell that the process which made a lock was killed: the lock stays, and refuses everybody for ever. So a lock of moai's that
// others may want, too, holds a mark, and the new content is written to a second file. moai removes such a lock when its process is gone, or, where
// that cannot be found out, when the lock is older than any call of moai's may last. It also removes old locks that Git has left below refs/moai/: only git gc takes these, for a moment. It removes no other lock
// of Git's: a command may hold one for hours.
const (
	lockMark  = "# moai\n"
	lockStale = 30 * time.Second
)

// LockMoments is how old a lock is that Git holds for moments, and that hardly anybody can still hold: rewriting the index of a million files
// takes seconds.
const LockMoments = 10 * time.Minute

// OwnRefs is the beginning of the names of moai's own references.
const OwnRefs = "refs/moai/"

// lockLook is what a look at a lock has found.
type lockLook struct {
	os.FileInfo
	since time.Duration // it has been there; below 0 where it is from the future
	limit time.Duration // after which moai gives it up; 0 for never
	left  bool          // its process is gone
}

// lookAt looks at a lock in a Git folder.
func lookAt(dir, path string) (l lockLook, err error) {
	if l.FileInfo, err = os.Lstat(path); err != nil {
		return l, err
	}
	l.since = time.Since(l.ModTime())
	if !l.Mode().IsRegular() {
		return l, nil
	}
	switch mark := markOf(path, l); {
	case mark != "":
		l.limit, l.left = lockStale, isLeft(path, mark, l.FileInfo)
	case strings.HasPrefix(path, filepath.Join(dir, filepath.FromSlash(OwnRefs))+string(filepath.Separator)):
		l.limit = LockMoments
	}
	return l, nil
}

// heldBy is the error for a lock that could not be had.
func heldBy(dir, path string) *HeldLock {
	l, _ := lookAt(dir, path) // nothing is known of one that is gone by now
	return &HeldLock{path, max(l.since, 0), l.limit}
}

// breakStale takes a lock away that a killed process left.
func breakStale(dir, path string) bool {
	l, err := lookAt(dir, path)
	if err != nil || l.limit == 0 {
		return false
	}
	if l.since < 0 { // the clock was set back since, and nothing tells how old it is: it ages from now on
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
	return (l.left || l.since >= l.limit) && RemoveLock(path, l.FileInfo)
}

// RemoveLock removes a lock that was seen, and no other. It is moved aside first and looked at again: another process may have broken it and
// locked anew in between, and gets its lock back. False is that it is still there.
func RemoveLock(path string, seen os.FileInfo) bool {
	aside := asideOf(path)
	if err := os.Rename(path, aside); err != nil {
		return os.IsNotExist(err) // somebody else was faster
	}
	if moved, err := os.Lstat(aside); err != nil || !os.SameFile(seen, moved) || !moved.ModTime().Equal(seen.ModTime()) {
		_ = os.Link(aside, path) // fails where somebody has locked again
	}
	_ = os.Remove(aside)
	return true
}

// GiveUpLocks takes away what a killed moai left beside the files of this work tree that it changes, and beside some references.
// Whoever wants such a lock gives it up; but a change can be complete but for its lock, and git would wait for that for ever.
func (r *Repo) GiveUpLocks(refs ...string) {
	paths := []string{filepath.Join(r.CommonDir, "packed-refs"), filepath.Join(r.CommonDir, "config")}
	for _, own := range [...]string{"HEAD", "index", SparseFile, worktreeConfig} {
		paths = append(paths, filepath.Join(r.GitDir, filepath.FromSlash(own)))
	}
	for _, own := range StateNames {
		if !strings.HasSuffix(own.Name, "/") {
			paths = append(paths, filepath.Join(r.GitDir, own.Name))
		}
	}
	for _, name := range refs {
		if path, err := r.refFile(name); err == nil {
			paths = append(paths, path)
		}
	}
	// Of some thirty names few are ever there: one look at a folder tells of all that are in it.
	listed := map[string][]string{}
	for _, dir := range [...]string{r.GitDir, r.CommonDir, filepath.Join(r.CommonDir, "refs")} {
		if _, known := listed[dir]; !known {
			if names, all := fewNames(dir); all {
				listed[dir] = names
			}
		}
		for _, name := range listed[dir] {
			if isAside(name) {
				breakStale(r.CommonDir, filepath.Join(dir, name))
			}
		}
	}
	for _, p := range paths {
		p += ".lock"
		if names, known := listed[filepath.Dir(p)]; !known || slices.Contains(names, filepath.Base(p)) {
			breakStale(r.CommonDir, p)
		}
	}
}

// manyNames is more than a Git directory holds beside its folders.
const manyNames = 512

// fewNames are the names in a folder, and whether these are all: strangers can make millions.
func fewNames(dir string) (names []string, all bool) {
	d, err := disk.Open(dir)
	if err != nil {
		return nil, false
	}
	defer d.Close()
	buf := make([]byte, 8<<10)
	err = d.Each(&buf, func(name string, _ disk.Kind) bool {
		names = append(names, name)
		return len(names) < manyNames
	})
	return names, err == nil && len(names) < manyNames
}

// LockOf is the lock of a reference that somebody holds, or has left; nil without one.
func (r *Repo) LockOf(ref string) *HeldLock {
	path, err := r.refFile(ref)
	if err != nil {
		return nil
	}
	path += ".lock"
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	return heldBy(r.CommonDir, path)
}

// asideOf is where this process moves a lock while it breaks it. The name ends like a lock's: beside a reference, any other would
// be one, should the process be killed in between.
func asideOf(lock string) string {
	return fmt.Sprintf("%s.%d.lock", strings.TrimSuffix(lock, ".lock"), os.Getpid())
}

// isAside reports the name of a lock that asideOf has moved.
func isAside(name string) bool {
	name, is := strings.CutSuffix(name, ".lock")
	_, err := strconv.Atoi(name[strings.LastIndexByte(name, '.')+1:])
	return is && err == nil
}

// longHeld is much longer than anybody holds a lock who is about to let it go: to wait for an older one costs every hook time, and helps nobody.
const longHeld = 5 * time.Second

// stands reports a lock that has been there for long.
func stands(dir, path string) bool {
	l, err := lookAt(dir, path)
	return err == nil && l.since >= longHeld
}
