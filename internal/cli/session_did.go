package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/verify"
)

// sessionDid is what a session did so far: counted from the journal, with what else is kept of its files, loop and tokens.
type sessionDid struct {
	Prompts    int            `json:"prompts"`
	Edits      int            `json:"edits"` // calls of tools; commands change files, too
	Files      []string       `json:"files"` // that it changed, the last changed first
	Unverified int            `json:"unverified"`
	Over       int            `json:"over"`    // files of it that are gone again, as before, or that Git ignores: moai undo --list counts none of these
	Refused    int            `json:"refused"` // calls
	Asked      int            `json:"asked"`   // calls about which a person was to decide
	Rules      []string       `json:"rules"`   // that did it, the last first
	Snapshots  int            `json:"snapshots"`
	Failed     map[string]int `json:"failed"`     // calls, by the type of event
	Agents     map[string]int `json:"sub_agents"` // that began, by type
	Compacted  int            `json:"compacted"`
	Tokens     int            `json:"tokens"`
	Loop       *loop.Loop     `json:"loop,omitempty"`
	Whole      bool           `json:"whole"` // the journal reaches back to where the session began
}

// did puts it together.
func (e *env) did(s *session.Session) *sessionDid {
	d := &sessionDid{
		Files: []string{}, Rules: []string{}, Failed: map[string]int{}, Agents: map[string]int{}, Whole: true,
		Tokens: monitor.Spent(s.Talk, monitor.Span{From: s.Started, Until: s.Ended}), Loop: loop.Read(e.stateDir(), s.ID),
	}
	for _, root := range roots(s) {
		q := journal.Query{Session: s.ID, Since: s.Started, Newest: agentsRead}
		known, err := q.Run(state.JournalPath(e.stateDir(), root), func(ev *journal.Event) error {
			if ev.Session == s.ID {
				d.add(ev)
			}
			return nil
		})
		if err != nil || known.Trimmed && known.From.After(s.Started) {
			d.Whole = false
		}
	}
	slices.Reverse(d.Rules)
	slices.Reverse(d.Files)
	if work := verify.Read(e.stateDir(), s.ID); work != nil {
		d.changed(e.verifyView(s.ID))
	}
	return d
}

// roots are the projects whose journals tell of a session: one that has gone to another work tree stands in both.
func roots(s *session.Session) []string {
	list := []string{s.Project}
	for _, place := range [...]session.Place{s.Start, s.Now} {
		if root := place.Tree(); !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}

// changed are the files by what verification keeps of them, which knows those that commands changed.
func (d *sessionDid) changed(v *verifyView, err error) {
	if err != nil {
		return
	}
	d.Unverified = v.waiting()
	slices.SortStableFunc(v.Files, func(a, b verifyFile) int { return b.Changed.Compare(a.Changed) })
	for i := range v.Files {
		f := &v.Files[i]
		if f.over {
			d.Over++
		}
		if !slices.Contains(d.Files, f.Path) {
			d.Files = append(d.Files, f.Path)
		}
	}
}

// add counts one event.
func (d *sessionDid) add(ev *journal.Event) {
	switch ev.Type {
	case types.UserRequest{}.Entry().Name:
		d.Prompts++
	case types.FileEdit{}.Entry().Name:
		d.Edits++
		var f types.FileEdit
		if json.Unmarshal(ev.Details, &f) == nil {
			last(&d.Files, f.Path)
		}
	case types.Decision{}.Entry().Name:
		d.decided(ev)
	case types.Escalation{}.Entry().Name:
		d.Asked++
	case types.CheckpointCreated{}.Entry().Name:
		d.Snapshots++
	case types.TestFailed{}.Entry().Name, types.BuildFailed{}.Entry().Name, types.Types[types.From("PostToolUseFailure")].Name:
		d.Failed[ev.Type]++
	case types.Types[types.From("SubagentStart")].Name:
		var a types.AgentDeactivated // has the same names
		if json.Unmarshal(ev.Details, &a) == nil {
			d.Agents[a.AgentType]++
		}
	case types.Compact{}.Entry().Name:
		d.Compacted++
	}
}

// decided counts a verdict of the guard. What is asked about has an event of its own.
func (d *sessionDid) decided(ev *journal.Event) {
	var v types.Decision
	if json.Unmarshal(ev.Details, &v) != nil {
		return
	}
	stopped := v.Answer == hook.Deny.String()
	if stopped && v.Action == v.Answer {
		d.Refused++
	}
	if stopped || v.Answer == hook.Ask.String() {
		for _, id := range v.Rules {
			last(&d.Rules, id)
		}
	}
}

// last makes one the last of a list that has each once.
func last(list *[]string, one string) {
	*list = append(slices.DeleteFunc(*list, func(s string) bool { return s == one }), one)
}

// someOf names as many as a line has room for, and how many more there are.
func someOf(list []string, most int) string {
	if over := len(list) - most; over > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), over)
	}
	return strings.Join(list, ", ")
}
