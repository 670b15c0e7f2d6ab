package wire

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

// Adapter is the agent of a dialect, nil for one of the older dialects.
func (t *Tables) Adapter(dialect string) *rule.Adapter {
	for i := range t.Adapters {
		if t.Adapters[i].Name == dialect {
			return &t.Adapters[i]
		}
	}
	return nil
}

// adapter is the agent that asks: the one that the registered command names, else the one whose payloads look like this one; where a
// payload looks like nobody's, the one whose variables are set. Variables come last since agents run inside one another and inherit them, and
// count only where they are those of one agent.
func (t *Tables) adapter(e *hook.Event, asked *Asked, members []hook.Member) *rule.Adapter {
	if asked.Dialect != "" {
		return t.Adapter(asked.Dialect)
	}
	for i := range t.Adapters {
		a := &t.Adapters[i]
		for j := range a.Shapes {
			if t.fits(a, &a.Shapes[j], e, members) {
				return a
			}
		}
	}
	if len(members) > 0 {
		return nil // an older dialect's, or in doubt
	}
	var only *rule.Adapter
	for i := range t.Adapters {
		if slices.ContainsFunc(t.Adapters[i].Sign, func(name string) bool { return asked.Getenv(name) != "" }) {
			if only != nil {
				return nil
			}
			only = &t.Adapters[i]
		}
	}
	return only
}

// fits reports that a payload has a shape.
func (t *Tables) fits(a *rule.Adapter, s *rule.Shape, e *hook.Event, members []hook.Member) bool {
	for _, name := range s.Has {
		if !has(members, name) {
			return false
		}
	}
	for _, name := range s.Lacks {
		if has(members, name) {
			return false
		}
	}
	if !s.Event {
		return true
	}
	said := e.Text(a.Event)
	return slices.ContainsFunc(a.Asks, func(asks rule.Asks) bool { return slices.Contains(asks.As, said) }) && t.Find(said) < 0
}

func has(members []hook.Member, name string) bool {
	for i := range members {
		if members[i].Name == name {
			return true
		}
	}
	return false
}

// adapted fills e from the words of an agent.
func (t *Tables) adapted(e *hook.Event, a *rule.Adapter, members []hook.Member, asked Asked) error {
	e.Dialect = a.Name
	members = renamed(members, a.Fields)
	e.SetFields(members)
	asks, err := t.asks(e, a)
	if err != nil {
		return err
	}
	e.SessionID, e.CWD = e.Text("session_id"), absolute(e.Text("cwd"), asked.Getwd)
	e.ProjectDir = e.Text("project_dir")
	for roots := range e.Raw("project_dir").Items() { // of several, the first
		e.ProjectDir = roots.Text()
		break
	}
	for _, name := range a.Project {
		if e.ProjectDir == "" {
			e.ProjectDir = asked.Getenv(name)
		}
	}
	if e.ProjectDir == "" {
		e.ProjectDir = e.CWD
	} else {
		e.ProjectDir = absolute(e.ProjectDir, asked.Getwd)
	}
	if e.Text("cwd") == "" && e.Raw("project_dir").Present() {
		e.CWD = e.ProjectDir // its process may be anywhere
	}
	t.call(e, a, asks, members)
	return nil
}

// asks finds out which event it is. The payload counts more than the command line, which may be registered for the wrong event.
func (t *Tables) asks(e *hook.Event, a *rule.Adapter) (*rule.Asks, error) {
	said := hook.PlainName(e.Text("hook_event_name"))
	if said == "" {
		said = hook.PlainName(e.Text(a.Event))
	}
	if said == "" && e.Verb == "" {
		if a.Codec != hook.Generic || len(a.Asks) == 0 {
			return nil, ErrNoEvent
		}
		said = a.Asks[0].Name // nothing is asked more often
	}
	for _, name := range [...]string{said, e.Verb} {
		if name == "" {
			continue
		}
		asks := a.Adapt(name)
		if known := t.Event(name); asks == nil && known != nil {
			if asks = a.Adapt(known.Name); asks == nil {
				e.Name, e.Said, e.Known = known.Name, name, true
				return nil, nil // it says nothing that could be answered
			}
		}
		if asks != nil {
			e.Name, e.Said, e.Known, e.Mute = asks.Name, name, true, !asks.Ask
			if !slices.Contains(asks.As, name) {
				e.Said = asks.As[0]
			}
			return asks, nil
		}
		if e.Name == "" {
			e.Name, e.Said = name, name
		}
	}
	return nil, nil
}

