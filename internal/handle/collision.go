package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// lately is how long a file that another session changed is worth a word before it is written.
const lately = 10 * time.Minute

// collision tells user and model, before a tool writes a file, that another session has just changed it: once for a file
// and session. It stops nothing.
func (h *Handlers) collision(_ context.Context, e *hook.Event) (hook.Answer, error) {
	path := h.written(e)
	if path == "" || e.SessionID == "" {
		return hook.Answer{}, nil
	}
	now := h.now().UTC()
	path = h.hidePath(session.Real(path))
	others, last := session.Writers(h.StateDir, e.SessionID, path, now.Add(-lately), now)
	if len(others) == 0 || !h.who(e).Tell(path) {
		return hook.Answer{}, nil
	}
	h.learn(e, func(s *session.Session) { s.Tell(path) })
	text := fmt.Sprintf("moai: another session changed %s %s: %s", term.Name(relative(root(e), path)), since(now.Sub(last.At)), called(others[0]))
	if n := len(others) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return hook.Answer{System: text, Context: []string{text + ". Read the file again before you write it, and keep what the other one did."}}, nil
}

// written is the file that a call of a tool writes, absolute; "" for other tools.
func (h *Handlers) written(e *hook.Event) string {
	keys, writes := h.Tables.Risks.Writes(e.ToolName)
	if !writes {
		return ""
	}
	for _, key := range keys {
		if path := events.ToolInput(e).Get(key).Text(); path != "" {
			return absolute(e, path)
		}
	}
	return ""
}

func absolute(e *hook.Event, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.CWD, path)
}

// called names a session for people: the begin of its id, where it is, and what it was asked.
func called(s *session.Session) string {
	text := session.Short(s.ID)
	if s.TTY != "" {
		text += " in " + term.Text(s.TTY)
	}
	if s.Turn.Prompt != "" {
		text += fmt.Sprintf(", at work on %q", term.Text(s.Turn.Prompt))
	}
	return text
}

func since(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute ago"
	case d < 2*time.Minute:
		return "a minute ago"
	}
	return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
}
