package handle

import (
	"strings"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
)

// isQuestion reports an event behind which the client waits for an answer.
func isQuestion(ev *journal.Event) bool {
	details := hook.Value(ev.Details)
	switch ev.Type {
	case types.Types[types.From("PermissionRequest")].Name:
		return true
	case types.Types[types.From("Notification")].Name:
		about := details.Get("notification_type").Text()
		return strings.HasSuffix(about, "prompt") || strings.HasSuffix(about, "input") || strings.HasSuffix(about, "dialog")
	case types.Types[types.From("Elicitation")].Name:
		return details.Get("action").Text() == ""
	case types.Escalation{}.Entry().Name:
		return details.Get("action").Text() == hook.Ask.String()
	case types.Decision{}.Entry().Name:
		return details.Get("answer").Text() == hook.Ask.String()
	}
	return false
}
