package hook

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Tally counts what handlers do (S2-18). Give its Add to Registry.Observe. It is for processes that answer many events, such
// as moai replay and the tests: the usual process answers one.
type Tally struct {
	mu  sync.Mutex
	per []Count
}

// Count is what one handler did.
type Count struct {
	Handler string
	Calls   int
	Failed  int
	Total   time.Duration
	Longest time.Duration
}

// Add counts one outcome.
func (t *Tally) Add(o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, found := slices.BinarySearchFunc(t.per, o.Handler, func(c Count, name string) int {
		return strings.Compare(c.Handler, name)
	})
	if !found {
		t.per = slices.Insert(t.per, i, Count{Handler: o.Handler})
	}
	c := &t.per[i]
	c.Calls++
	if o.Err != nil {
		c.Failed++
	}
	c.Total += o.Took
	c.Longest = max(c.Longest, o.Took)
}

// Counts lists the handlers by name.
func (t *Tally) Counts() []Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.per)
}
