package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/wire"
)

// slow is when a hook is felt: the client waits for it before every tool call. A whole call
// takes 2 ms (README), so this is a machine in trouble or a shell around it.
// Env.Slow can set another limit.
const slow = 250 * time.Millisecond

// replay sends one payload per registered event through the registered command
// line, as the client would, and validates what comes back.
func replay(e *Env) Result {
	r := Result{}
	ran := map[string]bool{}
	var slowest Item
	for _, reg := range e.entries {
		// The client runs equal commands of one event once (measured).
		key := fmt.Sprint(reg.Event, reg.Program, reg.Args, reg.Shell)
		if ran[key] || reg.ByName && !e.found(reg) { // once said by the check of the program
			continue
		}
		ran[key] = true
		item := e.try(reg)
		if item.Status != OK && item.Millis == 0 && r.Fix == "" { // one that answers is not made faster by registering it again
			r.Fix = reg.file.Init
		}
		if item.Millis > slowest.Millis {
			slowest = item
		}
		r.Items = append(r.Items, item)
	}
	r = sum(r)
	switch {
	case len(r.Items) == 0 && e.registeredElsewhere():
		return Result{Detail: "of other agents alone: see agents"}
	case len(r.Items) == 0:
		return Result{Status: Warn, Detail: "nothing is registered that could be tried", Fix: "moai init"}
	case r.Status == Fail:
		r.Detail = "an event is not answered as the client demands"
	default:
		r.Detail = fmt.Sprintf("%s answered, the slowest %s in %.1f ms", term.Count(len(r.Items), "event"), slowest.Name, slowest.Millis)
	}
	return r
}

// try runs one entry three times and judges the first answer.
func (e *Env) try(reg registered) Item {
	item := Item{Name: reg.Event}
	fail := func(format string, a ...any) Item {
		item.Status, item.Detail = Fail, fmt.Sprintf(format, a...)
		return item
	}
	known := e.Tables.Event(reg.Event)
	if known == nil {
		item.Status, item.Detail = Warn, "no such event"
		return item
	}
	argv, limit, why := e.commandLine(reg)
	if argv == nil {
		item.Status, item.Detail = Warn, "not tried: "+why
		return item
	}
	payload := sample(known, e.Common, e.Project, nil)
	var times []time.Duration
	for range 3 {
		out, err := start(argv, e.hookEnviron(), e.Project, payload, limit)
		switch {
		case errors.Is(err, errTimeout):
			return fail("no answer within %v; the client would go on without one", limit)
		case err != nil:
			return fail("cannot be started: %s", plain(err))
		}
		if err := wire.Validate(known, out.Output); err != nil {
			return fail("%v; it printed %q and %q", err, head(string(out.Stdout)), head(string(out.Stderr)))
		}
		// Valid, but a refusal: the client would stop every call of this event.
		if out.Exit != 0 {
			return fail("exit code %d on a harmless call: %s", out.Exit, head(string(out.Stderr)))
		}
		times = append(times, out.took)
	}
	// The median: the first call may have to read the binary from disk.
	slices.Sort(times)
	item.Millis = millis(times[1])
	if felt := cmp.Or(e.Slow, slow); times[1] > felt {
		item.Status, item.Detail = Warn, fmt.Sprintf("slow: the median of three calls is above %v; on a machine that has much else to do, look again when it has less", felt)
	}
	return item
}

// commandLine is what the client would start for an entry, and how long it
// would wait, at most ten seconds, which is what moai registers. It is nil, with the reason, for what is better
// not tried.
func (e *Env) commandLine(reg registered) (argv []string, limit time.Duration, why string) {
	limit = time.Duration(reg.Timeout * float64(time.Second))
	if limit <= 0 || limit > 10*time.Second {
		limit = 10 * time.Second
	}
	if why := e.strange(reg); why != "" {
		return nil, limit, why
	}
	if reg.ByName {
		// Not by the shell: with a PATH that has a relative folder it would find what the project brought along.
		if !e.found(reg) {
			return nil, limit, "moai is not on PATH, so nothing answers"
		}
		return append([]string{OnPath(reg.Program, e.Environ)}, reg.Args...), limit, ""
	}
	if reg.Shell != "" {
		if runtime.GOOS == "windows" {
			return nil, limit, "registered as shell text, and which shell the client takes here was never measured"
		}
		return []string{"/bin/sh", "-c", reg.Shell}, limit, ""
	}
	for _, word := range append([]string{reg.Program}, reg.Args...) {
		argv = append(argv, expand(word, e.Project))
	}
	if !strings.ContainsAny(argv[0], `/\`) {
		argv[0] = OnPath(argv[0], e.Environ)
	}
	return argv, limit, ""
}

// found reports whether a command that names no path finds a program.
func (e *Env) found(reg registered) bool {
	_, err := os.Stat(OnPath(reg.Program, e.Environ))
	return err == nil
}

// hookEnviron is what a hook finds in its environment.
func (e *Env) hookEnviron() []string {
	env := slices.DeleteFunc(slices.Clone(e.Environ), func(kv string) bool { return strings.HasPrefix(kv, "CLAUDE_PROJECT_DIR=") })
	return append(env, "CLAUDE_PROJECT_DIR="+e.Project, "CLAUDECODE=1")
}
