package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// newSession reads what the hooks keep of the sessions, and starts nothing.
func newSession(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:     "session",
		Aliases: []string{"sessions"},
		Short:   "Tell who works here: sessions of agents, where, in which terminal",
		Long: `A session is what an agent's client calls one. Those of all work trees of a
repository are together. An ID is the client's, or the beginning of one. A
session whose process is gone and that was silent for 24 h is closed when the
next one begins.`,
		Example: "  moai session list\n  moai session show 01a2b3c4\n  moai session tree --all",
	}
	c.AddCommand(newSessionList(e), newSessionShow(e), newSessionCurrent(e), newSessionEnd(e), newSessionTree(e))
	for _, sub := range c.Commands() {
		switch sub.Name() {
		case "show", "end":
			sub.ValidArgsFunction = e.completeSessions
		}
	}
	return e.reading(c)
}

// sessionJSON is one session for programs: what is kept of it, and what is found out now.
type sessionJSON struct {
	*session.Session
	CWD       string           `json:"cwd"`
	ParentPID int              `json:"parent_pid,omitempty"` // the client's process
	Standing  session.Standing `json:"standing"`
	Does      session.Doing    `json:"does"`
	Current   bool             `json:"current"`
	Waits     time.Time        `json:"waits_since,omitzero"` // for an answer of a person
}

func (e *env) sessionOf(s *session.Session, current string) sessionJSON {
	now := time.Now()
	return sessionJSON{s, s.Now.Dir, s.Client.PID, s.Standing(now), s.Doing(now, s.Seen), s.ID == current, s.Waits(now)}
}

// current is the session in which this runs, nil for none.
func (e *env) current() *session.Session {
	at := e.seat()
	return session.Current(e.stateDir(), handle.Session(risks.Set(), at.Session()), &at)
}

// currentID is its id, "" for none.
func (e *env) currentID() string {
	if s := e.current(); s != nil {
		return s.ID
	}
	return ""
}

// sessions are those of the repository, or the project, around the working directory; all where everywhere is wanted.
func (e *env) sessions(ended, everywhere bool) []*session.Session {
	list := session.Open(e.stateDir(), time.Time{})
	if ended {
		list = session.All(e.stateDir())
	}
	if everywhere {
		return list
	}
	root, here := hiddenPath(e.projectRoot()), herePlace(e.dir)
	return slices.DeleteFunc(list, func(s *session.Session) bool {
		before := s.Now.Repository+s.Start.Repository == "" // git init came later, and no hook since
		if here.Repository != "" && (!before || s.Project != root) {
			return s.Now.Repository != here.Repository && s.Start.Repository != here.Repository
		}
		return s.Project != root
	})
}

// herePlace is a folder as sessions keep it.
func herePlace(dir string) session.Place {
	p := handle.Place(dir)
	return session.Place{Dir: hiddenPath(p.Dir), WorkTree: hiddenPath(p.WorkTree), Repository: hiddenPath(p.Repository)}
}

func hiddenPath(path string) string { return handle.HidePath(path, risks.Set().Mask) }

func newSessionList(e *env) *cobra.Command {
	var all, everywhere bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the sessions of this repository, the last seen first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list, current, out := e.sessions(all, everywhere), e.currentID(), []sessionJSON{}
			for _, s := range list {
				out = append(out, e.sessionOf(s, current))
			}
			if e.json {
				return e.printJSON(out)
			}
			if len(list) == 0 {
				e.noSessions(all, everywhere)
			}
			wide := widthsOf(list...)
			for i := range out {
				e.sessionLine("", &out[i], wide)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "also those that have ended")
	c.Flags().BoolVar(&everywhere, "everywhere", false, "those of all projects")
	return c
}

