package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// initFlags are the options of moai init.
type initFlags struct {
	scopes                  [len(settings.Scopes)]bool
	dryRun, uninstall, diff bool
	statusline, verify      bool
	onFailure               string
	agents                  []string // other ones, whose user's files are written
	called                  string   // by which command line, when not by moai init
}

// scope is the one that was asked for.
func (f *initFlags) scope() (s settings.Scope, given bool, err error) {
	for _, one := range settings.Scopes {
		if f.scopes[one] && given {
			return 0, false, usagef("%s and %s exclude each other", s.Flag(), one.Flag())
		}
		if f.scopes[one] {
			s, given = one, true
		}
	}
	return s, given, nil
}

// again is the command line with --yes added, for the hint to somebody who could not
// be asked.
func (f *initFlags) again() string {
	line := f.called
	if line == "" {
		line = "moai init"
	}
	if f.uninstall {
		line += " --uninstall"
	}
	if s, given, _ := f.scope(); given {
		line += " " + s.Flag()
	}
	if f.statusline {
		line += " --statusline"
	}
	if f.verify {
		line += " --verify"
	}
	if f.onFailure != "" {
		line += " --on-failure " + f.onFailure
	}
	if len(f.agents) > 0 {
		line += " --agent " + strings.Join(f.agents, ",")
	}
	return line + " --yes"
}

