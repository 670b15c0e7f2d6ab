package undo

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
)

// Open is what is known of the last turn of a session until the timeline has it: where it began, and which commands run.
type Open struct {
	Session string `json:"session"`

	Turn   int       `json:"turn"`
	Prompt string    `json:"prompt,omitempty"` // masked
	Began  time.Time `json:"began_at"`
	From   string    `json:"from,omitempty"`  // the snapshot with which it began
	Vault  string    `json:"vault,omitempty"` // the snapshot with the copies of what Git ignored then
	Closed bool      `json:"closed,omitempty"`
	Calls  []Call    `json:"calls,omitempty"` // commands that have begun
	Lost   []Lost    `json:"lost,omitempty"`  // those of turns before it of whose end nobody told
	Asked  []string  `json:"asked,omitempty"` // commands that a person was asked about
	Why    string    `json:"why,omitempty"`   // there is no snapshot of its beginning, or of a part of it
	Late   int       `json:"late,omitempty"`  // snapshots of Tree in a row for which there was no time
	Holes  []Hole    `json:"holes,omitempty"` // turns before it of which that is true: where nothing could be saved, the timeline cannot tell

	// Secrets are the files with credentials that Git ignores in Tree, as they were found when it was looked for them last.
	Secrets []string `json:"secrets,omitempty"`
	// Ignored are others that Git ignores and that no build makes again: no snapshot has them. They are found in the same look.
	Ignored []string `json:"ignored,omitempty"`
	// Gone are those of Ignored that were not there any more when a turn had ended, with its number.
	Gone   []Gone    `json:"gone,omitempty"`
	Tree   string    `json:"tree,omitempty"`
	Linked []Linked  `json:"trees,omitempty"` // the repository's other work trees, when the turn began
	Looked time.Time `json:"looked_at,omitzero"`
}

// Hole is a turn, or its part in one work tree, of which not all has a snapshot.
type Hole struct {
	Turn   int       `json:"turn"`
	Prompt string    `json:"prompt,omitempty"`
	Began  time.Time `json:"began_at"`
	Tree   string    `json:"tree,omitempty"`
	Why    string    `json:"why"`
}

// Linked is a work tree of the same repository: Git can forget the name before an undo is asked for.
type Linked struct {
	Name string `json:"name"` // as snapshots have it
	Dir  string `json:"dir"`
}

// Gone is a file that a turn left no more, and of which there is no copy.
type Gone struct {
	Path string `json:"path"`
	Turn int    `json:"turn"`
}

// keepGone is how many of those are known.
const keepGone = 400

// Loses notes the files of Ignored that are not there any more: the turn that has ended, and no later one, is what they went with.
func (o *Open) Loses(there func(path string) bool) {
	o.Ignored = slices.DeleteFunc(o.Ignored, func(p string) bool {
		is := there(p)
		if !is {
			o.Gone = append(o.Gone, Gone{p, o.Turn})
		}
		return !is
	})
	o.Gone = o.Gone[max(0, len(o.Gone)-keepGone):]
}

// Call is a command that has begun.
type Call struct {
	ID    string `json:"id"`
	Agent string `json:"agent,omitempty"` // the sub-agent that made it
	Since string `json:"since,omitempty"` // the snapshot before it
	Vault string `json:"vault,omitempty"` // the one with the copies of what Git ignored then

	Command string    `json:"command,omitempty"` // masked
	At      time.Time `json:"at,omitzero"`
	Absent  []string  `json:"absent,omitempty"` // files that Git ignores, that it is to make, and that are not there

	Words  checkpoint.Words `json:"words,omitzero"`   // what it changes as it was judged
	Behind bool             `json:"behind,omitempty"` // it goes on in the background, where its end is not told
	Blind  bool             `json:"blind,omitempty"`  // there was no time for a snapshot around it: it is known by its words alone, as one of whose end nobody told
}

// Lost is a call of a turn that is over, and nobody told of its end: its client was killed, or it went on in the background.
type Lost struct {
	Call
	Turn   int       `json:"turn"`
	Prompt string    `json:"prompt,omitempty"`
	Began  time.Time `json:"began_at"`
	Tree   string    `json:"tree,omitempty"`
	From   string    `json:"from,omitempty"`  // the snapshot with which its turn began
	Until  string    `json:"until,omitempty"` // with which the next one did, where it went on behind its turn
}

// goesOn is how long a command in the background is taken to go on with the turns behind its own.
const goesOn = time.Hour

// keepOpen is how long a turn that nobody ended is known, keepCalls how many commands whose end nobody tells of, and keepHoles how many turns
// without a snapshot.
const (
	keepOpen  = 14 * 24 * time.Hour
	keepCalls = 200
	keepHoles = 40
)

func openPath(stateDir, session string) string {
	return state.File(filepath.Join(stateDir, "undo"), session)
}

// ReadOpen is the last turn of a session; nothing is known of others.
func ReadOpen(stateDir, session string) (o Open) {
	state.Read(openPath(stateDir, session), keepOpen, &o)
	return o
}

