package handle

import (
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/monitor"
)

// agentLog writes down that a sub-agent was called, and what came of it; true where the event says that and nothing else. Its
// beginning, and a call that failed, are written as such events always are.
func (h *Handlers) agentLog(e *hook.Event) bool {
	switch e.Name {
	case "PreToolUse":
		if h.Tables.Verify.Agents == nil || !h.Tables.Verify.Calls(e.ToolName) || h.refused(e) {
			return false
		}
		in := events.ToolInput(e)
		kind := h.head(in.Get("subagent_type").Text())
		call := types.AgentCalled{
			ToolUseID: events.ToolUseID(e), AgentType: kind, Prompt: h.keptOf(in.Get("prompt").Text()),
			Name: h.head(in.Get("name").Text()), Caller: events.AgentID(e),
		}
		h.note(e, orText(kind, "a sub-agent")+" called", call)
		h.legacyCalled(e, &call)
	case "PostToolUseFailure":
		if h.Tables.Verify.Agents != nil && h.Tables.Verify.Calls(e.ToolName) {
			h.legacyReturned(e)
		}
		return false
	case "SubagentStop", "StopFailure":
		if events.AgentID(e) == "" {
			return false
		}
		h.agentEnded(e)
	default:
		return false
	}
	return true
}

// agentReturned writes down what the client says of a run whose call has returned. One that goes on in the background has cost nothing yet.
func (h *Handlers) agentReturned(e *hook.Event) {
	said := events.ToolResponse(e)
	id := ""
	if h.Tables.Verify.Agents != nil && h.Tables.Verify.Calls(e.ToolName) {
		id = h.head(said.Get("agentId").Text())
		if !said.Get("isAsync").Bool() && said.Get("status").Text() != "teammate_spawned" {
			h.legacyReturned(e) // the run's own end names its call only where its conversation is known
		}
	}
	if id == "" {
		return
	}
	d := types.AgentReturned{AgentID: id, ToolUseID: events.ToolUseID(e), Model: h.head(said.Get("resolvedModel").Text())}
	tokens := said.Get("totalTokens").Int()
	if tokens == 0 {
		for name, n := range said.Get("usage").Members() {
			if strings.HasSuffix(name, "_tokens") {
				tokens += n.Int()
			}
		}
	}
	if tokens > 0 {
		d.Tokens = new(int(tokens))
	}
	if ms := said.Get("totalDurationMs").Int(); ms > 0 {
		d.DurationMS = new(int(ms))
	}
	h.note(e, "the answer of "+id+" came back", d)
}

// refused reports a call that moai itself has stopped.
func (h *Handlers) refused(e *hook.Event) bool {
	p := h.pending.Load()
	if p == nil || p.event != e {
		return false
	}
	said := p.said.Load()
	return p.answer.Decision == hook.Deny || said != nil && said.Decision == hook.Deny
}

// agentEnded writes down how a sub-agent ended. What it cost, and which call began it, only its conversation says.
func (h *Handlers) agentEnded(e *hook.Event) {
	path := orText(events.AgentTranscriptPath(e), monitor.TranscriptOf(events.TranscriptPath(e), events.AgentID(e)))
	c := monitor.ReadTranscript(path)
	kind, message := h.head(events.AgentType(e)), events.LastAssistantMessage(e)
	d := types.AgentDeactivated{
		AgentID: events.AgentID(e), AgentType: kind, AgentTranscriptPath: h.head(path), ToolUseID: h.head(c.Call), Model: h.head(c.Model),
	}
	if message != "" && strings.TrimSpace(c.Answer) == strings.TrimSpace(message) { // else the last answer is yet to be written down
		d.Tokens = &c.Tokens
		if !c.Ended.IsZero() {
			d.EndedAt = c.Ended.UTC().Format(timeInMS)
		}
	}
	if !c.Began.IsZero() {
		d.StartedAt = c.Began.UTC().Format(timeInMS)
	}
	summary := kind + " finished"
	switch {
	case e.Name == "StopFailure":
		d.Error = h.head(orText(message, events.Error(e)))
		summary = kind + " failed: " + d.Error
	case h.Tables.Verify.Agents != nil && h.Tables.Verify.FromClient(message):
		d.Error = h.head(message)
		summary = kind + " failed: " + d.Error
	case strings.TrimSpace(message) == "" && e.Dialect == hook.Claude:
		d.Empty = new(true)
		summary = kind + " answered nothing"
	}
	h.note(e, summary, d)
	h.legacyEnded(e, &d, &c)
}

// timeInMS is how transcripts have times.
const timeInMS = "2006-01-02T15:04:05.000Z07:00"
