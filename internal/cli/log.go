package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// newLog prints the journal for people: by day, session and turn.
func newLog(e *env) *cobra.Command {
	var pick eventPicks
	c := &cobra.Command{
		Use:   "log",
		Short: "Tell what happened in this project, by session and turn",
		Long: `Tells what happened in this project, the oldest first, below the session and the
turn in which it did. The same events, a line each, are printed by moai events.`,
		Example: "  moai log --since yesterday\n  moai log --session 4f1c",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			q, err := pick.query(e, c)
			if err != nil {
				return err
			}
			path := e.journalOf(q.Session)
			if e.json {
				return e.jsonLog(q, path)
			}
			t := teller{env: e, each: len(q.Types) > 0}
			if !t.each {
				q.Beside = untold // so that -n 5 prints five others
			}
			if err := e.readEvents(q, path, t.tell); err != nil {
				return err
			}
			t.tellSlow()
			return nil
		},
	}
	pick.declare(e, c)
	return c
}

// jsonLog prints the events as one document, each as it is kept.
func (e *env) jsonLog(q *journal.Query, path string) error {
	open, one := "[", bytes.Buffer{}
	err := e.readEvents(q, path, func(ev *journal.Event) error {
		one.Reset()
		if err := json.Indent(&one, ev.Raw(), "  ", "  "); err != nil {
			return err
		}
		_, err := fmt.Fprintf(e.out, "%s\n  %s", open, one.Bytes())
		open = ","
		return err
	})
	if err != nil {
		return err
	}
	if open == "[" {
		_, err = fmt.Fprintln(e.out, "[]")
	} else {
		_, err = fmt.Fprintln(e.out, "\n]")
	}
	return err
}

// teller remembers below which headings it is.
type teller struct {
	env  *env
	day  string
	work string // session and turn
	each bool   // slow calls are told one by one, since types were asked for
	slow int    // calls that were not told
}

// tellSlow counts the slow calls in one line: hundreds of them say no more than their number.
func (t *teller) tellSlow() {
	if t.slow > 0 {
		t.env.offer(2, term.Count(t.slow, "hook call")+" took longer than hooks are to take:", "moai events --type "+types.HookSlow{}.Entry().Name)
	}
}

// noticeable is how long a call takes that a person at work notices: of shorter ones there is nothing to tell, and nothing to do about them.
const noticeable = time.Second

// noticed reports a slow call that somebody may have waited for, or of which it is not known.
func noticed(ev *journal.Event) bool {
	var d types.HookSlow
	return json.Unmarshal(ev.Details, &d) != nil || d.DurationMS == 0 || time.Duration(d.DurationMS)*time.Millisecond >= noticeable
}

// untold reports an event that has no line of its own: slow calls are told as a number, and that a person is asked is what the verdict before it says.
func untold(ev *journal.Event) bool {
	switch ev.Type {
	case types.HookSlow{}.Entry().Name:
		return true
	case types.Escalation{}.Entry().Name:
		var d types.Escalation
		return json.Unmarshal(ev.Details, &d) == nil && d.Action == hook.Ask.String()
	}
	return false
}

// tell prints one event, below a heading of its own where it needs one.
func (t *teller) tell(ev *journal.Event) error {
	if !t.each && untold(ev) {
		if ev.Type == (types.HookSlow{}).Entry().Name && noticed(ev) {
			t.slow++
		}
		return nil
	}
	e, s, at := t.env, t.env.style(), ev.Created.Local()
	if day := at.Format("Monday, 2 January 2006"); day != t.day {
		t.day, t.work = day, ""
		e.row("%s", s.Bold(day))
	}
	work := "outside of any session"
	if ev.Session != "" {
		work = "session " + session.Short(ev.Session)
	}
	if ev.Turn > 0 {
		work += fmt.Sprintf(", turn %d", ev.Turn)
	}
	if ev.Port != "" {
		work += ", port " + ev.Port
	}
	if work != t.work {
		t.work = work
		e.row("  %s", s.Cyan(term.Text(work)))
	}
	mark := " "
	switch ev.Severity {
	case "error":
		mark = s.Red("x")
	case "warn":
		mark = s.Yellow("!")
	}
	what := strings.ReplaceAll(term.Text(ev.Type), "_", " ")
	text := term.OneLine(term.Text(ev.Summary), 500)
	var d struct{ Command string }
	if json.Unmarshal(ev.Details, &d) == nil && d.Command != "" && !strings.Contains(ev.Summary, d.Command) {
		text += "  " + s.Dim(term.OneLine(term.Text(d.Command), 500))
	}
	if ev.Type == (types.UserRequest{}).Entry().Name {
		text = s.Bold(text)
	}
	head := "    " + s.Dim(at.Format(time.TimeOnly)) + " " + mark + " " + term.Pad(what, 18)
	if n := e.columns(); ev.Type == (types.CheckpointCreated{}).Entry().Name && n > 0 && term.Width(term.Plain(head+" "+text)) > n {
		e.row("%s", head)
		e.say(4, "    %s", text) // its name is what one types next
		return nil
	}
	e.entry(head, text)
	return nil
}
