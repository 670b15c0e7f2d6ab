package work

import "runtime"

// OnOne keeps the process on one processor until somebody asks for Processors. What is over in milliseconds does one thing after the
// other: with more of them Go's runtime wakes threads that find nothing to do, and each has memory of its own to take from the kernel.
// That is 4 % of a hook call and 7 % of what it has processors do (measured). A deadline still comes in time: the runtime takes the
// processor from what computes for 10 ms, or waits for a disk.
func OnOne() { runtime.GOMAXPROCS(1) }

// Processors is how many there are for work that is worth to be shared, which has them from now on.
func Processors() int {
	if runtime.GOMAXPROCS(0) == 1 && runtime.NumCPU() > 1 {
		runtime.SetDefaultGOMAXPROCS()
	}
	return runtime.GOMAXPROCS(0)
}
