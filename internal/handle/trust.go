package handle

import (
	"slices"
)

// A variable that skips a check, runs something or gives the model words is a stranger's word in a process that an agent
// started: the settings of a cloned repository can set it. It counts where the user's own settings name it (env.trust), or
// where the user's own shell had set it before the client read any settings: then it stands in the variables with which the
// client's process began, which no program can change afterwards. Linux and macOS tell those; where nobody does, or where
// another agent started the client, the key is needed.

// trusted is the value of such a variable, "" where there is none that counts.
func (h *Handlers) trusted(name string) string {
	value := h.Getenv(name)
	if value == "" || slices.Contains(h.Config.Names("env.trust"), name) {
		return value
	}
	if began, known := h.seat().Began(name); known && began == value {
		return value
	}
	return ""
}

// distrusted says that a variable does not count, "" where it does, or is not set.
func (h *Handlers) distrusted(name string) string {
	if h.Getenv(name) == "" || h.trusted(name) != "" {
		return ""
	}
	return name + " does not count: settings of this project may have set it. Your own word is: moai config set env.trust " + name
}
