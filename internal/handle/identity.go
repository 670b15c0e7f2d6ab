package handle

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// promptWords is how much of a prompt tells sessions apart in a list.
const promptWords = 80

// identity is the session of the event that is answered, read once for all handlers, and what they have to say of it,
// written once behind them. Handlers that were left behind may still ask.
type identity struct {
	mu   sync.Mutex
	self *session.Session
	born *session.Session // what is written of one that is not known yet
	news bool             // the event says something new of it
	more []func(*session.Session)

	prompted bool    // a person's prompt began a turn
	head     *string // of the prompt
}

// who is the session of an event, as it is once the event is taken in. It is never nil; clients without session ids have one
// of which nothing is known.
func (h *Handlers) who(e *hook.Event) *session.Session {
	h.identity.mu.Lock()
	defer h.identity.mu.Unlock()
	return h.load(e)
}

func (h *Handlers) load(e *hook.Event) *session.Session {
	if h.identity.self != nil {
		return h.identity.self
	}
	s := session.Read(h.StateDir, e.SessionID)
	if s == nil && e.SessionID != "" && !h.DryRun {
		s = h.bear(e)
		born := *s
		h.identity.born, h.identity.news = &born, true
	}
	if s == nil {
		s = &session.Session{ID: e.SessionID}
	}
	if h.follow(s, e) {
		h.identity.news = true
	}
	h.identity.self = s
	return s
}

// isNew reports that the session of the event, which who has found, was not known before.
func (h *Handlers) isNew() bool {
	h.identity.mu.Lock()
	defer h.identity.mu.Unlock()
	return h.identity.born != nil
}

// prompted reports that the event is a person's prompt, which begins a turn.
func (h *Handlers) prompted(e *hook.Event) bool {
	h.who(e)
	return h.identity.prompted
}

// learn says something of the session of an event. It is written when all handlers were asked.
func (h *Handlers) learn(e *hook.Event, change func(*session.Session)) {
	h.identity.mu.Lock()
	defer h.identity.mu.Unlock()
	change(h.load(e))
	h.identity.more = append(h.identity.more, change)
}

// bear finds out who a session is of which nothing is known.
func (h *Handlers) bear(e *hook.Event) *session.Session {
	at := h.seat()
	s := session.Born(root(e), Place(e.CWD), at)
	s.Hide(h.head, h.hidePath)
	s.ID = e.SessionID
	kind := ""
	switch events.Source(e) {
	case "clear":
		kind = session.Cleared
	case "fork":
		kind = session.Forked
	case "resume":
		kind = session.Resumed
	}
	s.Comes(kind, h.StateDir, at, h.now())
	return s
}

func (h *Handlers) seat() *seat.Finder {
	at := h.Tables.Seat
	at.Getenv = h.Getenv
	return &at
}

// Place is a folder as sessions have it.
func Place(dir string) session.Place {
	p := session.Place{Dir: dir}
	if r, err := repo.Open(dir); err == nil {
		if r.WorkTree != "" {
			p.WorkTree = disk.Real(r.WorkTree)
		}
		p.Repository = disk.Real(r.CommonDir)
	}
	return p
}

// keepIdentity writes what is new of the session, once for each hook call. The usual call says nothing new: its session's
// file gets a new time, once a minute.
func (h *Handlers) keepIdentity(_ context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun {
		return hook.Answer{}, nil
	}
	h.identity.mu.Lock()
	defer h.identity.mu.Unlock()
	now := h.now().UTC()
	if h.identity.self == nil && e.Name == "PreToolUse" {
		if known, news := session.Touch(h.StateDir, e.SessionID, now); known && !news {
			return hook.Answer{}, nil
		}
	}
	defer func() {
		if s := h.identity.self; s != nil && s.Asks != nil {
			session.Wait(h.StateDir, e.SessionID, now)
		}
	}()
	h.load(e)
	if !h.identity.news && len(h.identity.more) == 0 {
		session.Touch(h.StateDir, e.SessionID, now)
		return hook.Answer{}, nil
	}
	err := session.Change(h.StateDir, e.SessionID, now, func() *session.Session {
		if h.identity.born == nil { // its file is gone since
			return h.bear(e)
		}
		return h.identity.born
	}, func(s *session.Session) bool {
		changed := h.follow(s, e)
		for _, change := range h.identity.more {
			change(s)
			changed = true
		}
		if changed || s.Seen.IsZero() {
			s.Hide(h.head, h.hidePath)
		}
		return changed
	})
	if err != nil {
		h.Log.Warn("session not kept", "err", err)
	}
	return hook.Answer{}, nil
}

