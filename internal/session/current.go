package session

import (
	"time"

	"github.com/modu-ai/moai/internal/seat"
)

// Current is the session in which this process runs: the one that the client's variables name, which is id, else the one
// whose client is a process above, the nearest. Nil where there is none.
func Current(stateDir, id string, at *seat.Finder) *Session {
	if s := Read(stateDir, id); s != nil {
		return s
	}
	open := Open(stateDir, time.Time{})
	for _, p := range at.Above() {
		// One client has several, one after another: the last seen is the one.
		if s := first(open, func(s *Session) bool { return s.Host == host() && s.Client.PID == p.ID && s.Client.Began == p.Began }); s != nil {
			return s
		}
	}
	return nil
}
