package rule

import (
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
	turnsFile    = "rules/events/_turns.toml"
	localeFile   = "rules/events/_locale.toml"
)

// What an event file looks like to the TOML decoder, beside what is as the rest of moai asks for it.
type rawEvent struct {
	Event
	Spelling map[string][]string
	Budget   struct {
		Soft int `toml:"soft_ms"`
		Hard int `toml:"hard_ms"`
	}
	Members []rawField `toml:"field"`
}

type rawField struct {
	Field
	Spelling map[string][]string
	Members  []rawField `toml:"field"`
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
	l.turns()
	l.locale()
	for _, file := range files {
		if !strings.HasPrefix(path.Base(file), "_") {
			l.event(file)
		}
	}
	// With an event missing for a typing error, every list that names it would be reported as well.
	if l.whole {
		l.only()
	}
	return &l.p, l.err()
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
	var raw struct{ Dialect []Dialect }
	if !l.read(l.fsys, dialectsFile, &raw) {
		return
	}
	rows(&l.report, "dialect", raw.Dialect, func(d *Dialect) {
		// Without its source nobody can tell later whether a spelling is a mistake or the specification.
		if l.id = d.Name; d.Name == "" || d.Text == "" || d.Source == "" {
			l.problem("a dialect needs name, description and source")
		}
	})
	l.p.Dialects = raw.Dialect
}

func (l *eventLoader) common() {
	var raw struct{ Field []rawField }
	if l.read(l.fsys, commonFile, &raw) {
		rows(&l.report, "field", raw.Field, func(r *rawField) { l.field("common", r, &l.p.Common) })
	}
}

func (l *eventLoader) tools() {
	type tool struct {
		Call
		Takes []rawField `toml:"input"`
		Gives []rawField `toml:"response"`
	}
	var raw struct{ Tool []tool }
	if !l.read(l.fsys, toolsFile, &raw) {
		return
	}
	before := ""
	rows(&l.report, "tool", raw.Tool, func(r *tool) {
		if l.id = r.Name; r.Name == "" || r.Text == "" {
			l.problem("a tool needs name and description")
		}
		// Sorted, so that two people who add a tool do not add it twice, and a diff is one place.
		if r.Name <= before && before != "" {
			l.problem("comes after %s; keep the names sorted, each once", before)
		}
		before = r.Name
		// Fields of a tool have no [[header]] of their own: the tool's line is the nearest.
		for i := range r.Takes {
			l.field(r.Name+".input", &r.Takes[i], &r.Input)
		}
		for i := range r.Gives {
			l.field(r.Name+".response", &r.Gives[i], &r.Response)
		}
		l.p.Tools = append(l.p.Tools, r.Call)
	})
}

func (l *eventLoader) event(file string) {
	var raw rawEvent
	if !l.read(l.fsys, file, &raw) {
		l.whole = false
		return
	}
	e := &raw.Event
	e.Soft, e.Hard = raw.Budget.Soft, raw.Budget.Hard
	rows(&l.report, "field", raw.Members, func(r *rawField) {
		l.field(e.Name, r, &e.Fields)
		l.id = e.Name + "." + r.Name
		// An accessor is generated once for each name; two definitions would be two opinions.
		if slices.ContainsFunc(l.p.Common, func(c Field) bool { return c.Name == r.Name && c.On(e.Name) }) {
			l.problem("comes with this event by %s already", path.Base(commonFile))
		}
		if len(r.Only) > 0 || r.Foreign {
			l.problem("only and foreign are for fields of %s", path.Base(commonFile))
		}
	})
	l.line, l.id = 1, e.Name
	// One event a file, found by its name: what the client calls it is where it stands.
	if want := strings.TrimSuffix(path.Base(file), ".toml"); e.Name != want {
		l.problem("name = %q, but the file is named %s.toml", e.Name, want)
	}
	if e.Text == "" || e.Verb == "" {
		l.problem("an event needs description and verb")
	}
	if states := oneOf(*e, "State"); e.State != "" && !slices.Contains(states, e.State) {
		l.problem("state = %q, want one of %s", e.State, strings.Join(states, ", "))
	}
	e.Spelled = l.spelled(raw.Spelling)
	if e.Matcher != "" && !slices.ContainsFunc(slices.Concat(e.Fields, l.p.Common), func(f Field) bool { return f.Name == e.Matcher }) {
		l.problem("matcher = %q is no field of it", e.Matcher)
	}
	l.answer(e.Answer)
	l.limits(e)
	// moai hook takes an event in any spelling, so no two may be spelled alike.
	for _, s := range append([]string{e.Name, e.Verb}, e.Aliases...) {
		key := Squeeze(s)
		if other := l.verbs[key]; other != "" && other != e.Name {
			l.problem("%q is also a spelling of %s", s, other)
		}
		l.verbs[key] = e.Name
	}
	l.p.Events = append(l.p.Events, *e)
}