// follow takes over what an event says of its session, and reports whether that is new.
func (h *Handlers) follow(s *session.Session, e *hook.Event) (changed bool) {
	now, agent := h.now().UTC(), h.head(events.AgentID(e))
	if s.Asks != nil && s.Asks.Agent == agent && e.Name != "Notification" { // it goes on
		s.Asks, changed = nil, true
	}
	switch e.Name {
	case "SessionEnd":
		s.Close(orText(events.Reason(e), "unknown reason"), now)
		return true
	case "SubagentStart":
		s.Begun(agent, events.AgentType(e), e.CWD, now)
		return true
	case "SubagentStop":
		return s.Finished(agent, now)
	case "StopFailure":
		if agent != "" {
			return s.Finished(agent, now)
		}
	case "SessionStart":
		changed = h.begun(s, e, now) || changed
	case "PreToolUse":
		changed = changed || !s.Ended.IsZero()
		s.Open()
	}
	if h.turn(s, e, agent, now) {
		changed = true
	}
	if agent != "" { // where a sub-agent stands, and how it may ask, is its own
		return changed
	}
	for _, one := range []struct {
		of  *string
		now string
	}{{&s.Model, orText(events.Model(e), events.ToModel(e))}, {&s.Mode, events.PermissionMode(e)}} {
		if one.now = h.head(one.now); one.now != "" && one.now != *one.of {
			*one.of, changed = one.now, true
		}
	}
	if s.Talk == "" || e.Name == "SessionStart" {
		// The name is looked at without its ending, which would make part of a secret of it. A path that had to be masked leads nowhere.
		talk := events.TranscriptPath(e)
		if name := strings.TrimSuffix(talk, ".jsonl"); name != "" && talk != s.Talk && h.hidePath(name) == name {
			s.Talk, changed = talk, true
		}
	}
	dir := orText(events.NewCWD(e), e.CWD)
	if dir != "" && h.hidePath(dir) != s.Now.Dir {
		s.Now, changed = Place(dir), true
	}
	return changed
}

// begun takes over that a session begins, or goes on.
func (h *Handlers) begun(s *session.Session, e *hook.Event, now time.Time) (changed bool) {
	if s.Started.IsZero() { // it was found out a moment ago
		return true
	}
	source := events.Source(e)
	if source == "compact" && s.Ended.IsZero() {
		return false
	}
	if source == "resume" || !s.Ended.IsZero() {
		s.Resume(h.seat(), now)
	}
	s.Open()
	return true
}

// turn takes over what an event says of the turn.
func (h *Handlers) turn(s *session.Session, e *hook.Event, agent string, now time.Time) (changed bool) {
	turns := &h.Tables.Turns
	if e.Name == turns.Begins {
		if agent == "" && !s.Ended.IsZero() {
			s.Open()
			changed = true
		}
		text := events.Prompt(e)
		p := session.Prompt{Text: text, ID: h.head(events.PromptID(e)), Agent: agent}
		if h.identity.head == nil {
			head := ""
			if h.keepsPrompts() {
				head = term.Clip(h.mask(text), promptWords)
			}
			h.identity.head = &head
		}
		if s.Prompted(p, turns.Machine, *h.identity.head, now) {
			h.identity.prompted = true
			return true
		}
		return agent == "" && s.GoOn() || changed
	}
	for i := range turns.Ends {
		end := &turns.Ends[i]
		if end.Event == e.Name && (end.When == "" || e.Raw(end.When).Bool()) {
			if agent == "" && e.ToolName != "" { // a hook had it go on, and this is the first that is heard of it since
				s.GoOn()
			}
			return (agent == "" || end.When != "") && s.End(end.How, now)
		}
	}
	// A tool of the main thread after the end of a turn: a hook had it go on.
	return agent == "" && e.ToolName != "" && s.Ended.IsZero() && s.GoOn()
}

// heldWords is how much is kept of what held up the end of a turn, in bytes.
const heldWords = 200

// Held notes with which words the end of a turn was held up: clients that have no other way send them as a prompt, which is no person's.
func (h *Handlers) Held(e *hook.Event, a hook.Answer) {
	ends := slices.ContainsFunc(h.Tables.Turns.Ends, func(end rule.TurnEnd) bool { return end.Event == e.Name })
	if a.Decision != hook.Block || !ends || h.DryRun || e.SessionID == "" || events.AgentID(e) != "" {
		return
	}
	words, _, _ := strings.Cut(strings.TrimSpace(a.Reason), "\n")
	words = strings.TrimSpace(strings.ToValidUTF8(words[:min(len(words), heldWords)], ""))
	err := session.Change(h.StateDir, e.SessionID, h.now().UTC(), func() *session.Session { return h.bear(e) }, func(s *session.Session) bool {
		s.Turn.Held = h.mask(words)
		s.Hide(h.head, h.hidePath)
		return true
	})
	if err != nil {
		h.Log.Warn("session not kept", "err", err)
	}
}

// longestPath is longer than systems have them.
const longestPath = 4 << 10

// hidePath is a path as it is kept.
func (h *Handlers) hidePath(path string) string { return HidePath(path, h.mask) }

// HidePath is a path as sessions keep it: without secrets, and no longer than paths are.
func HidePath(path string, mask func(string) string) string {
	return term.Clip(mask(path), longestPath)
}

// closeTime bounds the look for sessions that nobody ended.
const closeTime = 100 * time.Millisecond

// closeStale closes the sessions whose processes are gone and that were silent for a day, and says which of this project
// they were. The journal of each has it.
func (h *Handlers) closeStale(e *hook.Event) []string {
	if h.DryRun {
		return nil
	}
	var here []string
	for _, s := range session.CloseStale(h.StateDir, h.now().UTC(), time.Now().Add(closeTime)) {
		if s.ID == e.SessionID {
			continue
		}
		h.note(&hook.Event{SessionID: s.ID, ProjectDir: s.Project}, "session closed: "+session.WhyClosed, types.SessionEnd{Reason: session.WhyClosed})
		if s.Project == root(e) {
			here = append(here, called(s))
		}
	}
	if len(here) == 0 {
		return nil
	}
	return []string{"closed, since its process is gone and it was silent for 24 h: " + strings.Join(here, "; ")}
}
