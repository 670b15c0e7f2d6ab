package wire

import "github.com/modu-ai/moai/internal/hook"

// moai03Answer is HookResult: indented by 2, message may be null, lists may not.
type moai03Answer struct {
	Message      *string  `json:"message"`
	Blocked      bool     `json:"blocked"`
	Suggestions  []string `json:"suggestions"`
	ContextFiles []string `json:"contextFiles"`
}

func moai03(a hook.Answer) Output {
	w := moai03Answer{Message: nullable(a.Message), Suggestions: list(a.Suggestions), ContextFiles: list(a.ContextFiles)}
	// One text for the user is all that this dialect has.
	if w.Message == nil {
		w.Message = nullable(a.System)
	}
	if reason, refused := refusal(a); refused {
		w.Blocked, w.Message = true, nullable(lines([]string{reason, a.System}))
	}
	text, err := encode(&w, "  ")
	if err != nil {
		return Failure(hook.Moai03, err)
	}
	return verdict(a, text)
}
