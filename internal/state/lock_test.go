package state

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/modu-ai/moai/internal/kit"
)

// Who waited for a lock whose file was swept away meanwhile locks the file that others lock now.
func TestLockOfASweptFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open stays there")
	}
	path := filepath.Join(t.TempDir(), "x.lock")
	first := flock.New(path)
	kit.Must(t, first.Lock())
	type taken struct {
		lock *flock.Flock
		err  error
	}
	second := make(chan taken, 1)
	go func() {
		l, err := take(path, time.Now().Add(time.Minute))
		second <- taken{l, err}
	}()
	time.Sleep(100 * time.Millisecond) // it waits by now, or comes later: it gets the new file either way
	kit.Must(t, os.Remove(path))
	kit.Must(t, first.Unlock())
	got := <-second
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer got.lock.Unlock()
	if !current(got.lock, path) {
		t.Error("the lock is on a file that is gone")
	}
	if ok, err := flock.New(path).TryLock(); ok || err != nil {
		t.Errorf("another one got the lock, too: %v, %v", ok, err)
	}
}

// A lock that cannot be made is an error, and nothing is run under it.
func TestLockRefused(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	kit.Must(t, os.WriteFile(plain, nil, 0o600))
	for _, path := range []string{dir, filepath.Join(plain, "x.lock"), filepath.Join(plain, "below", "x.lock")} {
		if err := Locked(path, func() error { t.Errorf("ran under %s", path); return nil }); err == nil && runtime.GOOS == "linux" {
			t.Errorf("Locked(%s) = nil", path)
		}
	}
}
