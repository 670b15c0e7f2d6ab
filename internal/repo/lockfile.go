package repo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// ErrLocked says that another process holds the lock of a file in the repository, and still did after the wait.
var ErrLocked = errors.New("locked by another process")

// A Lock is git's own lock protocol: `name.lock` is created exclusively, filled, synced and renamed over `name`. Whoever
// fails to create it waits. Real git processes take part in the same protocol.
type Lock struct {
	f      *os.File // takes the content; nil where only other files change, and for a second name of another lock
	path   string   // of the lock
	target string
	err    error // of writes
	synced bool
	marked os.FileInfo // of a lock that holds the mark; its content is in a file of its own
}

// Git cannot tell that the process which made a lock was killed: the lock stays, and refuses everybody for ever. So a lock of moai's that
// others may want, too, holds lockMark, and the new content is written to a second file. moai removes such a lock when it is older than any call of
// moai's may last. It never removes a lock of Git's: a command of Git's may run for hours.
const (
	lockMark  = "# moai\n"
	lockStale = 30 * time.Second
)

// LockTemp begins names in the Git folder that only a process killed in between leaves there.
const LockTemp = "moai-lock-"

const (
	// refLockWait and packedLockWait are git's defaults of core.filesRefLockTimeout and core.packedRefsTimeout.
	refLockWait    = 100 * time.Millisecond
	packedLockWait = time.Second
)

// LockIndex takes the lock of this work tree's index, as every git command that changes it does.
func (r *Repo) LockIndex() (*Lock, error) {
	return lockFilled(r.GitDir, filepath.Join(r.GitDir, "index"), packedLockWait)
}

// lock takes the lock of target, waiting as long as wait for whoever holds it.
func lock(target string, wait time.Duration) (*Lock, error) {
	l := &Lock{path: target + ".lock", target: target}
	return l, locking(l.path, wait, func() (err error) {
		l.f, err = os.OpenFile(l.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		return err
	})
}

// locking tries to make the lock at path until it is made or the wait is over. Missing directories are made; another process
// may remove empty ones at any moment, so making them is part of the retry.
func locking(path string, wait time.Duration, try func() error) error {
	end := time.Now().Add(wait)
	pause := time.Millisecond
	for again := 0; ; {
		err := try()
		switch {
		case err == nil:
			return nil
		case errors.Is(err, os.ErrNotExist) && again < 100:
			again++
			// Whoever deletes a reference also removes folders that it leaves empty, even
			// while they are being made here: then from the start.
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			continue
		case !errors.Is(err, os.ErrExist):
			return err
		case again < 100 && breakStale(path):
			again++
			continue
		case time.Now().After(end):
			if since, ok := marked(path); ok {
				return fmt.Errorf("%s: %w: another moai, or one that was killed, whose lock is given up in %d seconds", path, ErrLocked, int((lockStale-since)/time.Second)+1)
			}
			return fmt.Errorf("%s: %w; if none is running, remove that file", path, ErrLocked)
		}
		time.Sleep(pause)
		pause = min(2*pause, 50*time.Millisecond)
	}
}

// lockMarked is lock for changes of other files than target, which stays as it is: only Rollback ends it. The mark comes with
// the name, so that no moment is left in which a killed process leaves a lock that is nobody's: the marked file is made under
// a name of its own in dir and linked, or linked from a lock that is held already.
func lockMarked(dir, target string, wait time.Duration, held *Lock) (*Lock, error) {
	from := ""
	if held != nil {
		from = held.path
	} else {
		f, err := os.CreateTemp(dir, LockTemp+"*")
		if err != nil {
			return nil, err
		}
		from = f.Name()
		defer os.Remove(from)
		if _, err = f.WriteString(lockMark); errors.Join(err, f.Close()) != nil {
			return nil, err
		}
	}
	path := target + ".lock"
	err := locking(path, wait, func() error { return os.Link(from, path) })
	if err == nil {
		l := &Lock{path: path, target: target}
		if l.marked, err = os.Lstat(path); err != nil {
			os.Remove(path) // just made, so nobody has broken it
			return nil, err
		}
		return l, nil
	}
	if errors.Is(err, ErrLocked) || errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return lock(target, wait) // a file system without hard links
}

// lockFilled is lockMarked for a change of target itself. What is written goes to a file of its own in dir, on the same file
// system, which Commit renames.
func lockFilled(dir, target string, wait time.Duration) (*Lock, error) {
	l, err := lockMarked(dir, target, wait, nil)
	if err != nil || l.f != nil {
		return l, err
	}
	// With the user's umask, as git's locks have it: os.CreateTemp makes private files.
	name := filepath.Join(dir, LockTemp+strconv.FormatUint(rand.Uint64(), 36))
	if l.f, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666); err != nil {
		l.Rollback()
		return nil, err
	}
	return l, nil
}

