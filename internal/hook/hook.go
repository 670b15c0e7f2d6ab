// Package hook is what happens when an agent client reports an event: an Event goes in, handlers look at it in order, one
// Answer comes out.
//
// It is not about bytes: which keys a client writes, what a refusal looks like and which exit code goes with it is the business
// of package wire. Nothing here reads a file, the environment or the clock of anything but its own handlers.
//
// Its invariant: Dispatch always comes back with a usable answer, whatever a handler does – fail, panic, or never return.
package hook

import "errors"

// The errors that a caller tells apart. The texts are those of the specification and part of the interface: people
// grep logs for them.
var (
	// ErrTimeout says that handlers were still at work when the deadline passed.
	ErrTimeout = errors.New("hook: execution timed out")
	// ErrContract says that the surroundings are not what a hook is promised; see Guarantees.
	ErrContract = errors.New("hook: execution contract violated")
	// ErrInput says that what came in is no JSON object, or too large to look at.
	ErrInput = errors.New("hook: invalid JSON input")
	// ErrLarge says that too much came in to be looked at; it goes with ErrInput. That is no failure of moai's: whoever fills
	// in a call decides how large it is.
	ErrLarge = errors.New("larger than moai looks at")
	// ErrBlocked says that an answer forbids what the client was about to do.
	ErrBlocked = errors.New("hook: action blocked by hook")
)

// The dialects that exist today: which family of clients asked, and so in whose words to answer. Handlers look at it only where
// an older specification demands a certain text.
const (
	Claude   = "claude"   // Claude Code as it is today; the default
	Alfred   = "alfred"   // eventType and payload
	Moai03   = "moai03"   // toolName, toolArgs, userPrompt
	Compiled = "compiled" // the input of claude, answered by decision, reason, data
	Pal      = "pal"      // hook_type
)

// The ways in which the agents of rules/clients are answered, each a file of package wire; Claude is one, too.
const (
	Codex   = "codex"
	Copilot = "copilot"
	Cursor  = "cursor"
	Gemini  = "gemini"
	Generic = "generic"
)
