package repo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/when"
)

// ErrLocked says that another process holds the lock of a file in the repository, and still did after the wait.
var ErrLocked = errors.New("locked by another process")

// HeldLock is an ErrLocked that says which lock that is, and what to do.
type HeldLock struct {
	Path  string
	Since time.Duration // it has been there
	limit time.Duration // after which moai gives it up; 0 where it never does
}

func (h *HeldLock) Error() string {
	text := fmt.Sprintf("%v: %s, made %s; if none is running, remove it", ErrLocked, h.Path, when.Ago(h.Since))
	switch h.limit {
	case lockStale:
		text += "; moai does so when it is 30 seconds old"
	case LockMoments:
		text += "; moai does so when it is 10 minutes old"
	}
	return text
}

// Is makes it an ErrLocked.
func (h *HeldLock) Is(target error) bool { return target == ErrLocked }

// A Lock is git's own lock protocol: `name.lock` is created exclusively, filled, synced and renamed over `name`. Whoever
// fails to create it waits. Real git processes take part in the same protocol.
type Lock struct {
	f      *os.File // takes the content; nil where only other files change, and for a second name of another lock
	path   string   // of the lock
	target string
	err    error // of writes
	synced bool
	marked os.FileInfo // of a lock that holds the mark; its content is in a file of its own
	mark   *os.File    // the kernel holds it while it is open; nil for a second name
}

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

// lock takes the lock of target, which is in the Git folder dir. It tries until wait is over.
func lock(dir, target string, wait time.Duration) (*Lock, error) {
	l := &Lock{path: target + ".lock", target: target}
	return l, locking(dir, l.path, wait, func() (err error) {
		l.f, err = os.OpenFile(l.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		return err
	})
}

// locking tries to make the lock at path until it is made or the wait is over. Missing directories are made; another process
// may remove empty ones at any moment, so making them is part of the retry.
func locking(dir, path string, wait time.Duration, try func() error) error {
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
		case again < 100 && breakStale(dir, path):
			again++
			continue
		case time.Now().After(end), stands(dir, path):
			return heldBy(dir, path)
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
	var mark *os.File
	if held != nil {
		from = held.path
	} else {
		f, err := os.CreateTemp(dir, LockTemp+"*")
		if err != nil {
			return nil, err
		}
		from = f.Name()
		defer os.Remove(from)
		text := markHeld(f)
		if _, err = f.WriteString(text); text != lockMark && err == nil {
			mark = f
		} else if errors.Join(err, f.Close()) != nil {
			return nil, err
		}
	}
	path := target + ".lock"
	err := locking(dir, path, wait, func() error { return os.Link(from, path) })
	if err == nil {
		l := &Lock{path: path, target: target, mark: mark}
		if l.marked, err = os.Lstat(path); err != nil {
			os.Remove(path) // just made, so nobody has broken it
			mark.Close()
			return nil, err
		}
		return l, nil
	}
	mark.Close() // where there is none, this does nothing
	if errors.Is(err, ErrLocked) || errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return lock(dir, target, wait) // a file system without hard links
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
	l.mark.Close()
}
