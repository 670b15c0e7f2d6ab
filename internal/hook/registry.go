package hook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// The limits of a dispatch that sets none: a warning after 100 ms, an answer after 2 s whatever happens.
const (
	Soft = 100 * time.Millisecond
	Hard = 2 * time.Second
)

// grace is how long a handler that watches its context has to hand in what it found so far.
const grace = 25 * time.Millisecond

// Handler has something to say about some events.
type Handler struct {
	Name   string   // for logs, such as guard
	Events []string // canonical names; none means every event
	// Run must come back when ctx ends. It may be left behind if it does not, so it must not hold on to what others need.
	Run func(ctx context.Context, e *Event) (Answer, error)
}

// Budget is how long the handlers of one event may take together. Zero fields mean Soft and Hard.
type Budget struct {
	Soft time.Duration // longer is written to the log
	Hard time.Duration // longer is cut off; the answer so far is given
}

// Outcome is what one call of a handler came to.
type Outcome struct {
	Handler  string
	Event    string
	Decision Decision
	Took     time.Duration
	Err      error // nil, the handler's own error, or a panic
}

// Registry holds handlers in the order in which they are asked. The zero Registry is ready for use. It is filled before the
// first Dispatch and not changed afterwards.
type Registry struct {
	Log     *slog.Logger  // slog.Default when nil
	Observe func(Outcome) // told about every call that came back in time, if set

	// Over is told that an event took longer than its soft budget, and which handler took longest.
	Over func(took, budget time.Duration, slowest string)

	handlers []Handler
}

// Register adds h behind the handlers that are there.
func (r *Registry) Register(h Handler) { r.handlers = append(r.handlers, h) }

func (h *Handler) takes(event string) bool {
	return len(h.Events) == 0 || slices.Contains(h.Events, event)
}

// Dispatch asks the handlers of e.Name one after another and merges what they say. A Block ends the round at once.
//
// The answer can always be used. The error says what is missing from it – ErrTimeout when the budget or ctx ran out, and the
// errors and panics of handlers – and does not keep the other handlers from being asked. Whether a guard that failed lets a
// call pass is for the caller to decide.
func (r *Registry) Dispatch(ctx context.Context, e *Event, b Budget) (Answer, error) {
	if b.Soft <= 0 {
		b.Soft = Soft
	}
	if b.Hard <= 0 {
		b.Hard = Hard
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, b.Hard)
	defer cancel()

	// The handlers run beside this goroutine, so that one which hangs in a system call (a dead network drive, a FIFO named
	// like a document) can be left behind; the process is about to end anyway.
	d := &round{registry: r}
	done := make(chan struct{})
	go func() {
		GrowStack()
		defer close(done)
		// Handlers have their own recover; this one is for Observe and a log handler. Without it a bug there would end
		// the process with code 2, which clients read as a refusal.
		defer func() {
			if p := recover(); p != nil {
				d.fail(fmt.Errorf("panic: %v", p))
			}
		}()
		d.run(ctx, e)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		select {
		case <-done:
		case <-time.After(grace):
		}
	}

	answer, err := d.close(ctx)
	if took := time.Since(start); took > b.Soft {
		// Of no use to a person at work: one who saves a snapshot may take that long.
		r.log().Info("hook over its budget", "event", e.Name, "took", took.Round(time.Millisecond).String(),
			"budget", b.Soft.String(), "slowest", d.slowest.Handler)
		// Where the time has run out, whatever hung could hang this as well.
		if r.Over != nil && ctx.Err() == nil {
			r.Over(took, b.Soft, d.slowest.Handler)
		}
	}
	return answer, err
}

func (r *Registry) log() *slog.Logger {
	if r.Log != nil {
		return r.Log
	}
	return slog.Default()
}

// round is the state of one Dispatch, shared with handlers that may outlive it.
type round struct {
	registry *Registry

	mu       sync.Mutex
	closed   bool
	complete bool
	current  string
	answer   Answer
	errs     []error
	slowest  Outcome
}

func (d *round) run(ctx context.Context, e *Event) {
	for i := range d.registry.handlers {
		h := &d.registry.handlers[i]
		if !h.takes(e.Name) {
			continue
		}
		if !d.begin(h.Name) || ctx.Err() != nil {
			return
		}
		start := time.Now()
		a, err := call(ctx, h, e)
		o := Outcome{Handler: h.Name, Event: e.Name, Decision: a.Decision, Took: time.Since(start), Err: err}
		if !d.add(a, o) || a.Decision == Block {
			break
		}
	}
	d.mu.Lock()
	d.complete = true
	d.mu.Unlock()
}

// call runs one handler and turns a panic into an error.
func call(ctx context.Context, h *Handler, e *Event) (a Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = Answer{}, fmt.Errorf("panic: %v", p)
		}
	}()
	return h.Run(ctx, e)
}

func (d *round) begin(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.current = name
	return !d.closed
}

// add takes in what a handler said, unless the round is over. A handler that failed may still have said something.
func (d *round) add(a Answer, o Outcome) bool {
	if d.registry.Observe != nil {
		d.registry.Observe(o)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.answer.Merge(a)
	if o.Err != nil {
		d.errs = append(d.errs, fmt.Errorf("%s: %w", o.Handler, o.Err))
		d.registry.log().Error("hook handler failed", "handler", o.Handler, "event", o.Event, "err", o.Err)
	}
	if o.Took > d.slowest.Took {
		d.slowest = o
	}
	return true
}

func (d *round) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.complete = true
	d.errs = append(d.errs, fmt.Errorf("%s: %w", d.current, err))
}

func (d *round) close(ctx context.Context) (Answer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if !d.complete {
		err := fmt.Errorf("%w: %s did not answer (%w)", ErrTimeout, d.current, context.Cause(ctx))
		d.errs = append(d.errs, err)
		d.registry.log().Error("hook cut off", "handler", d.current, "err", context.Cause(ctx))
		d.slowest.Handler = d.current
	}
	return d.answer, errors.Join(d.errs...)
}
