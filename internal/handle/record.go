package handle

import (
	"context"
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/term"
)

// record writes down the events that no other handler does. Which ones, with
// what words and fields, is data: rules/journal/*.toml.
func (h *Handlers) record(_ context.Context, e *hook.Event) (hook.Answer, error) {
	answer := hook.Answer{Data: h.standsAt(e), Work: h.stands(e)}
	// Compaction ends with a SubagentStop of its own, without a type (measured).
	if e.Name == "SubagentStop" && events.AgentID(e) != "" && events.AgentType(e) == "" {
		return answer, nil
	}
	if h.stoppedTool(e) || h.failedCommand(e) || h.agentLog(e) {
		return answer, nil
	}
	for i := range h.Tables.Journal {
		entry := &h.Tables.Journal[i]
		if !slices.Contains(entry.From, e.Name) {
			continue
		}
		details := map[string]any{}
		for _, f := range entry.Fields {
			v := fieldOf(e, f.Inside, f.Name)
			switch {
			case v.IsText():
				details[f.Name] = h.head(v.Text())
			case v.Present() && !v.IsObject() && !v.IsArray(): // what is nested cannot be masked
				details[f.Name] = v
			}
		}
		// Texts of clients are of any length and may hold secrets: a masked line of each.
		summary := entry.Line(func(name string) string { return h.head(e.Text(name)) })
		h.write(e, entry, "", summary, details)
	}
	return answer, nil
}

// fieldOf is a field of an event, or of what stands inside one of its fields ("tool_input.questions"). A list stands for its first member.
func fieldOf(e *hook.Event, inside, name string) hook.Value {
	if inside == "" {
		return e.Raw(name)
	}
	path := strings.Split(inside, ".")
	v := first(e.Raw(path[0]))
	for _, member := range path[1:] {
		v = first(v.Get(member))
	}
	return v.Get(name)
}

// first is the first member of a list, and anything else itself.
func first(v hook.Value) hook.Value {
	if !v.IsArray() {
		return v
	}
	for member := range v.Items() {
		return member
	}
	return ""
}

// head is one masked line of a text that comes from outside.
func (h *Handlers) head(s string) string {
	return term.Clip(h.mask(s), promptRunes) // masked as it stands: the lines of a document tell what is secret
}
