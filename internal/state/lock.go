package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/modu-ai/moai/internal/disk"
)

// lockWait bounds the wait for a process that was stopped while it held a lock. A change takes well under a
// millisecond, and turns come in order, so that hundreds of processes at once have had theirs long before, on a
// loaded machine too. A hook ends at its own deadline, which may be sooner.
const lockWait = 4 * time.Second

// Soon is how long to wait for what every hook call looks after, and can be kept by the next one as well: a program that holds such a
// lock for ever must not make each call slow.
const Soon = 300 * time.Millisecond

// ErrBusy means that other processes kept a lock for too long.
var ErrBusy = errors.New("locked by another process")

// LockPath is where a process locks a file that must have no lock beside it, such as a
// file in a project, which would then stand in the project's git status.
func LockPath(stateDir, file string) string {
	return filepath.Join(stateDir, "lock", ProjectKey(file)+".lock")
}

// Locked runs do while no other process runs one under the lock at path. The file is made
// when it is missing and stays. It is a lock of the kernel and goes with its process, so
// that a killed hook blocks nobody.
//
// The error is ErrBusy when the turn did not come in time, else that of do.
func Locked(path string, do func() error) error { return LockedWithin(path, lockWait, do) }

// LockedWithin is Locked with a wait of its own.
func LockedWithin(path string, patience time.Duration, do func() error) error {
	deadline := time.Now().Add(patience)
	l, err := take(path, deadline)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("make state folder: %w", err)
		}
		l, err = take(path, deadline)
	}
	if err != nil {
		return err
	}
	defer l.Unlock()
	return do()
}

// take waits in the kernel's own queue. Who only tries again and again may lose every
// time to others that come later: of 16 updates at once on a loaded machine 10 gave up.
func take(path string, deadline time.Time) (*flock.Flock, error) {
	for {
		l := flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|disk.Nonblock|disk.NoFollow)) // a FIFO there would be waited for
		ok, err := l.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if !ok {
			if err := wait(l, path, deadline); err != nil {
				return nil, err
			}
		}
		if current(l, path) {
			return l, nil
		}
		// Sweep has removed the file since it was opened: others lock a new one.
		_ = l.Unlock()
		if time.Now().After(deadline) {
			return nil, ErrBusy
		}
	}
}

// wait returns when l is locked, or with an error at the deadline.
func wait(l *flock.Flock, path string, deadline time.Time) error {
	locked := make(chan error, 1)
	go func() { locked <- l.Lock() }()
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case err := <-locked:
		if err != nil {
			return fmt.Errorf("lock %s: %w", path, err)
		}
		return nil
	case <-timer.C:
		go func() { // the turn may still come, and must not stay with a process that has no use for it
			if <-locked == nil {
				_ = l.Unlock()
			}
		}()
		return ErrBusy
	}
}

// current reports whether the file that is locked is still the one at path.
func current(l *flock.Flock, path string) bool {
	held, err := l.Stat()
	if err != nil {
		return true // a system that cannot tell
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(held, now)
}
