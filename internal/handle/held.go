package handle

import (
	"strings"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/state"
)

// mostHeld is how often in a row the end of a turn is held up. Claude Code lets the next one go by itself; agents without such a cap would go on for ever,
// and some of them call the hook alone again when the model has nothing more to say.
const mostHeld = 8

// letGo turns a refusal to end the turn into a word to the user where there were enough of them. What an agent sends back as a prompt may look like a turn of its own, so
// its word that a hook has it go on counts first.
func (h *Handlers) letGo(e *hook.Event, a *hook.Answer) {
	turn, often := h.who(e).Turn.Number+1, false
	err := state.Update(h.checkingPath(e), sessionTTL, func(k *checking) bool {
		if !events.StopHookActive(e) && k.In != turn {
			k.Held = 0
		}
		k.In = turn
		if often = k.Held >= mostHeld; !often {
			k.Held++
		}
		return true
	})
	if err != nil {
		h.Log.Warn("block not counted", "err", err)
	}
	if often || err != nil { // what cannot be counted would never end
		first, _, _ := strings.Cut(a.Reason, "\n")
		*a = hook.Answer{System: addSystem(a.System, []string{first + "\n  the end of this turn was held up enough, so it is let go"})}
	}
}
