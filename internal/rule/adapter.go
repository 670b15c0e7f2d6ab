package rule

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Adapter is what one agent calls things: a file of rules/clients. It turns the agent's input into that of the claude dialect, which is the
// inner language of moai. How the agent wants to be answered is code, one file of package wire for each Codec; which of that an event
// takes is said here.
type Adapter struct {
	Dialect
	Title   string     // as people call it
	Codec   string     // who writes the answers: a file of package wire
	Shapes  []Shape    `toml:"shape"` // a payload like one of these is this agent's
	Sign    []string   // variables of its hooks alone: the last thing that it is known by
	Project []string   // variables that name the project
	Fields  []Renamed  `toml:"field"`
	Asks    []Asks     `toml:"hook"`
	Offers  []Offers   `toml:"-"`
	Bare    BareInput  // what a tool's input is that is a mere text
	Server  ServerTool // how it names the tools of MCP servers
	Install *Install   // where moai init registers it; nil where it cannot
	Holes   []string   // where it cannot be made safe, in words for people
	Failing Failing    // what becomes of a command where moai fails as a program
	Live    *Live      // how the agent itself is driven; nil where it cannot be
}

// Shape tells a payload by its keys.
type Shape struct {
	Has   []string // all of them
	Lacks []string // none of them
	Event bool     // the event has a name of its own, which no other agent uses
}

// Renamed is a name of the claude dialect, and what the agent writes for it.
type Renamed struct {
	Name string
	From []string
}

// Asks is one event of an agent.
type Asks struct {
	Name    string   // in the claude dialect
	As      []string // what the agent calls it; the first is registered
	Tool    string   // the tool that such an event is about, where the input names none; "*" in it is the one that the input names
	Input   []string // the fields that are the tool's input then
	Refuse  string   `one:"none permission behavior block exit continue followup"` // how a refusal is written
	Ask     bool     // a person can be asked
	Context bool     // the model can be told something
	Tell    bool     // the user can be told something
	Matcher string   // which tools it is registered for; "" for all
	Listed  bool     // moai init registers it
	Timeout int      // seconds, where the event's own is not possible
}

// Offers is a tool of the agent that the claude dialect has under another name, or with another input.
type Offers struct {
	Name   string    // in the claude dialect
	As     []string  // what the agent calls it
	Dir    string    // the part of the input that names the folder in which it works
	Paths  []string  // the parts, by their names here, that are paths; relative ones begin at the working directory
	Fields []Renamed `toml:"-"` // parts of the input
}

// BareInput is what an agent means by a tool's input that is a text and no object.
type BareInput struct {
	Tool   string
	Key    string
	Begins string // what a text begins with that is one whatever the tool is called
}

// Install is where moai is registered with an agent.
type Install struct {
	Programs []string // the agent's own, on PATH
	Home     string   // the variable that names its folder
	Below    string   // the part of Home's folder that is the agent's, "" for all
	Folder   string   // below the person's home, where Home is not set
	File     string   // in it
	Form     string   `one:"nested flat plugin"` // nested: as Claude Code's settings; flat: without groups; plugin: moai's own program for it
	Unit     int      // of timeouts: so many are a second
	Alone    bool     // the file is moai's alone
	Trust    string   // the file in which the agent keeps what its user agreed to
	Beside   []Beside // further files that are moai's alone
	Tried    string   // the version of the agent that all this was tried with; "" where none was
	Local    *Local   // the file of one person in one project; nil where the agent knows none
	Nolocal  string   // what its project's file is instead, in words for people
	Undriven string   // why it cannot be driven with a scripted model
}

// Failing is what becomes of a command where moai fails as a program; "" where that is not known.
type Failing struct {
	Crash   string `one:"runs stopped"` // moai is killed
	Late    string `one:"runs stopped"` // moai does not answer in time
	Missing string `one:"runs stopped"` // there is no moai where it is registered
}

// FailingStopped is a command that does not run.
const FailingStopped = "stopped"

// Local is a file in a project that is one person's.
type Local struct {
	File  string // below the project's root
	Alone bool   // it is moai's alone
}

// Live is how an agent is driven with a scripted model that answers on this machine, in a home that is thrown away. @HOME, @PROJECT, @PORT and @PROMPT stand for
// what they say.
type Live struct {
	Args   []string // behind its program
	Env    []string
	Files  []Beside // below that home
	Copies []string // what it is given of the user's own, below Install.Folder
	Needs  string   // the one of these without which it does not start
	Tool   string   // what it calls the tool for commands
	Line   string   // the part of that tool's input that is the command line
	More   string   // further parts that it insists on, as they stand in JSON
}

// Beside is a file that an agent wants beside another one.
type Beside struct {
	File string
	Text string
}

// ServerTool is how an agent names the tools of MCP servers: behind Prefix, and with Joint between server
// and tool. Where it does not name the server, Server stands
// for it; fields of a context may say both.
type ServerTool struct {
	Prefix  string
	Joint   string // each letter of it is one
	Server  string
	Context string // the field whose server_name and tool_name say both
}

