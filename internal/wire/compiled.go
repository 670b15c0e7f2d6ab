package wire

import (
	"fmt"

	"github.com/modu-ai/moai/internal/hook"
)

// compiledAnswer is HookOutput. Without an objection the decision is allow; unlike the claude dialect's, it
// silences nothing.
type compiledAnswer struct {
	Decision string         `json:"decision"`
	Reason   string         `json:"reason"`
	Data     map[string]any `json:"data"`
}

func compiled(a hook.Answer) Output {
	w := compiledAnswer{Decision: "allow", Reason: a.Reason, Data: facts(a)}
	reason, refused := refusal(a)
	if refused {
		w.Decision, w.Reason = "block", reason
	}
	out := verdict(a, marshal(&w, func() { w.Data = map[string]any{} }))
	if refused { // an error of its source, which is told apart by its words
		out.Stderr = fmt.Appendf(nil, "%v: %s\n", hook.ErrBlocked, reason)
	}
	return out
}

// facts is the handlers' data, never null.
func facts(a hook.Answer) map[string]any {
	if a.Data == nil {
		return map[string]any{}
	}
	return a.Data
}
