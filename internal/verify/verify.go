package verify

import (
	"time"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
)

// State is what is known of one session's work.
type State struct {
	Session string    `json:"session"`
	Project string    `json:"project"`
	Began   time.Time `json:"began_at"`
	Seen    time.Time `json:"last_seen"`
	Head    string    `json:"head,omitempty"` // the commit of the project before the first change, "" outside Git

	Seq     int               `json:"seq"` // of the last change
	Files   []File            `json:"files,omitempty"`
	Dropped int               `json:"dropped,omitempty"` // files beyond those that are kept
	Commits []File            `json:"commits,omitempty"` // files in its commits that no verifier had looked at
	Runs    []Run             `json:"runs,omitempty"`    // verifiers, the last begun last
	Objects []string          `json:"objects,omitempty"` // what the session had Git keep without a file: sums, the last ones
	Away    []string          `json:"away,omitempty"`    // changes of others that it took out of their files: paths with sums, the last ones
	Hid     []string          `json:"hid,omitempty"`     // files from before that the session has Git pass over, absolute; see Keep
	Names   map[string]string `json:"names,omitempty"`   // teammates by name: which type they are of
	First   map[string]string `json:"first,omitempty"`   // files that commands gave other names: which name they had first, absolute
	// Given are files whose content stood in what a verifier of a type was told that has not begun yet.
	Given map[string][]string `json:"given,omitempty"`

	Told   []string `json:"told,omitempty"` // what the user was told once
	Blocks Blocks   `json:"blocks,omitzero"`
	Last   *Last    `json:"last,omitempty"` // the last decision
}

// File is one that the session changed.
type File struct {
	Path string    `json:"path"` // absolute, links followed
	Seq  int       `json:"seq"`  // of its last change
	Sum  string    `json:"sum"`  // how that left it; see Sum
	Turn int       `json:"turn"` // in which that was
	At   time.Time `json:"at"`
	Tool string    `json:"tool"`
	Was  string    `json:"was,omitempty"`  // what the session's first command found in it, where Git shows that as no commit's
	Last string    `json:"last,omitempty"` // what was in it before the session removed it, or took its change back, as far as that is the session's
	// Aside is what it held where the session put its work aside: sums, the last ones.
	Aside []string `json:"aside,omitempty"`
	// Lost says that its last change took away what a commit from before the session has.
	Lost bool `json:"lost,omitempty"`
	// Off says that its last change took the session's own away: it holds what was there before, or what a commit of others has.
	Off bool `json:"off,omitempty"`
	// Hand says that the session wrote it by a tool that edits files, or that its command line held the mark of generated files: no program made it.
	Hand bool `json:"hand,omitempty"`
	// Untold says that it is a folder in which a command changed files that are too many to be told.
	Untold bool `json:"untold,omitempty"`
	// Else says that it lies in a repository elsewhere: it counts once the project has what is in it.
	Else bool `json:"else,omitempty"`
	// Command says that a command line did it, and not a tool that is given the file.
	Command bool   `json:"command,omitempty"`
	Agent   string `json:"agent,omitempty"` // the type of the sub-agent that did it
	Looks   []Look `json:"looks,omitempty"` // the last of each need
	// Of is the kind of one that a commit has, "" for one of the work tree; its content has a name in Git, and may have been pushed.
	Of     string `json:"of,omitempty"`
	Blob   string `json:"blob,omitempty"`
	Pushed bool   `json:"pushed,omitempty"`
	Named  bool   `json:"named,omitempty"` // a reference was put on it when HEAD had it no more
	// Fault is the last look that found something in it.
	Fault *Look `json:"fault,omitempty"`
	// Read are looks of verifiers that found something: one that passes need not read again what is as it was then.
	Read []Look `json:"read,omitempty"`
	// What it held when it held up the end of a turn, and when the user was told of it: sums, the last ones.
	Held []string `json:"held,omitempty"`
	Told []string `json:"told,omitempty"`
}

// Look is one that counts.
type Look struct {
	Need  string    `json:"need"` // what was verified: code, plan
	Agent string    `json:"agent"`
	Seq   int       `json:"seq"` // of the change that it saw
	Sum   string    `json:"sum"`
	At    time.Time `json:"at"`
}

// Run is a verifier at work, or done.
type Run struct {
	ID    string    `json:"id"`   // the client's, of the sub-agent
	Type  string    `json:"type"` // as the client has it
	Needs []string  `json:"needs"`
	Began time.Time `json:"began_at"`
	Ended time.Time `json:"ended_at,omitzero"`
	Saw   []Saw     `json:"saw,omitempty"`   // the files as they were when it began
	Read  bool      `json:"read,omitempty"`  // it was seen to call a tool that may read
	Away  bool      `json:"away,omitempty"`  // at work in the background
	Known bool      `json:"known,omitempty"` // all that it called is known
	Blind []string  `json:"blind,omitempty"` // calls that showed less than their words say
	// Missed are files that nothing of what it called, and nothing that it was told, has shown to it.
	Missed []string `json:"missed,omitempty"`
	Found  Finding  `json:"found,omitempty"`
	Why    string   `json:"why,omitempty"` // one line: what made it that
	Files  int      `json:"files,omitempty"`
	Paths  []string `json:"-"` // of these files, for the journal
}

// Saw is a file as a verifier found it.
type Saw struct {
	Path  string `json:"path"`
	Seq   int    `json:"seq"`
	Sum   string `json:"sum"`
	Of    string `json:"of,omitempty"`    // see File
	Shown bool   `json:"shown,omitempty"` // the verifier had it before it
	// By are the calls that may show it, and of whose end nobody has told.
	By    []string `json:"by,omitempty"`
	Lines int      `json:"lines,omitempty"` // how many lines of it are known to be shown, where that is less than enough
}

// Finding is what a verifier's answer comes to.
type Finding string

// The findings. Only Passed verifies.
const (
	Passed  Finding = "passed"
	Found   Finding = "blockers" // something must change first
	Unable  Finding = "unable"   // it could not look
	Working Finding = ""         // it has not answered yet
)

// Blocks counts what a gate did.
type Blocks struct {
	Turn  string `json:"turn,omitempty"` // the turn that Count is of
	Count int    `json:"count,omitempty"`
}

// Last is a decision as it is explained to people.
type Last struct {
	At    time.Time `json:"at"`
	Turn  int       `json:"turn,omitempty"`
	Does  Action    `json:"does"`
	Why   string    `json:"why"`
	Files []string  `json:"files,omitempty"`
	Open  int       `json:"open,omitempty"` // so many of them wait still
}

// Action is what the end of a turn comes to.
type Action string

// The actions.
const (
	Pass  Action = "pass"
	Warn  Action = "warn"  // the user is told
	Block Action = "block" // the model goes on
)

// Tables are what the package is given to know.
type Tables struct {
	Agents    *rule.Agents
	Languages func() *lang.Table
}
