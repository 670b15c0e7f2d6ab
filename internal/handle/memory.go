package handle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// sessionTTL is how long a session that nobody ended is remembered. Clients
// resume sessions days later.
const sessionTTL = 14 * 24 * time.Hour

// Bounds of what is remembered, so that the file stays a small read: every Write and Edit
// reads it before it runs.
const (
	keepPrompts = 3
	keepTasks   = 50
	keepSaved   = 20 // checkpoints; checkpoint.keep is 10 unless somebody sets it
	keepUnheld  = 50 // folders, and files
	keepPorts   = 60
	promptRunes = 200
)

// memory is what moai knows of one client session between its hook calls.
type memory struct {
	Project     string            `json:"project"`
	Started     time.Time         `json:"started"`
	Docs        map[string]string `json:"docs,omitempty"`    // document → its stamp when it was handed over
	Tokens      map[string]int    `json:"tokens,omitempty"`  // document → how long it is about
	Modes       []string          `json:"modes,omitempty"`   // rules of the modes whose text the model has
	Prompts     []string          `json:"prompts,omitempty"` // heads of the last ones
	Tasks       []task            `json:"tasks,omitempty"`
	Checkpoints []string          `json:"checkpoints,omitempty"`
	Branchless  string            `json:"branchless,omitempty"` // why the last checkpoint has no branch, as the user was told
	Compact     *snapshot         `json:"compact,omitempty"`
	Doubts      string            `json:"doubts,omitempty"`    // what the user was told of the surroundings
	Unread      string            `json:"unread,omitempty"`    // what the user was told of rules that do not load, at a question
	Unheld      []string          `json:"unheld,omitempty"`    // folders in no repository of which the user was told
	Unkept      []string          `json:"unkept,omitempty"`    // work trees of which the user was told that no snapshot of a turn can be taken
	Asked       []held            `json:"asked,omitempty"`     // files in no repository that the user was asked about
	Guard       *standing         `json:"guard,omitempty"`     // how it stood when the session began
	Warned      map[string]string `json:"warned,omitempty"`    // what the user was told at the end of a turn, by kind
	Port        string            `json:"port,omitempty"`      // of which the model was told
	AutoPort    int               `json:"auto_port,omitempty"` // the turn, and one, in which one was started for an edit
	Ports       []string          `json:"ports,omitempty"`     // what was said about edits and ports
	Lost        string            `json:"lost,omitempty"`      // how a change of settings would take it away, as the user was told
}

type task struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
	Status  string `json:"status"` // pending, in_progress, completed
}

// What the client calls a task that is done, and one that is no more.
const (
	taskDone = "completed"
	taskGone = "deleted"
)

