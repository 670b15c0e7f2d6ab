package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// riskLogLine is one decision of the guard, as moai risk log tells it.
type riskLogLine struct {
	Time    time.Time       `json:"time"`
	Session string          `json:"session,omitempty"`
	Summary string          `json:"summary"`
	Details json.RawMessage `json:"details,omitempty"`

	command string
}

// logLine reads a journal event; ok is false for one that is no verdict.
func logLine(ev *journal.Event) (line riskLogLine, ok bool) {
	if ev.Type != "decision" {
		return line, false
	}
	var note struct {
		Rules      []string `json:"rules"`
		Exceptions []string `json:"exceptions"`
		Command    string   `json:"command"`
	}
	// A line that cannot be read is skipped, as everywhere in the journal.
	if json.Unmarshal(ev.Details, &note) != nil || len(note.Rules)+len(note.Exceptions) == 0 {
		return line, false
	}
	return riskLogLine{ev.Created, ev.Session, ev.Summary, ev.Details, note.Command}, true
}

// newRiskLog reads the journal, which is the only record: nothing is kept twice.
func newRiskLog(e *env) *cobra.Command {
	var pick picks
	c := &cobra.Command{
		Use:   "log",
		Short: "List what the guard stopped, snapshotted and let through by exception",
		Long: `Lists the guard's decisions in this project, the oldest first: what it denied,
asked about or snapshotted, and what one of your exceptions let through.`,
		Example: "  moai risk log -n 10\n  moai risk log --since yesterday\n  moai risk log --session 4f1c",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := pick.read(c); err != nil {
				return err
			}
			list := []riskLogLine{}
			known, err := (&journal.Query{Types: []string{"decision"}, Since: pick.from}).Run(state.JournalPath(e.stateDir(), e.projectRoot()), func(ev *journal.Event) error {
				line, ok := logLine(ev)
				if !ok || !pick.fits(line.Time, line.Session) {
					return nil
				}
				if pick.last > 0 && len(list) == pick.last {
					list = list[1:] // journals grow for years; only the tail is kept
				}
				list = append(list, line)
				return nil
			})
			// No journal yet is a project in which nothing has happened.
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return unreadJournal(err)
			}
			if len(list) == 0 && pick.session != "" {
				if err := unheard(state.JournalPath(e.stateDir(), e.projectRoot()), pick.session); err != nil {
					return err
				}
			}
			if known.Trimmed && known.Whole && (pick.last == 0 || len(list) < pick.last) {
				fmt.Fprintln(e.err, "moai: the journal of this project begins at", known.From.Local().Format(time.DateTime))
			}
			if e.json {
				return e.printJSON(list)
			}
			if none := pick.none(); len(list) == 0 && none != "" {
				fmt.Fprintf(e.err, "moai: nothing was stopped in this project%s\n", term.Text(none))
			} else if len(list) == 0 {
				fmt.Fprintln(e.err, "moai: nothing was stopped in this project yet")
			}
			for _, l := range list {
				e.entry(l.Time.Local().Format(time.DateTime)+"  "+term.Text(l.Summary)+" ", e.style().Dim(term.Text(l.command)))
			}
			return nil
		},
	}
	pick.flags(e, c, "last so many")
	return c
}
