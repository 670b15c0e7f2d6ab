package handle

import (
	"context"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// Texts of the source specification, answered in its dialect only: the
// current client fails PreCompact on anything but a plain answer.
const compactTip = "💡 Tip: Use `/clear` or `/new` to start fresh session"

var compactSuggestions = []string{
	"Summarize current session decisions",
	"Save important context to .moai/memory/",
	"Continue with clean context",
}

// compact keeps what a compaction makes the model forget. It is given back by the
// SessionStart that follows (source "compact"): PreCompact itself cannot speak to
// the model.
func (h *Handlers) compact(_ context.Context, e *hook.Event) (hook.Answer, error) {
	if e.Name == "Notification" {
		return h.giveBack(e), nil
	}
	snap := snapshot{At: h.now().UTC(), Trigger: events.Trigger(e)}
	if h.keepsPrompts() { // what a person types behind /compact is one
		snap.Asked = term.Clip(h.mask(events.CustomInstructions(e)), 500)
	}
	// The branch of now: a session that lasted until its compaction has often switched.
	if r, err := repo.Open(root(e)); err == nil {
		snap.Branch, _, _ = headline(r)
	}
	h.stood(e, &snap)
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.Compact = &snap; return true })
	h.note(e, "compaction, "+orText(snap.Trigger, "unknown trigger"), types.Compact{
		Trigger: snap.Trigger, Asked: snap.Asked, Branch: snap.Branch, Turn: positive(snap.Turn), Port: snap.Port, Files: snap.Changed, Decisions: snap.Decisions,
	})
	a := hook.Answer{Data: map[string]any{"snapshot": snap}}
	switch e.Dialect {
	case hook.Alfred, hook.Moai03:
		a.Message, a.Suggestions = compactTip, compactSuggestions
	}
	return a, nil
}

// stood fills in where the session stands.
func (h *Handlers) stood(e *hook.Event, snap *snapshot) {
	s := h.who(e)
	snap.Port, snap.Turn, snap.Began, snap.Prompt = s.Port, s.Turn.Number, s.Turn.Began, s.Turn.Prompt
	for _, w := range s.Wrote {
		if !w.At.Before(s.Turn.Began) {
			snap.Changed = append(snap.Changed, relative(root(e), w.Path))
		}
	}
	for _, d := range s.Decided {
		snap.Decisions = append(snap.Decisions, d.What)
	}
}

// giveBack is for a client that begins no session after a compaction: its first notification behind one brings back what was
// kept, once.
func (h *Handlers) giveBack(e *hook.Event) hook.Answer {
	if e.Dialect != hook.Pal {
		return hook.Answer{}
	}
	m := h.recallSession(e.SessionID)
	if m.Compact == nil {
		return hook.Answer{}
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.Compact = nil; return true })
	return hook.Answer{Notifications: h.recalled(e, m)}
}

// recalled is what was kept in the only place that pal's dialect has for texts.
func (h *Handlers) recalled(e *hook.Event, m *memory) []hook.Notification {
	return []hook.Notification{{Level: "info", Title: "The conversation was compacted", Message: m.recall(&h.who(e).Edits)}}
}

// positive is a number that is left out where it says nothing.
func positive(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}

// orText is s, or other where s is empty.
func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
