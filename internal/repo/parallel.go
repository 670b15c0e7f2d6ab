package repo

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modu-ai/moai/internal/work"
)

// alone is how long Parallel works by itself. To wake another thread takes about as long, and
// costs more than that on a virtual machine whose other processor sleeps; most checkpoints
// have a dozen files, which are done by then.
const alone = 150 * time.Microsecond

// Parallel calls f(0) … f(n-1), on as many goroutines as there are processors if it takes long.
// Its error is that f panicked; some calls may then not have been made.
func Parallel(n int, f func(i int)) error {
	i := 0
	fault := work.Guard(func() {
		for began := time.Now(); i < n && (i == 0 || time.Since(began) < alone); {
			i++
			f(i - 1)
		}
	})
	if fault != nil || i == n {
		return fault
	}
	workers := min(work.Processors(), n-i)
	faults := make([]error, workers)
	var next atomic.Int64
	next.Store(int64(i))
	crew(workers, func(k int) {
		faults[k] = work.Guard(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	})
	return cmp.Or(faults...)
}

// Both calls two functions at the same time, for work of some hundred microseconds and more.
// Its error is that one of them panicked.
func Both(a, b func()) error {
	if runtime.GOMAXPROCS(0) == 1 {
		return OneByOne(a, b)
	}
	var faults [2]error
	crew(2, func(k int) {
		if k == 0 {
			faults[0] = work.Guard(a)
		} else {
			faults[1] = work.Guard(b)
		}
	})
	return cmp.Or(faults[:]...)
}

// OneByOne is Both for work that is not worth another thread.
func OneByOne(a, b func()) error { return cmp.Or(work.Guard(a), work.Guard(b)) }

// begin bounds how long crew waits for the others to begin.
const begin = 200 * time.Microsecond

// crew calls work(0) here and work(1) … work(n-1) on goroutines, and waits for all of them. Where
// each could have a processor, each gets one: left alone, Linux often leaves both of two new
// threads on the same processor, for as long as most of this work takes.
func crew(n int, work func(k int)) {
	each := n > 1 && n == runtime.NumCPU() // fewer than processors find a free one by themselves
	var wg sync.WaitGroup
	var begun atomic.Int32
	for k := 1; k < n; k++ {
		wg.Go(func() {
			if each {
				onProcessor(k)
			}
			begun.Add(1)
			work(k)
		})
	}
	if each {
		onProcessor(0)
		for end := time.Now().Add(begin); int(begun.Load()) < n-1 && time.Now().Before(end); {
			makeRoom()
		}
	}
	work(0)
	wg.Wait()
}
