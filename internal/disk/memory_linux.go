package disk

import (
	"syscall"
	"unsafe"
)

// Populate asks the kernel for the memory of a large new slice at once. Handing it out page
// by page, as it is first touched, takes as long as reading and decoding the index does.
func Populate[T any](s []T) {
	const (
		page          = 4096
		populateWrite = 23 // MADV_POPULATE_WRITE, since Linux 5.14; older ones refuse it, which is fine
		worthwhile    = 64 << 10
	)
	n := uintptr(len(s)) * unsafe.Sizeof(*new(T))
	if n < worthwhile {
		return
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(s))) &^ (page - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, n&^(page-1), populateWrite)
}

// mapPopulate fills the page table of a mapping in one go instead of at every sixteenth page.
const mapPopulate = syscall.MAP_POPULATE
