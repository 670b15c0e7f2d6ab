package handle

import (
	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
)

// Typed are the details of an entry: one of the types of generated/journal.
type Typed interface{ Entry() *rule.Entry }

// Kept is how long a journal stays, by the settings.
func Kept(cfg *config.Config) journal.Keep {
	if cfg == nil { // what fails before they are read is written all the same
		return journal.Keep{}
	}
	return journal.Keep{Days: cfg.Int("journal.keep_days"), MB: cfg.Int("journal.keep_mb")}
}

// journal is that of an event's project.
func (h *Handlers) journal(e *hook.Event) journal.Log {
	return journal.Log{Path: state.JournalPath(h.StateDir, root(e)), Keep: Kept(h.Config)}
}

// note writes one journal event, of the severity of its type.
func (h *Handlers) note(e *hook.Event, summary string, details Typed) {
	h.noteAs(e, "", summary, details)
}

// noteAs is note with another severity.
func (h *Handlers) noteAs(e *hook.Event, severity, summary string, details Typed) {
	entry := details.Entry()
	if len(entry.Fields) == 0 {
		h.write(e, entry, severity, summary, nil)
		return
	}
	h.write(e, entry, severity, summary, details)
}

// write puts an entry into the project's journal, without the secrets in it, with the session's turn and port. A journal that
// cannot be written is no reason to hold a session up.
func (h *Handlers) write(e *hook.Event, entry *rule.Entry, severity, summary string, details any) {
	if h.DryRun {
		return
	}
	if severity == "" {
		severity = entry.Severity
	}
	j := journal.Event{Session: e.SessionID, Type: entry.Name, Severity: severity, Summary: h.mask(summary), Created: h.now().UTC()}
	if details != nil {
		var err error
		if j.Details, err = h.Masked(details); err != nil { // the event without them is worth more than none
			h.Log.Warn("journal details dropped", "type", entry.Name, "err", err)
		}
	}
	if entry.Name == (types.Decision{}).Entry().Name { // the session remembers the last ones
		h.learn(e, func(s *session.Session) { s.Decide(j.Summary, j.Created) })
	}
	if isQuestion(&j) {
		asked := session.Question{At: j.Created, Agent: h.head(events.AgentID(e))}
		h.learn(e, func(s *session.Session) { s.Asks = &asked })
	}
	j.Turn, j.Port = h.turnAndPort(e)
	if err := h.journal(e).Append(j); err != nil {
		h.Log.Warn("journal not written", "err", err)
	}
}

// turnAndPort is the turn and the port of an event's session, which need not be the one that is answered.
func (h *Handlers) turnAndPort(e *hook.Event) (turn int, port string) {
	h.identity.mu.Lock()
	s := h.identity.self
	h.identity.mu.Unlock()
	if s == nil || s.ID != e.SessionID {
		s = nil
		if e.SessionID != "" {
			s = session.Read(h.StateDir, e.SessionID)
		}
	}
	if s == nil {
		return 0, ""
	}
	return s.Turn.Number, s.Port
}

// Created is what the journal tells of a new checkpoint.
func Created(c *checkpoint.Checkpoint) types.CheckpointCreated {
	return types.CheckpointCreated{Branch: c.Name, Operation: c.Operation, Commit: c.Commit.String(), Files: c.Stats.Files()}
}