// renamed gives members the names that moai knows them by.
func renamed(members []hook.Member, by []rule.Renamed) []hook.Member {
	for i := range members {
		m := &members[i]
		for j := range by {
			if slices.Contains(by[j].From, m.Name) {
				m.Name = by[j].Name
				break
			}
		}
	}
	return members
}

// call makes the agent's tool and its input those of the claude dialect.
func (t *Tables) call(e *hook.Event, a *rule.Adapter, asks *rule.Asks, members []hook.Member) {
	unfold(members)
	name, input := hook.PlainName(e.Text(toolName)), e.Raw("tool_input")
	if asks != nil && asks.Tool != "" && (name == "" || strings.Contains(asks.Tool, "*")) {
		about := e.Raw(first(asks.Input))
		if name == "" && !about.Present() && len(asks.Input) > 0 {
			return // neither a tool nor what it would be about
		}
		name = strings.Replace(asks.Tool, "*", name, 1)
	}
	if asks != nil && !input.Present() && len(asks.Input) > 0 {
		input = object(e, asks.Input)
	}
	offers := a.Offer(name)
	if key := t.bare(a, &name, offers, input); key != "" {
		offers, input = a.Offer(name), hook.Value(`{`+quoted(key)+`:`+string(input)+`}`)
	}
	switch {
	case offers != nil:
		if name = offers.Name; input.IsObject() {
			input = t.input(e, offers, input)
		}
	case name != "":
		name = t.tool(name)
		if !slices.ContainsFunc(t.Tools, func(known rule.Call) bool { return known.Name == name }) {
			name = served(e, &a.Server, name)
		}
	}
	e.ToolName = name
	if name != "" {
		e.SetFields(append(members, hook.Member{Name: toolName, Value: hook.Value(quoted(name))}, hook.Member{Name: "tool_input", Value: input}))
	}
}

// bare names the field of the tool's input that a text stands for, where a client sends a text in place of an object: the command of a
// tool that runs commands, the patch of a tool for patches. It is "" where that is not known: the input then stays as it is, and the
// guard reports that it was not judged.
func (t *Tables) bare(a *rule.Adapter, name *string, offers *rule.Offers, input hook.Value) string {
	if input.IsObject() || !input.Present() {
		return ""
	}
	tool := t.tool(*name)
	if offers != nil {
		tool = offers.Name
	}
	for i := range t.Tools {
		if t.Tools[i].Name == tool && slices.ContainsFunc(t.Tools[i].Input, func(f rule.Field) bool { return f.Name == command }) {
			return command
		}
	}
	if b := &a.Bare; b.Tool != "" && input.IsText() && (tool == b.Tool || strings.HasPrefix(strings.TrimSpace(input.Text()), b.Begins)) {
		*name = b.Tool
		return b.Key
	}
	return ""
}

// command is the part of a tool's input that is a command line.
const command = "command"

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// object is an object of the fields of e that are there.
func object(e *hook.Event, names []string) hook.Value {
	var parts []string
	for _, name := range names {
		if v := e.Raw(name); v.Present() {
			parts = append(parts, quoted(name)+":"+string(v))
		}
	}
	return hook.Value("{" + strings.Join(parts, ",") + "}")
}

// input renames the parts of a tool's input, makes its paths absolute, and goes to the folder in which the tool works.
func (t *Tables) input(e *hook.Event, o *rule.Offers, input hook.Value) hook.Value {
	if dir := input.Get(o.Dir).Text(); o.Dir != "" && dir != "" {
		e.CWD = absolute(dir, func() (string, error) { return e.CWD, nil })
	}
	var b strings.Builder
	b.Grow(len(input) + 64)
	b.WriteByte('{')
	for name, v := range input.Members() {
		for i := range o.Fields {
			if slices.Contains(o.Fields[i].From, name) {
				name = o.Fields[i].Name
			}
		}
		if slices.Contains(o.Paths, name) && v.IsText() {
			v = hook.Value(quoted(joined(e.CWD, v.Text())))
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(name))
		b.WriteByte(':')
		b.WriteString(string(v))
	}
	b.WriteByte('}')
	return hook.Value(b.String())
}