// marked says how old a lock of moai's is.
func marked(path string) (since time.Duration, ok bool) {
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() != int64(len(lockMark)) {
		return 0, false
	}
	b, err := os.ReadFile(path)
	return time.Since(fi.ModTime()), err == nil && string(b) == lockMark
}

// breakStale takes a lock away that a killed moai left. It is moved aside first and looked at again: another process may have
// broken it and locked anew in between, and gets its lock back.
func breakStale(path string) bool {
	stale := func(name string) (os.FileInfo, bool) {
		since, ok := marked(name)
		if !ok || since < lockStale {
			return nil, false
		}
		fi, err := os.Lstat(name)
		return fi, err == nil
	}
	seen, ok := stale(path)
	if !ok {
		return false
	}
	aside := asideOf(path)
	if os.Rename(path, aside) != nil {
		return true // somebody else was faster
	}
	if moved, ok := stale(aside); !ok || !os.SameFile(seen, moved) {
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
	for _, p := range paths {
		breakStale(p + ".lock")
	}
}

// asideOf is where this process moves a lock while it breaks it. The name ends like a lock's: beside a reference, any other would
// be one, should the process be killed in between.
func asideOf(lock string) string {
	return fmt.Sprintf("%s.%d.lock", strings.TrimSuffix(lock, ".lock"), os.Getpid())
}

// Write adds to the new content. Errors are kept for Commit.
func (l *Lock) Write(b []byte) (int, error) {
	n, err := l.f.Write(b)
	if l.err == nil {
		l.err = err
	}
	return n, err
}

// Sync waits for the disk ahead of Commit, which then need not: several locks can wait at the same time.
func (l *Lock) Sync() {
	if l.err == nil && l.f != nil {
		l.err = l.f.Sync()
	}
	l.synced = true
}

// Commit makes what was written the new content of the target. The content is on disk before the name is; the rename itself is
// not waited for, as git does not: a file system that loses it in a crash also loses what was done after it, so that work which
// a command destroys later is either still there or has its checkpoint.
func (l *Lock) Commit() error {
	if !l.synced {
		l.Sync()
	}
	err, from := l.err, l.path
	if l.f != nil {
		from = l.f.Name()
		if e := l.f.Close(); err == nil {
			err = e
		}
	}
	if err == nil && l.marked != nil && !l.held() {
		err = fmt.Errorf("%s: %w, which took this for one of a process that was killed", l.path, ErrLocked)
	}
	if err == nil {
		err = state.Rename(from, l.target)
	}
	if err != nil || l.marked != nil {
		l.Rollback()
	}
	return err
}

// held says whether a marked lock is still this one: who slept past lockStale may find that another process has it by now.
func (l *Lock) held() bool {
	now, err := os.Lstat(l.path)
	if err != nil { // it cannot be looked at: nobody has given it up before its time
		return !errors.Is(err, os.ErrNotExist) && time.Since(l.marked.ModTime()) < lockStale
	}
	return os.SameFile(l.marked, now)
}

// Rollback gives the lock back and leaves the target alone.
func (l *Lock) Rollback() {
	if l.f != nil {
		l.f.Close()
		os.Remove(l.f.Name())
	} else if l.marked == nil {
		os.Remove(l.path)
	}
	if l.marked != nil && l.held() {
		os.Remove(l.path)
	}
}
