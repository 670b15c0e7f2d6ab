package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/wire"
)

// hook answers one event: what the client registered. It never exits with 2 by
// accident, which the client reads as a veto: Go's own exits (panics, flag
// errors) are caught here and become 1 with one line.
func (e *env) hook(args []string) (code int) {
	e.asHook = true
	log := &hookLog{out: e.err, level: logLevel(e.getenv)}
	verb, dialect, more, err := hookArgs(args)
	rescue := func(code *int) {
		if p := recover(); p != nil {
			*code = e.emit(e.failed(verb, dialect, fmt.Errorf("internal error: %v", p)), log)
		}
	}
	defer rescue(&code)
	if len(args) > 0 && isOwnHook(args[0]) {
		return e.ownHook(args[0], args[1:])
	}
	// A person at a terminal writes no event; waiting for one looks as if moai hung.
	unknown := eventTables().Event(verb) == nil
	if unknown && term.IsTerminal(e.in) {
		if err == nil {
			err = notAnEvent(verb)
		}
		return e.emit(unanswered(verb, dialect, err), log)
	}
	if unknown && verb != "" && !e.spoken() {
		return e.emit(unanswered(verb, dialect, notAnEvent(verb)), log)
	}
	if err != nil && unknown {
		return e.emit(e.misread(verb, dialect, err, log), log)
	}
	var event *hook.Event
	ready := func() {}
	if err == nil {
		event, ready, err = e.readEvent(verb, dialect, log)
	}
	if errors.Is(err, hook.ErrLarge) && event != nil {
		verb, dialect = event.Name, event.Dialect
	}
	if err != nil {
		return e.emit(e.failed(verb, dialect, err), log)
	}
	dialect = event.Dialect
	e.settle(event)
	if verb != "" && !event.Known && len(more) == 0 { // a typing error in settings breaks no session, and is not passed over either
		fmt.Fprintf(e.err, "moai: %v\n", notAnEvent(verb))
	}
	finish := func(out wire.Output) int {
		// An unknown event gets an empty answer. With words behind it, it is a verb that moai does not have, which is an error. A known
		// event is answered whatever stands behind it: an extra word must not switch the guard off.
		if len(more) > 0 && !event.Known && out.Exit == 0 {
			out = unanswered(verb, dialect, notAnEvent(verb))
		}
		return e.emit(out, log)
	}
	return finish(e.answer(event, ready, log, func(answer func() wire.Output) {
		e.end(func() (code int) {
			defer rescue(&code)
			return finish(answer())
		})
	}))
}

// end ends the process with a code that is found out beside what hangs: 1 where that panics, which must not become 2.
func (e *env) end(code func() int) {
	n := 1
	defer func() {
		_ = recover()
		e.exit(n)
	}()
	n = code()
}

// unanswered is the output when there is no event to answer, and nothing is to be refused for that.
func unanswered(verb, dialect string, err error) wire.Output {
	event := &hook.Event{Name: verb, Dialect: dialect}
	if known := eventTables().Event(verb); known != nil {
		event.Name, event.Known = known.Name, true
	}
	return wire.Failed(eventTables(), event, err)
}

// blind answers by the words of a call alone, when what is read before the handlers have a
// deadline (where the project begins, the configuration) does not come: a disk may hang. Of the
// settings there are only those that variables tighten.
func (e *env) blind(event *hook.Event, log *hookLog) wire.Output {
	err := fmt.Errorf("%w: the disk did not answer", hook.ErrTimeout)
	if event.Name != "PreToolUse" {
		return wire.Failed(eventTables(), event, err)
	}
	cfg := config.Load(config.Sources{Getenv: e.getenv, Agent: true})
	h := &handle.Handlers{Tables: e.handleTables(), Config: cfg, Home: state.Home(e.getenv), Getenv: e.getenv, DryRun: true, Log: slog.New(log)}
	a := outOfTime(h, event, cfg, hook.None, err)
	if a.Decision < hook.Ask { // guard.on_failure did not come either; the client was told of it when it was set, and this is a failure for it
		return wire.Failure(event.Dialect, err)
	}
	return wire.Encode(eventTables(), event, a)
}

