// Package stack has a goroutine make room on its stack before it needs it.
package stack

// Grow gives the goroutine that calls it a stack of 64 KiB, first thing. Left to
// itself a stack starts with 2 KiB and is copied at each doubling; every size is a
// pool of its own, whose pages the kernel has to hand out, and finding the pointers
// on the stack reads tables of the binary that nothing else needs. A hook pays for all
// of that on each call: 19 of its 385 page faults, and 2 to 3 % of its time (measured).
func Grow() { _ = room(0) }

// room has a frame of 48 KiB, for which the runtime makes room when it is called. The
// array is neither cleared nor touched, so that its pages cost nothing.
//
//go:noinline
func room(never byte) (sum byte) {
	if never == 0 {
		return 0
	}
	var frame [48 << 10]byte
	for i := range frame {
		frame[i] = never
		sum += frame[i/2]
	}
	return sum
}
