package rule

import (
	"io/fs"
	"slices"
	"strings"
)

// Entry is a type of journal event: of the sources, and what moai adds.
type Entry struct {
	Name     string
	Text     string
	Severity string   // info, warn or error
	Source   string   // where the type is specified
	From     []string // client events that leave such an entry when no handler writes one of its own
	Summary  string   // the one line of an entry made from such an event, with {field} for a field of the event
	Fields   []Field  // what is in the details; for From, copied from the event
}

// Line fills Summary in. A field that is missing leaves nothing behind.
func (e *Entry) Line(field func(name string) string) string {
	var b strings.Builder
	rest := e.Summary
	for {
		before, after, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		// Missing is not an error here: events of older clients lack fields, and the line is for people.
		b.WriteString(field(name))
		rest = tail
	}
	// One line, whatever a prompt or a command held: the journal is read line by line.
	return strings.Join(strings.Fields(b.String()), " ")
}

type rawEntry struct {
	Name     string     `toml:"name"`
	Text     string     `toml:"description"`
	Severity string     `toml:"severity"`
	Source   string     `toml:"source"`
	From     []string   `toml:"from"`
	Summary  string     `toml:"summary"`
	Field    []rawField `toml:"field"`
}

// LoadJournal reads rules/journal. p is what LoadEvents gave: entries refer to its events and their fields.
func LoadJournal(fsys fs.FS, p *Protocol) ([]Entry, error) {
	files, err := Files(fsys, "journal")
	if err != nil {
		return nil, err
	}
	l := &journalLoader{p: p, from: map[string]string{}}
	for _, file := range files {
		var raw struct {
			Type []rawEntry `toml:"type"`
		}
		if at, ok := l.read(fsys, file, "type", &raw); ok {
			for i, r := range raw.Type {
				l.entry(file, at(i), r)
			}
		}
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	// By name, so that the generated table does not depend on how files are listed.
	slices.SortFunc(l.list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return l.list, nil
}

type journalLoader struct {
	report
	p    *Protocol
	list []Entry
	from map[string]string // event → type
}

func (l *journalLoader) entry(file string, line int, r rawEntry) {
	bad := func(format string, args ...any) { l.add(file, line, r.Name, format, args...) }
	if r.Name == "" || r.Text == "" || r.Source == "" {
		bad("a type needs name, description and source")
	}
	if !slices.Contains([]string{"info", "warn", "error"}, r.Severity) {
		bad("severity = %q, want info, warn or error", r.Severity)
	}
	if slices.ContainsFunc(l.list, func(e Entry) bool { return e.Name == r.Name }) {
		bad("is there twice")
	}
	// An entry that no handler writes is made of its event, and the summary is all that it says.
	if (len(r.From) > 0) != (r.Summary != "") {
		bad("from and summary belong together")
	}
	// The members of an event's field are spelled by the same loader, which wants its dialects.
	fields := &eventLoader{p: Protocol{Dialects: l.p.Dialects}, types: map[string]string{}}
	e := Entry{
		Name: r.Name, Text: r.Text, Severity: r.Severity, Source: r.Source, From: r.From, Summary: r.Summary,
		Fields: fields.fields(file, r.Name, r.Field, func(int) int { return line }),
	}
	l.problems = append(l.problems, fields.problems...)
	for _, name := range r.From {
		// An event is written down once; two types would be two entries for one thing that happened.
		if other := l.from[name]; other != "" {
			bad("%s already leaves an entry %s", name, other)
		}
		l.from[name] = r.Name
		i := slices.IndexFunc(l.p.Events, func(e Event) bool { return e.Name == name })
		if i < 0 {
			bad("from: no event %q", name)
		}
	}
	l.known(&e, bad)
	l.list = append(l.list, e)
}

// known wants each field of a summary and of the details to be one of at least one event.
func (l *journalLoader) known(e *Entry, bad func(string, ...any)) {
	if len(e.From) == 0 {
		return
	}
	has := func(name string) bool {
		if slices.ContainsFunc(l.p.Common, func(f Field) bool { return f.Name == name }) {
			return true
		}
		return slices.ContainsFunc(l.p.Events, func(ev Event) bool {
			return slices.Contains(e.From, ev.Name) && slices.ContainsFunc(ev.Fields, func(f Field) bool { return f.Name == name })
		})
	}
	for _, f := range e.Fields {
		// The details are copied from the event; a field that none of them has would always be empty.
		if !has(f.Name) {
			bad("field %s is in none of %s", f.Name, strings.Join(e.From, ", "))
		}
	}
	e.Line(func(name string) string {
		if !has(name) {
			bad("summary: {%s} is in none of %s", name, strings.Join(e.From, ", "))
		}
		return ""
	})
}
