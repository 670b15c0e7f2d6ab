package handle

import (
	"encoding/json"
	"strings"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
)

// isQuestion reports an event behind which the client waits for an answer.
func isQuestion(ev *journal.Event) bool {
	var d struct {
		Action string `json:"action"`
		Answer string `json:"answer"`
		About  string `json:"notification_type"`
	}
	if len(ev.Details) > 0 && json.Unmarshal(ev.Details, &d) != nil {
		return false
	}
	switch ev.Type {
	case types.Types[types.From("PermissionRequest")].Name:
		return true
	case types.Types[types.From("Notification")].Name:
		return strings.HasSuffix(d.About, "prompt") || strings.HasSuffix(d.About, "input") || strings.HasSuffix(d.About, "dialog")
	case types.Types[types.From("Elicitation")].Name:
		return d.Action == ""
	case types.Escalation{}.Entry().Name:
		return d.Action == hook.Ask.String()
	case types.Decision{}.Entry().Name:
		return d.Answer == hook.Ask.String()
	}
	return false
}
