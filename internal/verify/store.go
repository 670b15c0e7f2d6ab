package verify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// Keep is how long the work of a session is known. Clients resume sessions days later.
const Keep = 14 * 24 * time.Hour

// Folder is where the states lie, in the state folder of moai; what is older than Keep may be removed.
const Folder = "verify"

// Path is the file of a session.
func Path(stateDir, session string) string {
	return state.File(filepath.Join(stateDir, Folder), session)
}

// Read is the work of a session, nil where none is known.
func Read(stateDir, session string) *State {
	if session == "" {
		return nil
	}
	return read(Path(stateDir, session))
}

func read(path string) *State {
	s := &State{}
	if !state.Read(path, Keep, s) || s.Session == "" {
		return nil
	}
	return s
}

// Change edits the state of a session under its lock, so that hooks of one session that run side by side lose nothing.
// Nothing is written where change reports false.
func Change(stateDir, session, project string, now time.Time, change func(*State) bool) error {
	return state.Update(Path(stateDir, session), Keep, func(s *State) bool {
		if s.Session == "" {
			s.Session, s.Project, s.Began = session, project, now
		}
		if !change(s) {
			return false
		}
		s.Seen = now
		return true
	})
}

// Newest is the state of the session that was last at work in a project, nil for none.
func Newest(stateDir, project string) (last *State) {
	dir := filepath.Join(stateDir, Folder)
	for _, e := range state.Files(dir) {
		if s := read(filepath.Join(dir, e.Name())); s.Shows() && s.Project == project && (last == nil || s.Seen.After(last.Seen)) {
			last = s
		}
	}
	return last
}

// At lists the sessions of a project of which files waited for a look at the end of the last turn.
func At(stateDir, project string) (sessions []string) {
	dir := filepath.Join(stateDir, Folder)
	for _, e := range state.Files(dir) {
		if s := read(filepath.Join(dir, e.Name())); s != nil && s.Project == project && s.Last != nil && len(s.Last.Files) > 0 {
			sessions = append(sessions, s.Session)
		}
	}
	return sessions
}

// Shows reports a state with something that people are told of: it may be nil, or know of nothing but changes of others.
func (s *State) Shows() bool {
	return s != nil && (len(s.Files)+len(s.Commits)+len(s.Runs)+len(s.Objects) > 0 || s.Last != nil || len(s.Away)+len(s.First) == 0)
}

// Gate counts, for one project and all its sessions, how often the end of a turn was held up since a verifier found
// something.
type Gate struct {
	Blocks int       `json:"blocks"`
	Found  time.Time `json:"found_at,omitzero"` // the last finding
}

// Patience is after how many blocks without a finding a gate only reminds.
const Patience = 20

// Spent reports that the gate only reminds.
func (g *Gate) Spent() bool { return g.Blocks >= Patience }

func gatePath(stateDir, project string) string {
	return filepath.Join(stateDir, Folder, "gate", state.ProjectKey(project)+".json")
}

// GateOf is the gate of a project.
func GateOf(stateDir, project string) (g Gate) {
	state.Read(gatePath(stateDir, project), Keep, &g)
	return g
}

// Held notes that the gate of a project held a turn up.
func Held(stateDir, project string) error {
	return state.Update(gatePath(stateDir, project), Keep, func(g *Gate) bool { g.Blocks++; return true })
}

// Paid notes that a verifier found something: the gate is worth its blocks.
func Paid(stateDir, project string, now time.Time) error {
	return state.Update(gatePath(stateDir, project), Keep, func(g *Gate) bool { g.Blocks, g.Found = 0, now; return true })
}

// picturePath is where the picture before a call lies until the call is done.
func picturePath(stateDir, session, call string) string {
	return filepath.Join(stateDir, Folder, "before", state.SafeName(session)+"-"+state.SafeName(call)+".json")
}

// Put keeps the picture before a call.
func (p *Picture) Put(stateDir, session, call string) error {
	return state.Write(picturePath(stateDir, session, call), p)
}

// Taken is the picture from before a call; nil where there is none. It stays until the call is settled: where the hook is cut off before that, the
// end of the turn finds it among those of whose end nobody told.
func Taken(stateDir, session, call string) *Picture {
	p := &Picture{}
	if !state.Read(picturePath(stateDir, session, call), Keep, p) {
		return nil
	}
	return p
}

// Settled drops the picture from before a call: what the call changed is noted.
func Settled(stateDir, session, call string) {
	_ = os.Remove(picturePath(stateDir, session, call)) // one that stays is swept
}

// Unended are the pictures from before calls of a session of whose end nobody told, the oldest first, once.
func Unended(stateDir, session string) (list []*Picture) {
	dir := filepath.Join(stateDir, Folder, "before")
	for _, e := range state.Files(dir) {
		if !strings.HasPrefix(e.Name(), state.SafeName(session)+"-") {
			continue
		}
		p := &Picture{}
		if path := filepath.Join(dir, e.Name()); state.Read(path, Keep, p) && p.Call != nil && p.Call.Session == session {
			_ = os.Remove(path)
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *Picture) int { return a.At.Compare(b.At) })
	return list
}