// joined is a path as an agent means it that was started in dir. What is empty, begins at a home, or names a file by an address stays.
func joined(dir, path string) string {
	if path == "" || filepath.IsAbs(path) || dir == "" || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.Contains(path, "://") || strings.IndexByte(path, 0) >= 0 {
		return path
	}
	return filepath.Join(dir, path)
}

// served is the name that the claude dialect has for a tool of an MCP server: mcp__server__tool.
func served(e *hook.Event, s *rule.ServerTool, name string) string {
	const prefix, joint = "mcp__", "__"
	if strings.HasPrefix(name, prefix) {
		return name
	}
	if about := e.Raw(s.Context); s.Context != "" && about.Get("server_name").Text() != "" && about.Get("tool_name").Text() != "" {
		return prefix + about.Get("server_name").Text() + joint + about.Get("tool_name").Text()
	}
	rest, ok := strings.CutPrefix(name, s.Prefix)
	if !ok || *s == (rule.ServerTool{}) {
		return name
	}
	if s.Server != "" {
		return prefix + s.Server + joint + rest
	}
	if i := strings.IndexAny(rest, s.Joint); i > 0 && i < len(rest)-1 {
		return prefix + rest[:i] + joint + rest[i+1:]
	}
	return name
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil { // of a text there is none
		return `""`
	}
	return string(b)
}

// speak answers in the words of an agent.
func (t *Tables) speak(a *rule.Adapter, e *hook.Event, answer hook.Answer) Output {
	asks := a.Adapt(e.Said)
	if asks == nil || asks.Name != e.Name {
		if asks = a.Adapt(e.Name); asks == nil || !e.Known {
			asks = &rule.Asks{Name: e.Name, As: []string{e.Name}, Refuse: rule.RefuseNot}
		}
	}
	if answer.Decision == hook.Ask && !asks.Ask && asks.Refuse != rule.RefuseNot {
		answer.Decision = hook.Deny
	}
	known := t.Event(asks.Name)
	s := said(asks, known != nil && known.Matcher == toolName, answer)
	switch a.Codec {
	case hook.Codex:
		return codex(asks, s)
	case hook.Copilot:
		return copilot(asks, s)
	case hook.Cursor:
		return cursor(asks, s)
	case hook.Gemini:
		return gemini(asks, s)
	case hook.Generic:
		return generic(s)
	}
	return claude(t.toClaude(asks), answer)
}

// toClaude is what an agent that speaks as Claude Code does takes from an answer to an event.
func (t *Tables) toClaude(asks *rule.Asks) *rule.Event {
	known := t.Event(asks.Name)
	if known == nil {
		return nil
	}
	e := *known
	e.Answer.Refuse, e.Answer.Ask = asks.Refuse, asks.Ask
	if e.Answer.Context = "none"; asks.Context {
		e.Answer.Context = "model"
	}
	return &e
}

// saying is an answer without what the event takes no notice of.
type saying struct {
	refused, asked bool
	reason         string // of these
	context        string // for the model
	tell           string // for the user
	restore        string // what brings back what the call destroys
}

// toolName is the field that tells an event about a tool.
const toolName = "tool_name"

// said takes out of an answer what can be said. What the user cannot be told about a call is told the model, which can pass it on: that a snapshot was taken is no secret.
func said(asks *rule.Asks, tool bool, a hook.Answer) saying {
	var s saying
	system := []string{a.System}
	switch {
	case a.Decision >= hook.Ask && asks.Refuse == rule.RefuseNot:
		system = append(system, claudeReason(a))
	case a.Decision.Refuses():
		s.refused, s.reason = true, shorten(claudeReason(a))
	case a.Decision == hook.Ask:
		s.asked, s.reason = true, shorten(claudeReason(a))
	default:
		system = append(system, a.Suggestions...)
	}
	if a.Stop {
		system = append(system, a.StopReason)
	}
	for _, n := range a.Notifications {
		system = append(system, note(n))
	}
	tell, context := lines(system), claudeContext(a)
	for line := range strings.SplitSeq(tell, "\n") {
		if _, way, ok := strings.Cut(line, restores); ok && s.restore == "" {
			s.restore = way
		}
	}
	if asks.Tell {
		s.tell = shorten(tell)
	} else if tool || context == "" {
		context = lines([]string{context, tell})
	}
	if asks.Context {
		s.context = shorten(context)
	}
	return s
}

// restores is what the line begins with that says how to undo a call.
const restores = "bring it back: "
