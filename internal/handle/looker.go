package handle

import (
	"slices"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/verify"
)

// installedAtStart notes which verifiers a session had when it began, once: the gate gets no weaker by what goes later.
func (h *Handlers) installedAtStart(e *hook.Event) {
	list := h.installed(h.settingsFolder(e))
	if len(list) == 0 {
		return
	}
	var looks []session.Looker
	for _, a := range list {
		looks = append(looks, session.Looker(a))
	}
	h.learn(e, func(s *session.Session) {
		if s.Looks == nil {
			s.Looks = looks
		}
	})
}

// vanished are the verifiers that a session had when it began, and that are installed no more.
func (h *Handlers) vanished(e *hook.Event, installed []verify.Agent) (list []verify.Agent) {
	for _, l := range h.who(e).Looks {
		if a := verify.Agent(l); !slices.ContainsFunc(installed, func(one verify.Agent) bool { return one.Name == a.Name }) {
			list = append(list, a)
		}
	}
	return list
}
