package handle

import (
	"github.com/modu-ai/moai/internal/config"
)

// A variable that skips a check, runs something or gives the model words is a stranger's word in a process that an agent
// started: the settings of a cloned repository can set it. It counts where the user's own settings name it (env.trust), or
// where the user's own shell had set it before the client read any settings: then it stands in the variables with which the
// client's process began, which no program can change afterwards. Linux and macOS tell those; where nobody does, or where
// another agent started the client, the key is needed.

// trusted is the value of such a variable, "" where there is none that counts. The settings that variables mean are settled by
// package config in the same way.
func (h *Handlers) trusted(name string) string {
	value := h.Getenv(name)
	if value != "" && h.Config.Trusts(name, value, h.Began) {
		return value
	}
	return ""
}

// distrusted says that a variable does not count, "" where it does, or says nothing that would count.
func (h *Handlers) distrusted(name string) string {
	if h.Getenv(name) != "true" || h.trusted(name) != "" {
		return ""
	}
	return config.Distrusted(name)
}
