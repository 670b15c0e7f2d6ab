package session

import (
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/seat"
)

// Session is what is known of one.
type Session struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"` // tells terminals apart; see Fingerprint
	Client      Client `json:"client"`
	TTY         string `json:"tty,omitempty"` // the terminal of the client; "" without one
	Host        string `json:"host,omitempty"`

	Project string `json:"project"` // the root when it began
	Start   Place  `json:"start"`   // where it began; stays
	Now     Place  `json:"now"`     // where it was last seen

	Started time.Time `json:"started_at"`
	Seen    time.Time `json:"last_seen"`         // when a hook of it ran last, to the minute
	Ended   time.Time `json:"ended_at,omitzero"` // zero while it goes on
	Why     string    `json:"ended_why,omitempty"`
	Resumed []Resume  `json:"resumed,omitempty"` // the newest last
	Link    *Link     `json:"link,omitempty"`    // the session from which it comes

	Turn     Turn      `json:"turn"`
	Model    string    `json:"model,omitempty"`
	Mode     string    `json:"permission_mode,omitempty"`
	Talk     string    `json:"transcript,omitempty"` // the file of its conversation
	Port     string    `json:"port_id,omitempty"`
	Snapshot *Snapshot `json:"snapshot,omitempty"` // the last one
	Tests    *Tests    `json:"tests,omitempty"`    // how the last run of tests ended
	Built    *Tests    `json:"built,omitempty"`    // how the last build ended
	Wrote    []Write   `json:"wrote,omitempty"`    // files that its tools changed lately, the newest last
	Edits    Edits     `json:"edits,omitzero"`
	Agents   []Agent   `json:"agents,omitempty"`    // its sub-agents, the newest last
	Hid      bool      `json:"hid,omitempty"`       // it has Git pass over files from before; package verify knows which
	Looks    []Looker  `json:"verifiers,omitempty"` // the verifiers that were installed when it began
	Hooked   bool      `json:"hooked,omitempty"`    // hooks of its client can be told from what its agents run
	Told     []string  `json:"told,omitempty"`      // files about whose other writers it was told
	Decided  []Decided `json:"decisions,omitempty"` // what was decided about its calls, the newest last
	Asks     *Question `json:"asks,omitempty"`      // what a person was asked, nil from when the one that asked goes on
}

// Looker is a sub-agent whose look at the work counts: package verify says what it verifies.
type Looker struct {
	Name  string   `json:"name"`
	Needs []string `json:"verifies"`
	File  string   `json:"file"` // its definition
}

// Question is one that a person has not answered yet.
type Question struct {
	At    time.Time `json:"at"`
	Agent string    `json:"agent,omitempty"` // the sub-agent that asked: what others do meanwhile is no answer
}

// Client is the process of the agent.
type Client struct {
	Name  string `json:"name,omitempty"`
	PID   int    `json:"pid,omitempty"`   // 0 where it was not found
	Began string `json:"began,omitempty"` // as the system has it, to tell processes of one id apart
}

// Place is a folder, and the work tree around it. Links are followed.
type Place struct {
	Dir        string `json:"cwd"`
	WorkTree   string `json:"worktree,omitempty"`   // "" outside Git
	Repository string `json:"repository,omitempty"` // the folder that all work trees of one repository share
}

// Link says from which session another comes.
type Link struct {
	Kind   string `json:"kind"` // one of the Kinds
	Parent string `json:"parent"`
}

// The kinds of links. What a person goes on with, and what a session starts, are different things: Child tells them apart.
const (
	Resumed  = "resumed"  // goes on with another session, under an id of its own
	Forked   = "forked"   // began as a copy of another
	Cleared  = "cleared"  // the same client, after its conversation was cleared
	Subagent = "subagent" // started by what another session ran
	Worktree = "worktree" // the same, in another work tree of its repository
)

// Child reports a link to a session that started this one.
func (l *Link) Child() bool { return l.Kind == Subagent || l.Kind == Worktree || l.Kind == Forked }

// Resume is one time that a client took the session up again.
type Resume struct {
	At          time.Time `json:"at"`
	Fingerprint string    `json:"fingerprint"` // of the terminal in which it was until then
}

// Snapshot is one that was taken for the session.
type Snapshot struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
}

