package rule

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
)

// Entry is a type of journal event: of the sources, and what moai adds.
type Entry struct {
	Name     string
	Title    string   // on the page, beside which the rest of an entry is read
	Korean   string   // the title in Korean
	Text     string   `toml:"description"`
	Severity string   // info, warn or error
	Source   string   // where the type is specified
	From     []string // client events that leave such an entry when no handler writes one of its own
	Summary  string   // the one line of an entry made from such an event, with {field} for a field of the event
	Shows    string   // what the page shows behind the title, with {field} for a field of the details; empty: the summary
	Fields   []Field  `toml:"-"` // what is in the details; for From, copied from the event
}

// Line fills Summary in. A field that is missing leaves nothing behind.
func (e *Entry) Line(field func(name string) string) string { return filled(e.Summary, field) }

func filled(rest string, field func(name string) string) string {
	var b strings.Builder
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

// Shown is how a type of journal events comes about: what a test does to see one.
type Shown struct {
	Name  string
	Steps []string // one after another: an input of moai hook, or a line; see rules/README.md. None: an event with something in each field
	Waits string   // which part of moai is to come that writes it
}

// Command is a kind of programs whose failure leaves an entry of a type of its own.
type Command struct {
	Type     string
	Programs []string // a name, or a name and the words that follow it
	Asks     []string // options with which they only say something
	Targets  []string // operands with which alone they do other work: make clean
	Hits     []string // lines whose failure is one
	Misses   []string
}

// Journal is what is known of journal events: rules/journal.
type Journal struct {
	Types    []Entry // by name
	Shown    []Shown // by name
	Commands []Command
}

type rawEntry struct {
	Entry
	Shown   []string
	Waits   string
	Members []rawField `toml:"field"`
}

// LoadJournal reads rules/journal. p is what LoadEvents gave: entries refer to its events and their fields.
func LoadJournal(fsys fs.FS, p *Protocol) (*Journal, error) {
	// The members of an event's field are spelled by the same loader, which wants its dialects.
	l := &journalLoader{eventLoader: eventLoader{p: Protocol{Dialects: p.Dialects}, types: map[string]string{}}, p: p, from: map[string]string{}}
	if err := load(&l.report, fsys, "journal", func(raw *struct {
		Type    []rawEntry
		Command []Command
	},
	) {
		rows(&l.report, "type", raw.Type, l.entry)
		rows(&l.report, "command", raw.Command, l.command)
	}); err != nil {
		return nil, err
	}
	for _, c := range l.commands {
		if !slices.ContainsFunc(l.list, func(e Entry) bool { return e.Name == c.Type }) {
			l.add("rules/journal", 0, c.Type, "a command leaves an entry of this type, and there is none")
		}
	}
	// By name, so that the generated table does not depend on how files are listed.
	slices.SortFunc(l.list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(l.shown, func(a, b Shown) int { return strings.Compare(a.Name, b.Name) })
	return &Journal{l.list, l.shown, l.commands}, l.err()
}

type journalLoader struct {
	eventLoader
	p    *Protocol
	list []Entry

	commands []Command
	shown    []Shown
	from     map[string]string // event → type
}

func (l *journalLoader) entry(r *rawEntry) {
	if l.id = r.Name; r.Name == "" || r.Title == "" || r.Korean == "" || r.Text == "" || r.Source == "" {
		l.problem("a type needs name, title, korean, description and source")
	}
	if !slices.Contains([]string{"info", "warn", "error"}, r.Severity) {
		l.problem("severity = %q, want info, warn or error", r.Severity)
	}
	if slices.ContainsFunc(l.list, func(e Entry) bool { return e.Name == r.Name }) {
		l.problem("is there twice")
	}
	// An entry that no handler writes is made of its event, and the summary is all that it says.
	if (len(r.From) > 0) != (r.Summary != "") {
		l.problem("from and summary belong together")
	}
	l.types = map[string]string{} // a field of an entry gets no accessor
	for i := range r.Members {
		l.field(r.Name, &r.Members[i], &r.Fields)
	}
	l.id = r.Name
	filled(r.Shows, func(name string) string {
		if !slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Name == name }) {
			l.problem("shows: {%s} is none of its fields", name)
		}
		return ""
	})
	for _, name := range r.From {
		// An event is written down once; two types would be two entries for one thing that happened.
		if other := l.from[name]; other != "" {
			l.problem("%s already leaves an entry %s", name, other)
		}
		l.from[name] = r.Name
		i := slices.IndexFunc(l.p.Events, func(e Event) bool { return e.Name == name })
		if i < 0 {
			l.problem("from: no event %q", name)
		}
	}
	l.known(&r.Entry)
	// A type that nothing writes is a promise to whoever looks for it.
	if written := len(r.From)+len(r.Shown) > 0; written == (r.Waits != "") {
		l.problem("want one of from, shown (steps that lead to one) and waits (what it waits for)")
	}
	l.shown = append(l.shown, Shown{r.Name, r.Shown, r.Waits})
	l.list = append(l.list, r.Entry)
}

func (l *journalLoader) command(c *Command) {
	if l.id = c.Type; c.Type == "" || len(c.Programs) == 0 {
		l.problem("a command needs type and programs")
	}
	if len(c.Hits) < 2 || len(c.Misses) < 2 {
		l.problem("want two hits and two misses at least")
	}
	l.commands = append(l.commands, *c)
}

// known wants each field of a summary and of the details to be one of at least one event.
func (l *journalLoader) known(e *Entry) {
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
		outer, _, _ := strings.Cut(f.Inside, ".")
		if name := cmp.Or(outer, f.Name); !has(name) {
			l.problem("field %s is in none of %s", name, strings.Join(e.From, ", "))
		}
	}
	e.Line(func(name string) string {
		if !has(name) {
			l.problem("summary: {%s} is in none of %s", name, strings.Join(e.From, ", "))
		}
		return ""
	})
}
