package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/modu-ai/moai/internal/seat"
)

// Silence is how long a session whose process is gone may be silent before it is closed.
const Silence = 24 * time.Hour

// Standing is what is to be thought of a session.
type Standing string

// The standings.
const (
	Running Standing = "running" // it goes on, as far as can be told
	Gone    Standing = "gone"    // its process is gone, and nobody has ended it yet
	Over    Standing = "ended"
)

// Fingerprint tells terminals apart: the same client process in the same terminal on the same project has one, whatever
// the folder it has gone to since, and another terminal another.
func Fingerprint(project, tty string, c Client) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s:%s:%d:%s", project, tty, c.PID, c.Began))
	return hex.EncodeToString(sum[:8])
}

// Standing says whether the session goes on. Where its process cannot be looked at (no process is known, another machine
// that shares this folder), it does as long as it was seen within a day.
func (s *Session) Standing(now time.Time) Standing {
	switch {
	case !s.Ended.IsZero():
		return Over
	case s.Client.PID == 0 || s.Host != host():
		if now.Sub(s.Seen) < Silence {
			return Running
		}
	case seat.Runs(s.Client.PID, s.Client.Began):
		return Running
	}
	return Gone
}

// Doing is what a session does, in one word.
type Doing string

// What sessions do. One that is not running has its standing for a word.
const (
	Waiting Doing = "waiting" // for an answer of a person
	Working Doing = "working"
	Idle    Doing = "idle"  // its turn is over, or none has begun
	Quiet   Doing = "stale" // its turn has not ended, and nothing was heard for 30 minutes
)

// quiet is how long nothing may be heard of a turn that has not ended before its session counts as stale.
const quiet = 30 * time.Minute

// Waits is since when the session waits for the answer of a person; zero where it does not. Behind the end of a turn any session waits for one:
// that is idle.
func (s *Session) Waits(now time.Time) (since time.Time) {
	if s.Asks == nil || s.Standing(now) != Running || s.Turn.Number > 0 && !s.Turn.Runs() {
		return since
	}
	return s.Asks.At
}

// Doing says what the session does. last is when something was heard last.
func (s *Session) Doing(now, last time.Time) Doing {
	if standing := s.Standing(now); standing != Running {
		return Doing(standing)
	}
	switch runs := s.Turn.Runs(); {
	case !s.Waits(now).IsZero():
		return Waiting
	case runs && now.Sub(last) < quiet:
		return Working
	case runs:
		return Quiet
	}
	return Idle
}

// Stale reports a session that nobody will end any more: its process is gone, or cannot be known, and it has been silent
// for a day.
func (s *Session) Stale(now time.Time) bool {
	return now.Sub(s.Seen) >= Silence && s.Standing(now) == Gone
}

// WhyClosed is why a stale session was closed.
const WhyClosed = "its process is gone, and it was silent for 24 h"

// CloseStale closes the sessions that are stale and returns them. It stops at the deadline; the rest is closed next time.
func CloseStale(stateDir string, now, deadline time.Time) (closed []*Session) {
	for _, s := range Silent(stateDir, now.Add(-Silence)) {
		if time.Now().After(deadline) {
			break
		}
		if !s.Stale(now) {
			continue
		}
		did := false
		err := Change(stateDir, s.ID, now, func() *Session { return s }, func(s *Session) bool {
			if did = s.Stale(now); did { // it may have come back since
				s.Close(WhyClosed, now)
			}
			return did
		})
		if err == nil && did {
			closed = append(closed, s)
		}
	}
	return closed
}

// Born finds out who the session is of which a hook runs in this process.
func Born(project string, start Place, at *seat.Finder) *Session {
	s := &Session{Project: project, Start: start, Now: start, Host: host()}
	s.Sit(at)
	return s
}

// Sit finds out which client runs the session, and in which terminal. It is done when a session begins, and when it is
// taken up again: other processes and another terminal are the rule then.
func (s *Session) Sit(at *seat.Finder) {
	p, name := at.Client()
	s.Client = Client{Name: name, PID: p.ID, Began: p.Began}
	s.TTY = at.TTY(p)
	s.Fingerprint = Fingerprint(s.Project, s.TTY, s.Client)
}

// Known reports that the session's process can be looked at: it is on this machine.
func (s *Session) Known() bool { return s.Client.PID != 0 && s.Host == host() }
