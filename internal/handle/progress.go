package handle

import (
	"encoding/json"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/secret"
	"github.com/modu-ai/moai/internal/state"
)

// progress is how far a session has come, for programs.
type progress struct {
	Seconds     int      `json:"seconds"`
	Edits       int      `json:"edits"`
	Files       []string `json:"files,omitempty"` // the last edited first
	OpenTasks   []string `json:"open_tasks,omitempty"`
	Documents   []string `json:"documents,omitempty"` // handed over
	Checkpoints []string `json:"checkpoints,omitempty"`
}

// progress is that of the session of an event.
func (h *Handlers) progress(e *hook.Event) progress {
	m, edits := h.recallSession(e.SessionID), &h.who(e).Edits
	p := progress{Edits: edits.Count, Files: edits.Paths(), OpenTasks: m.openTasks(), Documents: sortedDocs(m.Docs), Checkpoints: m.Checkpoints}
	if !m.Started.IsZero() {
		p.Seconds = int(h.now().Sub(m.Started).Seconds())
	}
	return p
}

// standsAt is the session's progress, in dialects that have a place for facts: for others its file is not worth reading.
func (h *Handlers) standsAt(e *hook.Event) map[string]any {
	if e.Dialect != hook.Compiled && e.Dialect != hook.Pal {
		return nil
	}
	data := map[string]any{"session": h.progress(e)}
	if s := h.who(e); e.Dialect == hook.Pal && s.Fingerprint != "" {
		data["fingerprint"], data["turn"] = s.Fingerprint, s.Turn.Number
	}
	return data
}

// stands is the state of the session as one dialect has it; the others say the same in words, where it is news.
func (h *Handlers) stands(e *hook.Event) hook.Work {
	if e.Dialect != hook.Pal {
		return hook.Work{}
	}
	w := hook.Work{State: "running", TokenBudget: h.Config.Int("context.token_budget")}
	if i := events.Find(e.Name); i >= 0 && events.Events[i].State != "" {
		w.State = events.Events[i].State
	}
	m := h.recallSession(e.SessionID)
	for _, path := range sortedDocs(m.Docs) {
		w.Docs = append(w.Docs, hook.Doc{Path: path, Tokens: m.Tokens[path]})
	}
	w.TokensUsed = m.tokens()
	if r, used := h.room(e); used {
		if p := h.running(e, &r); p != nil {
			w.Port = palPort(p)
		}
	}
	return w
}

// Masked is v as JSON, without the secrets in it.
func (h *Handlers) Masked(v any) (json.RawMessage, error) {
	raw, err := state.Line(v)
	return secret.Strings(raw, func(_, text string) string { return h.rules().Mask(text) }), err
}
