package rule

import (
	"io/fs"
	"slices"
	"strings"
)

// Quality is what is known of tests, formatters and what goes beside them: rules/quality.
type Quality struct {
	Tests      TestWords
	Formatters []Formatter
	Hooks      []string   // files that say what runs before a commit
	Scoped     []string   // those whose entries say which files they are about
	Windows    []Window   // the first whose pattern fits a model counts
	Reminders  []Reminder // by id
}

// Formatter is a program that writes a file in one form; rules/quality/formatters.toml says what its fields do.
type Formatter struct {
	ID      string
	Files   []string
	Config  []string
	Says    []Says
	Hooks   []string
	Argv    []string
	Local   []string
	Fill    []Fill // further words of argv
	Takes   string // what it prints is JSON, and the text this member of its first value; where there is none, nothing changed
	Exits   []int  // exit codes beside 0 that say nothing against what it printed
	Builtin string // moai does it itself, for a language
	Ends    bool   // it runs at the end of a turn
	Writes  bool   // it prints nothing and writes its file, which is a copy
	Silent  bool   // it prints nothing where nothing changes
	First   bool   // where its configuration is, it comes before what is nearer
}

// Fill is a word of a command that a file of the project has: what stands behind Text up to the next quotation mark or blank, in the nearest folder upwards.
type Fill struct{ Name, File, Text, Default string }

// Says is a text that a file holds.
type Says struct{ File, Text string }

// Window is how many tokens models hold.
type Window struct {
	Models []string // patterns
	Tokens int
}

// Reminder is what the model is told once in a session.
type Reminder struct {
	ID      string
	Files   []string // an edit of a file that fits one of these patterns
	Calls   []Calls  // so many calls within some minutes
	Until   []string // tools whose calls begin the count anew
	Answers []string // tools that gave back nothing
	Text    string
	Source  string
}

// Calls is a number of calls of some tools.
type Calls struct {
	Tools []string
	Most  int
}

// TestWords say how the output and the arguments of tests are read.
type TestWords struct {
	None     []string // a line with one of these says that no test ran
	Ran      []string // a line with one of these, and none of the others, says that one did
	Failing  []string // a line with one of these says what failed
	Narrow   []string // options that pick some of the tests
	Broken   []string // a line with one of these says that the run could not begin, where none says that a test ran
	Lacks    []string // the same of a module, which {} is the name of: it counts where the project has none of that name
	Apart    []string // a line with one of these says of a part that it could not be set up: not that tests ran, nor that one failed
	Within   []string // fields in which a line of JSON holds one that was printed
	Misnamed []string // a line with one of these says that what a word of the command named, {}, is not there
	// Modules are the files, or folders, by which a project has a module, which {} is the name of.
	Modules []string
	Wide    []Wide // options that still run all
	Keeps   []Keeps
	// Steered are variables that may skip tests or hide that they fail; Search are such that every program has.
	Steered, Search []string
}

// Wide are options with which a command still runs all of its tests.
type Wide struct {
	Programs []string // words of the command
	Options  []string
}

// Keeps are programs that hand no option on that stands behind a task.
type Keeps struct {
	Programs []string
	Own      []string // options that they have themselves
	Behind   string   // what stands before those that they hand on, "" where they hand none on
}

// qualityFile is one file of the family.
type qualityFile struct {
	Output struct{ None, Ran, Failing, Broken, Apart, Lacks, Misnamed, Modules, Within []string }
	Narrow struct{ Options []string }

	Wide    []Wide
	Keeps   []Keeps
	Steered struct{ Variables, Search []string }

	Window    []Window
	Reminder  []Reminder
	Formatter []Formatter
	Hooks     struct{ Files, Scoped []string }
}

// LoadQuality reads rules/quality.
func LoadQuality(fsys fs.FS) (*Quality, error) {
	var r report
	all := &Quality{}
	each := func(raw *qualityFile) {
		r.id = ""
		t := &all.Tests
		t.None, t.Ran, t.Narrow = append(t.None, raw.Output.None...), append(t.Ran, raw.Output.Ran...), append(t.Narrow, raw.Narrow.Options...)
		t.Broken, t.Apart, t.Lacks = append(t.Broken, raw.Output.Broken...), append(t.Apart, raw.Output.Apart...), append(t.Lacks, raw.Output.Lacks...)
		t.Failing = append(t.Failing, raw.Output.Failing...)
		t.Modules, t.Within = append(t.Modules, raw.Output.Modules...), append(t.Within, raw.Output.Within...)
		t.Misnamed = append(t.Misnamed, raw.Output.Misnamed...)
		for _, p := range slices.Concat(raw.Output.Lacks, raw.Output.Misnamed) {
			if before, _, ok := strings.Cut(p, "{}"); !ok || before == "" {
				r.problem("%q needs {} behind a text", p)
			}
		}
		t.Steered, t.Search = append(t.Steered, raw.Steered.Variables...), append(t.Search, raw.Steered.Search...)
		rows(&r, "wide", raw.Wide, func(w *Wide) {
			if len(w.Programs) == 0 || len(w.Options) == 0 {
				r.problem("wide needs programs and options")
			}
			t.Wide = append(t.Wide, *w)
		})
		rows(&r, "keeps", raw.Keeps, func(k *Keeps) {
			if len(k.Programs) == 0 {
				r.problem("keeps needs programs")
			}
			t.Keeps = append(t.Keeps, *k)
		})
		all.Hooks, all.Scoped = append(all.Hooks, raw.Hooks.Files...), append(all.Scoped, raw.Hooks.Scoped...)
		rows(&r, "formatter", raw.Formatter, func(f *Formatter) {
			if r.id = f.ID; f.ID == "" || len(f.Files) == 0 || len(f.Config)+len(f.Says)+len(f.Hooks) == 0 || (len(f.Argv) == 0) == (f.Builtin == "") {
				r.problem("a formatter needs id, files, argv or builtin, and config, says or hooks")
			}
			r.patterns(f.Files)
			all.Formatters = append(all.Formatters, *f)
		})
		rows(&r, "window", raw.Window, func(w *Window) {
			if len(w.Models) == 0 || w.Tokens <= 0 {
				r.problem("a window needs models and tokens")
			}
			all.Windows = append(all.Windows, *w)
		})
		rows(&r, "reminder", raw.Reminder, func(m *Reminder) {
			if r.id = m.ID; m.ID == "" || m.Text == "" || m.Source == "" || len(m.Files)+len(m.Calls)+len(m.Answers) == 0 {
				r.problem("a reminder needs id, text, source, and files, calls or answers")
			}
			r.patterns(m.Files)
			all.Reminders = append(all.Reminders, *m)
		})
	}
	if err := load(&r, fsys, "quality", each); err != nil {
		return nil, err
	}
	return all, r.err()
}