// noSessions says that a list is empty, and which one would not be.
func (e *env) noSessions(all, everywhere bool) {
	switch ended := !all && len(e.sessions(true, everywhere)) > 0; {
	case ended && everywhere:
		fmt.Fprintln(e.err, "moai: none open (moai session list --all --everywhere)")
	case ended:
		fmt.Fprintln(e.err, "moai: none open here (moai session list --all)")
	case everywhere:
		fmt.Fprintln(e.err, "moai: no session is known")
	default:
		fmt.Fprintln(e.err, "moai: no session here is known")
		fmt.Fprintln(e.err, "moai: hint: moai session list --everywhere")
	}
}

// widths are the columns of a list of sessions. Ids and terminals may be of any script, and names of devices long.
type widths struct{ id, tty int }

func widthsOf(list ...*session.Session) widths {
	w := widths{13, 11}
	for _, s := range list {
		w.id = max(w.id, term.Width(term.Text(session.Short(s.ID))))
		w.tty = max(w.tty, term.Width(term.Text(orDash(s.TTY))))
	}
	return w
}

// sessionLine prints a session on a line; the current one has a mark.
func (e *env) sessionLine(indent string, s *sessionJSON, wide widths) {
	mark := "  "
	if s.Current {
		mark = "* "
	}
	word := term.Pad(string(s.Does), 8)
	facts := e.sessionFacts(s.Session)
	switch {
	case !s.Waits.IsZero():
		word = e.style().Yellow(word)
		facts = append([]string{e.style().Yellow("waits for you since " + waitedSince(s.Waits))}, facts...)
	case s.Does == session.Working:
		word = e.style().Green(word)
	case s.Standing == session.Gone:
		word = e.style().Yellow(word)
	}
	head := indent + mark + term.Pad(term.Text(session.Short(s.ID)), wide.id) + " " + word + term.Pad(term.Text(orDash(s.TTY)), wide.tty) + " "
	e.entry(head, strings.Join(facts, ", "))
}

// waitedSince is a time of today as a clock shows it, and another with its day.
func waitedSince(at time.Time) string {
	at = at.Local()
	if time.Since(at) < 12*time.Hour {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// sessionFacts are the parts of a session's line behind who it is.
func (e *env) sessionFacts(s *session.Session) []string {
	parts := []string{e.turnOf(s)}
	if here := herePlace(e.dir); s.Now.Tree() != here.Tree() {
		parts = append(parts, "in "+term.Name(s.Now.Tree()))
	}
	if s.Port != "" {
		parts = append(parts, "port "+term.Text(s.Port))
	}
	seen := when.Ago(time.Since(s.Seen))
	if !s.Ended.IsZero() {
		seen = "ended " + when.Ago(time.Since(s.Ended)) + ": " + term.Text(s.Why)
	}
	return append(parts, seen)
}

func (e *env) turnOf(s *session.Session) string {
	if s.Turn.Number == 0 {
		return "no prompt yet"
	}
	text := fmt.Sprintf("turn %d", s.Turn.Number)
	if s.Turn.Runs() && s.Ended.IsZero() {
		text += " goes on"
	}
	if s.Turn.Prompt != "" {
		text += ": " + e.style().Bold(term.Text(s.Turn.Prompt))
	}
	return text
}

// session finds one by its id or the beginning of it.
func (e *env) session(id string) (*session.Session, error) {
	if s := session.Read(e.stateDir(), id); s != nil {
		return s, nil
	}
	var found []*session.Session
	for _, s := range session.All(e.stateDir()) {
		if strings.HasPrefix(s.ID, id) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return nil, hint(nof("there is no session %s", id), "moai session list --all --everywhere")
	case 1:
		return found[0], nil
	}
	return nil, hint(nof("%d sessions begin with %s: %s and %s among them", len(found), id, found[0].ID, found[1].ID), "moai session list --all --everywhere")
}

// completeSessions offers the sessions of this repository.
func (e *env) completeSessions(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, s := range e.sessions(true, false) {
		if strings.HasPrefix(s.ID, word) && !slices.Contains(args, s.ID) {
			out = append(out, s.ID+"\t"+term.Text(s.Turn.Prompt))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
