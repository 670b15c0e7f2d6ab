package repo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Nobody waits for a lock that has been there for long: a hook would do so at every call.
func TestNobodyWaitsForAnOldLock(t *testing.T) {
	dir := sandbox(t)
	path := filepath.Join(dir, "main.lock")
	write(t, path, "")
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, err := lock(dir, filepath.Join(dir, "main"), time.Minute)
	if took := time.Since(began); !errors.Is(err, ErrLocked) || took > time.Minute/2 {
		t.Errorf("after %s: %v, want ErrLocked at once", took, err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the lock is gone: %v", err)
	}
}
