package session

import (
	"time"

	"github.com/modu-ai/moai/internal/seat"
)

// Current is the session in which this process runs: the one that the client's variables name, else the one whose client
// is a process above, the nearest. Nil where there is none.
func Current(stateDir string, at *seat.Finder, now time.Time) *Session {
	if id := at.Session(); id != "" {
		if s := Read(stateDir, id); s != nil {
			return s
		}
	}
	open := Open(stateDir, time.Time{})
	for _, p := range at.Above() {
		var last *Session // one client has several, one after another
		for _, s := range open {
			if s.Client.PID == p.ID && s.Client.Began == p.Began && s.Host == host() && (last == nil || s.Seen.After(last.Seen)) {
				last = s
			}
		}
		if last != nil {
			return last
		}
	}
	return nil
}
