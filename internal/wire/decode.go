package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

// Limit is how many bytes of input are looked at. The largest that a client has reason to send is a file that a tool has read
// or rewritten, which comes with its whole content, twice for an edit.
const Limit = 16 << 20

// head is how much of an input that is too large is looked at for the name of the event: clients write it before what a tool is given.
const head = 1 << 20

// ErrUsage says that the words behind "moai hook" are none that it takes. Failure writes "Usage: " before its text.
var ErrUsage = errors.New("moai hook EVENT [--dialect NAME]")

// ErrNoEvent says that neither the command line nor the input names the event.
var ErrNoEvent error = noEvent{}

// noEvent is a type, since an error that is put together is put together before main, in every call.
type noEvent struct{}

func (noEvent) Error() string {
	return ErrUsage.Error() + ": no event: name it, as in moai hook pre-tool, or send hook_event_name"
}

func (noEvent) Unwrap() error { return ErrUsage }

// Asked is what is known about a call beside its input.
type Asked struct {
	Verb    string // the event on the command line, in any spelling; may be empty
	Dialect string // --dialect; empty to recognise it
	Getenv  func(string) string
	Getwd   func() (string, error)
}

// Decode reads one event. Everything may be missing or of the wrong type; only text that is no JSON object, or too much of it,
// is an error (hook.ErrInput), and an event that nobody names (ErrNoEvent). An in that cannot be read is empty.
//
// Of what is too large (hook.ErrLarge) the event comes back as well, as far as its beginning tells.
func Decode(t *Tables, in io.Reader, asked Asked) (*hook.Event, error) {
	text, err := read(in)
	if err != nil {
		members, _ := hook.Members(text, nil)
		e, wrong := t.decode(text, members, asked)
		if wrong != nil {
			e = nil
		}
		return e, err
	}
	if text == "null" {
		text = ""
	}
	members, err := hook.Members(text, make([]hook.Member, 0, 16))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", hook.ErrInput, err)
	}
	return t.decode(text, members, asked)
}

// decode makes an event of the members that an input has.
func (t *Tables) decode(text string, members []hook.Member, asked Asked) (*hook.Event, error) {
	e := &hook.Event{Verb: asked.Verb, Input: hook.Value(text)}
	e.SetFields(members)
	if a := t.adapter(e, &asked, members); a != nil {
		if err := t.adapted(e, a, members, asked); err != nil {
			return nil, err
		}
		return e, nil
	}
	d, sure, err := t.dialect(asked.Dialect, members)
	if err != nil {
		return nil, err
	}
	e.Dialect, e.Doubt = d.Name, !sure
	var known *rule.Event
	if known, err = t.name(e, d); err != nil {
		return nil, err
	}
	// Behind those of the envelope, so that in case of doubt the payload counts: the last of two fields does.
	if d.Body != "" {
		for name, v := range e.Raw(d.Body).Members() {
			members = append(members, hook.Member{Name: name, Value: v})
		}
	}
	if d.Name != hook.Claude {
		rename(members, d, known, t.Common)
	}
	unfold(members)
	e.SetFields(members)
	t.fill(e, asked)
	return e, nil
}

// read takes in all of in, up to Limit. It does not wait for the end of the input once the object is whole: clients write it
// in one go, and some close the pipe much later or never.
func read(in io.Reader) (string, error) {
	// Enough for most events; the content of a file makes it grow.
	buf := make([]byte, 0, 4096)
	var b brackets
	for {
		n, err := in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if len(buf) > Limit {
			return clean(buf[:head]), fmt.Errorf("%w: %w, which is %d MiB", hook.ErrInput, hook.ErrLarge, Limit>>20)
		}
		if err != nil {
			// A closed or broken stdin is no reason to fail: what came so far either is an object or is not.
			return clean(buf), nil
		}
		if b.closed(buf) {
			return clean(buf), nil
		}
		if len(buf) == cap(buf) {
			size := 2 * cap(buf)
			if size >= Limit {
				size = Limit + 1 // one more shows that there is more
			}
			buf = append(make([]byte, 0, size), buf...)
		}
	}
}

// brackets follows an object while it comes in. Every part may end in a brace, of the content of a file for instance, and parsing
// all of it each time would take quadratic time; so each byte is looked at once, for nothing but where the object ends.
type brackets struct {
	at      int // so many bytes were looked at
	depth   int
	begun   bool
	text    bool // within a string
	escaped bool // behind a backslash in it
}

// closed reports that an object is all there. Whether it is JSON is for the parser to say: nothing that follows could mend it.
func (b *brackets) closed(data []byte) bool {
	for ; b.at < len(data); b.at++ {
		if b.text && !b.escaped { // which most of it is
			for b.at < len(data) && data[b.at] != '"' && data[b.at] != '\\' {
				b.at++
			}
			if b.at == len(data) {
				break
			}
		}
		c := data[b.at]
		switch {
		case b.escaped:
			b.escaped = false
		case c == '\\' && b.text:
			b.escaped = true
		case c == '"':
			b.text = !b.text
		case b.text:
		case c == '{' || c == '[':
			b.depth++
			b.begun = true
		case c == '}' || c == ']':
			b.depth--
		}
	}
	return b.begun && b.depth <= 0
}

