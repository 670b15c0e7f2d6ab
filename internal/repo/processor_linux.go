//go:build linux && (amd64 || arm64)

package repo

import (
	"math/bits"
	"runtime"
	"syscall"
	"unsafe"
)

// onProcessor moves the calling thread to the k-th processor that the process may use, and
// lets it go from there. Left alone, Linux often leaves two new threads on one of two
// processors for the milliseconds that a walk takes: it does not look for work on a
// processor that is never idle for long, and Go's monitor wakes up on the other one every
// 20 µs. Of 15,000 files, walks took 13 to 25 ms so, and take 12 to 14.
func onProcessor(k int) {
	runtime.LockOSThread() // both calls must meet the same thread
	defer runtime.UnlockOSThread()
	var all, one [16]uint64 // 1,024 processors, as in the C library
	n, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(all), uintptr(unsafe.Pointer(&all)))
	if e != 0 {
		return // more processors than that: the walk is right without
	}
	for i, word := range all {
		for ; word != 0; word &= word - 1 {
			if k--; k < 0 {
				one[i] = 1 << bits.TrailingZeros64(word)
				_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, n, uintptr(unsafe.Pointer(&one)))
				_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, n, uintptr(unsafe.Pointer(&all)))
				return
			}
		}
	}
}

// makeRoom lets another thread have this processor, if one waits for it.
func makeRoom() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
