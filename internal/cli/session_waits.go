package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
)

// waitsSince is since when a session waits for a person: what was written of it last is a question. Zero where it does not.
func (e *env) waitsSince(s *session.Session) (since time.Time) {
	if s.Standing(time.Now()) != session.Running || s.Turn.Number > 0 && !s.Turn.Runs() { // behind the end of a turn any session waits
		return since
	}
	var last journal.Event
	own := byPersons()
	roots := map[string]bool{s.Project: true, s.Start.Tree(): true, s.Now.Tree(): true}
	for root := range roots {
		// When it was seen is kept to the minute: while it waits, nothing is heard of it.
		q := journal.Query{Session: s.ID, Since: s.Seen.Add(-time.Minute), Last: heardLast, Newest: agentsRead}
		_, _ = q.Run(state.JournalPath(e.stateDir(), root), func(ev *journal.Event) error {
			if ev.Session == s.ID && ev.Created.After(last.Created) && !slices.Contains(own, ev.Type) {
				last = *ev
			}
			return nil
		})
	}
	if asks(&last) {
		since = last.Created
	}
	return since
}

// heardLast is how many events of a session are looked at: behind the last one of its client there may be some of a person's commands.
const heardLast = 50

// byPersons lists the types of events that a person's command writes for a session, too: they tell nothing of what it does. The store's fold.sql
// has the same.
func byPersons() []string {
	return []string{types.PortStart{}.Entry().Name, types.PortEnd{}.Entry().Name, types.DependencyResolved{}.Entry().Name}
}

// asks reports an event behind which the client waits for an answer.
func asks(ev *journal.Event) bool {
	var d struct {
		Action string `json:"action"`
		Answer string `json:"answer"`
		About  string `json:"notification_type"`
	}
	if len(ev.Details) > 0 && json.Unmarshal(ev.Details, &d) != nil {
		return false
	}
	switch ev.Type {
	case types.Types[types.From("PermissionRequest")].Name:
		return true
	case types.Types[types.From("Notification")].Name:
		return strings.HasSuffix(d.About, "prompt") || strings.HasSuffix(d.About, "input") || strings.HasSuffix(d.About, "dialog")
	case types.Types[types.From("Elicitation")].Name:
		return d.Action == ""
	case types.Escalation{}.Entry().Name:
		return d.Action == hook.Ask.String()
	case types.Decision{}.Entry().Name:
		return d.Answer == hook.Ask.String()
	}
	return false
}