// outOfTime is what is to be said about a call whose handlers have failed, or did not come to
// an end. said is what the others have decided: a call that is asked about does not go on.
func outOfTime(h *handle.Handlers, event *hook.Event, cfg *config.Config, said hook.Decision, err error) hook.Answer {
	a, judged := h.Unsettled(event)
	if !judged && (max(a.Decision, said) < hook.Ask || cfg.String("guard.on_failure") == "closed") {
		a.Merge(guardFailed(err, cfg))
	}
	return a
}

// readEvent decodes standard input. An input that never ends must not leave a
// process behind, so a timer ends this one. It runs beside the reading and not the
// other way round: a second goroutine for every call costs 8 % of it (measured).
//
// The timer goes on behind the input till ready is called, for what is read next may not
// come either; one of its own for that would cost 2 %.
func (e *env) readEvent(verb, dialect string, log *hookLog) (event *hook.Event, ready func(), err error) {
	limit := inputLimit(verb) - e.waited
	var decoded atomic.Pointer[hook.Event]
	timer := time.AfterFunc(limit, func() {
		e.end(func() int {
			if event := decoded.Load(); event != nil {
				return e.emit(e.blind(event, log), log)
			}
			return e.emit(e.failed(verb, dialect, fmt.Errorf("%w: standard input did not end within %v", hook.ErrTimeout, limit)), log)
		})
	})
	ready = func() {
		if !timer.Stop() {
			runtime.Goexit() // the timer is answering already; two answers would be none
		}
	}
	defer func() {
		if event == nil { // a panic is answered by the caller
			timer.Stop()
		}
	}()
	event, err = wire.Decode(eventTables(), e.in, wire.Asked{
		Verb: verb, Dialect: dialect, Getenv: e.getenv,
		Getwd: func() (string, error) { return e.dir, nil },
	})
	if err != nil {
		ready()
		return event, nil, err
	}
	event.SessionID = handle.Session(risktable.Set(), event.SessionID)
	asked := *event // what is found out about it later is not waited for
	decoded.Store(&asked)
	return event, ready, nil
}

// inputLimit is how long the hook waits for its input: three quarters of the
// timeout with which the event is registered. A client on a loaded machine may
// take seconds to write, and an error would let the call pass unjudged. At its
// own timeout the client ends the hook and drops what it said, so the last
// quarter (2.5 s of 10) is for the handlers, which have 2 s at most.
func inputLimit(verb string) time.Duration {
	registered := 10 // seconds; what nearly every event has
	if known := eventTables().Event(verb); known != nil && known.Register != nil && known.Register.Timeout > 0 {
		registered = known.Register.Timeout
	}
	return time.Duration(registered) * time.Second * 3 / 4
}

// clientWaits is how long the client waits for the answer to an event: as it is registered, the shortest where that is so more than once. It reads
// settings files, so that only what runs programs may ask.
func (e *env) clientWaits(event, root string) time.Duration {
	known := eventTables().Event(event)
	if known == nil || known.Register == nil {
		return 0
	}
	seconds := 0.0
	for _, p := range e.settingsFiles(root) {
		for _, entry := range p.entries {
			if entry.Event == event && p.counts() && entry.Timeout > 0 && (seconds == 0 || entry.Timeout < seconds) {
				seconds = entry.Timeout
			}
		}
	}
	if seconds == 0 {
		seconds = float64(known.Register.Timeout)
	}
	return time.Duration(seconds * float64(time.Second))
}

