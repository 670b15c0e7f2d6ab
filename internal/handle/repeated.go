package handle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// Two registrations of moai (the user's and the project's, or Claude Code's settings that another client runs as well) reach one call with two processes. Each judges
// it. What is done about it, the first alone does: it leaves an empty file by the name of the call, and who finds that answers as in a dry run.

// How long after the end of the first process another one is about the same call. Where a client gives it no number, its words alone tell, and the same words
// may come again soon: but a model needs longer than that for its next call, and what is heard of a call's end parts it from the next one.
const (
	sameCall  = time.Minute
	sameWords = time.Second
	// callsKept is how long such files stay.
	callsKept = 10 * time.Minute
)

// calls is the folder of these files, and twice the end of the name of one that says of a session of Claude Code that two processes hear of it.
const (
	calls = "calls"
	twice = ".twice"
)

// Repeats reports that another process has taken up the same event. Ended is to be called at the end of this one. Without a number only those
// of other agents count: Claude Code runs equal commands once. There, a prompt of which two processes hear has to come first, so that the calls of
// a session with one registration cost nothing more than a look for a file.
func (h *Handlers) Repeats(e *hook.Event) (repeats bool, ended func()) {
	ended = func() {}
	id := events.ToolUseID(e)
	if e.Name == h.Tables.Turns.Begins {
		id = events.PromptID(e)
	}
	if h.DryRun || e.SessionID == "" || !e.Known || h.StateDir == "" || id == "" && !h.Agent {
		return false, ended
	}
	within := sameWords
	if id != "" {
		within = sameCall
	}
	dir := filepath.Join(h.StateDir, calls)
	one := filepath.Join(dir, state.SafeName(e.SessionID))
	begins := e.Name == h.Tables.Turns.Begins
	if !h.Agent && !begins {
		if _, err := os.Lstat(one + twice); err != nil {
			return false, ended
		}
	}
	about := one + "." + signOf(e, id) + "."
	path := about + e.Name
	h.taken = path
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) < within {
			if begins {
				_ = os.WriteFile(one+twice, nil, 0o600) // else each of the two does what is to be done, as before
			}
			h.repeats = true
			return true, ended
		}
	case err != nil:
		return false, ended // better twice than never
	default:
		_ = f.Close() // nothing was written
	}
	if begins {
		state.Sweep(dir, callsKept, time.Now().Add(sweepTime))
	}
	if e.ToolName != "" {
		parted(about, e.Name)
	}
	touch := func() {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // where that fails, what comes next counts as a call of its own
	}
	touch()
	return false, touch
}

// lend notes which exceptions for one call let this one through, before they are spent: they are good for the other process, too.
func (h *Handlers) lend(v *risk.Verdict) {
	once := v.Once()
	if h.taken == "" || len(once) == 0 {
		return
	}
	var b strings.Builder
	for _, e := range once {
		b.WriteString(policy.Key(e) + "\n")
	}
	if err := os.WriteFile(h.taken, []byte(b.String()), 0o600); err != nil {
		h.Log.Warn("the exception is good for one of two processes", "err", err)
	}
}

// lent takes those out of the spent ones.
func (h *Handlers) lent(spent func(*rule.Allowed) bool) func(*rule.Allowed) bool {
	if !h.repeats {
		return spent
	}
	return func(e *rule.Allowed) bool {
		if !spent(e) {
			return false
		}
		list, err := os.ReadFile(h.taken)
		return err != nil || !strings.Contains(string(list), policy.Key(e)+"\n")
	}
}

// Events of a call: the first comes before it, and one of the others behind it.
var aroundCall = [...]string{"PreToolUse", "PostToolUse", "PostToolUseFailure"}

// parted forgets what was heard of the same words before: another process that hears of what comes before the call, once its end was told, hears of the next one.
func parted(about, name string) {
	for i, other := range aroundCall {
		if (name == aroundCall[0]) != (i == 0) {
			_ = os.Remove(about + other) // mostly there is none
		}
	}
}

// signOf is a sum that two processes compute alike for one event: of its number and of what it is about, in whatever order a client writes its keys.
func signOf(e *hook.Event, id string) string {
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	parts := []string{id, events.Prompt(e), events.Source(e), events.Reason(e), events.LastAssistantMessage(e), events.AgentID(e), e.ToolName}
	_ = enc.Encode(parts) // texts always encode
	var input any
	if e.ToolName != "" && json.Unmarshal([]byte(e.Raw("tool_input")), &input) == nil {
		_ = enc.Encode(input) // keys in one order
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Judged is what a process says about an event that another one answers: its verdict alone.
func Judged(a hook.Answer) hook.Answer {
	return hook.Answer{Decision: a.Decision, Reason: a.Reason, Stop: a.Stop, StopReason: a.StopReason}
}
