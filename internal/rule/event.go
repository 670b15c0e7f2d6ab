package rule

import (
	"slices"
	"strings"
	"time"
)

// Protocol is everything known about the events of the clients: rules/events.
type Protocol struct {
	Events   []Event // sorted by name
	Common   []Field // fields that come with more than one event
	Dialects []Dialect
	Tools    []Call // sorted by name
	Around   Around
	Turns    Turns
	Locale   Locale
}

// Around is what is known about the variables of a process that an agent starts.
type Around struct {
	Clients []Client
	Ignored []Variables // moai does not obey them in a hook
	Files   []Variables // they name a file, which counts unless it could have come with a clone
	Folders []Variables // they name folders of the user
	Hosts   []string    // programs that run the text that their first argument names
	Lenders []string    // programs that make terminals for programs

	Aliases []Alias // variables of other programs that mean settings of moai

	Terminals []Terminal // variables that name the terminal of a session, in the order in which they are asked
}

// Client is an agent, known by variables that it sets for what it starts.
type Client struct {
	Name      string
	Variables []string // one that is not empty is enough
	Processes []string // names of its program; with a slash: a part of the program's path
	PIDs      []string `toml:"pid"`     // variables that hold the id of its process
	Sessions  []string `toml:"session"` // variables that hold the id of the session
	Hooks     []string `toml:"hook"`    // variables that it gives to hooks, and not to what its agents run
	Source    string
}

// Alias is a variable of another program that means a setting of moai.
type Alias struct {
	Variable string
	Key      string
	When     string // the one value that means anything; "" for each
	Sets     string // what it means then
	Source   string
}

// Terminal is a set of variables that together name a terminal.
type Terminal struct {
	Variables []string
	Device    bool // the value is the path of a device
	Why       string
}

// Turns says what of the events a turn is made of.
type Turns struct {
	Begins  string    // the event with which a turn begins, if a person sent what it brings
	Ends    []TurnEnd `toml:"end"` // the events with which it ends
	Machine []Machine // prompts that no person sent
}

// Locale is what moai says in a person's own language.
type Locale struct {
	Variables []string // that name the language; the first that is set counts
	Words     []Spoken // the first row is for all other languages
}

// Spoken are the words of one language.
type Spoken struct {
	Language string // as locales begin: "ko"
	NoPort   string `toml:"no_port"`
}

// Say are the words for the language that the variables name.
func (l *Locale) Say(getenv func(string) string) *Spoken {
	for _, name := range l.Variables {
		named := getenv(name)
		if named == "" {
			continue
		}
		for i := range l.Words[1:] {
			if w := &l.Words[i+1]; strings.HasPrefix(strings.ToLower(named), w.Language) {
				return w
			}
		}
		break
	}
	return &l.Words[0]
}

// Machine is a kind of prompts that a program sends.
type Machine struct {
	Begins string // the text begins so
	Why    string
}

// TurnEnd is an event that ends a turn.
type TurnEnd struct {
	Event string
	How   string // in one word
	When  string // the field that must be true; "" when the event is enough
	Why   string
}

// Variables are names of variables of one kind. A name may end in "*".
type Variables struct {
	Names  []string `toml:"variables"`
	Why    string
	Except []string // names that fit a "*" and are not meant
}

// Has reports whether name is one of v.
func (v *Variables) Has(name string) bool {
	for _, n := range v.Names {
		if begin, any := strings.CutSuffix(n, "*"); name == n || any && strings.HasPrefix(name, begin) {
			return !slices.Contains(v.Except, name)
		}
	}
	return false
}

