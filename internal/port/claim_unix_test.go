//go:build unix

package port

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// A FIFO in the place of a claim file counts as no claim, and opening it does not block.
func TestClaimIsNoFile(t *testing.T) {
	r := In(t.TempDir(), t.TempDir(), false)
	kit.Must(t, os.MkdirAll(filepath.Dir(r.claim("p")), 0o700))
	kit.Must(t, syscall.Mkfifo(r.claim("p"), 0o600))
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
