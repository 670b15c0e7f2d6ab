// Package doctor finds out why moai is not called, or not heeded: one file per
// check, each with a verdict and a command that can be pasted.
//
// It repairs nothing and is never part of a hook call. Its invariant: looking
// leaves no trace in the project. Payloads ask for a dry run (hook.DryRun), in which
// moai takes no snapshot and writes neither state nor journal.
package doctor

import (
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/wire"
)

// Status is the verdict of a check. The zero Status is OK.
type Status int

// Verdicts, the worse the larger. Only Fail keeps moai from doing its work.
const (
	Skip Status = iota - 1 // there was nothing to try
	OK
	Warn
	Fail
)

func (s Status) String() string {
	if s == Skip {
		return "skip"
	}
	return [...]string{"ok", "warn", "fail"}[s]
}

// MarshalText makes a Status the word that people read.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Result is what a check found.
type Result struct {
	ID     string  `json:"id"`
	Status Status  `json:"status"`
	Detail string  `json:"detail"`
	Fix    string  `json:"fix,omitempty"` // a command to paste
	Items  []Item  `json:"items,omitempty"`
	Millis float64 `json:"took_ms"`
}

// Item is one finding of several.
type Item struct {
	Name   string  `json:"name"`
	Status Status  `json:"status"`
	Detail string  `json:"detail,omitempty"`
	Millis float64 `json:"took_ms,omitempty"` // whole process, median of three, for hooks
	Tell   bool    `json:"-"`                 // people are told although it is well
}

// File is a settings file of the client that exists, or that could.
type File struct {
	Path  string
	File  *settings.File // nil when it could not be opened
	Err   error
	Init  string                // the command that registers moai there
	Scope settings.Scope        // all but the user's come with the project, which is a stranger's
	Main  bool                  // of the main work tree, which the client reads in linked ones as well
	Want  settings.Registration // what moai init would write there today
	Git   Git
}

// Git says what Git makes of a file that is for one person.
type Git int

// What can become of a local settings file.
const (
	GitNothing Git = iota // it stays out, or there is no Git
	GitOffers             // `git add -A` would take it
	GitTracks             // it is in the index
)

// Env is what checks look at; the caller joins it with moai's tables. Nothing is looked
// up behind its back, so that a test can set every part of it.
type Env struct {
	Program    string // this binary, as it would be registered
	ProgramErr error
	Version    string // what "moai version" says
	Project    string // root of the project, absolute
	Dir        string // the working directory
	StateDir   string
	ConfigDir  string
	Environ    []string
	Files      []File // in the order in which the client applies them
	Agents     []Agent
	Common     []rule.Field
	Tables     *wire.Tables
	Slow       time.Duration // hooks that take longer are reported; 0 is 250 ms

	// ConfigProblems and RuleProblems are what loading them complained about, a line each.
	ConfigProblems []string
	// Doubts are what of the surroundings does not count, Loosened what protects less than by
	// default, a line each.
	Doubts   []string
	Loosened []string
	// Mend is the command line that sets what is loosened back, "" where none does.
	Mend string
	// Reads says why a variable is none that settings of a project should set, "" for others.
	Reads        func(name string) string
	RuleProblems func() []string
	// Languages says why hooks do not go by the languages that the user adds as they are now, "" where they do.
	Languages func() string

	// Formatters are those that the project configures, and those of them whose program is not there; nil where files are not formatted.
	Formatters func() (found, missing []string)
	// Refuses says why, of formatters that are there, one takes no file of the project.
	Refuses func() map[string]string

	// Drive starts one of the agents in Driven and says what it did; nil without --live.
	Drive  Drive
	Driven []Agent

	// Bare finds work trees and clones of the project in which nothing calls moai.
	Bare func() []string

	entries []registered // filled by Run
}

// registered is one entry of moai in one file.
type registered struct {
	settings.Entry
	file    File
	skipped bool // the client does not read the file
}

// Check is one thing that can be wrong.
type Check struct {
	ID  string
	Run func(*Env) Result
}

// Checks lists all checks in the order in which a cause comes before its
// consequences.
var Checks = []Check{
	{"program", program},
	{"settings", settingsFiles},
	{"events", replay},
	{"statusline", statusLine},
	{"guard", guard},
	{"agents", agents},
	{"calls", calls},
	{"folders", folders},
	{"repository", repository},
	{"turns", turns},
	{"siblings", siblings},
	{"rules", rules},
	{"formatter", formatter},
	{"environment", environment},
}

// Run makes all checks.
func Run(e *Env) []Result {
	e.read()
	checks := Checks
	if e.Drive != nil {
		checks = append(slices.Clone(checks), Check{"live", liveAgents})
	}
	results := make([]Result, len(checks))
	for i, c := range checks {
		started := time.Now()
		// One after another: the times of hooks that ran beside each other would say nothing.
		results[i] = shown(c.Run(e))
		results[i].ID = c.ID
		results[i].Millis = millis(time.Since(started))
	}
	return results
}

// shown makes a result fit for a terminal: names, messages and what programs print may
// come from a stranger's repository.
func shown(r Result) Result {
	r.Detail = term.Text(r.Detail)
	for i := range r.Items {
		r.Items[i].Name, r.Items[i].Detail = term.Text(r.Items[i].Name), term.Text(r.Items[i].Detail)
	}
	return r
}

// read collects the entries of moai in all files.
func (e *Env) read() {
	e.entries = nil
	for _, f := range e.Files {
		if f.File == nil {
			continue
		}
		list, err := settings.Entries(f.File.Data)
		if err != nil {
			continue // said by the check of settings
		}
		skipped := settings.Skipped(f.File.Data) != nil
		for _, entry := range list {
			e.entries = append(e.entries, registered{entry, f, skipped})
		}
	}
}

// Worst is the worst verdict among results.
func Worst(results []Result) Status {
	worst := OK
	for _, r := range results {
		worst = max(worst, r.Status)
	}
	return worst
}

// sum gives a result the worst status of its items.
func sum(r Result) Result {
	for _, i := range r.Items {
		r.Status = max(r.Status, i.Status)
	}
	return r
}

// millis rounds to hundredths: more digits would only be noise.
func millis(d time.Duration) float64 { return float64(d.Round(10*time.Microsecond)) / 1e6 }