// newInit registers the absolute path of this very binary: the client's PATH is that of a login shell, or of a desktop,
// and a guard that is not found is a guard that is silently off.
func newInit(e *env) *cobra.Command {
	var o initFlags
	c := &cobra.Command{
		Use:   "init",
		Short: "Register moai's hooks with the agent client",
		Long: `init writes moai's hooks into one of the client's settings files and keeps every
other byte of it, and a copy of the old file with your state. It says first what
goes where, and asks; without a terminal it writes only with --yes.

  --user    your own settings: all your projects, new clones and worktrees, too
  --local   .claude/settings.local.json, which it keeps out of Git: this folder
            and its worktrees, on this machine. The default without a terminal
  --shared  .claude/settings.json, to be committed: it calls whatever moai is on
            PATH, and does nothing where there is none

The first two name this binary by its absolute path. With guard.on_failure closed
they also tell the client to block a tool call when moai is gone, crashes or
takes too long; init says in which line that can be undone by hand.

--statusline also puts moai's line below the client's prompt; one of somebody
else stays. With --uninstall it takes that line out, and leaves the hooks.

--verify also writes four agents into the project (.claude/agents), or with --user
beside your settings: heimdall and tyr look at code, loki and odin at plans. One
that is there stays as it is.

--agent NAME, as often as you like, registers with another agent instead, in your
own files of it: ` + strings.Join(agentNames(), ", ") + `; or with
all that are found here (--agent all). What each of them cannot be kept from is in
the README. With --uninstall its files come back as they were.

--uninstall and --on-failure open want a person at a terminal.`,
		Example: "  moai init --user\n  moai init --dry-run --diff\n  moai init --uninstall",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, _, err := o.scope(); err != nil {
				return err
			}
			if len(o.agents) > 0 {
				return e.otherAgents(&o)
			}
			if o.uninstall {
				if o.onFailure != "" {
					return usagef("--uninstall and --on-failure exclude each other")
				}
				if o.verify {
					return usagef("--uninstall and --verify exclude each other: agents are yours, delete their files")
				}
				return e.uninstall(&o)
			}
			if o.onFailure != "" {
				v, err := config.Check(onFailureKey, o.onFailure)
				if err != nil {
					return usagef("--on-failure: %v", err)
				}
				o.onFailure = v
				if o.scopes[settings.Shared] {
					return notForAll(v)
				}
				if err := e.person("let tool calls run without an answer of moai"); err != nil && v == "open" && !o.dryRun {
					return err
				}
			}
			return e.install(&o)
		},
	}
	c.Flags().BoolVar(&o.scopes[settings.User], "user", false, "your own settings, for all projects")
	c.Flags().BoolVar(&o.scopes[settings.Local], "local", false, "the project's settings.local.json, which stays out of Git")
	c.Flags().BoolVar(&o.scopes[settings.Shared], "shared", false, "the project's settings.json, for everybody who has it")
	c.Flags().BoolVar(&o.statusline, "statusline", false, "put moai's status line below the client's prompt, too")
	c.Flags().BoolVar(&o.verify, "verify", false, "write the agents that look at finished work, too")
	c.Flags().StringVar(&o.onFailure, "on-failure", "", "whether a tool call runs when moai cannot answer: open or closed")
	c.Flags().StringSliceVar(&o.agents, "agent", nil, "register with other agents instead, by name, or with all that are found")
	_ = c.RegisterFlagCompletionFunc("agent", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append(agentNames(), allAgents), cobra.ShellCompDirectiveNoFileComp
	})
	c.Flags().BoolVarP(&o.dryRun, "dry-run", "n", false, "say what would be written and write nothing")
	c.Flags().BoolVar(&o.diff, "diff", false, "show the whole difference")
	c.Flags().BoolVar(&o.uninstall, "uninstall", false, "take moai out again; an unchanged file comes back byte for byte")
	_ = c.RegisterFlagCompletionFunc("on-failure", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return config.Keys[config.Find(onFailureKey)].Values, cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

// onFailureKey is the setting that decides what a guard without an answer means, here and in the client.
const onFailureKey = "guard.on_failure"

// install plans every file first; what is said is what is written.
func (e *env) install(o *initFlags) error {
	root := e.projectRoot()
	all := e.settingsFiles(root)
	if p, line, off := hooksOff(all); off {
		return hint(nof("%s:%d: %s is on, so no hook runs, wherever it is registered; nothing was written", p.path, line, settings.HooksOff), editing(p.path))
	}
	program, err := ownPath(e.getenv("PATH"))
	if err != nil {
		return err
	}
	p, err := e.target(all, o)
	if err != nil {
		return err
	}
	if err := writable(p); err != nil {
		return err
	}
	if err := e.otherHome(p); err != nil {
		return err
	}
	r := &initResult{Scope: p.scope.String(), File: p.path}
	moves, by, err := e.elsewhere(r, p, all, program)
	if err != nil {
		return err
	}
	if by != nil {
		return e.besides(r, p, by, o, root, program, all)
	}
	fresh := len(p.entries) == 0
	closed, set, err := e.onFailure(r, p, root, o, fresh)
	if err != nil {
		return err
	}
	want := registration(p.scope, program, closed, e.namedTools(root), e.cfg(root))
	data, err := settings.Plan(p.file.Data, want)
	if err != nil {
		return hint(nof("%s: %w", p.path, err), "moai doctor")
	}
	moved := slices.ContainsFunc(moves, (*place).ownLine) && p.line == nil
	if o.statusline || moved || p.ownLine() {
		if data, err = e.planLine(r, p, data, want, all); err != nil {
			return err
		}
	}
	for _, h := range want.Hooks {
		r.Events = append(r.Events, h.Event)
	}
	r.Program = want.Program
	for _, problem := range settings.Check(data, knownEvent) {
		r.note("%s: %s", p.path, problem)
	}
	r.byHand(data)
	steps := []*step{{
		place: p, data: data, changed: !bytes.Equal(data, p.file.Data), created: !p.file.Exists, Line: r.StatusLine != "",
		do: func(s *step) (err error) { s.Saved, err = p.file.Install(data, e.stateDir()); return err },
	}}
	switch p.scope {
	case settings.Local:
		steps = slices.Insert(steps, 0, e.keepOut(r, p)...)
	case settings.Shared:
		r.notShared(p)
	}
	if set != "" {
		steps = slices.Insert(steps, 0, e.setOwn(onFailureKey, set))
	}
	if o.verify {
		steps = append(steps, e.planVerifiers(r, o, p, root)...)
	}
	for _, other := range moves {
		s, err := e.leave(other)
		if err != nil {
			return err
		}
		steps = append(steps, s)
	}
	if err := e.carryOut(r, steps, o, "write this?"); err != nil {
		return err
	}
	if fresh && r.Written {
		if err := e.askFormat(o, root); err != nil {
			return err
		}
	}
	if p.scope == settings.Shared && !o.dryRun && !e.onPath() && !slices.ContainsFunc(all, func(other *place) bool { return other != p && other.counts() && !other.legacy() }) {
		return hint(nof("moai is not on this PATH, so here these hooks do nothing"), "ln -s "+argv.Quote(program)+" ~/.local/bin/moai")
	}
	return nil
}

// otherHome refuses settings of a home that HOME does not name: the one of the password database is perhaps not meant.
func (e *env) otherHome(p *place) error {
	if p.scope != settings.User || !slices.Contains(e.user().Moved, state.HomeVariable) {
		return nil
	}
	for _, d := range e.user().Doubts {
		if d.Variable != state.HomeVariable {
			continue
		}
		if !strings.HasPrefix(p.path, d.Path+string(filepath.Separator)) {
			return hint(nof("HOME names %s, which %s, so these settings would go into %s; nothing was written", d.Path, d.Why, p.path), "cd / && moai init --user")
		}
		break
	}
	return nil
}

// registration is what a file of that scope is to hold.
func registration(s settings.Scope, program string, closed bool, named []string, cfg *config.Config) settings.Registration {
	failure := settings.Continue
	// Never for everybody: what is not there at somebody else's cannot answer.
	if closed && s != settings.Shared {
		failure = settings.Block
	}
	if s == settings.Shared {
		return settings.Registration{Portable: true, Hooks: wantedHooks(failure, named, nil)} // how long one person's checks take is none of the others'
	}
	return settings.Registration{Program: program, Hooks: wantedHooks(failure, named, cfg)}
}

// writable refuses a file that moai cannot edit, and one that the client would skip with all that moai puts into it.
func writable(p *place) error {
	next := map[settings.Scope]string{settings.Shared: "moai init --local", settings.Local: "moai init --user", settings.User: editing(p.path)}[p.scope]
	switch {
	case errors.Is(p.err, settings.ErrOutside):
		return hint(nof("%w", p.err), next)
	case p.file == nil:
		return p.err
	case p.skipped != nil && p.skipped.Line > 0:
		return hint(nof("%s:%d: %s, so nothing was written", p.path, p.skipped.Line, p.skipped.Text), next)
	case p.skipped != nil:
		return hint(nof("%s: %s", p.path, p.skipped.Text), "moai doctor")
	case p.err != nil:
		return hint(nof("%s: %w", p.path, p.err), "moai doctor")
	}
	return nil
}

// elsewhere looks at the other files that call moai here. What this machine alone registered moves; what others rely on
// stays, and then nothing is added that is for the same people: each hook would run twice. by is a file that makes hooks in p superfluous.
func (e *env) elsewhere(r *initResult, p *place, all []*place, program string) (moves []*place, by *place, err error) {
	for _, other := range all {
		if other == p || len(other.entries) == 0 {
			continue
		}
		same := p.scope != settings.Shared && !slices.ContainsFunc(other.entries, func(entry settings.Entry) bool { return entry.Shell != "" || entry.Program != program })
		switch {
		case p.scope == settings.Shared && other.counts() && !e.onPath():
			// What is written finds no moai here: the other one is all there is.
			r.note("%s stays, since moai is not on this PATH", other.path)
		case other.legacy(), other.scope == settings.Local && !other.main:
			moves = append(moves, other)
		case !other.counts():
			r.note("%s:%d: %s; what moai has registered there does not count", other.path, other.skipped.Line, other.skipped.Text)
		case other.scope == settings.Shared && !e.onPath():
			r.note("%s calls moai by PATH, and it is not on this one", other.path)
		case same && p.scope == settings.Local:
			// The client runs equal commands once, so this would add nothing.
			if len(p.entries) == 0 {
				return nil, other, nil
			}
		case same:
		case p.scope == settings.Shared || p.scope == settings.User && other.scope == settings.Shared: // one is for others, or for other places
			r.note("%s registers moai here, too: both judge a call, and what is to be done about it is done once", other.path)
		case len(p.entries) == 0:
			return nil, nil, hint(nof("%s registers moai here already; with %s each hook would run twice", other.path, p.path), "moai init --uninstall "+other.scope.Flag())
		default:
			r.note("%s registers moai in another way, too: each hook runs twice", other.path)
		}
	}
	return moves, nil, nil
}

// onPath reports whether a file for everybody finds a moai here.
func (e *env) onPath() bool {
	_, err := os.Stat(doctor.OnPath("moai", os.Environ()))
	return err == nil
}

// onFailure decides what a file says about a moai that does not answer, and whether the user's configuration is to say so, too.
func (e *env) onFailure(r *initResult, p *place, root string, o *initFlags, fresh bool) (closed bool, set string, err error) {
	if p.scope == settings.Shared {
		if o.onFailure != "" {
			return false, "", notForAll(o.onFailure)
		}
		return false, "", nil
	}
	if p.scope == settings.User {
		root = "" // of all projects, so none of them decides
	}
	c := e.cfg(root)
	value := c.String(onFailureKey)
	origin := c.Origin(onFailureKey)
	told := o.onFailure
	if told == "" && fresh && origin == "default" && e.asks(o) {
		fmt.Fprintln(e.err, "When moai is gone, crashes or takes too long, the agent's tool calls run unguarded.")
		answers := map[string]string{"": "closed"}
		for _, word := range yes {
			answers[word] = "closed"
		}
		for _, word := range no {
			answers[word] = "open"
		}
		if told, err = choose(e, "Block them then? (recommended) [Y/n] ", answers); err != nil {
			return false, "", err
		}
	}
	if told != "" && (told != value || origin == "default") {
		set = told
		if value == "closed" && origin != "user" {
			r.note("%s stays closed here: the %s says so", onFailureKey, origin)
		} else {
			value = told
		}
	}
	r.OnFailure = value
	return value == "closed", set, nil
}

// notForAll refuses to put into a file for everybody what is one person's to decide.
func notForAll(value string) error {
	return hint(usagef("--on-failure is for your own settings: a file for everybody must block nobody who has no moai"), "moai config set "+onFailureKey+" "+value)
}

// asks reports whether somebody can be asked and has not said yes to everything.
func (e *env) asks(o *initFlags) bool { return !e.yes && !o.dryRun && !e.json && term.IsTerminal(e.in) }

// formatKey is the setting that has files formatted after an edit.
const formatKey = "quality.format"

// askFormat asks, where somebody can answer and has not said so before, whether files are to be formatted. That runs programs of projects, so only a plain yes counts.
func (e *env) askFormat(o *initFlags, root string) error {
	if !e.asks(o) || e.cfg(root).Origin(formatKey) != "default" {
		return nil
	}
	fmt.Fprintln(e.err, "moai can format each file after an edit, by the one formatter that its project configures: that runs a program of the project.")
	if !e.confirm("Do that in all your projects?") {
		return nil
	}
	s := e.setOwn(formatKey, "auto")
	if err := s.do(s); err != nil {
		return err
	}
	fmt.Fprintln(e.err, "moai: "+term.Name(s.after))
	return nil
}

// editing is the command that opens a file for a person.
func editing(path string) string {
	return doctor.Editor(os.Environ()) + " " + argv.Quote(path)
}