// Event is one event of the claude dialect, which is also the inner language of moai.
type Event struct {
	Name     string     // as the client writes it, such as PreToolUse
	Text     string     `toml:"description"` // what has happened when it comes
	Verb     string     // moai hook VERB
	Handlers []string   // of package handle that answer it, beside those that answer every event
	Aliases  []string   // further verbs; letter case, "-" and "_" never matter
	Spelled  []Spelling `toml:"-"`                                    // what older dialects call it; dialects that have no such event are left out
	State    string     `one:"running idle waiting compacting ended"` // of the session from then on; "" for running
	Matcher  string     // the field that a matcher in the settings is tried on; "" when the client has none
	Answer   EventAnswer
	Soft     int          `toml:"-"` // milliseconds; longer is logged
	Hard     int          `toml:"-"` // milliseconds; longer is cut off; always below the client's own limit
	Register *Registering // how moai init registers it; nil when it does not
	Fields   []Field      `toml:"-"` // beside those of Protocol.Common
}

// Budget is Soft and Hard as durations.
func (e *Event) Budget() (soft, hard time.Duration) {
	return time.Duration(e.Soft) * time.Millisecond, time.Duration(e.Hard) * time.Millisecond
}

// EventAnswer is what the claude dialect lets one say about an event.
type EventAnswer struct {
	Specific bool     // takes hookSpecificOutput; elsewhere one makes the client discard the whole answer
	Context  string   // where a text for the model goes: "model", "user" (as systemMessage), "none"
	Refuse   string   // how a refusal is written, see below
	Ask      bool     // a person can be asked
	Exit2    string   // what exit code 2 does: "stops", "feedback" (the model reads stderr), "shown" (the user does), "ignored"
	Keys     []string // further keys of hookSpecificOutput that the client acts on
	Top      []string // top-level keys that it acts on, beside systemMessage
	Stdout   string   // what plain text on stdout is taken for: "context", "instructions", "path"; "" for nothing
}

// The ways to write a refusal.
const (
	RefuseNot        = "none"       // nothing can be refused; the user is told
	RefusePermission = "permission" // hookSpecificOutput.permissionDecision
	RefuseBehavior   = "behavior"   // hookSpecificOutput.decision.behavior; the exit code means nothing
	RefuseBlock      = "block"      // decision and reason at the top
	RefuseAction     = "action"     // hookSpecificOutput.action
	RefuseExit       = "exit"       // exit code 2 alone
	RefuseContinue   = "continue"   // continue = false at the top; agents of rules/clients only
	RefuseFollowUp   = "followup"   // followup_message, with which the model goes on; agents of rules/clients only
)

// Registering is an entry of the client's settings.
type Registering struct {
	Matcher string // "" for every subject
	Timeout int    // seconds
}

// Spelling is what one dialect calls an event or a field.
type Spelling struct {
	Dialect string
	Names   []string
}

// Field is one field of the input.
type Field struct {
	Name     string
	Type     string `one:"string bool int number object any []string []object []any"` // string bool int number object any, or a list: []string []object []any
	Null     bool   // may be null
	Optional bool
	Text     string
	Values   []string   // those that are known; a client may send others
	Only     []string   // for common fields: the events that have it; none means all
	Foreign  bool       // the claude dialect does not have it
	Inside   string     // for details of a journal entry: the object of the event in which it stands ("tool_input.questions"); "" for the event itself
	Spelled  []Spelling `toml:"-"` // other names, beside Name itself, which is understood in every dialect
	Fields   []Field    `toml:"-"` // members of an object, or of the objects in a list
}

// On says whether a common field comes with an event.
func (f *Field) On(event string) bool { return len(f.Only) == 0 || slices.Contains(f.Only, event) }

// Dialect is how one family of clients writes its input. How it wants to be answered is code: internal/wire has one file each.
type Dialect struct {
	Name   string
	Text   string   `toml:"description"`
	Event  string   // the key that names the event; "" when only the command line does
	Body   string   // the key that holds the fields; "" when they are at the top
	Word   bool     `toml:"word_decides"` // the command line decides which event it is, and the key only where nothing stands there
	Marks  []string // a payload with one of these keys is of this dialect; none: only by --dialect
	Source string   // where it is specified
}

// Call is what one of the client's own tools takes and gives back.
type Call struct {
	Name     string
	Text     string  `toml:"description"`
	Input    []Field `toml:"-"` // of tool_input
	Response []Field `toml:"-"` // of tool_response; empty when its shape is not known
}
