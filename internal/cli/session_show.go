package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

func newSessionShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "show [ID]",
		Short:   "Tell who a session is and what it did: this one, else the last seen here",
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

// showSession tells in some ten lines who a session is and what it did: a line is left out where there is nothing to tell.
func (e *env) showSession(s *session.Session) error {
	did, one := e.did(s), e.sessionOf(s, e.currentID())
	if e.json {
		return e.printJSON(struct {
			sessionJSON
			Did *sessionDid `json:"did"`
		}{one, did})
	}
	line := func(label, text string) {
		if text != "" {
			e.say(13, "%s %s", term.Pad(label, 12), text)
		}
	}
	head := e.style().Bold(term.Text(s.ID)) + "  " + string(one.Does)
	if one.Current {
		head += ", the current one"
	}
	if s.Link != nil {
		head += ", " + s.Link.Kind + " from " + term.Text(s.Link.Parent)
	}
	fmt.Fprintln(e.out, head)
	e.showSeat(s, line)
	if !one.Waits.IsZero() {
		line("waits", "for your answer, since "+waitedSince(one.Waits))
	}
	line("turn", e.turnOf(s))
	line("port", term.Text(s.Port))
	e.showDid(s, did, line)
	if n := len(s.Decided); n > 0 {
		d := &s.Decided[n-1]
		line("decided", term.Text(d.What)+", "+when.Ago(time.Since(d.At)))
	}
	if !did.Whole {
		line("", "the journal is younger than this session, and what it counts is less than was done (journal.keep_days, journal.keep_mb)")
	}
	return nil
}

// showSeat tells who and where a session is.
func (e *env) showSeat(s *session.Session, line func(label, text string)) {
	where := term.Name(s.Now.Tree())
	if s.Now.Dir != s.Now.Tree() {
		where += ", in " + term.Name(s.Now.Dir)
	}
	line("where", where)
	var parts []string
	if s.TTY != "" {
		parts = append(parts, term.Text(s.TTY))
	}
	if s.Client.PID > 0 {
		parts = append(parts, fmt.Sprintf("%s, process %d on %s", term.Text(orDash(s.Client.Name)), s.Client.PID, term.Text(s.Host)))
	}
	line("terminal", strings.Join(append(parts, "fingerprint "+term.Text(s.Fingerprint)), ", "))
	began := when.Ago(time.Since(s.Started))
	if s.Model != "" {
		began += " with " + term.Text(s.Model)
	}
	if s.Mode != "" {
		began += ", " + term.Text(s.Mode)
	}
	if n := len(s.Resumed); n > 0 {
		began += ", resumed " + when.Ago(time.Since(s.Resumed[n-1].At))
		if n > 1 {
			began += fmt.Sprintf(" for the %dth time", n)
		}
	}
	if s.Ended.IsZero() {
		began += ", seen " + when.Ago(time.Since(s.Seen))
	} else {
		began += ", ended " + when.Ago(time.Since(s.Ended)) + ": " + term.Text(s.Why)
	}
	line("began", began)
}

// showDid tells what it did, in nine lines at most.
func (e *env) showDid(s *session.Session, d *sessionDid, line func(label, text string)) {
	counted := func(parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.HasPrefix(p, "0 ") }), ", ")
	}
	if len(d.Files) > 0 {
		names := make([]string, len(d.Files))
		for i, f := range d.Files {
			names[i] = term.Text(f)
		}
		text := term.Count(len(names), "file") + ": " + someOf(names, 3)
		if d.Over > 0 {
			text += fmt.Sprintf("; %d of them gone again, as before, or ignored by Git", d.Over)
		}
		if d.Unverified > 0 {
			text += fmt.Sprintf("; %d that nobody else has looked at: moai verify status", d.Unverified)
		}
		line("changed", text)
	}
	if s.Tests != nil {
		line("tests", outcome(s.Tests))
	}
	if s.Built != nil {
		line("build", outcome(s.Built))
	}
	line("failed", counted(
		term.Count(d.Failed[types.TestFailed{}.Entry().Name], "run of tests", "runs of tests"), term.Count(d.Failed[types.BuildFailed{}.Entry().Name], "build"),
		term.Count(d.Failed[types.Types[types.From("PostToolUseFailure")].Name], "other call")))
	if guard := counted(fmt.Sprintf("%d refused", d.Refused), fmt.Sprintf("%d asked about", d.Asked)); guard != "" {
		line("guard", guard+": "+term.Text(someOf(d.Rules, 3)))
	}
	if s.Snapshot != nil {
		text := term.Text(s.Snapshot.ID) + ", " + when.Ago(time.Since(s.Snapshot.At))
		if d.Snapshots > 1 {
			text += fmt.Sprintf("; %d in all", d.Snapshots)
		}
		line("snapshot", text)
	}
	line("sub-agents", e.agentsOf(s, d))
	if d.Loop != nil {
		text := loopRound(d.Loop)
		if !d.Loop.Runs() {
			text += ", over: " + term.Text(d.Loop.Why)
		}
		line("loop", text)
	}
	compacted := counted(term.Count(d.Compacted, "time"))
	switch {
	case d.Tokens == 0:
		line("compacted", compacted)
	case compacted != "":
		compacted = "; compacted " + compacted
		fallthrough
	default:
		line("tokens", fmt.Sprintf("%d, sub-agents' with them, the cache's not%s", d.Tokens, compacted))
	}
}

func outcome(t *session.Tests) string {
	verdict := "failed"
	if t.Passed {
		verdict = "passed"
	}
	if t.Part {
		verdict = "some of the tests " + verdict
	}
	return verdict + " " + when.Ago(time.Since(t.At)) + ": " + term.Text(t.Command)
}

// agentsOf counts the sub-agents by type, and names those at work.
func (e *env) agentsOf(s *session.Session, d *sessionDid) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(d.Agents)) {
		parts = append(parts, fmt.Sprintf("%d %s", d.Agents[kind], term.Text(orDash(kind))))
	}
	for i := range s.Agents {
		if s.Agents[i].Ended.IsZero() && s.Ended.IsZero() {
			parts = append(parts, agentLine(&s.Agents[i]))
		}
	}
	return strings.Join(parts, ", ")
}

func agentLine(a *session.Agent) string {
	parts := []string{term.Text(orDash(a.Type)), term.Text(session.Short(a.ID)), fmt.Sprintf("in turn %d", a.Turn)}
	if a.Ended.IsZero() {
		parts = append(parts, "at work")
	}
	return strings.Join(parts, " ")
}
