package repo

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls f(0) … f(n-1) on as many goroutines as there are processors. Its error is that f panicked; some calls may then
// not have been made.
func Parallel(n int, f func(i int)) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		return guard(func() {
			for i := range n {
				f(i)
			}
		})
	}
	faults := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			faults[k] = guard(func() {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					f(i)
				}
			})
		})
	}
	wg.Wait()
	return cmp.Or(faults...)
}
