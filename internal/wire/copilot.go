package wire

import "github.com/modu-ai/moai/internal/rule"

// copilotAnswer is what Copilot CLI reads. Under the native names of its events what counts stands flat; before a tool, under the names of Claude Code, also in
// hookSpecificOutput. It ignores what it does not know.
type copilotAnswer struct {
	PermissionDecision string         `json:"permissionDecision,omitempty"`
	PermissionReason   string         `json:"permissionDecisionReason,omitempty"`
	Behavior           string         `json:"behavior,omitempty"`
	Message            string         `json:"message,omitempty"`
	Decision           string         `json:"decision,omitempty"`
	Reason             string         `json:"reason,omitempty"`
	Context            string         `json:"additionalContext,omitempty"`
	Specific           map[string]any `json:"hookSpecificOutput,omitempty"`
}

// copilot answers Copilot CLI. Exit code 2 refuses a tool's call as well, but under the names of Claude Code the model then reads that code and no reason (seen with 1.0.102), so
// it is left for a standard output that nobody reads. "allow" would take away the person's own question, so nothing is printed where there is nothing to say.
func copilot(asks *rule.Asks, s saying) Output {
	w := copilotAnswer{Context: s.context}
	out := Output{}
	if s.asked && asks.Refuse == rule.RefusePermission {
		w.PermissionDecision, w.PermissionReason = "ask", s.reason
		out.Unheard = []byte(s.reason + "\n")
	}
	if s.refused {
		switch asks.Refuse {
		case rule.RefusePermission:
			w.PermissionDecision, w.PermissionReason = "deny", s.reason
			out.Unheard = []byte(s.reason + "\n")
		case rule.RefuseBehavior:
			w.Behavior, w.Message = "deny", s.reason
			out.Unheard = []byte(s.reason + "\n")
		default:
			w.Decision, w.Reason = "block", s.reason
		}
	}
	if asks.Refuse == rule.RefusePermission && (w.PermissionDecision != "" || w.Context != "") {
		inner := claudeAnswer{Specific: map[string]any{"hookEventName": asks.Name}}
		if w.PermissionDecision != "" {
			inner.permission(w.PermissionDecision, s.reason)
		}
		if w.Context != "" {
			inner.Specific["additionalContext"] = w.Context
		}
		w.Specific = inner.Specific
	}
	if w.PermissionDecision+w.Behavior+w.Decision+w.Context != "" {
		out.Stdout = marshal(&w, func() { w.Specific = nil })
	}
	return out
}
