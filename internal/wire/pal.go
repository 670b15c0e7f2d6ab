package wire

import (
	"strings"

	"github.com/modu-ai/moai/internal/hook"
)

// palAnswer is the answer of pal-kit.
type palAnswer struct {
	Decision      string         `json:"decision"` // approve, allow, deny, block
	Reason        string         `json:"reason"`
	Context       palContext     `json:"context"`
	Notifications []palNote      `json:"notifications"`
	Suggestions   []string       `json:"suggestions"`
	Metadata      map[string]any `json:"metadata"`
}

type palContext struct {
	ActivePort   *hook.Port `json:"active_port,omitempty"`
	LoadedDocs   []hook.Doc `json:"loaded_docs,omitempty"`
	SessionState string     `json:"session_state"`
	TokensUsed   int        `json:"tokens_used"`
	TokenBudget  int        `json:"token_budget"`
}

type palNote struct {
	Level   string `json:"level"` // info, warn, error
	Title   string `json:"title"`
	Message string `json:"message"`
	Action  string `json:"action,omitempty"`
}

func pal(a hook.Answer) Output {
	w := palAnswer{
		Decision: "approve", Reason: a.Reason,
		Context: palContext{
			ActivePort: a.Work.Port, LoadedDocs: a.Work.Docs, SessionState: a.Work.State,
			TokensUsed: a.Work.TokensUsed, TokenBudget: a.Work.TokenBudget,
		},
		Notifications: []palNote{}, Suggestions: list(a.Suggestions), Metadata: facts(a),
	}
	reason, refused := refusal(a)
	switch {
	case a.Decision == hook.Deny:
		w.Decision, w.Reason = "deny", reason
	case refused:
		w.Decision, w.Reason = "block", reason
	case a.Decision == hook.Allow:
		w.Decision = "allow"
	}
	if refused {
		n := palNote{Level: "error", Title: "moai stopped this", Message: reason}
		if a.Decision == hook.Ask {
			n.Level, n.Title = "warn", "a person has to decide"
		}
		if len(a.Suggestions) > 0 {
			n.Action = a.Suggestions[0]
		}
		w.Notifications = append(w.Notifications, n)
	}
	// This dialect has no field for what the user is told; notifications are nearest.
	w.Notifications = append(w.Notifications, parted(a.System)...)
	var guidance []string
	for _, n := range a.Notifications {
		w.Notifications = append(w.Notifications, palNote{Level: level(n.Level), Title: n.Title, Message: n.Message, Action: n.Action})
		if level(n.Level) != "info" {
			guidance = append(guidance, note(n))
		}
	}
	out := verdict(a, marshal(&w, func() { w.Metadata = map[string]any{} }))
	// What is no refusal guides the agent through stderr, such as an edit outside any port.
	if text := lines(guidance); text != "" && !refused {
		out.Stderr = []byte(text + "\n")
	}
	return out
}

// How lines for the user are written: each thing that is said begins with the first, a warning with both, and lines that
// belong to it are set in. One of those may name what to run.
const (
	voice   = "moai: "
	caution = "warning: "
	setIn   = "  "
)

// parted makes a notification of each thing that the user is told.
func parted(system string) (list []palNote) {
	for line := range strings.SplitSeq(system, "\n") {
		text, begins := strings.CutPrefix(line, voice)
		last := len(list) - 1
		switch {
		case line == "":
		case begins:
			n := palNote{Level: "info", Title: "moai", Message: text}
			if text, warns := strings.CutPrefix(text, caution); warns {
				n.Level, n.Message = "warn", text
			}
			list = append(list, n)
		case last >= 0 && strings.HasPrefix(line, setIn) && list[last].Action == "" && strings.Contains(line, ": moai "):
			_, command, _ := strings.Cut(line, ": ")
			list[last].Action = command
		case last >= 0:
			list[last].Message += "\n" + line
		default:
			list = append(list, palNote{Level: "info", Title: "moai", Message: line})
		}
	}
	return list
}

// level is one of the three that exist.
func level(s string) string {
	if s == "warn" || s == "error" {
		return s
	}
	return "info"
}
