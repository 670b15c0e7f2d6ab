package lang

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/work"
)

// opening reads the files in doubt, a few kilobytes each. The first workers begin
// while names are still coming in: on a large tree, opening a few files takes as
// long as looking at the names of all the others.
type opening struct {
	batches [][]doubt // full ones that nobody has taken
	workers int
	done    bool // no batch will follow
	fault   error
	partial bool // the context ended before all were opened
	ctx     context.Context
	mu      sync.Mutex
	wake    *sync.Cond
	wait    sync.WaitGroup
}

func newOpening(ctx context.Context) *opening {
	o := &opening{ctx: ctx}
	o.wake = sync.NewCond(&o.mu)
	return o
}

// batch is how many files a worker takes at a time: enough that handing them over
// costs nothing beside opening them.
const batch = 32

// manyBatches is how many must wait for a worker to be started: waking a thread
// costs as much as opening 20 to 50 files (measured on a virtual machine).
const manyBatches = 4

// A tree has many files with the same doubtful extension, and neighbours are
// nearly always one language. So the first ones are opened and of the others
// fewer and fewer, and one that stays closed is what its nearest opened
// neighbour is. Each opened file so speaks for its surroundings, which keeps
// shares unbiased in a mixed tree too. Over the trees of testdata/trees this opens
// 2.8 % of all files in place of 9 %, and moves shares by 0.0004 on average; 48 in
// place of 32 would open 3.1 % and bring them no closer to Linguist's.
const sampleFirst = 32

// sampleStep is the distance to the next file that is opened after so many of an
// extension. Primes, since trees repeat themselves: a.h, a_test.h, b.h, b_test.h.
func sampleStep(seen int) int {
	switch {
	case seen < sampleFirst:
		return 1
	case seen < 2*sampleFirst:
		return 2
	case seen < 4*sampleFirst:
		return 5
	case seen < 16*sampleFirst:
		return 7
	}
	return 17
}

// sampleEager is how many of an extension are chosen before any is opened. Until
// then nobody knows whether they weigh enough to be worth it.
const sampleEager = 16

// sample is what is known of the files in doubt about one extension, in the
// order in which they came: by path, so neighbours in it are neighbours there.
type sample struct {
	files  []doubt
	bytes  int64
	next   int     // the number of the next one to open
	opened []place // those that are opened, or will be
	eager  bool    // they are handed over as they come
}

// place is an opened file among the others of its extension.
type place struct {
	at   int    // in files
	file *doubt // in its batch, where a worker leaves the answer
}

// unsure puts a file off whose name several languages claim. A large one is
// always opened: it weighs as much as all its neighbours.
func (s *scan) unsure(d doubt) {
	if d.size >= bigFile || s.each != nil {
		s.doubt(d)
		return
	}
	k := &d.decide.sample
	k.files = append(k.files, d)
	k.bytes += d.size
	n := len(k.files)
	if n <= k.next {
		return
	}
	k.next = n + sampleStep(n) - 1
	k.opened = append(k.opened, place{at: n - 1})
	if k.eager {
		s.reveal(k)
	} else if len(k.opened) == sampleEager {
		k.eager = true
		s.reveal(k)
	}
}

// reveal hands over what was chosen of an extension and is still closed.
func (s *scan) reveal(k *sample) {
	for i := len(k.opened) - 1; i >= 0 && k.opened[i].file == nil; i-- {
		k.opened[i].file = s.doubt(k.files[k.opened[i].at])
	}
}

// slight is the part of a tree's bytes below which an extension is no matter: then
// its first, its middle and its last file speak for the others.
const slight = 500

// thin leaves three of the files that were chosen.
func (k *sample) thin() {
	if n := len(k.opened); n > 3 {
		k.opened = []place{k.opened[0], k.opened[n/2], k.opened[n-1]}
	}
}

// near is the opened file that speaks for the closed one with number i; at is the
// first place after it. A neighbour in the same folder knows more than a nearer
// one in another.
func (k *sample) near(i, at int) *doubt {
	// After the last opened one there is nobody on the other side.
	if at == len(k.opened) {
		return k.opened[at-1].file
	}
	// The first file of all is opened, so there is always one before.
	before, after := k.opened[at-1], k.opened[at]
	dir := k.files[i].dir
	if sameBefore, sameAfter := before.file.dir == dir, after.file.dir == dir; sameBefore != sameAfter {
		if sameBefore {
			return before.file
		}
		return after.file
	}
	if i-before.at < after.at-i {
		return before.file
	}
	return after.file
}