// answer asks the handlers and encodes what they say. Where one of them hangs, it is late that is given the answer, and answer does not return.
func (e *env) answer(event *hook.Event, ready func(), log *hookLog, late func(func() wire.Output)) wire.Output {
	if event.Name == "SessionStart" {
		handle.NoCollection()
	}
	known := e.answered()
	cfg := e.load(event.ProjectDir, known)
	logger := slog.New(log)
	for _, p := range cfg.Problems {
		logger.Info("configuration", "problem", p) // said to people when a session begins
	}
	var registry hook.Registry
	registry.Log = logger
	h := &handle.Handlers{
		Tables: e.handleTables(), Config: cfg, StateDir: e.stateDir(), Places: e.places(event.ProjectDir), Agent: eventTables().Adapter(event.Dialect) != nil,
		Home: e.user().Home, Homes: e.user().Homes, Roots: e.roots,
		Getenv: e.inherited, Began: e.beganWith, DryRun: e.dry || event.Raw(hook.DryRun).Bool(), Log: logger, TagOptions: e.tagOptions, Unguarded: e.unguarded,
		Registered: func(name string) time.Duration { return e.clientWaits(name, event.ProjectDir) },
	}
	repeats, ended := h.Repeats(event)
	defer ended()
	h.DryRun = h.DryRun || repeats
	ready()
	cfg = e.settled(h, event, known)
	h.Register(&registry, event.Name)
	registry.Over = func(took, budget time.Duration, slowest string) { h.Slow(event, took, budget, slowest) }
	budget := budgetOf(event, cfg)
	if cfg.Origin("hook.timeout") == "default" {
		budget.Hard += h.Longer(event)
	}
	logger.Debug("event", "name", event.Name, "known", event.Known, "dialect", event.Dialect, "session", event.SessionID, "cwd", event.CWD, "project", event.ProjectDir)
	if log.asked() { // a look at the surroundings costs two file look-ups, so only where somebody reads it
		ctx, cancel := context.WithTimeout(context.Background(), budget.Hard)
		if err := hook.Check(ctx, event); err != nil {
			logger.Info("contract", "err", err)
		}
		cancel()
		registry.Observe = func(o hook.Outcome) {
			logger.Debug("handler", "name", o.Handler, "took", o.Took.String(), "decision", o.Decision.String(), "err", o.Err)
		}
	}
	said := func(a hook.Answer, err error) wire.Output { return e.said(h, event, cfg, repeats, a, err) }
	return said(registry.Dispatch(context.Background(), event, budget, func(a hook.Answer, err error) {
		late(func() wire.Output {
			defer ended()
			return said(a, err)
		})
	}))
}

// said encodes what the handlers said, and what their failing means.
func (e *env) said(h *handle.Handlers, event *hook.Event, cfg *config.Config, repeats bool, a hook.Answer, err error) wire.Output {
	if err != nil {
		h.Failed(event, err)
	}
	if err != nil && event.Name == "PreToolUse" && !a.Decision.Refuses() {
		a.Merge(outOfTime(h, event, cfg, a.Decision, err))
	}
	h.Held(event, a)
	if repeats {
		a = handle.Judged(a)
	}
	if unread := handle.Unjudged(risktable.Set(), event); unread != nil && a.Decision < hook.Ask && cfg.String("guard.mode") != "off" {
		e.dry = e.dry || h.DryRun
		return e.unjudged(event, cfg, a, unread)
	}
	if event.Dialect != hook.Claude { // others hand on what is said for programs
		for key, v := range a.Data {
			if a.Data[key], err = h.Masked(v); err != nil {
				delete(a.Data, key)
			}
		}
	}
	return wire.Encode(eventTables(), event, a)
}

// unjudged is the output for a call about which the guard can have no opinion. What the model alone fills in is no failure of moai's.
func (e *env) unjudged(event *hook.Event, cfg *config.Config, a hook.Answer, why error) wire.Output {
	if errors.Is(why, handle.ErrShapeless) && refuses(cfg) && cfg.String("guard.on_failure") != "closed" {
		a.Merge(hook.Answer{Decision: hook.Ask, Reason: quiet{why}.Error()})
		return wire.Encode(eventTables(), event, a)
	}
	return e.failed(event.Name, event.Dialect, why)
}

// failed is the output when there is no event to answer: one line and exit 1, or
// a refusal where the guard was asked, or may have been, and must not fail open.
func (e *env) failed(verb, dialect string, err error) wire.Output {
	tables := eventTables()
	event := &hook.Event{Name: "PreToolUse", Known: true, Dialect: dialect, Doubt: dialect == ""}
	dir := e.getenv("CLAUDE_PROJECT_DIR")
	if dir == "" {
		dir = e.dir
	}
	event.ProjectDir = findRoot(dir, e.home())
	if known := tables.Event(verb); known != nil {
		event.Name = known.Name
	}
	if !errors.Is(err, wire.ErrUsage) { // that is somebody at a keyboard, or said by moai doctor
		h := &handle.Handlers{Tables: e.handleTables(), StateDir: e.stateDir(), DryRun: e.dry, Log: slog.New(slog.DiscardHandler)}
		h.Failed(event, err)
	}
	// Where nothing names the event, the input that cannot be read would have done so.
	if event.Name == "PreToolUse" {
		cfg := e.cfg(event.ProjectDir)
		a := guardFailed(err, cfg)
		if errors.Is(err, hook.ErrLarge) && refuses(cfg) {
			a = tooLarge()
		}
		if a.Decision.Refuses() {
			return wire.Encode(tables, event, a)
		}
	}
	return wire.Failed(tables, event, quiet{err})
}

