package work

import (
	"runtime"
	"testing"
)

// TestProcessors asserts that a process that was kept on one processor has all of them again once it asks.
func TestProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	runtime.SetDefaultGOMAXPROCS()
	all := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(1)
	if n := Processors(); n != all || runtime.GOMAXPROCS(0) != all {
		t.Errorf("Processors = %d of %d, want all %d", n, runtime.GOMAXPROCS(0), all)
	}
}