// ChangeOpen edits what is known of the last turn, under a lock. Nothing is written where change reports false.
func ChangeOpen(stateDir, session string, change func(*Open) bool) error {
	return state.Update(openPath(stateDir, session), keepOpen, func(o *Open) bool {
		o.Session = session
		return change(o)
	})
}

// maxOpen bounds how many sessions one question reads, and lastOpen how many one that wants the last.
const (
	maxOpen  = 500
	lastOpen = 20
)

// openFiles are the files of last turns.
func openFiles(stateDir string) []os.DirEntry {
	entries, _ := os.ReadDir(filepath.Join(stateDir, "undo"))
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".json" })
	return entries[:min(len(entries), maxOpen)]
}

func readOpen(stateDir string, e os.DirEntry) (o Open, ok bool) {
	ok = state.Read(filepath.Join(stateDir, "undo", e.Name()), keepOpen, &o)
	return o, ok && o.Session != ""
}

// allOpen are the last turns of sessions.
func allOpen(stateDir string) (out []Open) {
	for _, e := range openFiles(stateDir) {
		if o, ok := readOpen(stateDir, e); ok {
			out = append(out, o)
		}
	}
	return out
}

// openIn are the last turns of the sessions that work in a tree.
func openIn(stateDir, tree string) []Open {
	return slices.DeleteFunc(allOpen(stateDir), func(o Open) bool { return o.Tree != tree })
}

// Running are the turns of other sessions in a tree that go on, and have commands that do.
func Running(stateDir, tree, session string) []Open {
	return slices.DeleteFunc(openIn(stateDir, tree), func(o Open) bool { return o.Session == session || o.Closed || len(o.Calls) == 0 })
}

// Why says why the turn in a folder of which was heard last has no snapshot, or only of a part; "" where it has one, or nothing is known.
func Why(stateDir, tree string) string {
	entries := openFiles(stateDir)
	at := map[string]time.Time{}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil {
			at[e.Name()] = fi.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return at[b.Name()].Compare(at[a.Name()]) })
	for _, e := range entries[:min(len(entries), lastOpen)] {
		if o, ok := readOpen(stateDir, e); ok && o.Tree == tree {
			return o.Why
		}
	}
	return ""
}

// Begin notes a call of a command or a tool that writes, and the snapshot before it.
func (o *Open) Begin(c Call, since, vault repo.Hash) {
	c.Since, c.Vault = text(since), text(vault)
	o.Calls = append(o.Calls, c)
	if over := len(o.Calls) - keepCalls; over > 0 {
		o.Calls = slices.Delete(o.Calls, 0, over)
	}
}

// Asks notes a command that a person is asked about.
func (o *Open) Asks(id string) {
	o.Asked = append(o.Asked, id)
	if over := len(o.Asked) - keepCalls; over > 0 {
		o.Asked = slices.Delete(o.Asked, 0, over)
	}
}

// Done takes a call out, and says what is known of it, with what there was before it.
func (o *Open) Done(id string) (c Call, since, vault repo.Hash, known bool) {
	o.Lost = slices.DeleteFunc(o.Lost, func(l Lost) bool { return l.ID == id && l.Turn == o.Turn })
	i := slices.IndexFunc(o.Calls, func(c Call) bool { return c.ID == id && !c.Blind })
	if i < 0 {
		return c, since, vault, false
	}
	c = o.Calls[i]
	since, _ = repo.ParseHash(c.Since)
	vault, _ = repo.ParseHash(c.Vault)
	o.Calls = slices.Delete(o.Calls, i, i+1)
	return c, since, vault, true
}

// Unended are the sessions with calls in a tree of whose end nobody told, or that a person was asked about.
func Unended(stateDir, tree string) (sessions []string) {
	for _, o := range allOpen(stateDir) {
		if o.Tree == tree && len(o.Calls)+len(o.Asked) > 0 || slices.ContainsFunc(o.Lost, func(l Lost) bool { return l.Tree == tree }) {
			sessions = append(sessions, o.Session)
		}
	}
	return sessions
}

// NeverRan forgets the calls of a session that never ran. That is asked of calls of whose end nobody told; agent is the sub-agent that made one.
func NeverRan(stateDir, session string, never func(agent, id string) bool) error {
	known := func(o *Open) int { return len(o.Calls) + len(o.Lost) + len(o.Asked) }
	if o := ReadOpen(stateDir, session); known(&o) == 0 { // nearly always
		return nil
	}
	return ChangeOpen(stateDir, session, func(o *Open) bool {
		had := known(o)
		o.Calls = slices.DeleteFunc(o.Calls, func(c Call) bool { return !c.Behind && never(c.Agent, c.ID) })
		o.Lost = slices.DeleteFunc(o.Lost, func(l Lost) bool { return !l.Behind && never(l.Agent, l.ID) })
		o.Asked = slices.DeleteFunc(o.Asked, func(id string) bool { return never("", id) })
		return known(o) < had
	})
}

