package rule

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	// Names that begin with "_" are about all events; every other file is one event.
	commonFile   = "rules/events/_common.toml"
	dialectsFile = "rules/events/_dialects.toml"
	toolsFile    = "rules/events/_tools.toml"
	aroundFile   = "rules/events/_environment.toml"
)

// What an event file looks like to the TOML decoder. The types here mirror the file, those
// of event.go what the rest of moai asks.
type rawEvent struct {
	Name     string              `toml:"name"`
	Text     string              `toml:"description"`
	Verb     string              `toml:"verb"`
	Aliases  []string            `toml:"aliases"`
	Spelling map[string][]string `toml:"spelling"`
	Matcher  string              `toml:"matcher"`
	Answer   rawAnswer           `toml:"answer"`
	Budget   struct {
		Soft int `toml:"soft_ms"`
		Hard int `toml:"hard_ms"`
	} `toml:"budget"`
	Register *struct {
		Matcher string `toml:"matcher"`
		Timeout int    `toml:"timeout"`
	} `toml:"register"`
	Field []rawField `toml:"field"`
}

type rawAnswer struct {
	Specific bool     `toml:"specific"`
	Context  string   `toml:"context"`
	Refuse   string   `toml:"refuse"`
	Ask      bool     `toml:"ask"`
	Exit2    string   `toml:"exit2"`
	Keys     []string `toml:"keys"`
	Top      []string `toml:"top"`
	Stdout   string   `toml:"stdout"`
}

type rawField struct {
	Name     string              `toml:"name"`
	Type     string              `toml:"type" one:"string bool int number object any []string []object []any"`
	Null     bool                `toml:"null"`
	Optional bool                `toml:"optional"`
	Text     string              `toml:"text"`
	Values   []string            `toml:"values"`
	Only     []string            `toml:"only"`
	Foreign  bool                `toml:"foreign"`
	Spelling map[string][]string `toml:"spelling"`
	Field    []rawField          `toml:"field"`
}

type rawDialect struct {
	Name   string   `toml:"name"`
	Text   string   `toml:"description"`
	Event  string   `toml:"event"`
	Body   string   `toml:"body"`
	Word   bool     `toml:"word_decides"`
	Marks  []string `toml:"marks"`
	Source string   `toml:"source"`
}