// snapshot is what a compaction would make the model forget.
type snapshot struct {
	At      time.Time `json:"at"`
	Trigger string    `json:"trigger"` // manual or auto
	Asked   string    `json:"asked,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Port    string    `json:"port_id,omitempty"`

	Turn      int       `json:"turn,omitempty"` // the last one
	Began     time.Time `json:"turn_began_at,omitzero"`
	Prompt    string    `json:"turn_prompt,omitempty"`
	Changed   []string  `json:"turn_files,omitempty"` // files that tools changed in it
	Decisions []string  `json:"decisions,omitempty"`  // about calls of the session, the last ones
}

// asked adds the head of a prompt, on one line: it comes back in a list.
func (m *memory) asked(prompt string) {
	head := term.OneLine(prompt, promptRunes)
	if head == "" {
		return
	}
	m.Prompts = append(m.Prompts, head)
	if over := len(m.Prompts) - keepPrompts; over > 0 {
		m.Prompts = slices.Delete(m.Prompts, 0, over)
	}
}

// given adds documents that were handed over; seen has their stamps.
func (m *memory) given(seen map[string]string, docs []jit.Doc) {
	if m.Docs == nil {
		m.Docs = map[string]string{}
	}
	maps.Copy(m.Docs, seen)
	if m.Tokens == nil && len(docs) > 0 {
		m.Tokens = map[string]int{}
	}
	for i := range docs {
		m.Tokens[docs[i].Path] = docs[i].Tokens
	}
}

// tokens is how long all documents are that were handed over, about.
func (m *memory) tokens() (n int) {
	for _, t := range m.Tokens {
		n += t
	}
	return n
}

// named adds modes whose text was handed over.
func (m *memory) named(modes []jit.Given) {
	for _, mode := range modes {
		if !slices.Contains(m.Modes, mode.Rule) {
			m.Modes = append(m.Modes, mode.Rule)
		}
	}
}

// track takes over one task's state; the newest report counts.
func (m *memory) track(t task) {
	for i := range m.Tasks {
		if m.Tasks[i].ID == t.ID {
			if t.Subject == "" { // a change of the status alone does not name the task again
				t.Subject = m.Tasks[i].Subject
			}
			m.Tasks[i] = t
			if t.Status == taskGone {
				m.Tasks = slices.Delete(m.Tasks, i, i+1)
			}
			return
		}
	}
	if len(m.Tasks) == keepTasks {
		// What is done is not asked for again; without any, the oldest goes.
		done := slices.IndexFunc(m.Tasks, func(t task) bool { return t.Status == taskDone })
		m.Tasks = slices.Delete(m.Tasks, max(done, 0), max(done, 0)+1)
	}
	m.Tasks = append(m.Tasks, t)
}

// checkpointed adds a snapshot that was taken.
func (m *memory) checkpointed(name string) {
	m.Checkpoints = append(m.Checkpoints, name)
	if over := len(m.Checkpoints) - keepSaved; over > 0 {
		m.Checkpoints = slices.Delete(m.Checkpoints, 0, over)
	}
}

// recall is the text that brings a compacted session back to where it was.
func (m *memory) recall(edits *session.Edits) string {
	var b strings.Builder
	b.WriteString("State of this session before the conversation was compacted, kept by moai:")
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n- %s: %s", label, text)
		}
	}
	if m.Compact != nil {
		line("git branch", m.Compact.Branch)
		line("compaction was asked for with", m.Compact.Asked)
		line("port", m.Compact.Port)
		if m.Compact.Turn > 0 {
			line(fmt.Sprintf("turn %d, which goes on or was the last, began at %s with", m.Compact.Turn, m.Compact.Began.Format(time.RFC3339)), fmt.Sprintf("%q", m.Compact.Prompt))
			line("files changed in it", strings.Join(m.Compact.Changed, ", "))
		}
		line("what was decided about calls of this session", strings.Join(m.Compact.Decisions, "; "))
	}
	line("last prompts of the user", strings.Join(quoted(m.Prompts), " | "))
	line("open tasks", strings.Join(m.openTasks(), "; "))
	line("files edited", strings.Join(edits.Paths(), ", "))
	line("documents handed over (read them again if needed)", strings.Join(sortedDocs(m.Docs), ", "))
	line("checkpoints taken", strings.Join(m.Checkpoints, ", "))
	return b.String()
}

func (m *memory) openTasks() []string {
	var open []string
	for _, t := range m.Tasks {
		if t.Status != taskDone && t.Subject != "" {
			open = append(open, t.Subject+" ("+strings.ReplaceAll(t.Status, "_", " ")+")")
		}
	}
	return open
}

// quoted sets prompts apart from the words around them: they are the user's.
func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = fmt.Sprintf("%q", s)
	}
	return out
}

// sortedDocs are the names in an order that stays.
func sortedDocs(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// recallSession reads what is known of a session; an unknown one is empty.
func (h *Handlers) recallSession(id string) *memory {
	m := &memory{}
	if id != "" {
		state.Read(state.SessionPath(h.StateDir, id), sessionTTL, m)
	}
	return m
}

// remember edits a session's memory under its lock. In a dry run, and for
// clients without session ids, nothing is kept.
func (h *Handlers) remember(id, project string, change func(*memory) bool) {
	if id == "" || h.DryRun {
		return
	}
	err := state.Update(state.SessionPath(h.StateDir, id), sessionTTL, func(m *memory) bool {
		if m.Started.IsZero() {
			m.Started, m.Project = h.now(), project
		}
		return change(m)
	})
	if err != nil {
		h.Log.Warn("session state not kept", "err", err)
	}
}
