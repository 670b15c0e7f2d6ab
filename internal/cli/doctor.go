package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/term"
)

// newDoctor asks no questions of its own and starts what is registered as the client would: a check that only looks
// finds a wrong path, and not a program that answers wrongly.
func newDoctor(e *env) *cobra.Command {
	var fix bool
	var o liveFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out why moai is not called, or not heeded",
		Long: `doctor looks at the registered program, the client's settings files, state and
configuration, the repository and your rules, and replays one payload per event
through the registered command line; for each other agent it does the same in
that agent's words (agents). It leaves no trace in the project, and a
program that came with the project is not started.

With --live it also drives each agent that is here and registered: the agent
itself, in a home that is thrown away, with a model that is a list of two calls
and answers on this machine alone. The first is to delete that home: whether it
was refused, by moai and so that the model reads why, is a line for each.

It exits with 1 when something keeps moai from doing its work.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			d := e.doctorEnv()
			if err := o.drives(e, d); err != nil {
				return err
			}
			results := doctor.Run(d)
			// After a repair everything is looked at again: the second report counts.
			for _, mend := range [...]func(*doctor.Env) error{e.mendReferences, e.repair} {
				if !fix || doctor.Worst(results) == doctor.OK {
					break
				}
				if err := mend(d); err != nil {
					return err
				}
				d = e.doctorEnv()
				if err := o.drives(e, d); err != nil {
					return err
				}
				results = doctor.Run(d)
			}
			// The exit code is the same in both forms: a script need not read the report to know whether it is good.
			if e.json {
				if err := e.printJSON(results); err != nil {
					return err
				}
			} else {
				e.printDoctor(results)
			}
			if doctor.Worst(results) == doctor.Fail {
				return errNo
			}
			return nil
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "register moai anew where that is what is wrong, and delete references of its own that lead nowhere")
	c.Flags().BoolVar(&o.live, "live", false, "drive the agents themselves, with a scripted model: half a minute each")
	c.Flags().StringSliceVar(&o.agents, "agent", nil, "with --live, this one alone: NAME, or NAME=PROGRAM")
	return c
}

// doctorEnv gathers what the checks look at, afresh each time: --fix changes it.
func (e *env) doctorEnv() *doctor.Env {
	project := e.projectRoot()
	cfg := e.cfg(project)
	d := &doctor.Env{
		Version: versionLine(), // what another moai is compared by
		Project: project, Dir: e.dir,
		StateDir: e.stateDir(), ConfigDir: e.configDir(), Environ: os.Environ(),
		Common: events.Common, Tables: eventTables(),
		ConfigProblems: cfg.Problems, Doubts: e.doubts(cfg), Loosened: cfg.Loosened(), Mend: e.tighten(cfg, project), Reads: reads,
		RuleProblems: e.ruleProblems, Languages: func() string { return e.added().Stale(&languages.Table) },
	}
	if cfg.String(formatKey) == "auto" {
		d.Formatters = func() (found, missing []string) { return e.configured(project) }
		d.Refuses = func() map[string]string { return e.refuses(project) }
	}
	d.Bare = func() []string { return e.unguarded(project) }
	d.Agents = e.doctorAgents(false)
	// The very file that runs now is what would be registered, found as init finds it.
	d.Program, d.ProgramErr = ownPath(e.getenv("PATH"))
	named := e.namedTools(project)
	for _, p := range e.settingsFiles(project) {
		closed, again := e.wantsBlock(p.scope, project)
		f := doctor.File{Path: p.path, File: p.file, Scope: p.scope, Main: p.main, Init: again}
		if p.file == nil {
			f.Err = p.err
		}
		if p.main {
			f.Init = "cd " + argv.Quote(filepath.Dir(filepath.Dir(p.path))) + " && " + f.Init
		}
		f.Want = registration(p.scope, d.Program, closed, named, e.cfg(project))
		if p.scope == settings.Local {
			f.Git = e.gitKeeps(p.path)
		}
		d.Files = append(d.Files, f)
	}
	return d
}

// ruleProblems are what is wrong with the rules that were added here, a line each.
func (e *env) ruleProblems() []string {
	r, risks, err := e.readAdded(nil)
	if err != nil {
		return []string{err.Error()}
	}
	risks.glance(r)
	return lines(r.Problems)
}

// gitKeeps says what Git would do with a local settings file.
func (e *env) gitKeeps(path string) doctor.Git {
	r, rel, err := keptOut(path)
	if err != nil || r == nil {
		return doctor.GitNothing
	}
	if tracked, err := r.Tracked(rel); err == nil && tracked {
		return doctor.GitTracks
	}
	if r.Ignore().Match(rel, false) {
		return doctor.GitNothing
	}
	return doctor.GitOffers
}

// mendReferences deletes references of moai's own that lead nowhere.
func (e *env) mendReferences(d *doctor.Env) error {
	r, err := repo.Open(d.Project)
	if err != nil {
		return nil // the report says so
	}
	list, err := checkpoint.FindBroken(r)
	if err != nil || len(list) == 0 {
		return nil
	}
	if err := e.person("delete references", "moai doctor --fix"); err != nil {
		return err
	}
	n, err := checkpoint.Mend(r, list)
	e.quietly().say(0, "deleted %s of moai's own that led nowhere", term.Count(n, "reference"))
	return err
}

// repair does what moai init would: it mends the registration that is there, or makes one.
func (e *env) repair(d *doctor.Env) error {
	if d.ProgramErr != nil {
		return d.ProgramErr
	}
	return e.quietly().install(&initFlags{called: "moai doctor --fix"})
}

// quietly keeps what is said on the way out of the one JSON document.
func (e *env) quietly() *env {
	q := *e
	if e.json {
		q.out, q.json = e.err, false
	}
	return &q
}

// printDoctor tells bad news in full and good news in a line.
func (e *env) printDoctor(results []doctor.Result) {
	style := e.style()
	mark := func(s doctor.Status) string {
		word := term.Pad(s.String(), 5)
		switch s {
		case doctor.OK:
			return style.Green(word)
		case doctor.Warn:
			return style.Yellow(word)
		case doctor.Skip:
			return style.Dim(word)
		}
		return style.Red(word)
	}
	for _, r := range results {
		e.say(6, "%s %s %s", mark(r.Status), term.Pad(r.ID, 11), term.Text(r.Detail))
		for _, i := range r.Items {
			// What is well is only worth a line where it is measured.
			if i.Status == doctor.OK && i.Millis == 0 && !i.Tell {
				continue
			}
			line := "      " + mark(i.Status) + " " + term.Pad(i.Name, 18)
			if i.Millis > 0 {
				line += fmt.Sprintf(" %6.1f ms", i.Millis)
			}
			e.say(12, "%s", strings.TrimRight(line+" "+term.Text(i.Detail), " "))
		}
		if r.Fix != "" {
			fmt.Fprintln(e.out, "      "+style.Cyan("fix:"), r.Fix)
		}
	}
}