// Start is the snapshot with which the turn began, zero where none is known.
func (o *Open) Start() repo.Hash {
	h, _ := repo.ParseHash(o.From)
	return h
}

// Were is the snapshot with the copies of what Git ignored when the turn began, zero where none is known.
func (o *Open) Were() repo.Hash {
	h, _ := repo.ParseHash(o.Vault)
	return h
}

// Starts notes a turn and the snapshot with which it begins.
func (o *Open) Starts(turn int, prompt string, from, vault repo.Hash, at time.Time) {
	o.leave()
	calls := o.lose(text(from), text(vault), at)
	*o = Open{Session: o.Session, Turn: turn, Prompt: prompt, Began: at, From: text(from), Vault: text(vault), Calls: calls, Lost: o.Lost, Late: min(o.Late, mostLate-1), Holes: o.Holes, Secrets: o.Secrets, Ignored: o.Ignored, Gone: o.Gone, Tree: o.Tree, Linked: o.Linked, Looked: o.Looked}
}

// Moves has a turn go on in another work tree.
func (o *Open) Moves(tree string, from, vault repo.Hash) {
	o.leave()
	o.lose("", "", o.Began)
	o.Tree, o.From, o.Vault, o.Late = tree, text(from), text(vault), 0
}

// mostLate is how many snapshots in a row may take too long before a turn goes on without more of them: each held its call up for all of
// the time that a checkpoint may take. Every turn tries once more.
const mostLate = 2

// TooLate reports that no snapshot of a work tree is tried any more in this turn.
func (o *Open) TooLate(tree string) bool { return o.Late >= mostLate && o.Tree == tree }

// Tried counts the snapshots in a row for which there was no time.
func (o *Open) Tried(late bool) {
	if o.Late++; !late {
		o.Late = 0
	}
}

// lose remembers the calls of whose end nobody told. Those in the background go on with the turn that begins.
func (o *Open) lose(from, vault string, at time.Time) (on []Call) {
	for _, c := range o.Calls {
		if c.Since == "" || slices.ContainsFunc(o.Lost, func(l Lost) bool { return l.ID == c.ID && l.Turn == o.Turn }) {
			continue
		}
		one := Lost{Call: c, Turn: o.Turn, Prompt: o.Prompt, Began: o.Began, Tree: o.Tree, From: o.From}
		if c.Behind {
			one.Until = from
		}
		o.Lost = append(o.Lost, one)
		if c.Behind && from != "" && at.Sub(c.At) < goesOn {
			c.Since, c.Vault = from, vault
			on = append(on, c)
		}
	}
	o.Lost = o.Lost[max(0, len(o.Lost)-keepCalls):]
	return on
}

// Ends notes that nothing goes on in the background any more.
func (o *Open) Ends() {
	for i := range o.Calls {
		o.Calls[i].Behind = false
	}
}

// leave remembers of the turn why not all of it has a snapshot.
func (o *Open) leave() {
	if o.Why == "" || o.Turn == 0 {
		return
	}
	o.Holes = append(o.Holes, Hole{o.Turn, o.Prompt, o.Began, o.Tree, o.Why})
	o.Holes = o.Holes[max(0, len(o.Holes)-keepHoles):]
	o.Why = ""
}

func text(h repo.Hash) string {
	if h.IsZero() {
		return ""
	}
	return h.String()
}

// notePath holds what a session's model has to be told with its next prompt.
func notePath(stateDir, session string) string {
	return state.File(filepath.Join(stateDir, "undo", "told"), session)
}

type note struct {
	Said []said `json:"said"`
}

// said is one thing to be told, and what it is about: a later word about the same takes its place.
type said struct {
	About string `json:"about"`
	Text  string `json:"text"`
}

// keepNotes is how long a note waits: who goes on after days has read the tree anew.
const keepNotes = 14 * 24 * time.Hour

// Note leaves word for the model of a session, to be told with its next prompt. What was to be told about the same holds no more, and of
// equal words the last stay, so that they stand where they are true.
func Note(stateDir, session, about, text string) error {
	return state.Update(notePath(stateDir, session), keepNotes, func(n *note) bool {
		n.Said = slices.DeleteFunc(n.Said, func(s said) bool { return s.About == about || s.Text == text })
		n.Said = append(n.Said, said{about, text})
		if over := len(n.Said) - 5; over > 0 {
			n.Said = slices.Delete(n.Said, 0, over)
		}
		return true
	})
}

// Notes takes what waits to be told.
func Notes(stateDir, session string) (texts []string) {
	path := notePath(stateDir, session)
	if _, err := os.Lstat(path); err != nil { // nearly always, so it costs no more than this
		return nil
	}
	var n note
	if !state.Read(path, keepNotes, &n) {
		return nil
	}
	_ = os.Remove(path)
	for _, s := range n.Said {
		texts = append(texts, s.Text)
	}
	return texts
}
