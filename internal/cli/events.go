package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// shownEvents is how many are printed where nobody says how many, or since when: journals grow for months.
const shownEvents = 50

// eventPicks are the options of the verbs that read the journal.
type eventPicks struct {
	picks
	types []string
	turn  int
	port  string
}

// declare makes the options of a verb.
func (p *eventPicks) declare(e *env, c *cobra.Command) {
	p.flags(e, c, fmt.Sprintf("last so many; 0 for all (%d, or all with --since or --json)", shownEvents))
	f := c.Flags()
	f.StringSliceVarP(&p.types, "type", "t", nil, "show only those of this type; may be given several times")
	f.IntVar(&p.turn, "turn", 0, "show only those of this turn of a session")
	f.StringVar(&p.port, "port", "", "show only those of this port")
	// Completion fails only for options that do not exist.
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
}

// completeTypes offers the types of events.
func completeTypes(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for i := range types.Types {
		if t := &types.Types[i]; strings.HasPrefix(t.Name, word) {
			out = append(out, t.Name+"\t"+t.Text)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// query is what was asked for.
func (p *eventPicks) query(e *env, c *cobra.Command) (*journal.Query, error) {
	if err := p.read(c); err != nil {
		return nil, err
	}
	if p.turn < 0 {
		return nil, usagef("--turn is %d, want the number of a turn", p.turn)
	}
	for _, name := range p.types {
		if types.Find(name) < 0 {
			return nil, unknownType(c, name)
		}
	}
	q := &journal.Query{Types: p.types, Session: p.session, Turn: p.turn, Port: p.port, Since: p.from, Last: p.last}
	if !c.Flags().Changed("last") && p.after == "" && !e.json {
		q.Last, q.Earlier = shownEvents, true
	}
	return q, nil
}

// unknownType names the type that was probably meant: an empty list would look as if nothing had happened.
func unknownType(c *cobra.Command, name string) error {
	err := usagef("this moai knows no events of type %q", term.Clip(name, 60))
	if near := nearestType(name); near != "" {
		return hint(err, c.CommandPath()+" --type "+near)
	}
	return err
}

func nearestType(name string) string { return term.Nearest(name, typeNames()) }

// newEvents prints the journal for programs and for grep: a line each.
func newEvents(e *env) *cobra.Command {
	var pick eventPicks
	var follow bool
	c := &cobra.Command{
		Use:   "events",
		Short: "Print what happened in this project, a line each",
		Long: `Prints the journal of this project, the oldest first: sessions, prompts, edits,
verdicts, snapshots, failed tests and builds. With --json each line is the event
as it is kept, and there is no limit. It stays for journal.keep_days, and
journal.prompts says what is kept of prompts.

Types are
` + wrapped(typeNames()) + `.`,
		Example: "  moai events --type test_failed --since yesterday\n  moai events --follow --json\n  moai events --session 4f1c --turn 3",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			q, err := pick.query(e, c)
			if err != nil {
				return err
			}
			path := e.journalOf(q.Session)
			if follow {
				ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
				defer stop()
				return e.followEvents(ctx, q, path)
			}
			return e.readEvents(q, path, e.printEvent)
		},
	}
	pick.declare(e, c)
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is written from now on")
	c.Flags().BoolVar(&e.json, "json", false, "print JSON lines: one event a line, as it is kept")
	return c
}

// typeNames are the names of all types.
func typeNames() []string {
	names := make([]string, len(types.Types))
	for i := range types.Types {
		names[i] = types.Types[i].Name
	}
	return names
}

// journalOf is the journal in which to look: this project's, but for a session that never worked here its own, since session list shows
// those of all work trees. That is said, as paths of events are meant below another folder then.
func (e *env) journalOf(id string) string {
	root := e.projectRoot()
	if id != "" {
		if s, err := e.session(id); err == nil && !slices.Contains(roots(s), hiddenPath(root)) {
			root = s.Project
			fmt.Fprintln(e.err, "moai: this session worked in", term.Name(root))
		}
	}
	return state.JournalPath(e.stateDir(), root)
}

// readEvents prints what a query finds, and says what is known at all where somebody may miss something.
func (e *env) readEvents(q *journal.Query, path string, one func(*journal.Event) error) error {
	shown := 0
	var k journal.Known
	err := e.buffered(func() (err error) {
		k, err = q.Run(path, func(ev *journal.Event) error {
			shown++
			return one(ev)
		})
		return err
	})
	if err != nil {
		return unreadJournal(err)
	}
	begins := ""
	if !k.From.IsZero() {
		begins = "the journal of this project begins at " + k.From.Local().Format(time.DateTime)
		if k.Trimmed {
			begins += "; what was before is gone (journal.keep_days, journal.keep_mb)"
		}
	}
	if shown == 0 && q.Session != "" {
		if err := unheard(path, q.Session); err != nil {
			return err
		}
	}
	switch {
	case k.From.IsZero() && !k.Trimmed:
		fmt.Fprintln(e.err, "moai: nothing is in the journal of this project yet")
	case shown == 0:
		fmt.Fprintln(e.err, "moai: no such event; "+begins)
	case k.Trimmed && k.Whole, !q.Since.IsZero() && k.From.After(q.Since):
		fmt.Fprintln(e.err, "moai: "+begins)
	}
	if k.Earlier {
		fmt.Fprintf(e.err, "moai: these are the last %d; with earlier ones: -n %d, or -n 0 for all\n", q.Last, 4*q.Last)
	}
	if k.Skipped > 0 {
		fmt.Fprintf(e.err, "moai: %s of the journal cannot be read, and %s left out\n", term.Count(k.Skipped, "line"), map[bool]string{true: "is", false: "are"}[k.Skipped == 1])
	}
	return nil
}

// followEvents prints until somebody ends it, or nobody reads any more.
func (e *env) followEvents(ctx context.Context, q *journal.Query, path string) error {
	err := q.Follow(ctx, path, e.printEvent)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return unreadJournal(err)
}

// printEvent prints an event on a line.
func (e *env) printEvent(ev *journal.Event) error {
	if e.json {
		_, err := e.out.Write(append(slices.Clip(ev.Raw()), '\n'))
		return err
	}
	s := e.style()
	who := session.Short(ev.Session)
	if ev.Turn > 0 {
		who += fmt.Sprintf(" %d", ev.Turn)
	}
	head := s.Dim(ev.Created.Local().Format(time.DateTime)) + " " + e.severity(ev.Severity) + " " + term.Pad(term.Text(ev.Type), 20) + " " + term.Pad(term.Text(who), 11)
	e.entry(head, term.OneLine(term.Text(ev.Summary), 500))
	return nil
}

// severity is a word of one width, in its colour.
func (e *env) severity(word string) string {
	s, text := e.style(), term.Pad(term.Text(word), len("error"))
	switch word {
	case "error":
		return s.Red(text)
	case "warn":
		return s.Yellow(text)
	}
	return s.Dim(text)
}

// unheard is the answer where a journal knows nothing of a session, nil where it does: nothing of one that is known is another answer.
func unheard(path, id string) error {
	of, seen := journal.Query{Session: id, Last: 1}, false
	if _, err := of.Run(path, func(*journal.Event) error { seen = true; return nil }); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if seen {
		return nil
	}
	return hint(nof("no session is known here whose id begins with %s", term.Text(id)), "moai session list --all --everywhere")
}
