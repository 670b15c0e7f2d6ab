package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// ErrLocked says that another process holds the lock of a file in the repository, and still did after the wait.
var ErrLocked = errors.New("locked by another process")

// A Lock is git's own lock protocol: `name.lock` is created exclusively, filled, synced and renamed over `name`. Whoever
// fails to create it waits. Real git processes take part in the same protocol.
type Lock struct {
	f      *os.File
	path   string // of the lock
	target string
	err    error // of writes
	synced bool
}

const (
	// refLockWait and packedLockWait are git's defaults of core.filesRefLockTimeout and core.packedRefsTimeout.
	refLockWait    = 100 * time.Millisecond
	packedLockWait = time.Second
)

// LockIndex takes the lock of this work tree's index, as every git command that changes it does.
func (r *Repo) LockIndex() (*Lock, error) {
	return lock(filepath.Join(r.GitDir, "index"), packedLockWait)
}

// lock takes the lock of target, waiting as long as wait for whoever holds it. Missing directories are made; another process
// may remove empty ones at any moment, so making them is part of the retry.
func lock(target string, wait time.Duration) (*Lock, error) {
	path := target + ".lock"
	end := time.Now().Add(wait)
	pause := time.Millisecond
	for try := 0; ; {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		switch {
		case err == nil:
			return &Lock{f: f, path: path, target: target}, nil
		case errors.Is(err, os.ErrNotExist) && try < 100:
			try++
			// Whoever deletes a reference also removes folders that it leaves empty, even
			// while they are being made here: then from the start.
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
			continue
		case !errors.Is(err, os.ErrExist):
			return nil, err
		case time.Now().After(end):
			return nil, fmt.Errorf("%s: %w; if none is running, remove that file", path, ErrLocked)
		}
		time.Sleep(pause)
		pause = min(2*pause, 50*time.Millisecond)
	}
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
	if l.err == nil {
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
	err := l.err
	if e := l.f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = state.Rename(l.path, l.target)
	}
	if err != nil {
		os.Remove(l.path)
	}
	return err
}

// Rollback gives the lock back and leaves the target alone.
func (l *Lock) Rollback() {
	l.f.Close()
	os.Remove(l.path)
}
