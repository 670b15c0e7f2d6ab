package cli

import (
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/state"
)

// tighten is the command line that has the guard protect again as it does by default, in the files that say otherwise; "" where no file of the user's does.
func (e *env) tighten(cfg *config.Config, project string) string {
	var lines []string
	for _, key := range cfg.Loose() {
		words := []string{"moai", "config", "set", key, config.Keys[config.Find(key)].Default}
		switch {
		case cfg.Where(key) == config.OwnPath(e.configDir(), state.ProjectKey(project)):
			words = append(words, "--here")
		case cfg.Origin(key) != "user":
			continue
		}
		lines = append(lines, argv.Quote(words...))
	}
	return strings.Join(lines, " && ")
}
