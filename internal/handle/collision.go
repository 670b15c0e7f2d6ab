package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// lately is how long a file that another session changed is worth a word before it is written.
const lately = 10 * time.Minute

// collision tells user and model, before a call writes a file, that another session has just changed it: once for a file
// and session. It stops nothing. What a command line writes is told by its words alone.
func (h *Handlers) collision(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	command := h.Tables.Risks.RunsCommand(e.ToolName)
	now := h.now().UTC()
	since := now.Add(-lately)
	// Whether a command only reads is known by then, and whether somebody else is there takes a look at a folder.
	if e.SessionID == "" || !command && !h.writes(e.ToolName) || command && h.outlineOf(e).OnlyReads || session.Alone(h.StateDir, e.SessionID, since) {
		return hook.Answer{}, nil
	}
	others := session.Lately(h.StateDir, e.SessionID, since, now)
	if len(others) == 0 {
		return hook.Answer{}, nil
	}
	var a hook.Answer
	for _, path := range h.written(e) {
		real := disk.Real(path)
		path = h.hidePath(real)
		by, last := session.Wrote(others, path, since)
		by = slices.DeleteFunc(by, func(s *session.Session) bool { return h.tookBack(ctx, s, real) })
		if own, _ := session.Wrote([]*session.Session{h.who(e)}, path, last.At); len(own) > 0 { // and this one has written it since
			continue
		}
		if len(by) == 0 || !h.who(e).Tell(path) {
			continue
		}
		h.learn(e, func(s *session.Session) { s.Tell(path) })
		text := fmt.Sprintf("another session changed %s %s: %s", term.Name(relative(root(e), path)), agoOf(now.Sub(last.At)), called(by[0]))
		if n := len(by) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
		a.System = addSystem(a.System, []string{text})
		a.Context = append(a.Context, "moai: "+text+". Read the file again before you write it, and keep what the other one did.")
	}
	return a, nil
}

// tookBack reports a file that is again as it was before a session changed it, as undo leaves it: that is nobody's change.
func (h *Handlers) tookBack(ctx context.Context, by *session.Session, path string) bool {
	s := verify.Read(h.StateDir, by.ID)
	if s == nil {
		return false
	}
	i := slices.IndexFunc(s.Files, func(f verify.File) bool { return f.Path == path })
	return i >= 0 && verify.See(ctx, filepath.Dir(path), h.StateDir, false, by.Started).AsBefore(s, &s.Files[i])
}

// named are the files that the call of an event may write.
type named struct {
	of    *hook.Event
	paths []string
}

// written are the files that a call may write, absolute, as far as its words name them. They are found out once a call.
func (h *Handlers) written(e *hook.Event) []string {
	if n := h.named.Load(); n != nil && n.of == e {
		return slices.Clone(n.paths)
	}
	in := events.ToolInput(e)
	paths := h.Tables.Risks.Written(&risk.Input{Tool: e.ToolName, Command: in.Get("command").Text(), Values: in.Any, Dir: filepath.ToSlash(e.CWD), Home: h.Home})
	for i := range paths {
		paths[i] = filepath.FromSlash(paths[i])
	}
	h.named.Store(&named{e, slices.Clone(paths)}) // callers change what they get
	return paths
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

func agoOf(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute ago"
	case d < 2*time.Minute:
		return "a minute ago"
	}
	return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
}
