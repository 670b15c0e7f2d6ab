package lang

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// opening reads the files in doubt, a few kilobytes each. The first workers begin
// while names are still coming in: on a large tree, opening a few files takes as
// long as looking at the names of all the others.
type opening struct {
	open    []doubt   // the batch that is being filled
	batches [][]doubt // full ones that nobody has taken
	taken   [][]doubt // those that a worker has taken, or was to take
	workers int
	done    bool // no batch will follow
	fault   error
	partial bool // the context ended before all were opened
	ctx     context.Context
	mu      sync.Mutex
	wake    sync.Cond
	wait    sync.WaitGroup
}

// batch is how many files a worker takes at a time: enough that handing them over
// costs nothing beside opening them.
const batch = 32

// A tree has many files with the same doubtful extension, and nearly always they
// are all one language. So the first ones are opened, and of the others a part,
// spread evenly; only where these disagree, all are.
const (
	sampleFirst = 128
	sampleEvery = 8
	// sampleAgree is the part, out of a hundred, that must be of one language.
	sampleAgree = 99
)

// sample is what is known of the files in doubt about one extension.
type sample struct {
	seen    int
	waiting []doubt       // not among those that are opened at once
	answers map[int16]int // of the opened ones, by language
}

// unsure puts a file off whose name several languages claim.
func (s *scan) unsure(d doubt) {
	k := &d.decide.sample
	if k.seen++; k.seen > sampleFirst && k.seen%sampleEvery != 0 {
		k.waiting = append(k.waiting, d)
		return
	}
	s.doubt(d)
}

// verdict is the language that the opened files agree on; false when they do not,
// or nobody was left out.
func (k *sample) verdict() (int16, bool) {
	all, best := 0, int16(0)
	for lang, n := range k.answers {
		if all += n; n > k.answers[best] {
			best = lang
		}
	}
	return best, len(k.waiting) > 0 && k.answers[best]*100 >= all*sampleAgree
}

// doubt puts a file off until its content is known.
func (s *scan) doubt(d doubt) {
	if s.open == nil {
		s.open = make([]doubt, 0, batch)
	}
	s.open = append(s.open, d)
	if len(s.open) == batch {
		s.submit()
	}
}

// submit hands a batch over, and starts a worker for it while there are few.
func (s *scan) submit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake.L = &s.mu
	full := len(s.open) == batch
	s.batches = append(s.batches, s.open)
	s.open = nil
	if full && s.workers < min(runtime.GOMAXPROCS(0)-1, 7) {
		s.workers++
		s.wait.Go(s.work)
	}
	s.wake.Signal()
}

// work settles batches until there are no more.
func (s *scan) work() {
	buf := make([]byte, headSize)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.batches) == 0 && !s.done {
			s.wake.Wait()
		}
		if len(s.batches) == 0 {
			return
		}
		if s.ctx.Err() != nil {
			s.partial = true
			s.taken, s.batches = append(s.taken, s.batches...), nil
			return
		}
		list := s.batches[len(s.batches)-1]
		s.batches = s.batches[:len(s.batches)-1]
		s.taken = append(s.taken, list)
		s.mu.Unlock()
		err := guard(func() {
			for i := range list {
				s.resolve(&list[i], buf)
			}
		})
		s.mu.Lock()
		s.fault = cmp.Or(s.fault, err)
	}
}

// finish lets the workers end, and waits for them.
func (s *scan) finish() {
	s.mu.Lock()
	s.done = true
	s.wake.L = &s.mu
	s.wake.Broadcast()
	s.mu.Unlock()
	s.wait.Wait()
}

// abandon ends the workers of a scan whose answer nobody wants any more.
func (s *scan) abandon() {
	s.mu.Lock()
	s.batches = nil
	s.mu.Unlock()
	s.finish()
}

// settle opens what is still in doubt, the largest files among it, and counts all.
func (s *scan) settle() error {
	if most := bigLeast + s.report.Files/bigPart; len(s.big) > most {
		slices.SortFunc(s.big, func(a, b doubt) int { return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.path, b.path)) })
		for _, d := range s.big[most:] {
			s.count(d.path, d.dir, d.lang, d.size)
		}
		s.big = s.big[:most]
	}
	for _, d := range s.big {
		s.doubt(d)
	}
	s.big = nil
	s.drain()
	for _, list := range s.taken {
		for i := range list {
			if d := list[i].decide; d != nil {
				if d.sample.answers == nil {
					d.sample.answers = map[int16]int{}
				}
				d.sample.answers[list[i].lang]++
			}
		}
	}
	for _, first := range slices.Sorted(maps.Keys(s.deciders)) {
		k := &s.deciders[first].sample
		lang, agreed := k.verdict()
		for _, d := range k.waiting {
			if agreed {
				s.count(d.path, d.dir, lang, d.size)
			} else {
				s.doubt(d)
			}
		}
		k.waiting = nil
	}
	s.drain()
	s.report.Partial = s.report.Partial || s.partial
	if s.fault != nil {
		return s.fault
	}
	for _, list := range s.taken {
		s.report.Opened += len(list)
		for i := range list {
			d := &list[i]
			s.count(d.path, d.dir, d.lang, d.size)
		}
	}
	s.taken = nil
	return nil
}

// drain opens all that waits, on this processor too.
func (s *scan) drain() {
	if len(s.open) > 0 {
		s.submit()
	}
	s.mu.Lock()
	s.done = true
	s.wake.L = &s.mu
	s.wake.Broadcast()
	s.mu.Unlock()
	s.work()
	s.wait.Wait()
	s.done, s.workers = false, 0
}

// decider returns the claims on a name, ready to be asked.
func (s *scan) decider(ref Ref) *decider {
	d := s.deciders[ref.First]
	if d == nil {
		d = newDecider(s.t.Claims[ref.First : ref.First+ref.Count])
		s.deciders[ref.First] = d
	}
	return d
}

// resolve looks into one file. Several run at once, on files of their own.
func (s *scan) resolve(d *doubt, buf []byte) {
	if d.big {
		buf = buf[:signSize]
	}
	head := buf[:s.read.head(d.path, buf)]
	switch {
	case d.big && (notText(head) || s.t.written(d.path, head)):
		d.lang = 0
	case d.big:
	case d.decide == nil:
		d.lang, _ = s.t.shebang(head)
	case notText(head) || d.size >= bigFile && s.t.written(d.path, head):
		d.lang = 0
	default:
		if lang, _ := s.t.byContent(d.decide, d.decide.claims, d.path, head); lang != 0 {
			d.lang = lang
		}
	}
}
