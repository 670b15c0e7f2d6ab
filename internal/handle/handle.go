package handle

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// Tables are the generated tables that handlers hand to their engines.
type Tables struct {
	Risks     *risk.Set
	Languages func() *lang.Table // built-in ones and the user's; nil: no language is known
	Contexts  []rule.Context
	Journal   []rule.Entry
	Commands  []rule.Command
	Tags      rule.Tags
	Specs     *rule.Specs
	Verify    verify.Tables
	Quality   *rule.Quality
	Turns     rule.Turns
	Locale    *rule.Locale
	Seat      seat.Finder // how clients and their terminals are known
}

// Handlers answers one event after another. Its fields are set once, before Register.
type Handlers struct {
	Tables   Tables
	Config   *config.Config
	StateDir string
	// Places are the user's folders of configuration and state, Root apart.
	Places policy.Places
	Home   string
	// Homes and Roots are further folders that may be meant by "~", and projects that the
	// event may be about: a call is judged for each, and the strictest verdict counts.
	Homes, Roots []string
	// Doubts are what of the surroundings was not believed, a line each, for people.
	Doubts []string
	Getenv func(string) string
	// Began returns the value that a variable had when the client was started; nil where the system does not tell.
	Began func(variable string) (value string, known bool)
	// TagOptions says how TAGs of a project are found; nil: not at all.
	TagOptions func(root string) tag.Options
	// Unguarded finds other folders of a project in which nothing calls moai; nil: not at all.
	Unguarded func(root string) []string
	// Registered is how long the client waits for the answer to an event; nil: as long as moai init registers it.
	Registered func(event string) time.Duration
	// Agent says that another agent than Claude Code asks, one of rules/clients.
	Agent bool
	// DryRun answers without leaving a trace: no snapshot, no state, no journal.
	// moai doctor and moai replay use it.
	DryRun bool
	Log    *slog.Logger
	Now    func() time.Time // nil: time.Now

	facts func(*risk.Input) // answers the guard's questions in tests; nil: Facts

	// loaded are the rules with the user's own and the project's, once the guard has read them.
	loaded atomic.Pointer[risk.Set]
	// pending is what guard leaves for protect, and for Unsettled, which is asked while a
	// handler that was left behind may still be at work.
	pending atomic.Pointer[pending]
	// copied are the files that Git ignores and that protect has copied for this call, by work tree.
	copied atomic.Pointer[map[string]copies]
	// seen is a look at the work tree that the verification of this event has taken, for the step of the timeline.
	seen atomic.Pointer[repo.Look]
	// named are the files that the call of the event may write, once somebody has asked.
	named atomic.Pointer[named]
	// sums are the files that an edit has left, as verify.Sum has them, for the handlers behind.
	sums map[string]string
	// around is the repository of that work tree.
	around atomic.Pointer[repo.Repo]
	// untracked is the refusal of an edit that belongs to no port.
	untracked atomic.Pointer[hook.Answer]

	// taken is the file of the call that two processes hear of; "" where only one does. repeats says that this is the second.
	taken   string
	repeats bool

	// outline is that of the command of the event, once somebody has asked.
	outline atomic.Pointer[risk.Outline]

	identity identity
}

// Register adds the handlers of an event. The guard is first: whatever
// time is left, a call is judged. It denies and does not block, which would end the
// round: protect, right behind it, is still to take the snapshot of a question and to
// write the verdict down. What is found out for the model alone comes after that.
func (h *Handlers) Register(r *hook.Registry, event string) {
	var named []string
	if i := events.Find(event); i >= 0 {
		named = events.Events[i].Handlers
	}
	for _, one := range all {
		switch {
		case one.name != everyEvent && !slices.Contains(named, one.name):
		case one.name == "surroundings" && len(h.Doubts) == 0: // rare, and reads the session's memory
		default:
			r.Register(hook.Handler{Name: one.name, Run: func(ctx context.Context, e *hook.Event) (hook.Answer, error) { return one.run(h, ctx, e) }})
		}
	}
}

// everyEvent is the one handler that no event has to name.
const everyEvent = "record"

// member is a handler and its name in rules/events, where is said which events it answers.
type member struct {
	name string
	run  func(*Handlers, context.Context, *hook.Event) (hook.Answer, error)
}

// all are the handlers in the order in which they are asked.
var all = [...]member{
	{"guard", (*Handlers).guard},
	{"ports", (*Handlers).ports},
	{"protect", (*Handlers).protect},
	{"surroundings", (*Handlers).surroundings},
	{"told", (*Handlers).handWord},
	{"settings", (*Handlers).lookAgain},
	{"collision", (*Handlers).collision},
	{"tags", (*Handlers).tagPolicy},
	{"documents", (*Handlers).program},
	{"session", (*Handlers).sessionStart},
	{"prompt", (*Handlers).prompt},
	{"format", (*Handlers).format},
	{"brought", (*Handlers).brought},
	{"tool", (*Handlers).toolDone},
	{"failed", (*Handlers).failedEdit},
	{"window", (*Handlers).window},
	{"tasks", (*Handlers).tasks},
	{"commit", (*Handlers).commit},
	{"verify", (*Handlers).track},
	{"receipts", (*Handlers).receipts},
	{"loop", (*Handlers).ranUntil},
	{"stop", (*Handlers).stop},
	{"compact", (*Handlers).compact},
	{"change", (*Handlers).configChange},
	{"end", (*Handlers).sessionEnd},
	{"record", (*Handlers).record},
	{"timeline", (*Handlers).timeline},     // behind all that answer: it may take a while
	{"identity", (*Handlers).keepIdentity}, // behind all who have something to say of the session
	{"status", (*Handlers).keepStatus},
	{"block", (*Handlers).block},
	{"locks", (*Handlers).locks},
}

func (h *Handlers) now() time.Time {
	if h.Now != nil {
		return h.Now()
	}
	return time.Now()
}

// root is the project that an event belongs to. Clients leave fields out (C17): the
// working directory is better than no project.
func root(e *hook.Event) string {
	if e.ProjectDir != "" {
		return e.ProjectDir
	}
	return e.CWD
}

// Slow writes into the journal that an event took longer than its budget. What runs for the user's own settings, as a formatter does, takes what it takes.
func (h *Handlers) Slow(e *hook.Event, took, budget time.Duration, slowest string) {
	if budget += h.Longer(e); took <= budget {
		return
	}
	ms := took.Milliseconds()
	h.note(e, fmt.Sprintf("%s took %d ms", e.Name, ms), types.HookSlow{Event: e.Name, DurationMS: int(ms), BudgetMS: int(budget.Milliseconds()), Slowest: slowest})
}

// Failed writes into the journal that moai could not do its part of an event. What kept it from that may keep it from
// writing as well, so that it is waited for half a second only.
func (h *Handlers) Failed(e *hook.Event, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // would end the process with a refusal
		cause := term.OneLine(err.Error(), 500)
		h.note(e, strings.TrimLeft(e.Name+": "+cause, ": "), types.HookFailed{Event: e.Name, Cause: cause})
	}()
	select {
	case <-done:
	case <-time.After(500 * time.Millisecond):
	}
}

// treeMemory is the heap, in bytes, from which on a process that reads whole trees collects garbage.
const treeMemory = 512 << 20

// NoCollection is for work that reads whole trees in a process that ends at once: garbage collection would only cost time, a tenth
// of a checkpoint. The limit brings it back on trees of a size that nobody measured. For other events this call itself costs too
// much, a tenth of the process.
func NoCollection() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(treeMemory)
}
