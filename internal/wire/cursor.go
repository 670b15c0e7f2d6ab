package wire

import "github.com/modu-ai/moai/internal/rule"

// cursorAnswer is what Cursor reads; each event knows some of it, and an object with others, or none, blocks every call.
type cursorAnswer struct {
	Permission string `json:"permission,omitempty"`
	Continue   *bool  `json:"continue,omitempty"`
	User       string `json:"user_message,omitempty"`
	Agent      string `json:"agent_message,omitempty"`
	Context    string `json:"additional_context,omitempty"`
	FollowUp   string `json:"followup_message,omitempty"`
}

// cursor answers Cursor: one object whatever happens, and exit code 0, since standard error is not promised to reach anybody.
func cursor(asks *rule.Asks, s saying) Output {
	w := cursorAnswer{Context: s.context, User: s.tell}
	out := Output{}
	if s.refused || s.asked {
		out.Unheard = []byte(s.reason + "\n")
	}
	switch asks.Refuse {
	case rule.RefusePermission:
		w.Permission = "allow"
		switch {
		case s.refused:
			w.Permission, w.User, w.Agent = "deny", lines([]string{s.reason, s.tell}), s.reason
		case s.asked:
			w.Permission, w.User, w.Agent = "ask", lines([]string{s.reason, s.tell}), s.reason
		}
	case rule.RefuseContinue:
		goOn := !s.refused
		if w.Continue = &goOn; s.refused {
			w.User = lines([]string{s.reason, s.tell})
		}
	case rule.RefuseFollowUp:
		if out.Unheard = nil; s.refused { // it is too late for exit code 2 to stop anything
			w.FollowUp = s.reason
		}
	}
	out.Stdout = marshal(&w, func() {})
	return out
}
