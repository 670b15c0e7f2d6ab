package hook

// Event is one thing that the client reports. Fields that nearly every handler looks at are decoded; the others are found by
// name with Raw and Text, or by the typed functions of generated/events, and are decoded when somebody asks.
//
// Names of fields are those of the claude dialect whatever the client wrote: the dialects' own spellings end in package wire.
// No field is promised: whatever a client left out or sent in the wrong type is empty.
type Event struct {
	Name       string // canonical, such as PreToolUse; what the client said when Known is false
	Known      bool   // the tables have this event
	Dialect    string // Claude, Alfred, …
	Verb       string // the word on the command line, if there was one
	Said       string // what the client calls the event, where it has words of its own
	Doubt      bool   // nothing tells which client asks: what is refused must be so in the words of all
	Mute       bool   // the client cannot ask a person about this event: a question is a refusal
	SessionID  string // of the client; "" when it has none
	CWD        string // absolute unless the client and the process both have none
	ProjectDir string // where the session began; equals CWD when nothing else is known
	ToolName   string // Bash, Edit, mcp__server__tool; "" outside tool events
	Input      Value  // everything that came in, as it came in; "" for empty input

	fields []Member
}

// DryRun is the field of a payload that asks for an answer without a trace. moai doctor sends it. It is no variable:
// a repository can set those of every hook, and what comes on standard input is the client's alone.
const DryRun = "moai_dry_run"

// Raw is the value of a field, "" when it is missing. When the client sent a field twice, the last one counts, as in the
// client's own parser.
func (e *Event) Raw(field string) Value {
	for i := len(e.fields) - 1; i >= 0; i-- {
		if e.fields[i].Name == field {
			return e.fields[i].Value
		}
	}
	return ""
}

// Text is the text of a field, "" when it is missing or no string.
func (e *Event) Text(field string) string { return e.Raw(field).Text() }

// SetFields replaces the fields. It is for decoders and tests.
func (e *Event) SetFields(fields []Member) { e.fields = fields }
