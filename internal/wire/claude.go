package wire

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

// The claude dialect, as measured on the client. What makes an answer worthless there: a hookSpecificOutput on an event that
// takes none, or with another event's name (the whole answer is dropped and the action goes on); anything on stdout beside the
// object. Exit code 2 cannot be undone by anything in the object and also reaches a client that cannot read it, so a refusal
// says all three: the decision, the reason on stderr, the code. Tried together on 2.1.329: the client takes the reason from the
// object; context (PreToolUse, PostToolUse) and systemMessage (these and Stop) arrive as well, but no systemMessage of a dropped
// prompt.

type claudeAnswer struct {
	Continue      *bool          `json:"continue,omitempty"`
	StopReason    string         `json:"stopReason,omitempty"`
	Decision      string         `json:"decision,omitempty"`
	Reason        string         `json:"reason,omitempty"`
	SystemMessage string         `json:"systemMessage,omitempty"`
	Specific      map[string]any `json:"hookSpecificOutput,omitempty"`
}

// claude answers known; nil is an event that moai does not know, to which only the user can be told something.
func claude(known *rule.Event, a hook.Answer) Output {
	if known == nil {
		known = &rule.Event{Answer: rule.EventAnswer{Context: "none", Refuse: rule.RefuseNot, Exit2: "ignored"}}
	}
	can := &known.Answer
	w := claudeAnswer{Specific: map[string]any{}}
	out := Output{}
	system := []string{a.System}

	reason := shorten(claudeReason(a))
	switch {
	case a.Decision.Refuses() && can.Refuse != rule.RefuseNot:
		w.refuse(can, reason)
		// Elsewhere the code is ignored, or shown as an error of the hook.
		if can.Exit2 == "stops" || can.Exit2 == "feedback" {
			out.Exit, out.Stderr = exitRefused, []byte(reason+"\n")
		} else {
			out.Unheard = []byte(reason + "\n")
		}
	case a.Decision == hook.Ask && can.Ask:
		w.permission("ask", reason)
		out.Unheard = []byte(reason + "\n")
	case a.Decision == hook.Allow && can.Refuse == rule.RefusePermission:
		w.permission("allow", shorten(a.Reason))
	case a.Decision == hook.Allow && can.Refuse == rule.RefuseBehavior:
		w.behavior("allow", a.UpdatedInput)
	// Nothing can be refused or asked here; that moai would have done so is still worth a line to the user.
	case a.Decision >= hook.Ask:
		system = append(system, reason)
	}
	// Of a refusal they are a part of the reason already.
	if a.Decision < hook.Ask {
		system = append(system, a.Suggestions...)
	}

	if text := claudeContext(a); text != "" {
		switch can.Context {
		case "model":
			w.Specific["additionalContext"] = shorten(text)
		case "user":
			system = append(system, text)
		}
	}
	if a.UpdatedInput.IsObject() && slices.Contains(can.Keys, "updatedInput") {
		w.Specific["updatedInput"] = a.UpdatedInput
	}
	for key, v := range a.Special {
		// A handler's own key never replaces the verdict.
		if _, taken := w.Specific[key]; !taken && slices.Contains(can.Keys, key) {
			w.Specific[key] = v
		}
	}
	if a.Stop && slices.Contains(can.Top, "continue") {
		w.Continue, w.StopReason = new(bool), shorten(a.StopReason)
	} else if a.Stop {
		system = append(system, a.StopReason)
	}
	for _, n := range a.Notifications {
		system = append(system, note(n))
	}
	w.SystemMessage = shorten(lines(system))

	// The one event whose stdout is no JSON: the client takes the line for the folder.
	if path, ok := w.Specific["worktreePath"].(string); ok && can.Stdout == "path" && out.Exit == exitDone {
		out.Stdout = []byte(path + "\n")
		return out
	}
	if len(w.Specific) > 0 && can.Specific {
		w.Specific["hookEventName"] = known.Name
	} else {
		w.Specific = nil
	}
	out.Stdout = []byte("{}\n")
	if w.says() {
		out.Stdout = marshal(&w, func() {
			for key := range a.Special {
				delete(w.Specific, key)
			}
		})
	}
	return out
}

// says tells an answer from {}, which is written without the cost of a first use of encoding/json: nearly every call ends so.
func (w *claudeAnswer) says() bool {
	return w.Continue != nil || w.Decision != "" || w.SystemMessage != "" || w.Specific != nil
}

// refuse writes a refusal in the way of the event.
func (w *claudeAnswer) refuse(can *rule.EventAnswer, reason string) {
	switch can.Refuse {
	case rule.RefusePermission:
		w.permission("deny", reason)
	case rule.RefuseBehavior:
		w.Specific["decision"] = map[string]any{"behavior": "deny", "message": reason}
	case rule.RefuseBlock:
		w.Decision, w.Reason = "block", reason
	case rule.RefuseAction:
		w.Specific["action"] = "decline"
	}
}

func (w *claudeAnswer) permission(decision, reason string) {
	w.Specific["permissionDecision"] = decision
	if reason != "" {
		w.Specific["permissionDecisionReason"] = reason
	}
}

func (w *claudeAnswer) behavior(decision string, input hook.Value) {
	d := map[string]any{"behavior": decision}
	if input.IsObject() {
		d["updatedInput"] = input
	}
	w.Specific["decision"] = d
}

// claudeReason is the reason with what to do instead, which this dialect has no field for. A refusal needs one: with an empty
// reason a client may take a block for no decision.
func claudeReason(a hook.Answer) string {
	parts := []string{a.Reason}
	if a.Reason == "" {
		parts[0] = "moai does not allow this"
		if a.Decision == hook.Ask {
			parts[0] = "moai asks you to look at this first"
		}
	}
	for _, s := range a.Suggestions {
		if !strings.Contains(a.Reason, s) {
			parts = append(parts, "Instead: "+s)
		}
	}
	return lines(parts)
}

// claudeContext is what the model is told. Documents are named when nothing else is said about them.
func claudeContext(a hook.Answer) string {
	if len(a.Context) == 0 && len(a.ContextFiles) > 0 {
		return hook.Documents(a.ContextFiles)
	}
	return strings.Join(a.Context, "\n\n")
}

// doubted adds to a refusal what other agents read, where nothing tells who asks: exit code 2 stops all but one, which wants a
// decision at the top of the object, where Claude Code takes one as well.
func doubted(out Output, reason string) Output {
	members, err := hook.Members(string(out.Stdout), nil)
	if err != nil || has(members, "decision") {
		return out
	}
	w := map[string]any{"decision": "block", "reason": shorten(reason)}
	for _, m := range members {
		w[m.Name] = m.Value
	}
	out.Stdout = marshal(w, func() {})
	return out
}
