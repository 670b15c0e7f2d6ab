// Package moaid is the command line of moaid, the program behind moai serve, stats, timeline and export.
//
// It settles nothing about whose word counts: moai does, and tells it by options which folders are the user's. Its invariant:
// it writes nothing but the store, which can be thrown away, and what serve needs to be found again.
//
// What is linked into moai costs every hook call: net/http and SQLite make it 35 to 40 % slower. So they are in this
// program, which moai becomes (exec; on Windows it runs it and waits). moai also tells it which build it is: two builds
// are never mixed.
package moaid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// env is what a verb may touch, and what moai has told.
type env struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string

	json    bool
	state   string // moai's folder
	config  string // the user's configuration, "" where it could have come with a clone
	project string // the root of the one in which moai runs
	moai    string // the program

	answers map[string]json.RawMessage // of a recorded session
	shut    []string                   // the environment of moai there: nothing of the user's is in reach
}

// Main runs a command line and returns the exit code.
func Main(args []string, in io.Reader, out, errs io.Writer, getenv func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	filtered, talk := term.NewFilter(out, getenv), term.NewFilter(errs, getenv)
	defer func() { _, _ = filtered.Close(), talk.Close() }()
	e := &env{in: in, out: filtered, err: talk, getenv: getenv}
	if len(args) == 1 && args[0] == "--version" {
		fmt.Fprintln(filtered, "moaid "+build.Current().String())
		return slip.Done
	}
	root := e.root()
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--build=") || a == "--build" }) {
		root.Use = "moaid" // somebody looks at it by hand
	}
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	if lost := filtered.Err(); err == nil && lost != nil {
		err = fmt.Errorf("print the answer: %w", lost)
	}
	return e.report(err, c)
}

// root builds the command tree. It calls itself moai, which people have typed.
func (e *env) root() *cobra.Command {
	var of string
	root := &cobra.Command{
		Use:   "moai",
		Short: "The part of moai that has network and database",
		Long:  "moaid is started by moai, for moai serve, stats, timeline, export and doctor --live.\nThe page opens with moai serve.",
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			own := build.Current().String()
			switch {
			case c.Name() == cobra.ShellCompRequestCmd: // it reads the options itself, and offers nothing without them
			case of == "" || e.state == "":
				return slip.Hint(slip.Usagef("moaid is started by moai"), "moai serve")
			case of != own:
				return slip.Hint(slip.Nof("moaid is of another build than moai: %s and %s", own, of), "make install")
			}
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	f := root.PersistentFlags()
	f.BoolVar(&e.json, "json", false, "print one JSON document")
	f.StringVar(&of, "build", "", "the build of moai that starts this")
	f.StringVar(&e.moai, "moai", "", "the program moai")
	f.StringVar(&e.state, "state", "", "moai's folder of state")
	f.StringVar(&e.config, "config", "", "the folder of the user's configuration")
	f.StringVar(&e.project, "project", "", "the project in which moai runs")
	f.VisitAll(func(one *pflag.Flag) { one.Hidden = one.Name != "json" })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		text, help := slip.Option(c, err)
		return slip.Hint(slip.Usagef("%s", text), help)
	})
	root.AddCommand(e.newServe(), e.newStats(), e.newTimeline(), e.newExport(), e.newLive())
	for _, c := range root.Commands() {
		if check := c.Args; check != nil { // a wrong number of words is a slip of the caller
			c.Args = func(c *cobra.Command, args []string) error {
				if check(c, args) != nil {
					return slip.Usagef("%s", slip.Words(c, args))
				}
				return nil
			}
		}
	}
	return root
}

// report prints err and returns the exit code for it.
func (e *env) report(err error, called *cobra.Command) int {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return slip.Done
	}
	return slip.Report(e.err, e.getenv, err, called)
}

