package session

import (
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/seat"
)

// Comes finds out from which other a new session comes. Kind is what the client says of how it begins: Cleared, Forked,
// Resumed, or "" for nothing.
func (s *Session) Comes(kind, stateDir string, at *seat.Finder, now time.Time) {
	if kind == "" {
		s.from(kind, Open(stateDir, time.Time{}), at)
		return
	}
	others := Recent(stateDir, now)
	p, _ := at.Client()
	for _, arg := range p.Args { // the one that the command line names may have ended long ago
		if o := Read(stateDir, arg); o != nil && o.ID == arg {
			others = append(others, o)
		}
	}
	s.from(kind, others, at)
}

// from is Comes among sessions that were read, the last seen first.
func (s *Session) from(kind string, others []*Session, at *seat.Finder) {
	var parent *Session
	switch kind {
	case Cleared:
		parent = s.before(others)
	case Forked:
		if parent = s.named(others, at); parent == nil {
			parent = s.before(others)
		}
		// What goes on with "the last conversation" names none: clients take the last one of the folder.
		if parent == nil {
			parent = first(others, func(o *Session) bool { return o.Start.Dir == s.Start.Dir })
		}
	case Resumed:
		parent = s.named(others, at)
	}
	if parent == nil {
		if parent = s.above(others, at); parent == nil {
			return
		}
		kind = Subagent
		if s.Start.Repository != "" && s.Start.Repository == parent.Start.Repository && s.Start.WorkTree != parent.Start.WorkTree {
			kind = Worktree
		}
	}
	s.Link = &Link{kind, parent.ID}
	if s.Model == "" && kind != Subagent && kind != Worktree { // no client says it then, and it goes on with the same
		s.Model = parent.Model
	}
}

// before is the session that the same client process had last.
func (s *Session) before(others []*Session) *Session {
	if s.Client.PID == 0 {
		return nil
	}
	return first(others, func(o *Session) bool { return o.ID != s.ID && o.Host == s.Host && o.Client == s.Client })
}

// named is a session whose id stands on the command line of the client.
func (s *Session) named(others []*Session, at *seat.Finder) *Session {
	p, _ := at.Client()
	return first(others, func(o *Session) bool { return o.ID != s.ID && slices.Contains(p.Args, o.ID) })
}

// above is the session whose client started, by way of others, the client of s: the nearest.
func (s *Session) above(others []*Session, at *seat.Finder) *Session {
	list := at.Above()
	own := slices.IndexFunc(list, func(p seat.Process) bool { return p.ID == s.Client.PID })
	if own < 0 {
		return nil
	}
	for _, p := range list[own+1:] {
		if o := first(others, func(o *Session) bool {
			return o.Host == s.Host && o.Client.PID == p.ID && o.Client.Began == p.Began
		}); o != nil {
			return o
		}
	}
	return nil
}

func first(list []*Session, is func(*Session) bool) *Session {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i]
	}
	return nil
}
