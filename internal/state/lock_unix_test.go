//go:build unix

package state

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// A FIFO in the place of a lock is not waited for, and through a link no file is made elsewhere.
func TestStrangeLocks(t *testing.T) {
	dir := t.TempDir()
	pipe, link, elsewhere := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "elsewhere")
	kit.Must(t, syscall.Mkfifo(pipe, 0o600))
	kit.Must(t, os.Symlink(elsewhere, link))
	done := make(chan error, 1)
	go func() {
		_ = Locked(pipe, func() error { return nil })
		done <- Locked(link, func() error { return nil })
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("a link was taken for a lock")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
	if _, err := os.Lstat(elsewhere); err == nil {
		t.Error("a file was made through a link")
	}
}
