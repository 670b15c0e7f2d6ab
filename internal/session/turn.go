package session

import (
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/rule"
)

// Turn is what a session does for one prompt of a person. It begins with that prompt, and ends with the end of the
// answer, a failure, an interruption, the next prompt, or with the session. What machines send as prompts (a background
// task that is done, a client's own round after a tool, a hook that has a turn go on) begins none: it belongs to the
// turn that brought it about.
//
// It is defined here alone; see Session.Prompted and rules/events/_turns.toml.
type Turn struct {
	Number   int       `json:"number"` // 0 before the first prompt
	Began    time.Time `json:"began_at,omitzero"`
	Ended    time.Time `json:"ended_at,omitzero"` // zero while it goes on
	How      string    `json:"ended_how,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`    // the first words, masked
	PromptID string    `json:"prompt_id,omitempty"` // the client's
	Held     string    `json:"held,omitempty"`      // how the words begin with which its end was held up: some clients send them as a prompt
}

// How a turn ends without an event that says so.
const (
	TurnReplaced = "prompt"  // by the next prompt
	TurnEnded    = "session" // with the session
)

// Prompt is a prompt as a client reports it.
type Prompt struct {
	Text  string
	ID    string // the client's id of it, if there is one
	Agent string // the sub-agent to which it was sent
}

// ByPerson reports a prompt that a person sent. Machine says how prompts of machines begin.
func (s *Session) ByPerson(p Prompt, machine []rule.Machine) bool {
	text := strings.TrimSpace(p.Text)
	if text == "" || p.Agent != "" {
		return false
	}
	for i := range machine {
		if strings.HasPrefix(text, machine[i].Begins) {
			return false
		}
	}
	if s.Turn.Held != "" && strings.HasPrefix(text, s.Turn.Held) {
		return false
	}
	// Some clients report a prompt anew for each round of theirs, as the one that it began as.
	return p.ID == "" || p.ID != s.Turn.PromptID
}

// Prompted begins a turn if a person sent the prompt. Head is what is kept of it.
func (s *Session) Prompted(p Prompt, machine []rule.Machine, head string, at time.Time) (begun bool) {
	if !s.ByPerson(p, machine) {
		return false
	}
	s.End(TurnReplaced, at)
	s.Turn = Turn{Number: s.Turn.Number + 1, Began: at, Prompt: head, PromptID: p.ID}
	return true
}

// End ends the turn that goes on, if there is one.
func (s *Session) End(how string, at time.Time) (ended bool) {
	if !s.Turn.Runs() {
		return false
	}
	s.Turn.Ended, s.Turn.How = at, how
	return true
}

// GoOn takes up the turn that was ended: a hook had it continue, or a background task woke it.
func (s *Session) GoOn() (changed bool) {
	if s.Turn.Number == 0 || s.Turn.Runs() {
		return false
	}
	s.Turn.Ended, s.Turn.How = time.Time{}, ""
	return true
}

// Runs reports that the turn goes on.
func (t *Turn) Runs() bool { return t.Number > 0 && t.Ended.IsZero() }
