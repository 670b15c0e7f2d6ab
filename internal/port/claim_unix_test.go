//go:build unix

package port

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A FIFO in the place of a claim file counts as no claim, and opening it does not block.
func TestClaimIsNoFile(t *testing.T) {
	r := In(t.TempDir(), t.TempDir(), false)
	if err := os.MkdirAll(filepath.Dir(r.claim("p")), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(r.claim("p"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan *Claim, 1)
	go func() { c, _ := r.claimed("p"); done <- c }()
	select {
	case c := <-done:
		if c != nil {
			t.Errorf("%+v", c)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
}
