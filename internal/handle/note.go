package handle

import (
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/state"
)

// Kept is how long a journal stays, by the settings.
func Kept(cfg *config.Config) journal.Keep {
	if cfg == nil { // what fails before they are read is written all the same
		return journal.Keep{}
	}
	return journal.Keep{Days: cfg.Int("journal.keep_days"), MB: cfg.Int("journal.keep_mb")}
}

// journal is that of an event's project.
func (h *Handlers) journal(e *hook.Event) journal.Log {
	return journal.Log{Path: state.JournalPath(h.StateDir, root(e)), Keep: Kept(h.Config)}
}