// LoadEvents reads rules/events. All problems of all files are reported at once.
func LoadEvents(fsys fs.FS) (*Protocol, error) {
	files, err := Files(fsys, "events")
	if err != nil {
		return nil, err
	}
	l := &eventLoader{fsys: fsys, types: map[string]string{}, verbs: map[string]string{}, whole: true}
	// In this order: spellings refer to dialects, and events may not repeat a common field.
	l.dialects()
	l.common()
	l.tools()
	l.around()
	for _, file := range files {
		if !strings.HasPrefix(path.Base(file), "_") {
			l.event(file)
		}
	}
	// With an event missing for a typing error, every list that names it would be reported as well.
	if l.whole {
		l.only()
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	return &l.p, nil
}

type eventLoader struct {
	report
	fsys  fs.FS
	p     Protocol
	types map[string]string // of a field, which has one type wherever it occurs: its accessor has one
	verbs map[string]string // squeezed spelling → event
	whole bool              // every event could be read, so one that is named and not there does not exist
}

// snake reports a name of lower-case words that Go can have as well.
func snake(name string) bool {
	for i, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != ""
}

func (l *eventLoader) dialects() {
	var raw struct {
		Dialect []rawDialect `toml:"dialect"`
	}
	at, ok := l.read(l.fsys, dialectsFile, "dialect", &raw)
	if !ok {
		return
	}
	for i, d := range raw.Dialect {
		// Without its source nobody can tell later whether a spelling is a mistake or the specification.
		if d.Name == "" || d.Text == "" || d.Source == "" {
			l.add(dialectsFile, at(i), d.Name, "a dialect needs name, description and source")
		}
		l.p.Dialects = append(l.p.Dialects, Dialect(d))
	}
}

func (l *eventLoader) common() {
	var raw struct {
		Field []rawField `toml:"field"`
	}
	if at, ok := l.read(l.fsys, commonFile, "field", &raw); ok {
		l.p.Common = l.fields(commonFile, "common", raw.Field, at)
	}
}

func (l *eventLoader) tools() {
	var raw struct {
		Tool []struct {
			Name     string     `toml:"name"`
			Text     string     `toml:"description"`
			Input    []rawField `toml:"input"`
			Response []rawField `toml:"response"`
		} `toml:"tool"`
	}
	at, ok := l.read(l.fsys, toolsFile, "tool", &raw)
	if !ok {
		return
	}
	for i, r := range raw.Tool {
		if r.Name == "" || r.Text == "" {
			l.add(toolsFile, at(i), r.Name, "a tool needs name and description")
		}
		// Sorted, so that two people who add a tool do not add it twice, and a diff is one place.
		if i > 0 && r.Name <= raw.Tool[i-1].Name {
			l.add(toolsFile, at(i), r.Name, "comes after %s; keep the names sorted, each once", raw.Tool[i-1].Name)
		}
		// Fields of a tool have no [[header]] of their own: the tool's line is the nearest.
		here := func(int) int { return at(i) }
		l.p.Tools = append(l.p.Tools, Call{
			r.Name, r.Text, l.fields(toolsFile, r.Name+".input", r.Input, here), l.fields(toolsFile, r.Name+".response", r.Response, here),
		})
	}
}

func (l *eventLoader) event(file string) {
	var raw rawEvent
	at, ok := l.read(l.fsys, file, "field", &raw)
	if !ok {
		l.whole = false
		return
	}
	bad := func(format string, args ...any) { l.add(file, 1, raw.Name, format, args...) }
	// One event a file, found by its name: what the client calls it is where it stands.
	if want := strings.TrimSuffix(path.Base(file), ".toml"); raw.Name != want {
		bad("name = %q, but the file is named %s.toml", raw.Name, want)
	}
	if raw.Text == "" || raw.Verb == "" {
		bad("an event needs description and verb")
	}
	e := Event{
		Name: raw.Name, Text: raw.Text, Verb: raw.Verb, Aliases: raw.Aliases, Matcher: raw.Matcher,
		Spelled: l.spelled(file, 1, raw.Name, raw.Spelling),
		Answer:  EventAnswer(raw.Answer),
		Soft:    raw.Budget.Soft, Hard: raw.Budget.Hard,
		Fields: l.fields(file, raw.Name, raw.Field, at),
	}
	if raw.Register != nil {
		e.Register = &Registering{raw.Register.Matcher, raw.Register.Timeout}
	}
	// An accessor is generated once for each name; two definitions would be two opinions.
	for i, f := range e.Fields {
		if slices.ContainsFunc(l.p.Common, func(c Field) bool { return c.Name == f.Name && c.On(e.Name) }) {
			l.add(file, at(i), e.Name+"."+f.Name, "comes with this event by %s already", path.Base(commonFile))
		}
		if len(f.Only) > 0 || f.Foreign {
			bad("field %s: only and foreign are for fields of %s", f.Name, path.Base(commonFile))
		}
	}
	if e.Matcher != "" && !slices.ContainsFunc(slices.Concat(e.Fields, l.p.Common), func(f Field) bool { return f.Name == e.Matcher }) {
		bad("matcher = %q is no field of it", e.Matcher)
	}
	l.answer(e.Answer, bad)
	l.limits(&e, bad)
	// moai hook takes an event in any spelling, so no two may be spelled alike.
	for _, s := range append([]string{e.Name, e.Verb}, e.Aliases...) {
		key := Squeeze(s)
		if other := l.verbs[key]; other != "" && other != e.Name {
			bad("%q is also a spelling of %s", s, other)
		}
		l.verbs[key] = e.Name
	}
	l.p.Events = append(l.p.Events, e)
}

func (l *eventLoader) answer(a EventAnswer, bad func(string, ...any)) {
	one := func(key, value string, of ...string) {
		if !slices.Contains(of, value) {
			bad("answer.%s = %q, want one of %s", key, value, strings.Join(of, ", "))
		}
	}
	// The words are what the generated encoder switches on; another one would answer nothing.
	one("context", a.Context, "model", "user", "none")
	one("refuse", a.Refuse, RefuseNot, RefusePermission, RefuseBehavior, RefuseBlock, RefuseAction, RefuseExit)
	one("exit2", a.Exit2, "stops", "feedback", "shown", "ignored")
	one("stdout", a.Stdout, "", "context", "instructions", "path")
	// These stand in hookSpecificOutput, which only 22 events may carry.
	inside := a.Refuse == RefusePermission || a.Refuse == RefuseBehavior || a.Refuse == RefuseAction
	if !a.Specific && (a.Context == "model" || len(a.Keys) > 0 || inside) {
		bad("answer: context, keys and refuse = %q need specific = true", a.Refuse)
	}
	// decision = "block" is a key of the top level, and is only written where it is listed.
	if a.Refuse == RefuseBlock && !slices.Contains(a.Top, "decision") {
		bad("answer: refuse = \"block\" needs \"decision\" in top")
	}
	if a.Ask && a.Refuse != RefusePermission {
		bad("answer: only refuse = \"permission\" can ask")
	}
}

func (l *eventLoader) limits(e *Event, bad func(string, ...any)) {
	// Past soft_ms the answer so far is given, at hard_ms the process ends.
	if e.Soft <= 0 || e.Hard < e.Soft {
		bad("budget: want 0 < soft_ms <= hard_ms, have %d and %d", e.Soft, e.Hard)
	}
	if e.Register == nil {
		return
	}
	// A client that kills its hook lets the call pass (measured).
	if e.Register.Timeout*1000 <= e.Hard {
		bad("register.timeout = %d s is not above hard_ms = %d: the client would kill moai before it answers", e.Register.Timeout, e.Hard)
	}
	if e.Register.Matcher != "" && e.Matcher == "" {
		bad("register.matcher: the client tries no matcher on this event")
	}
}

func (l *eventLoader) fields(file, id string, raw []rawField, at func(int) int) []Field {
	var list []Field
	for i, r := range raw {
		line := at(i)
		bad := func(format string, args ...any) { l.add(file, line, id+"."+r.Name, format, args...) }
		if r.Name == "" || r.Text == "" {
			bad("a field needs name and text")
		}
		if types := oneOf(r, "Type"); !slices.Contains(types, r.Type) {
			bad("type = %q, want one of %s", r.Type, strings.Join(types, ", "))
		}
		if slices.ContainsFunc(list, func(f Field) bool { return f.Name == r.Name }) {
			bad("is there twice")
		}
		if !strings.Contains(id, ".") { // a member of a field may be called like any other field, and gets no accessor
			if r.Name != "" && !snake(r.Name) {
				bad("name = %q, want lower-case words joined by underscores: the accessor is named after it", r.Name)
			}
			if old := l.types[r.Name]; old != "" && old != r.Type {
				bad("type = %q, but %q in another file", r.Type, old)
			}
			l.types[r.Name] = r.Type
		}
		if len(r.Field) > 0 && r.Type != "object" && r.Type != "[]object" {
			bad("only objects have fields, this is %s", r.Type)
		}
		list = append(list, Field{
			Name: r.Name, Type: r.Type, Null: r.Null, Optional: r.Optional, Text: r.Text, Values: r.Values,
			Only: r.Only, Foreign: r.Foreign,
			Spelled: l.spelled(file, line, id+"."+r.Name, r.Spelling),
			Fields:  l.fields(file, id+"."+r.Name, r.Field, func(int) int { return line }),
		})
	}
	return list
}

// spelled turns a table of spellings into a sorted list.
func (l *eventLoader) spelled(file string, line int, id string, raw map[string][]string) []Spelling {
	var list []Spelling
	for dialect, names := range raw {
		if !slices.ContainsFunc(l.p.Dialects, func(d Dialect) bool { return d.Name == dialect }) {
			l.add(file, line, id, "spelling: no dialect %q in %s", dialect, path.Base(dialectsFile))
		}
		list = append(list, Spelling{dialect, names})
	}
	// Maps have no order, and the generated bytes must be the same on every machine.
	slices.SortFunc(list, func(a, b Spelling) int { return strings.Compare(a.Dialect, b.Dialect) })
	return list
}

// only checks the lists of events in common fields, when all events are known.
func (l *eventLoader) only() {
	for _, f := range l.p.Common {
		for _, name := range f.Only {
			if !slices.ContainsFunc(l.p.Events, func(e Event) bool { return e.Name == name }) {
				l.add(commonFile, 0, "common."+f.Name, "only: no event %q", name)
			}
		}
	}
}

// Squeeze reduces the spellings of a name to one: PreToolUse, pre-tool-use and PRE_TOOL_USE are pretooluse.
func Squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		// Dropped, not replaced: "pretooluse" has to be among the spellings too.
		case r == '-' || r == '_' || r == ' ':
			return -1
		}
		return r
	}, name)
}

// report collects problems of the files of one family.
type report struct{ problems []*Problem }

func (r *report) add(file string, line int, id, format string, args ...any) {
	r.problems = append(r.problems, &Problem{File: file, Line: line, ID: id, Text: fmt.Sprintf(format, args...)})
}

func (r *report) err() error { return Join(r.problems) }

// read decodes a file strictly. at gives the line of the n-th [[table]] in it.
func (r *report) read(fsys fs.FS, file, table string, into any) (at func(int) int, ok bool) {
	data, err := fs.ReadFile(fsys, file)
	if err == nil {
		err = Decode(file, data, into)
	}
	if err != nil {
		r.problems = append(r.problems, unjoin(file, err)...)
		return nil, false
	}
	// The decoder knows no lines for values that are well-formed and wrong; headers are near enough.
	lines := Headers(data, table)
	return func(i int) int {
		if i < len(lines) {
			return lines[i]
		}
		return 1
	}, true
}
