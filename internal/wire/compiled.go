package wire

import "github.com/modu-ai/moai/internal/hook"

// compiledAnswer is HookOutput. Without an objection the decision is allow; unlike the claude dialect's, it
// silences nothing.
type compiledAnswer struct {
	Decision string         `json:"decision"`
	Reason   string         `json:"reason"`
	Data     map[string]any `json:"data"`
}

func compiled(a hook.Answer) Output {
	w := compiledAnswer{Decision: "allow", Reason: a.Reason, Data: facts(a)}
	if reason, refused := refusal(a); refused {
		w.Decision, w.Reason = "block", reason
	}
	return verdict(a, marshal(&w, func() { w.Data = map[string]any{} }))
}

// facts is the handlers' data, never null.
func facts(a hook.Answer) map[string]any {
	if a.Data == nil {
		return map[string]any{}
	}
	return a.Data
}
