package handle

import (
	"slices"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/seat"
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

// sentAtStart notes whether the hooks of the client can be told from what its agents run: what cannot be seen of the session's beginning is
// asked of no later event.
func (h *Handlers) sentAtStart(e *hook.Event) {
	if e.Dialect == hook.Claude && h.seat().Sent(0) == seat.Hooked {
		h.learn(e, func(s *session.Session) { s.Hooked = true })
	}
}

// forged reports an event of a verifier's that a command line sent, and not the client. A program that sets the same
// variables is not told apart. The program that answers is not compared, so that an update within a session breaks no look.
func (h *Handlers) forged(e *hook.Event) bool {
	s := h.who(e)
	if e.Dialect != hook.Claude || !s.Hooked || !s.Known() {
		return false
	}
	switch h.seat().Sent(s.Client.PID) {
	case seat.Ran:
		return true
	case seat.Loose:
		return seat.Runs(s.Client.PID, s.Client.Began)
	}
	return false
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