// Tests is the outcome of a run of tests, or of a build.
type Tests struct {
	Passed  bool      `json:"passed"`
	Command string    `json:"command"` // its first words, masked
	At      time.Time `json:"at"`
	Part    bool      `json:"part,omitempty"` // some of the tests only
}

// Write is a file that a session changed.
type Write struct {
	Path  string    `json:"path"` // absolute, links followed
	At    time.Time `json:"at"`
	Agent string    `json:"agent,omitempty"` // the sub-agent that did it
	Ran   bool      `json:"ran,omitempty"`   // by a command, and not by a tool that was given the file
}

// Decided is one decision.
type Decided struct {
	What string    `json:"what"` // one masked line
	At   time.Time `json:"at"`
}

// Agent is a sub-agent inside a session.
type Agent struct {
	ID      string    `json:"id"`
	Type    string    `json:"type,omitempty"`
	Turn    int       `json:"turn"` // in which it began
	Dir     string    `json:"cwd,omitempty"`
	Started time.Time `json:"started_at"`
	Ended   time.Time `json:"ended_at,omitzero"`
}

// Bounds of the lists, so that the file stays small.
const (
	keepWrites  = 40
	keepAgents  = 20
	keepResumes = 10
	keepTold    = 40
	keepDecided = 10
)

func add[T any](list []T, one T, most int) []T {
	list = append(list, one)
	if over := len(list) - most; over > 0 {
		list = slices.Delete(list, 0, over)
	}
	return list
}

// shortID is how much of an id people need: those of the clients begin at random, or with the time.
const shortID = 13

// Short is an id as lists show it.
func Short(id string) string {
	if r := []rune(id); len(r) > shortID {
		return strings.TrimRight(string(r[:shortID]), "-")
	}
	return id
}

// Saved notes the last snapshot.
func (s *Session) Saved(id string, at time.Time) { s.Snapshot = &Snapshot{id, at} }

// Tested notes how a run of tests ended.
func (s *Session) Tested(command string, passed bool, at time.Time) {
	s.Tests = &Tests{Passed: passed, Command: command, At: at}
}

// Builds notes how a build ended.
func (s *Session) Builds(command string, passed bool, at time.Time) {
	s.Built = &Tests{Passed: passed, Command: command, At: at}
}

// Changed notes a file that was changed, by its path with the links on it followed.
func (s *Session) Changed(w Write) {
	s.Wrote = slices.DeleteFunc(s.Wrote, func(old Write) bool { return old.Path == w.Path })
	s.Wrote = add(s.Wrote, w, keepWrites)
}

// Decide notes what was decided about a call.
func (s *Session) Decide(what string, at time.Time) {
	s.Decided = add(s.Decided, Decided{what, at}, keepDecided)
}

// Tell notes that the session was told who else writes a file; false if it was before.
func (s *Session) Tell(path string) bool {
	if slices.Contains(s.Told, path) {
		return false
	}
	s.Told = add(s.Told, path, keepTold)
	return true
}

// Resume notes that a client took the session up again. Where it is another process, it is in another terminal, mostly.
func (s *Session) Resume(at *seat.Finder, when time.Time) {
	s.Resumed = add(s.Resumed, Resume{when, s.Fingerprint}, keepResumes)
	s.Sit(at)
}

// wrote is when the session changed a file last.
func (s *Session) wrote(path string) (Write, bool) {
	i := slices.IndexFunc(s.Wrote, func(w Write) bool { return w.Path == path })
	if i < 0 {
		return Write{}, false
	}
	return s.Wrote[i], true
}

// Begun notes that a sub-agent started.
func (s *Session) Begun(id, kind, dir string, at time.Time) {
	s.Agents = add(s.Agents, Agent{ID: id, Type: kind, Turn: s.Turn.Number, Dir: dir, Started: at}, keepAgents)
}

// Finished notes that a sub-agent ended; false if it is not known.
func (s *Session) Finished(id string, at time.Time) bool {
	i := slices.IndexFunc(s.Agents, func(a Agent) bool { return a.ID == id })
	if i < 0 {
		return false
	}
	s.Agents[i].Ended = at
	return true
}

// Close ends the session.
func (s *Session) Close(why string, at time.Time) {
	s.End(TurnEnded, at)
	s.Ended, s.Why = at, why
}

// Open takes up a session that was ended.
func (s *Session) Open() { s.Ended, s.Why = time.Time{}, "" }
