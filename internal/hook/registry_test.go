package hook

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func says(name string, a Answer, events ...string) Handler {
	return Handler{Name: name, Events: events, Run: func(context.Context, *Event) (Answer, error) { return a, nil }}
}

func quiet(handlers ...Handler) *Registry {
	r := &Registry{Log: slog.New(slog.DiscardHandler)}
	for _, h := range handlers {
		r.Register(h)
	}
	return r
}

func TestHandlers(t *testing.T) {
	r := quiet(says("a", Answer{}, "Stop"), says("b", Answer{}), says("c", Answer{}, "PreToolUse", "Stop"))
	for event, want := range map[string][]string{"Stop": {"a", "b", "c"}, "PreToolUse": {"b", "c"}, "Other": {"b"}} {
		var got []string
		r.Observe = func(o Outcome) { got = append(got, o.Handler) }
		if _, err := dispatched(t.Context(), r, &Event{Name: event}, Budget{}); err != nil || !slices.Equal(got, want) {
			t.Errorf("Dispatch(%s) asked %v, %v, want %v", event, got, err, want)
		}
	}
}

// dispatched is what is said about an event, in time or late.
func dispatched(ctx context.Context, r *Registry, e *Event, b Budget) (Answer, error) {
	var a Answer
	var err error
	said := make(chan struct{}, 2)
	go func() {
		here, failed := r.Dispatch(ctx, e, b, func(late Answer, failed error) {
			a, err = late, failed
			said <- struct{}{}
		})
		a, err = here, failed
		said <- struct{}{}
	}()
	<-said
	return a, err
}

func TestDispatchMergesInOrder(t *testing.T) {
	r := quiet(
		says("first", Answer{Context: []string{"one"}, Decision: Allow}),
		says("other", Answer{Context: []string{"no"}}, "Stop"),
		says("ask", Answer{Decision: Ask, Reason: "why", Context: []string{"two"}}),
		says("deny", Answer{Decision: Deny, Reason: "never"}),
		says("last", Answer{Context: []string{"three"}}),
	)
	a, err := dispatched(t.Context(), r, &Event{Name: "PreToolUse"}, Budget{})
	if err != nil || a.Decision != Deny || a.Reason != "never" || strings.Join(a.Context, " ") != "one two three" {
		t.Errorf("Dispatch = %+v, %v", a, err)
	}
}

func TestNobodyHasAnOpinion(t *testing.T) {
	a, err := dispatched(t.Context(), quiet(says("a", Answer{})), &Event{Name: "Stop"}, Budget{})
	if err != nil || a.Decision != None {
		t.Errorf("Dispatch = %v, %v: a clean check must not say allow", a.Decision, err)
	}
	if _, err := dispatched(t.Context(), new(Registry), &Event{}, Budget{}); err != nil {
		t.Errorf("empty registry: %v", err)
	}
}

func TestBlockStopsTheRest(t *testing.T) {
	ran := false
	r := quiet(
		says("before", Answer{System: "noted"}),
		says("gate", Answer{Decision: Block, Reason: "stop here"}),
		Handler{Name: "after", Run: func(context.Context, *Event) (Answer, error) { ran = true; return Answer{}, nil }},
	)
	a, err := dispatched(t.Context(), r, &Event{Name: "PreToolUse"}, Budget{})
	if err != nil || a.Decision != Block || a.Reason != "stop here" || a.System != "noted" {
		t.Errorf("Dispatch = %+v, %v", a, err)
	}
	if ran {
		t.Error("a handler behind the block was asked")
	}
}

func TestFailingHandlersHarmNobody(t *testing.T) {
	sick := errors.New("disk on fire")
	r := quiet(
		Handler{Name: "panics", Run: func(context.Context, *Event) (Answer, error) { panic("boom") }},
		Handler{Name: "fails", Run: func(context.Context, *Event) (Answer, error) { return Answer{System: "half"}, sick }},
		says("works", Answer{Decision: Deny, Reason: "no"}),
	)
	var failed []string
	r.Observe = func(o Outcome) {
		if o.Err != nil {
			failed = append(failed, o.Handler)
		}
	}
	a, err := dispatched(t.Context(), r, &Event{Name: "Stop"}, Budget{})
	if a.Decision != Deny || a.System != "half" {
		t.Errorf("Dispatch = %+v", a)
	}
	if !errors.Is(err, sick) || !strings.Contains(err.Error(), "panics: panic: boom") || errors.Is(err, ErrTimeout) {
		t.Errorf("error = %v", err)
	}
	if slices.Sort(failed); !slices.Equal(failed, []string{"fails", "panics"}) {
		t.Errorf("failed handlers = %v", failed)
	}
}

