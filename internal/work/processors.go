package work

import "runtime"

// OnOne keeps the process on one processor until somebody asks for Processors. What is over in milliseconds does one thing after the
// other: with more of them Go's runtime wakes threads that find nothing to do, and each has memory of its own to take from the kernel.
// That is 4 % of a hook call and 7 % of what it has processors do (measured). A deadline still comes in time: the runtime takes the
// processor from what computes for 10 ms, or waits for a disk.
//
// It has a price. Go's runtime may begin main on the second processor, as it does in up to half of all calls, and then what that one
// holds of the heap has to be given back: 80 to 100 page faults, 0.07 to 0.19 ms. Without it, or where main is on the first processor
// alone, the best runs of an edit and of a kept detection take 3 to 7 % less; but all that works for longer than 3 ms takes 3 to 7 %
// more, and on a busy machine nothing is won. To ask for it later, when long work begins, costs more still: more is held by then.
func OnOne() { runtime.GOMAXPROCS(1) }

// Processors is how many there are for work that is worth to be shared, which has them from now on.
func Processors() int {
	if runtime.GOMAXPROCS(0) == 1 && runtime.NumCPU() > 1 {
		runtime.SetDefaultGOMAXPROCS()
	}
	return runtime.GOMAXPROCS(0)
}