func (l *eventLoader) answer(a EventAnswer) {
	one := func(key, value string, of ...string) {
		if !slices.Contains(of, value) {
			l.problem("answer.%s = %q, want one of %s", key, value, strings.Join(of, ", "))
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
		l.problem("answer: context, keys and refuse = %q need specific = true", a.Refuse)
	}
	// decision = "block" is a key of the top level, and is only written where it is listed.
	if a.Refuse == RefuseBlock && !slices.Contains(a.Top, "decision") {
		l.problem("answer: refuse = \"block\" needs \"decision\" in top")
	}
	if a.Ask && a.Refuse != RefusePermission {
		l.problem("answer: only refuse = \"permission\" can ask")
	}
}

func (l *eventLoader) limits(e *Event) {
	// Past soft_ms the answer so far is given, at hard_ms the process ends.
	if e.Soft <= 0 || e.Hard < e.Soft {
		l.problem("budget: want 0 < soft_ms <= hard_ms, have %d and %d", e.Soft, e.Hard)
	}
	if e.Register == nil {
		return
	}
	// A client that kills its hook lets the call pass (measured).
	if e.Register.Timeout*1000 <= e.Hard {
		l.problem("register.timeout = %d s is not above hard_ms = %d: the client would kill moai before it answers", e.Register.Timeout, e.Hard)
	}
	if e.Register.Matcher != "" && e.Matcher == "" {
		l.problem("register.matcher: the client tries no matcher on this event")
	}
}

// field adds one to those of what has the id.
func (l *eventLoader) field(id string, r *rawField, list *[]Field) {
	inside := strings.Contains(id, ".") // a member of a field may be called like any other field, and gets no accessor
	l.id = id + "." + r.Name
	if r.Name == "" || r.Text == "" {
		l.problem("a field needs name and text")
	}
	if types := oneOf(r.Field, "Type"); !slices.Contains(types, r.Type) {
		l.problem("type = %q, want one of %s", r.Type, strings.Join(types, ", "))
	}
	if slices.ContainsFunc(*list, func(f Field) bool { return f.Name == r.Name }) {
		l.problem("is there twice")
	}
	if !inside {
		if r.Name != "" && !snake(r.Name) {
			l.problem("name = %q, want lower-case words joined by underscores: the accessor is named after it", r.Name)
		}
		if old := l.types[r.Name]; old != "" && old != r.Type {
			l.problem("type = %q, but %q in another file", r.Type, old)
		}
		l.types[r.Name] = r.Type
	}
	if len(r.Members) > 0 && r.Type != "object" && r.Type != "[]object" {
		l.problem("only objects have fields, this is %s", r.Type)
	}
	r.Spelled = l.spelled(r.Spelling)
	for i := range r.Members {
		l.field(id+"."+r.Name, &r.Members[i], &r.Fields)
	}
	*list = append(*list, r.Field)
}

// spelled turns a table of spellings into a sorted list.
func (l *eventLoader) spelled(raw map[string][]string) []Spelling {
	var list []Spelling
	for dialect, names := range raw {
		if !slices.ContainsFunc(l.p.Dialects, func(d Dialect) bool { return d.Name == dialect }) {
			l.problem("spelling: no dialect %q in %s", dialect, path.Base(dialectsFile))
		}
		list = append(list, Spelling{dialect, names})
	}
	// Maps have no order, and the generated bytes must be the same on every machine.
	slices.SortFunc(list, func(a, b Spelling) int { return strings.Compare(a.Dialect, b.Dialect) })
	return list
}

// only checks the lists of events in common fields, when all events are known.
func (l *eventLoader) only() {
	known := func(name string) *Event {
		i := slices.IndexFunc(l.p.Events, func(e Event) bool { return e.Name == name })
		if i < 0 {
			l.add(turnsFile, 0, "turns", "no event %q", name)
			return &Event{}
		}
		return &l.p.Events[i]
	}
	known(l.p.Turns.Begins)
	for _, end := range l.p.Turns.Ends {
		if e := known(end.Event); e.Name != "" && end.When != "" && !slices.ContainsFunc(e.Fields, func(f Field) bool { return f.Name == end.When && f.Type == "bool" }) {
			l.add(turnsFile, 0, "turns."+end.Event, "when = %q is no field of it that is true or false", end.When)
		}
	}
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
