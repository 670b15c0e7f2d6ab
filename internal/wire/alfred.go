package wire

import "github.com/modu-ai/moai/internal/hook"

// alfredAnswer is HookResult. context holds paths of documents, which the agent reads itself.
type alfredAnswer struct {
	Blocked       bool     `json:"blocked"`
	Message       *string  `json:"message"`
	SystemMessage *string  `json:"systemMessage"`
	Context       []string `json:"context"`
}

func alfred(a hook.Answer) Output {
	// It has no list of suggestions, so they are lines of the message.
	message := []string{a.Message}
	for _, s := range a.Suggestions {
		message = append(message, "- "+s)
	}
	w := alfredAnswer{SystemMessage: nullable(a.System), Message: nullable(lines(message)), Context: list(a.ContextFiles)}
	if reason, refused := refusal(a); refused {
		w.Blocked, w.Message = true, &reason
	}
	return verdict(a, marshal(&w, func() {}))
}

// nullable is nil for a text that says nothing.
func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