// LoadAdapters reads rules/clients. p is what LoadEvents gave: adapters refer to its events and dialects.
func LoadAdapters(fsys fs.FS, p *Protocol) ([]Adapter, error) {
	l := &adapterLoader{p: p}
	var all []Adapter
	err := load(&l.report, fsys, "clients", func(raw *rawAdapter) {
		a := &raw.Adapter
		for _, o := range raw.Tool {
			for _, name := range slices.Sorted(maps.Keys(o.Parts)) {
				o.Fields = append(o.Fields, Renamed{name, o.Parts[name]})
			}
			a.Offers = append(a.Offers, o.Offers)
		}
		l.adapter(a)
		all = append(all, *a)
	})
	if err != nil {
		return nil, err
	}
	return all, l.err()
}

type rawAdapter struct {
	Adapter
	Tool []struct {
		Offers
		Parts map[string][]string `toml:"fields"`
	}
}

type adapterLoader struct {
	report
	p *Protocol
}

func (l *adapterLoader) adapter(a *Adapter) {
	l.line, l.id = 1, a.Name
	if want := strings.TrimSuffix(path.Base(l.file), ".toml"); a.Name != want {
		l.problem("name = %q, but the file is named %s.toml", a.Name, want)
	}
	if a.Text == "" || a.Title == "" || a.Codec == "" || a.Source == "" {
		l.problem("an adapter needs description, title, codec and source")
	}
	if slices.ContainsFunc(l.p.Dialects, func(d Dialect) bool { return d.Name == a.Name }) {
		l.problem("is a dialect already")
	}
	if a.Failing != (Failing{}) {
		known := oneOf(a.Failing, "Crash")
		for _, of := range []string{a.Failing.Crash, a.Failing.Late, a.Failing.Missing} {
			if !slices.Contains(known, of) {
				l.problem("failing: %q, want one of %s", of, strings.Join(known, ", "))
			}
		}
	}
	if in := a.Install; in != nil {
		if in.Folder == "" || in.File == "" || in.Unit == 0 || len(in.Programs) == 0 {
			l.problem("install needs programs, folder, file and unit")
		}
		if forms := oneOf(*in, "Form"); !slices.Contains(forms, in.Form) {
			l.problem("install.form = %q, want one of %s", in.Form, strings.Join(forms, ", "))
		}
		if (in.Local == nil) == (in.Nolocal == "") {
			l.problem("either install.local names the file of one person in one project, or install.nolocal says why there is none")
		}
		if (a.Live == nil) == (in.Undriven == "") {
			l.problem("either live says how it is driven, or install.undriven why it cannot be")
		}
	}
	if live := a.Live; live != nil && (len(live.Args) == 0 || live.Tool == "" || live.Line == "" || a.Install == nil) {
		l.problem("live needs install, args, tool and line")
	}
	var spelled []string
	rows(&l.report, "hook", a.Asks, func(e *Asks) {
		l.id = a.Name + "." + e.Name
		if !slices.ContainsFunc(l.p.Events, func(known Event) bool { return known.Name == e.Name }) {
			l.problem("no event %q", e.Name)
		}
		if len(e.As) == 0 {
			l.problem("as: what does %s call it?", a.Title)
		}
		if ways := oneOf(*e, "Refuse"); !slices.Contains(ways, e.Refuse) {
			l.problem("refuse = %q, want one of %s", e.Refuse, strings.Join(ways, ", "))
		}
		for _, name := range e.As {
			if slices.Contains(spelled, name) {
				l.problem("%q is an event already", name)
			}
			spelled = append(spelled, name)
		}
	})
	rows(&l.report, "tool", a.Offers, func(o *Offers) {
		if l.id = a.Name + "." + o.Name; o.Name == "" || len(o.As) == 0 {
			l.problem("a tool needs name and as")
		}
	})
	rows(&l.report, "shape", a.Shapes, func(s *Shape) {
		if len(s.Has) == 0 && !s.Event {
			l.problem("a shape needs has or event")
		}
	})
}

// Adapt is the event of an agent by the agent's own name, else the first that stands for one of the claude dialect.
func (a *Adapter) Adapt(name string) *Asks {
	for i := range a.Asks {
		if slices.Contains(a.Asks[i].As, name) {
			return &a.Asks[i]
		}
	}
	for i := range a.Asks {
		if a.Asks[i].Name == name {
			return &a.Asks[i]
		}
	}
	return nil
}

// Offer is the tool of that name, the agent's or the claude dialect's, in any case of its letters.
func (a *Adapter) Offer(name string) *Offers {
	for i := range a.Offers {
		if strings.EqualFold(a.Offers[i].Name, name) || slices.ContainsFunc(a.Offers[i].As, func(as string) bool { return strings.EqualFold(as, name) }) {
			return &a.Offers[i]
		}
	}
	return nil
}
