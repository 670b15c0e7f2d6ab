//go:build linux && (amd64 || arm64)

package repo

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A walk that waits for a disk gets more workers, answers the same, and leaves the process
// as it was; one that is only slow does not.
func TestScanWaitsForDisks(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 60)
	write(t, filepath.Join(dir, "d003/a"), "changed\n")
	write(t, filepath.Join(dir, "d004/new"), "new\n")
	r := open(t, dir)
	ix, err := r.Index()
	must(t, err)
	before := runtime.GOMAXPROCS(0)
	for _, elsewhere := range []bool{false, true} {
		s, err := r.newScan(context.Background(), ix, StatusOptions{})
		must(t, err)
		s.pace.local = !elsewhere
		s.pace.read = 1 << 60 // nothing was read from a disk
		for range slowEnough {
			s.timed(time.Second, 1)
		}
		if got := s.many.Load(); got != elsewhere {
			t.Errorf("after slow directories without a disk, elsewhere %v: many workers = %v", elsewhere, got)
		}
		s.run(func() {})
		s.root.Close()
		if len(s.changed) != 1 || len(s.untracked) != 1 || s.fault != nil {
			t.Errorf("elsewhere %v: %d changed, %d untracked, fault %v, want 1 and 1", elsewhere, len(s.changed), len(s.untracked), s.fault)
		}
		if n := runtime.GOMAXPROCS(0); n != before {
			t.Errorf("elsewhere %v: GOMAXPROCS = %d after the walk, want %d", elsewhere, n, before)
		}
	}
}
