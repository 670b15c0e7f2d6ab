package handle

import (
	"context"
	"path/filepath"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
)

// toolDone remembers what a finished tool call changed: edited files for the
// session's memory and the journal, tasks for what compaction would lose.
func (h *Handlers) toolDone(_ context.Context, e *hook.Event) (hook.Answer, error) {
	in, out := events.ToolInput(e), events.ToolResponse(e)
	a := hook.Answer{Data: map[string]any{"tool": e.ToolName, "status": "ok"}} // the client reports this event of no other
	if ms := e.Raw("duration_ms"); ms.Present() {
		a.Data["duration_ms"] = ms
	}
	if h.writes(e.ToolName) {
		var touched []string
		for _, path := range h.written(e) {
			rel := relative(root(e), path)
			a.Context = append(a.Context, h.edited(e, path, rel)...)
			touched = append(touched, rel)
		}
		if len(touched) > 0 {
			a.Data["touched"], a.Data["found"] = touched, append([]string{}, a.Context...)
		}
		return a, nil
	}
	h.ranWell(e)
	h.agentReturned(e)
	switch e.ToolName {
	case "TaskCreate":
		t := task{ID: out.Get("task").Get("id").Text(), Subject: h.taskWords(in.Get("subject").Text()), Status: "pending"}
		h.trackTask(e, t)
	case "TaskUpdate":
		t := task{ID: in.Get("taskId").Text(), Subject: h.taskWords(in.Get("subject").Text()), Status: out.Get("statusChange").Get("to").Text()}
		if t.Status == "" && in.Get("status").Text() == taskDone { // another hook refused it, behind what TaskCompleted said
			t.Status = "in_progress"
		}
		if t.Status != "" {
			h.trackTask(e, t)
		}
	case "TodoWrite":
		todos := in.Get("todos")
		h.remember(e.SessionID, root(e), func(m *memory) bool {
			m.Tasks = nil // the tool writes the whole list each time, and without ids
			for todo := range todos.Items() {
				words := h.taskWords(todo.Get("content").Text())
				m.track(task{ID: words, Subject: words, Status: todo.Get("status").Text()})
			}
			return true
		})
	}
	return a, nil
}

// edited remembers a file that a tool of the session has written, and says which TAG chains of it are broken.
func (h *Handlers) edited(e *hook.Event, path, rel string) (broken []string) {
	abs := absolute(e, path)
	real := disk.Real(abs) // once: what is learned is told to two copies of the session
	at, agent := h.now().UTC(), events.AgentID(e)
	now, text, plain := left(abs)
	h.learn(e, func(s *session.Session) {
		s.Changed(session.Write{Path: real, At: at, Agent: agent})
		s.Edits.Add(rel, at)
		if plain {
			s.Edits.Leave(now)
		}
	})
	if plain {
		if h.sums == nil {
			h.sums = map[string]string{}
		}
		h.sums[real] = now.Sum
	}
	h.note(e, e.ToolName+" "+rel, types.FileEdit{Path: rel, Tool: e.ToolName, Sum: now.Sum})
	if plain && !tag.May(h.Tables.Tags.Kinds, text) {
		return nil
	}
	return h.tagsBroken(e, rel)
}

// taskWords is what is kept of a task's words, and of its id, which is the client's word, too.
func (h *Handlers) taskWords(text string) string { return term.Clip(h.mask(text), 120) }

// trackTask remembers a task that has an id; without one no later report could be told to be its.
func (h *Handlers) trackTask(e *hook.Event, t task) {
	if t.ID = h.taskWords(t.ID); t.ID != "" {
		h.remember(e.SessionID, root(e), func(m *memory) bool { m.track(t); return true })
	}
}

// relative is path below root with slashes, or path itself when it lies outside. The
// client may name one of the two by way of a link: /tmp is one on macOS.
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		rel, err = filepath.Rel(ground.Follow(root), ground.Follow(path))
	}
	if err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
