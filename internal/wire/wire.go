package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// Tables is what the dialects are made of: generated/events, handed in by whoever joins engines and tables.
type Tables struct {
	Events   []rule.Event
	Common   []rule.Field
	Dialects []rule.Dialect
	Adapters []rule.Adapter // generated/clients
	Tools    []rule.Call    // the client's own, in its spelling
	// Find is the index in Events of an event in any spelling, or -1.
	Find func(name string) int
}

// Event is the entry of a canonical name, nil when there is none.
func (t *Tables) Event(name string) *rule.Event {
	if i := t.Find(name); i >= 0 {
		return &t.Events[i]
	}
	return nil
}

// Output is what a hook process leaves behind.
type Output struct {
	Stdout []byte
	Stderr []byte
	Exit   int // 0 go on, 2 refused, 1 failed
	// Unheard is what stderr says where Stdout cannot be written, with exit code 2: a
	// question or a refusal that stands there alone, and that must not become a yes.
	Unheard []byte
}

// Unwritten is o where Stdout reached nobody.
func (o Output) Unwritten(err error) Output {
	switch {
	case o.Exit == exitRefused:
		return o
	case len(o.Unheard) > 0:
		return Output{Stderr: o.Unheard, Exit: exitRefused}
	}
	return Failure("", fmt.Errorf("the answer could not be written: %w", err))
}

// The exit codes of a hook process. Any other code would be a mere error to the client, and Go itself exits with 2 on a panic.
const (
	exitDone    = 0
	exitFailed  = 1
	exitRefused = 2
)

// Encode says a in the dialect in which e was asked.
func Encode(t *Tables, e *hook.Event, a hook.Answer) Output {
	a = harmless(a)
	switch e.Dialect {
	case hook.Alfred:
		return alfred(a)
	case hook.Moai03:
		return moai03(a)
	case hook.Compiled:
		return compiled(a)
	case hook.Pal:
		return pal(a)
	}
	if adapter := t.Adapter(e.Dialect); adapter != nil {
		return t.speak(adapter, e, a)
	}
	var known *rule.Event
	if e.Known {
		known = t.Event(e.Name)
	}
	out := claude(known, a)
	if e.Doubt && a.Decision.Refuses() {
		out = doubted(out, claudeReason(a))
	}
	return out
}

// harmless makes visible what a terminal would obey in the texts of an answer: they quote names, commands and rules of strangers,
// and the client shows them.
func harmless(a hook.Answer) hook.Answer {
	list := func(texts []string) []string {
		for i := range texts {
			texts[i] = term.Lines(texts[i])
		}
		return texts
	}
	a.Reason, a.System, a.Message, a.StopReason = term.Lines(a.Reason), term.Lines(a.System), term.Lines(a.Message), term.Lines(a.StopReason)
	a.Context, a.Suggestions = list(slices.Clone(a.Context)), list(slices.Clone(a.Suggestions))
	a.Notifications = slices.Clone(a.Notifications)
	for i := range a.Notifications {
		n := &a.Notifications[i]
		n.Title, n.Message, n.Action = term.Lines(n.Title), term.Lines(n.Message), term.Lines(n.Action)
	}
	return a
}

// Failed is the output when e cannot be answered and what it is about is to go on all the same. An agent with words of its own gets the empty answer in them, with what went wrong for whom
// it tells, and exit code 0: any other code refuses every call in one of them.
func Failed(t *Tables, e *hook.Event, err error) Output {
	out := Failure(e.Dialect, err)
	a := t.Adapter(e.Dialect)
	if a == nil {
		return out
	}
	line := out.Stderr
	out = t.speak(a, e, harmless(hook.Answer{System: strings.TrimSuffix(string(line), "\n")}))
	if len(out.Stdout) == 0 {
		out.Stderr = line
	}
	return out
}

// Failure is the output when there is nothing to answer to: one line on stderr, exit code 1. One dialect has words of its own
// for what went wrong.
func Failure(dialect string, err error) Output {
	line := term.Text(strings.Join(strings.Fields(err.Error()), " "))
	if len(line) > 500 {
		line = strings.ToValidUTF8(line[:500], "") + "…"
	}
	voice := "moai: "
	switch {
	case errors.Is(err, ErrUsage):
		voice = "Usage: "
	case dialect == hook.Moai03:
		voice = "Hook execution error: "
		if cause, ok := strings.CutPrefix(line, hook.ErrInput.Error()+": "); ok {
			voice, line = "JSON parse error: ", cause
		}
	}
	return Output{Stderr: []byte(voice + line + "\n"), Exit: exitFailed}
}
