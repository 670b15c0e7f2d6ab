package hook

import (
	"maps"
	"slices"
	"strings"
)

// Decision is what becomes of the thing that the event is about. A later one is stronger and wins when answers are merged.
type Decision uint8

// The zero Decision has no opinion: the client goes on as if it had not asked. Allow is more than that, it silences the
// permission prompt that the user would have seen, so a check that found nothing must not say it.
const (
	None  Decision = iota
	Allow          // go on, without asking the user
	Ask            // let a person decide
	Deny           // do not run this
	Block          // do not run this, and ask no further handler
)

func (d Decision) String() string {
	return [...]string{None: "none", Allow: "allow", Ask: "ask", Deny: "deny", Block: "block"}[min(int(d), int(Block))]
}

// Refuses says whether d keeps the client from going on.
func (d Decision) Refuses() bool { return d >= Deny }

// Answer is what moai has to say about an event, in no particular dialect; package wire drops what the asking client has no
// place for. The zero Answer says nothing.
type Answer struct {
	Decision Decision
	Reason   string // why; to the model on Deny and Block, to the user on Ask

	System  string   // to the user, never to the model
	Message string   // to the user in dialects that have a message of their own; System when empty
	Context []string // to the model, where the event takes it; on Stop and SubagentStop it also makes the model go on

	Suggestions   []string // what could be done instead, or next
	ContextFiles  []string // documents to read, relative to the project, with slashes
	Notifications []Notification

	Stop       bool   // end the turn after this event; does not undo the call that the event is about
	StopReason string // to the user, with Stop

	UpdatedInput Value          // replaces the input of the tool, whole
	Special      map[string]any // answers only this event has, by their name in the claude dialect, such as sessionTitle

	Data map[string]any // facts for programs: data of the compiled dialect, metadata of pal
	Work Work           // where the session stands, for the pal dialect
}

// Notification is a note to a person.
type Notification struct {
	Level   string // info, warn or error
	Title   string
	Message string
	Action  string // what could be done about it; may be empty
}

// Work is the state of a session as the pal dialect reports it.
type Work struct {
	Port        *Port
	Docs        []Doc
	State       string // running, idle …; never left out of the answer
	TokensUsed  int
	TokenBudget int
}

// Port is the piece of work that a session is on.
type Port struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// Doc is a document that the model was given.
type Doc struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens,omitempty"` // estimated
}

// Merge adds b to a: the stronger decision wins and brings its reason, equal ones give both reasons; texts and lists are
// joined, each text once; single values of b replace those of a.
func (a *Answer) Merge(b Answer) {
	switch {
	case b.Decision > a.Decision:
		a.Decision, a.Reason = b.Decision, b.Reason
	case b.Decision == a.Decision:
		a.Reason = join(a.Reason, b.Reason)
	}
	a.System = join(a.System, b.System)
	a.Message = join(a.Message, b.Message)
	a.Context = union(a.Context, b.Context)
	a.Suggestions = union(a.Suggestions, b.Suggestions)
	a.ContextFiles = union(a.ContextFiles, b.ContextFiles)
	a.Notifications = union(a.Notifications, b.Notifications)
	if b.Stop {
		a.Stop = true
		a.StopReason = join(a.StopReason, b.StopReason)
	}
	if b.UpdatedInput != "" {
		a.UpdatedInput = b.UpdatedInput
	}
	a.Special = overlay(a.Special, b.Special)
	a.Data = overlay(a.Data, b.Data)
	a.Work.merge(b.Work)
}

func (w *Work) merge(b Work) {
	if b.Port != nil {
		w.Port = b.Port
	}
	w.Docs = union(w.Docs, b.Docs)
	if b.State != "" {
		w.State = b.State
	}
	if b.TokensUsed != 0 {
		w.TokensUsed = b.TokensUsed
	}
	if b.TokenBudget != 0 {
		w.TokenBudget = b.TokenBudget
	}
}

// join puts b on lines of its own below a, unless it stands there already: handlers that
// look at one thing often say the same.
func join(a, b string) string {
	switch {
	case b == "" || strings.Contains("\n"+a+"\n", "\n"+b+"\n"):
		return a
	case a == "":
		return b
	}
	return a + "\n" + b
}

func union[T comparable](a, b []T) []T {
	for _, v := range b {
		if !slices.Contains(a, v) {
			a = append(a[:len(a):len(a)], v)
		}
	}
	return a
}

func overlay(a, b map[string]any) map[string]any {
	if len(a) == 0 {
		return b
	}
	a = maps.Clone(a)
	maps.Copy(a, b)
	return a
}

// Documents says to a model which documents belong to its task: files to be read before it begins, and folders, which end in a slash, to be looked into.
func Documents(paths []string) string {
	var files, folders []string
	for _, p := range paths {
		if strings.HasSuffix(p, "/") {
			folders = append(folders, p)
		} else {
			files = append(files, p)
		}
	}
	var said []string
	if len(files) > 0 {
		said = append(said, "Documents for this task: "+strings.Join(files, ", ")+". Read them before you start.")
	}
	if len(folders) > 0 {
		said = append(said, "Where to look for this task: "+strings.Join(folders, ", ")+".")
	}
	return strings.Join(said, " ")
}