// doubt puts a file off until its content is known. The result is where the answer
// will be after drain.
func (s *scan) doubt(d doubt) *doubt {
	if s.open == nil {
		s.open = make([]doubt, 0, batch)
	}
	s.open = append(s.open, d)
	at := &s.open[len(s.open)-1]
	if len(s.open) == batch {
		s.submit()
	}
	return at
}

// submit hands a batch over, and starts a worker if many are waiting.
func (s *scan) submit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	full := len(s.open) == batch
	s.batches, s.lists = append(s.batches, s.open), append(s.lists, s.open)
	s.open = nil
	if full && len(s.batches) >= manyBatches && s.workers < min(work.Processors()-1, 7) {
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
			s.batches = nil
			return
		}
		list := s.batches[len(s.batches)-1]
		s.batches = s.batches[:len(s.batches)-1]
		s.mu.Unlock()
		err := work.Guard(func() {
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
	weight := s.weight()
	// Whoever wrote a file below this, no share would show it.
	least, large := weight/bigPart, s.big[:0]
	for i := range s.big {
		if d := &s.big[i]; d.size < least && s.each == nil {
			s.count(d.path, d.dir, d.lang, d.size)
		} else {
			large = append(large, *d)
		}
	}
	if most := bigLeast + s.report.Files/bigFiles; len(large) > most && s.each == nil {
		slices.SortFunc(large, func(a, b doubt) int { return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.path, b.path)) })
		for _, d := range large[most:] {
			s.count(d.path, d.dir, d.lang, d.size)
		}
		large = large[:most]
	}
	for _, d := range large {
		s.doubt(d)
	}
	s.big = nil
	for _, k := range s.samples {
		if !k.eager && k.bytes < weight/slight {
			k.thin()
		}
		s.reveal(k)
	}
	s.drain()
	s.report.Partial = s.report.Partial || s.partial
	if s.fault != nil {
		return s.fault
	}
	for _, list := range s.lists {
		s.report.Opened += len(list)
		for i := range list {
			d := &list[i]
			if d.written && s.each != nil {
				s.eachOf(d.path, d.lang, Generated, d.size)
			}
			if !d.written {
				s.count(d.path, d.dir, d.lang, d.size)
			}
		}
	}
	s.lists = nil
	for _, k := range s.samples {
		at := 0
		for i := range k.files {
			if at < len(k.opened) && k.opened[at].at == i {
				at++
				continue // counted with its batch
			}
			d := &k.files[i]
			s.count(d.path, d.dir, k.near(i, at).lang, d.size)
		}
	}
	return nil
}

// weight is the bytes of all files that may take part in shares, as far as they are known.
func (s *scan) weight() (sum int64) {
	for i := 1; i < len(s.total); i++ {
		if s.t.Language(int16(i)).Counts() {
			sum += s.total[i].bytes
		}
	}
	for i := range s.big {
		sum += s.big[i].size
	}
	for _, k := range s.samples {
		sum += k.bytes
	}
	return sum
}

// drain opens all that waits, on this processor too.
func (s *scan) drain() {
	if len(s.open) > 0 {
		s.submit()
	}
	s.mu.Lock()
	s.done = true
	s.wake.Broadcast()
	s.mu.Unlock()
	s.work()
	s.wait.Wait()
	s.done, s.workers = false, 0
}

// decider returns the claims on a name, ready to be asked.
func (s *scan) decider(ref Ref) *decider {
	d := s.deciders[ref.Claims]
	if d == nil {
		d = newDecider(s.t.claims(ref))
		s.deciders[ref.Claims] = d
		s.samples = append(s.samples, &d.sample)
	}
	return d
}

// resolve looks into one file. Several run at once, on files of their own.
func (s *scan) resolve(d *doubt, buf []byte) {
	if d.big {
		buf = buf[:signSize]
	}
	head := buf[:s.read.Head(d.path, buf)]
	if notText(head) {
		// A program packed behind a line that starts it is no source: PHP archives, zipped Python.
		d.lang = 0
		return
	}
	switch {
	case d.big:
	case d.decide == nil:
		d.lang, _ = s.t.shebang(head)
	default:
		if lang, _ := s.t.byContent(d.decide, d.decide.claims, d.path, head); lang != 0 {
			d.lang = lang
		}
	}
	d.written = d.size >= bigFile && s.t.written(d.path, head)
}