// clean drops a byte order mark and surrounding blanks and replaces what is not UTF-8: clients on Windows send both.
func clean(data []byte) string {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.Trim(data, " \t\r\n")
	if !utf8.Valid(data) {
		return strings.ToValidUTF8(string(data), "\ufffd")
	}
	return string(data)
}

// dialect is the one asked for, else the first whose marks occur, else claude, which then is not sure.
func (t *Tables) dialect(name string, members []hook.Member) (d *rule.Dialect, sure bool, err error) {
	if name != "" {
		for i := range t.Dialects {
			if t.Dialects[i].Name == name {
				return &t.Dialects[i], true, nil
			}
		}
		return nil, false, fmt.Errorf("hook: unknown dialect %q; there are %s", name, strings.Join(t.Names(), ", "))
	}
	// In the order of the table: claude comes first, so no field that it may grow makes it another dialect.
	for i := range t.Dialects {
		for _, mark := range t.Dialects[i].Marks {
			for _, m := range members {
				if m.Name == mark {
					return &t.Dialects[i], true, nil
				}
			}
		}
	}
	return &rule.Dialect{Name: hook.Claude}, false, nil
}

// Names lists the dialects, those of the agents last.
func (t *Tables) Names() (list []string) {
	for i := range t.Dialects {
		list = append(list, t.Dialects[i].Name)
	}
	for i := range t.Adapters {
		list = append(list, t.Adapters[i].Name)
	}
	return list
}

// name finds out which event it is. The input counts more than the command line, which may be registered for the wrong event,
// but in a dialect whose clients name it there; and an event that nobody knows is taken for the other one, so that a guard is not
// switched off by a new name.
func (t *Tables) name(e *hook.Event, d *rule.Dialect) (*rule.Event, error) {
	said := ""
	if d.Event != "" {
		said = hook.PlainName(e.Text(d.Event))
	}
	if said == "" && e.Verb == "" {
		return nil, ErrNoEvent
	}
	names := [...]string{said, e.Verb}
	if d.Word {
		names = [...]string{e.Verb, said}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if known := t.Event(name); known != nil {
			e.Name, e.Known = known.Name, true
			return known, nil
		}
		if e.Name == "" {
			e.Name = name
		}
	}
	return nil, nil
}

// unfold makes an object of a tool's input that came as a text of JSON, as Copilot CLI sends it: a guard that looks for a command
// in a text finds none, and lets everything pass.
func unfold(members []hook.Member) {
	for i := range members {
		if m := &members[i]; m.Name == "tool_input" && m.Value.IsText() {
			if v, err := hook.Parse(strings.Trim(m.Value.Text(), " \t\r\n")); err == nil && v.IsObject() {
				m.Value = v
			}
		}
	}
}

// rename gives fields their canonical names.
func rename(members []hook.Member, d *rule.Dialect, known *rule.Event, common []rule.Field) {
	for i := range members {
		m := &members[i]
		if known != nil && renameOne(m, d, known.Fields) {
			continue
		}
		renameOne(m, d, common)
	}
}

func renameOne(m *hook.Member, d *rule.Dialect, fields []rule.Field) bool {
	for i := range fields {
		f := &fields[i]
		for _, s := range f.Spelled {
			if s.Dialect != d.Name {
				continue
			}
			if slices.Contains(s.Names, m.Name) {
				m.Name = f.Name
				return true
			}
		}
	}
	return false
}

// fill decodes what nearly every handler needs and finds elsewhere what the client did not say (C17).
func (t *Tables) fill(e *hook.Event, asked Asked) {
	e.SessionID = e.Text("session_id")
	e.ToolName = t.tool(hook.PlainName(e.Text("tool_name")))
	e.CWD = e.Text("cwd")
	e.ProjectDir = e.Text("project_dir")
	// The client sets both variables for every hook that it starts.
	if e.SessionID == "" {
		e.SessionID = asked.Getenv("CLAUDE_CODE_SESSION_ID")
	}
	if e.ProjectDir == "" {
		e.ProjectDir = asked.Getenv("CLAUDE_PROJECT_DIR")
	}
	e.CWD = absolute(e.CWD, asked.Getwd)
	if e.ProjectDir == "" {
		e.ProjectDir = e.CWD
	} else {
		e.ProjectDir = absolute(e.ProjectDir, asked.Getwd)
	}
}

// tool is the client's own spelling of a tool's name: another case is no other tool.
func (t *Tables) tool(name string) string {
	for i := range t.Tools {
		if strings.EqualFold(t.Tools[i].Name, name) {
			return t.Tools[i].Name
		}
	}
	return name
}

// absolute joins a relative directory ("." is the usual one in one dialect) to that of the process. Clients on Windows may send
// /c/Users/…, which Go does not take for absolute there, and joining would only make it worse.
func absolute(dir string, getwd func() (string, error)) string {
	if filepath.IsAbs(dir) && strings.IndexByte(dir, 0) < 0 {
		return filepath.Clean(dir) // "/app/" is no other project than /app
	}
	// A NUL is in no path of any system: joining would only hide it from whoever opens the folder, which then fails as it should.
	if strings.HasPrefix(dir, "/") || strings.IndexByte(dir, 0) >= 0 {
		return dir
	}
	wd, err := getwd()
	if err != nil {
		return dir
	}
	return filepath.Join(wd, dir)
}
