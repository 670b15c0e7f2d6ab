//go:build linux && (amd64 || arm64)

package repo

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"
)

// Threads are moved and let go: what the process may use stays as it was, or a program that calls this would be left with one
// processor.
func TestCrewLeavesProcessors(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	mask := func() (m [16]uint64) {
		if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(m), uintptr(unsafe.Pointer(&m))); e != 0 {
			t.Skip("sched_getaffinity:", e)
		}
		return m
	}
	before := mask()
	n := runtime.NumCPU()
	var ran, confined atomic.Int32
	crew(n, func(int) {
		ran.Add(1)
		if mask() != before {
			confined.Add(1)
		}
	})
	if int(ran.Load()) != n || confined.Load() != 0 || mask() != before {
		t.Errorf("crew(%d): %d ran, %d of them kept to a part of %x, now %x", n, ran.Load(), confined.Load(), before[0], mask()[0])
	}
}