// quiet is an error whose words hold no secret. They may quote what moai failed over, and clients keep what they are told.
type quiet struct{ error }

// Error implements error.
func (q quiet) Error() string { return risktable.Set().Mask(q.error.Error()) }

// Unwrap gives the error itself to those who look for a kind.
func (q quiet) Unwrap() error { return q.error }

// tooLarge is the answer to a call that is too large to be read. That may be meant to get past the guard, and is no failure of its
// own, so that guard.on_failure has no part in it.
func tooLarge() hook.Answer {
	return hook.Answer{
		Decision: hook.Deny,
		Reason:   fmt.Sprintf("moai looks at no call of more than %d MiB, so this one does not run. Do the same in smaller parts: what is that large belongs into a file", wire.Limit>>20),
	}
}

// refuses reports a guard that does more than warn.
func refuses(cfg *config.Config) bool {
	return cfg.String("guard.mode") != "off" && cfg.String("guard.mode") != "warn"
}

// guardFailed is the one place that decides what a failing guard means.
func guardFailed(err error, cfg *config.Config) hook.Answer {
	cause := strings.Join(strings.Fields(quiet{err}.Error()), " ")
	if errors.Is(err, hook.ErrTimeout) {
		cause = "it took too long"
	}
	if cfg.String("guard.on_failure") == "closed" {
		return hook.Answer{
			Decision: hook.Deny,
			Reason:   "moai could not judge this call (" + cause + "), and guard.on_failure is closed, so it does not run. Tell the user: moai doctor",
		}
	}
	return hook.Answer{System: "moai could not judge this call (" + cause + "); it goes on, since guard.on_failure is open. See: moai doctor"}
}

// budgetOf is the event's own budget, or what the user configured. The end of a
// session stays within what the client gives it (1.5 s in all, measured).
func budgetOf(event *hook.Event, cfg *config.Config) hook.Budget {
	var b hook.Budget
	known := eventTables().Event(event.Name)
	if known != nil {
		b.Soft, b.Hard = known.Budget()
	}
	if cfg.Origin("hook.timeout") != "default" && event.Name != "SessionEnd" {
		b.Hard = cfg.Duration("hook.timeout")
	}
	if b.Hard <= 0 {
		b.Hard = hook.Hard
	}
	return b
}

// emit writes an output. Logs go first and only where they cannot be taken for
// the reason of a refusal: with exit code 2 the model reads standard error.
func (e *env) emit(out wire.Output, log *hookLog) int {
	if out.Exit == 2 || len(out.Unheard) > 0 {
		// Of a pipe that nobody reads any more, the exit code is all that is left. The
		// signal would take that away too: ended by it, the hook counts as failed.
		signal.Ignore(syscall.SIGPIPE)
	}
	if out.Exit != 2 || log.asked() {
		log.flush()
	}
	if len(out.Stdout) > 0 {
		err := e.unread(&out)
		if err == nil {
			_, err = e.out.Write(out.Stdout)
		}
		if err != nil {
			out = out.Unwritten(err)
		}
	}
	if len(out.Stderr) > 0 {
		_, _ = e.err.Write(out.Stderr)
	}
	return out.Exit
}

// unread reports that nobody reads what is written for an output that must be read. A
// closed standard output is one of these: Go opens the null device in its place.
func (e *env) unread(out *wire.Output) error {
	f, ok := term.File(e.out)
	if !ok || len(out.Unheard) == 0 {
		return nil
	}
	to, err := f.Stat()
	if err != nil {
		return err
	}
	if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(to, null) {
		return errors.New("standard output is closed")
	}
	return nil
}
