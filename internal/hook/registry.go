package hook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
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
//
// The handlers run in this goroutine: one of their own costs an edit 2 to 4 % (measured). One that hangs in a system call (a dead
// network drive, a FIFO named like a document) cannot be left behind then, and Dispatch does not return: late is told in a
// goroutine of its own what there is, and has to end the process. A handler that comes back after that ends its goroutine.
func (r *Registry) Dispatch(ctx context.Context, e *Event, b Budget, late func(Answer, error)) (Answer, error) {
	if b.Soft <= 0 {
		b.Soft = Soft
	}
	if b.Hard <= 0 {
		b.Hard = Hard
	}
	d := &round{registry: r, event: e.Name, soft: b.Soft, start: time.Now()}
	ctx, cancel := context.WithTimeout(ctx, b.Hard)
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		time.Sleep(grace)
		if answer, err, first := d.end(ctx); first {
			late(answer, err)
		}
	})
	d.run(ctx, e)
	stop()
	answer, err, first := d.end(ctx)
	if !first {
		runtime.Goexit() // late is told already; two answers would be none
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
	event    string
	soft     time.Duration
	start    time.Time

	mu       sync.Mutex
	closed   bool
	complete bool
	current  string
	answer   Answer
	errs     []error
	slowest  Outcome
}

func (d *round) run(ctx context.Context, e *Event) {
	// Handlers have their own recover; this one is for Observe and a log handler. Without it a bug there would end
	// the process with code 2, which clients read as a refusal.
	defer func() {
		if p := recover(); p != nil {
			d.fail(fmt.Errorf("panic: %v", p))
		}
	}()
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

// end closes the round and gives what it came to. It reports false where that was done before.
func (d *round) end(ctx context.Context) (answer Answer, err error, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return answer, nil, false
	}
	d.closed = true
	if !d.complete {
		err := fmt.Errorf("%w: %s did not answer (%w)", ErrTimeout, d.current, context.Cause(ctx))
		d.errs = append(d.errs, err)
		d.registry.log().Error("hook cut off", "handler", d.current, "err", context.Cause(ctx))
		d.slowest.Handler = d.current
	}
	if took := time.Since(d.start); took > d.soft {
		// Of no use to a person at work: one who saves a snapshot may take that long.
		d.registry.log().Info("hook over its budget", "event", d.event, "took", took.Round(time.Millisecond).String(),
			"budget", d.soft.String(), "slowest", d.slowest.Handler)
		// Where the time has run out, whatever hung could hang this as well.
		if d.registry.Over != nil && ctx.Err() == nil {
			d.registry.Over(took, d.soft, d.slowest.Handler)
		}
	}
	return d.answer, errors.Join(d.errs...), true
}
