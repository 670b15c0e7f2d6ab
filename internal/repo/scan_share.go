package repo

import (
	"runtime"
	"time"

	"github.com/modu-ai/moai/internal/work"
)

// run walks the tree, with one worker for each processor as long as the answers come from
// memory. The last of them does something else first, beside which the others walk already.
func (s *scan) run(first func()) {
	n := s.o.Workers
	if n <= 0 {
		if n = min(len(s.ix.entries)/perWorker+1, maxWorkers); n > 1 {
			n = min(n, work.Processors())
		}
	}
	s.mu.Lock()
	s.active += n // more may have added some already, which take part
	s.mu.Unlock()
	crew(n, func(k int) {
		if k == n-1 {
			first()
		}
		s.work()
	})
	s.workers.Wait()
	// Unless somebody else has set it meanwhile.
	if n := int(s.procs.Load()); n > 0 && runtime.GOMAXPROCS(0) == maxWorkers+1 {
		runtime.GOMAXPROCS(n)
	}
	// A walk that was cut short has not seen all that its cache would vouch for.
	if s.hashes != nil && !s.stop.Load() {
		s.hashes.save()
	}
	if s.cache != nil && !s.stop.Load() {
		s.cache.save()
	}
}

// more adds n workers to a walk that is under way.
func (s *scan) more(n int) {
	s.mu.Lock()
	s.active += n
	s.mu.Unlock()
	for range n {
		s.workers.Go(s.work)
	}
}

// work is the life of one worker.
func (s *scan) work() {
	w := worker{scan: s}
	fault := work.Guard(w.loop)
	s.mu.Lock()
	defer s.mu.Unlock()
	if fault != nil {
		// It was at work when it fell; the others find nothing more to do.
		s.fault = fault
		s.stop.Store(true)
		s.rest()
	}
	s.changed = append(s.changed, w.changed...)
	s.untracked = append(s.untracked, w.untracked...)
	s.permissions.Odd = append(s.permissions.Odd, w.odd...)
	s.permissions.Raised = append(s.permissions.Raised, w.raised...)
	s.special = append(s.special, w.special...)
	s.modes = append(s.modes, w.modes...)
	s.empty = append(s.empty, w.empty...)
	s.manyFolders = s.manyFolders || w.manyFolders
	s.unreadable = append(s.unreadable, w.unreadable...)
	s.approximate = append(s.approximate, w.approximate...)
}

// push adds work from outside a worker's own stack.
func (s *scan) push(t *task) {
	s.mu.Lock()
	s.queue = append(s.queue, t)
	s.handed.Store(int32(len(s.queue)))
	s.mu.Unlock()
	s.wake.Signal()
}

// rest counts a worker out that has nothing to do; the caller holds the lock.
func (s *scan) rest() {
	s.active--
	if s.active == 0 && len(s.queue) == 0 {
		s.handed.Store(allDone)
		s.wake.Broadcast()
	}
}

const allDone = -1

// loop does the work of the stack, the newest first: its folders are the ones that the kernel has just read.
func (w *worker) loop() {
	began := time.Now()
	for {
		n := len(w.stack)
		if n == 0 {
			if !w.steal() {
				return
			}
			began = time.Now()
			continue
		}
		t := w.stack[n-1]
		w.stack = w.stack[:n-1]
		if w.stop.Load() {
			continue
		}
		if t.hi == t.lo && t.parent != nil && !t.again {
			w.listUntracked(t)
			began = time.Now()
		} else {
			w.directory(t)
			now := time.Now()
			w.timed(now.Sub(began), len(w.files))
			began = now
		}
		if len(w.stack) > 1 && w.idle.Load() > 0 && w.handed.Load() == 0 {
			w.share()
		}
	}
}

// share hands over half of the work, the oldest tasks first: they are the biggest subtrees,
// and few of them are soon taken.
func (w *worker) share() {
	all := len(w.stack)
	for _, t := range w.stack {
		all += t.hi - t.lo
	}
	n, part := 0, 0
	for part < all/2 && n < len(w.stack)-1 {
		part += 1 + w.stack[n].hi - w.stack[n].lo
		n++
	}
	w.mu.Lock()
	w.queue = append(w.queue, w.stack[:n]...)
	w.handed.Store(int32(len(w.queue)))
	w.mu.Unlock()
	w.wake.Broadcast()
	w.stack = append(w.stack[:0], w.stack[n:]...)
}

// patience is how long a worker without work looks out for some before it sleeps. Another
// one hands some over after its next directory, in some 20 µs; to be woken takes longer
// than that, and a processor that has slept is not at its full speed.
const patience = 100 * time.Microsecond

// steal waits for work; false when all are done.
func (w *worker) steal() bool {
	w.mu.Lock()
	w.rest()
	w.mu.Unlock()
	w.idle.Add(1)
	if !w.many.Load() { // else they wait for a disk, and not for each other
		for end := time.Now().Add(patience); w.handed.Load() == 0; {
			if time.Now().After(end) {
				break
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 && w.active > 0 {
		w.wake.Wait()
	}
	idle := int(w.idle.Add(-1))
	if len(w.queue) == 0 {
		return false
	}
	w.active++
	// A fair part: as many as those who look for work, and oneself.
	n := len(w.queue)/(idle+1) + 1
	n = min(n, len(w.queue))
	w.stack = append(w.stack, w.queue[:n]...)
	w.queue = append(w.queue[:0], w.queue[n:]...)
	w.handed.Store(int32(len(w.queue)))
	return true
}