func TestPanicOutsideHandlers(t *testing.T) {
	r := quiet(says("a", Answer{System: "x"}))
	r.Observe = func(Outcome) { panic("observer") }
	if _, err := dispatched(t.Context(), r, &Event{}, Budget{}); err == nil || !strings.Contains(err.Error(), "observer") {
		t.Errorf("error = %v", err)
	}
}

func TestDeadlineGivesTheAnswerSoFar(t *testing.T) {
	release := make(chan struct{})
	var after sync.WaitGroup
	after.Add(1)
	r := quiet(
		says("quick", Answer{Decision: Deny, Reason: "seen in time"}),
		Handler{Name: "stuck", Run: func(context.Context, *Event) (Answer, error) {
			defer after.Done()
			<-release // not listening to ctx, as a read from a dead network drive does not
			return Answer{System: "too late"}, nil
		}},
		says("never", Answer{System: "never asked"}),
	)
	start := time.Now()
	a, err := dispatched(t.Context(), r, &Event{Name: "PreToolUse"}, Budget{Hard: 30 * time.Millisecond})
	if took := time.Since(start); took > time.Second {
		t.Errorf("Dispatch took %v", took)
	}
	if !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "stuck") {
		t.Errorf("error = %v", err)
	}
	close(release)
	after.Wait()
	if a.Decision != Deny || a.System != "" {
		t.Errorf("Dispatch = %+v", a)
	}
}

func TestHandlersSeeTheDeadline(t *testing.T) {
	left := make(chan time.Duration, 1)
	r := quiet(Handler{Name: "looks", Run: func(ctx context.Context, _ *Event) (Answer, error) {
		at, _ := ctx.Deadline()
		left <- time.Until(at)
		<-ctx.Done()
		return Answer{System: "half a list"}, ctx.Err()
	}})
	a, err := dispatched(t.Context(), r, &Event{}, Budget{Hard: 20 * time.Millisecond})
	if d := <-left; d <= 0 || d > 20*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) || a.System != "half a list" {
		t.Errorf("deadline %v away, answer %+v, error %v", d, a, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dispatched(ended, quiet(says("a", Answer{})), &Event{}, Budget{}); !errors.Is(err, ErrTimeout) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestSlowEventsAreLogged(t *testing.T) {
	var log bytes.Buffer
	var over string
	r := &Registry{Log: slog.New(slog.NewTextHandler(&log, nil)), Over: func(_, _ time.Duration, slowest string) { over = slowest }}
	r.Register(says("quick", Answer{}))
	r.Register(Handler{Name: "slow", Run: func(context.Context, *Event) (Answer, error) {
		time.Sleep(5 * time.Millisecond)
		return Answer{}, nil
	}})
	if _, err := dispatched(t.Context(), r, &Event{Name: "Stop"}, Budget{Soft: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if over != "slow" {
		t.Errorf("told that %q was slowest", over)
	}
	for _, want := range []string{"level=INFO", "over its budget", "event=Stop", "slowest=slow", "budget=1ms"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log lacks %q: %s", want, log.String())
		}
	}
	log.Reset()
	over = ""
	if _, err := dispatched(t.Context(), r, &Event{Name: "Stop"}, Budget{}); err != nil || log.Len() > 0 || over != "" {
		t.Errorf("within the budget: %v, log %q", err, log.String())
	}
}

func BenchmarkDispatch(b *testing.B) {
	r := quiet(says("a", Answer{}), says("b", Answer{}), says("c", Answer{}))
	e := &Event{Name: "PreToolUse"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Dispatch(context.Background(), e, Budget{}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
