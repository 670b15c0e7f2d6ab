package stack

import (
	"testing"
	"unsafe"
)

// TestGrow asserts that a goroutine whose stack was grown can go deep without the
// runtime moving the stack, which a new goroutine cannot.
func TestGrow(t *testing.T) {
	moved := func(grow bool) bool {
		done := make(chan bool)
		go func() {
			if grow {
				Grow()
			}
			var here byte
			before := uintptr(unsafe.Pointer(&here))
			deep(150)
			done <- before != uintptr(unsafe.Pointer(&here))
		}()
		return <-done
	}
	if !moved(false) { // the runtime begins with larger stacks where those that it has scanned were large
		t.Skip("150 calls do not move a stack here: the test would show nothing")
	}
	if moved(true) {
		t.Error("the stack moved after Grow")
	}
}

// deep uses about 200 bytes of stack for each level.
//
//go:noinline
func deep(n int) byte {
	var frame [128]byte
	frame[n%len(frame)] = byte(n)
	if n == 0 {
		return frame[0]
	}
	return deep(n-1) + frame[n%len(frame)]
}
