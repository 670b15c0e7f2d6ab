// Package solo has a program begin on one processor, with room on the stack of its main goroutine: for one that is mostly over in
// milliseconds and does one thing after the other. cmd/moai imports it, and nobody else. Work that gains by more asks for
// work.Processors.
//
// With more processors Go's runtime wakes threads that find nothing to do, and each has memory of its own to take from the kernel: 4 % of
// a hook call. A deadline still comes in time: the runtime takes the processor from what computes for 10 ms, or waits for a disk.
//
// In main it would be late. By then the goroutine may be on the second processor, as it is in most calls, and what that one holds of the
// heap has to be given back: 60 to 100 page faults, 5 to 10 % of a call; and its stack was copied at each doubling. This package imports
// nothing that makes anything, so that Go, which goes by import paths among those that are ready, makes it the first that does
// (TestNothingBeforeMain). That is why it alone has something made before main.
package solo

import (
	"runtime"

	"github.com/modu-ai/moai/internal/stack"
)

var _ = begin()

func begin() int {
	stack.Grow()
	return runtime.GOMAXPROCS(1)
}
