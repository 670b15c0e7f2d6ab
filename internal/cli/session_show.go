package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

func newSessionShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "show [ID]",
		Short:   "Show what is known of a session: the one in which this runs, else the last seen here",
		Example: "  moai session show 01a2b3c4",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := e.meant(args)
			if err != nil {
				return err
			}
			return e.showSession(s)
		},
	}
}

// meant is the session that is named; without a name the one in which this runs, else the one that was last seen here.
func (e *env) meant(args []string) (*session.Session, error) {
	if len(args) > 0 {
		return e.session(args[0])
	}
	if s := e.current(); s != nil {
		return s, nil
	}
	if list := e.sessions(true, false); len(list) > 0 {
		return list[0], nil
	}
	return nil, hint(nof("no session here is known"), "moai session list --everywhere")
}

// newSessionCurrent answers for what an agent runs, and for a hook.
func newSessionCurrent(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "current",
		Short: "Show the session in which this runs",
		Long:  "The session is found by the client's variables, else by the processes above.\nWithout one the answer is no, exit code 1.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s := e.current()
			if s == nil {
				return hint(nof("this runs in no session that moai knows"), "moai session list")
			}
			return e.showSession(s)
		},
	}
}

func (e *env) showSession(s *session.Session) error {
	current := e.currentID()
	if e.json {
		return e.printJSON(e.sessionOf(s, current))
	}
	line := func(label, text string) {
		if text != "" {
			e.say(13, "%s %s", term.Pad(label, 12), text)
		}
	}
	standing := string(s.Standing(time.Now()))
	if s.ID == current {
		standing += ", the current one"
	}
	fmt.Fprintln(e.out, e.style().Bold(term.Text(s.ID))+"  "+standing)
	line("fingerprint", term.Text(s.Fingerprint))
	line("terminal", term.Text(s.TTY))
	if s.Client.PID > 0 {
		line("client", fmt.Sprintf("%s, process %d on %s", term.Text(orDash(s.Client.Name)), s.Client.PID, term.Text(s.Host)))
	}
	line("model", term.Text(s.Model))
	line("permissions", term.Text(s.Mode))
	line("project", term.Name(s.Project))
	line("work tree", term.Name(s.Now.Tree()))
	if s.Now.Dir != s.Now.Tree() {
		line("folder", term.Name(s.Now.Dir))
	}
	if s.Link != nil {
		line(s.Link.Kind, "from "+term.Text(s.Link.Parent))
	}
	for _, r := range s.Resumed {
		line("resumed", when.Ago(time.Since(r.At))+"; it was "+term.Text(r.Fingerprint)+" until then")
	}
	line("began", when.Ago(time.Since(s.Started)))
	line("last seen", when.Ago(time.Since(s.Seen)))
	if !s.Ended.IsZero() {
		line("ended", when.Ago(time.Since(s.Ended))+": "+term.Text(s.Why))
	}
	line("turn", e.turnOf(s))
	line("port", term.Text(s.Port))
	if s.Snapshot != nil {
		line("snapshot", term.Text(s.Snapshot.ID)+", "+when.Ago(time.Since(s.Snapshot.At)))
	}
	if t := s.Tests; t != nil {
		verdict := "failed"
		if t.Passed {
			verdict = "passed"
		}
		line("tests", verdict+" "+when.Ago(time.Since(t.At))+": "+term.Text(t.Command))
	}
	for i := range s.Agents {
		line("sub-agent", agentLine(&s.Agents[i]))
	}
	for _, w := range s.Wrote {
		line("wrote", term.Name(w.Path)+", "+when.Ago(time.Since(w.At)))
	}
	for _, d := range s.Decided {
		line("decided", term.Text(d.What)+", "+when.Ago(time.Since(d.At)))
	}
	return nil
}

func agentLine(a *session.Agent) string {
	parts := []string{term.Text(orDash(a.Type)), term.Text(session.Short(a.ID)), fmt.Sprintf("in turn %d", a.Turn)}
	if a.Ended.IsZero() {
		parts = append(parts, "at work")
	}
	return strings.Join(parts, " ")
}