// printJSON writes v as the one JSON document of an answer.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// fed opens the store and takes in what is new.
func (e *env) fed(ctx context.Context) (*store.Store, error) {
	s, err := store.Open(e.state)
	if err != nil {
		return nil, e.explained(err)
	}
	feed := func() error {
		if _, err := s.Feed(ctx); err != nil {
			return err
		}
		return s.Records(ctx)
	}
	if err = feed(); store.Broken(err) {
		if err = s.SetAside(); err == nil {
			err = feed()
		}
	}
	if s.Aside != "" {
		fmt.Fprintf(e.err, "moai: warning: the store could not be used; it is made anew from the journals, and the old one is %s\n", term.Name(s.Aside))
	}
	if err != nil {
		_ = s.Close()
		return nil, e.explained(err)
	}
	for _, odd := range journal.Strange(store.Journals(e.state)) { // those of other projects are no reason to answer nothing
		fmt.Fprintf(e.err, "moai: warning: %s is no regular file and is left out (moai doctor)\n", term.Name(odd))
	}
	return s, nil
}

// whole is the error of a question to the store. One that has found it damaged has it made anew: the next one is answered.
func (e *env) whole(ctx context.Context, s *store.Store, err error) error {
	if !store.Broken(err) {
		return e.explained(err)
	}
	if err := s.SetAside(); err != nil {
		return err
	}
	if _, err := s.Feed(ctx); err != nil {
		return err
	}
	return fmt.Errorf("the store was damaged, and is made anew from the journals, the old one is %s: ask again", term.Name(s.Aside))
}

// scope are the options that say what an answer is about.
type scope struct {
	everywhere bool
	since      string
	session    string
}

func (o *scope) declare(c *cobra.Command) {
	c.Flags().BoolVarP(&o.everywhere, "everywhere", "a", false, "all projects, and not this one alone")
	c.Flags().StringVar(&o.since, "since", "", "from then on: 2h, yesterday, 2026-03-01 14:00")
	c.Flags().StringVarP(&o.session, "session", "s", "", "one session, by its id or the beginning of it")
}

// store is the one to ask, once the session that is meant is found in it.
func (o *scope) store(e *env, c *cobra.Command, p *store.Pick) (*store.Store, error) {
	s, err := e.fed(c.Context())
	if err != nil {
		return nil, err
	}
	if err := o.one(c.Context(), s, p, c.CommandPath()); err != nil {
		defer s.Close()
		return nil, e.whole(c.Context(), s, err)
	}
	return s, nil
}

// one finds the session that is meant: lists show the beginnings of ids alone.
func (o *scope) one(ctx context.Context, s *store.Store, p *store.Pick, verb string) error {
	if p.Session == "" {
		return nil
	}
	ids, err := s.Named(ctx, p.Session)
	switch {
	case err != nil:
		return err
	case len(ids) == 0:
		return slip.Hint(slip.Nof("no session is known whose id begins with %s", term.Text(p.Session)), "moai session list --all --everywhere")
	case len(ids) > 1 && ids[0] != p.Session:
		return slip.Hint(slip.Nof("several sessions have an id that begins with %s: %s", term.Text(p.Session), term.Text(strings.Join(ids, ", "))), "moai session list --all --everywhere")
	}
	p.Session = ids[0]
	if p.Project == "" {
		return nil
	}
	here, err := s.Sessions(ctx, &store.Pick{Project: p.Project, Session: p.Session, Limit: 1})
	if err == nil && len(here) == 0 {
		err = slip.Hint(slip.Nof("session %s did nothing in this project", term.Text(p.Session)), verb+" --session "+argv.Quote(p.Session)+" --everywhere")
	}
	return err
}

func (o *scope) pick(e *env) (*store.Pick, error) {
	p := &store.Pick{Session: o.session}
	if !o.everywhere && e.project != "" {
		p.Project = state.ProjectKey(e.project)
	}
	if o.since != "" {
		var err error
		if p.Since, err = when.Since(o.since, time.Now()); err != nil {
			return nil, slip.Usagef("--since: %w", err)
		}
	}
	return p, nil
}
