package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// byHand is why a session ended that a person has closed.
const byHand = "closed by hand"

// newSessionEnd closes records and no processes.
func newSessionEnd(e *env) *cobra.Command {
	var gone, dry bool
	c := &cobra.Command{
		Use:   "end [ID…]",
		Short: "Close sessions that nobody will end any more",
		Long: `Closes what moai keeps of a session: no process is touched, and a client that goes
on after all opens its session again. A session that runs is closed only with
--yes or after a question.`,
		Example: "  moai session end --gone\n  moai session end 01a2b3c4",
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 0) != gone {
				return hint(usagef("%s takes the ids of sessions, or --gone", cmd.CommandPath()), "moai session list")
			}
			var list []*session.Session
			for _, id := range args {
				s, err := e.session(id)
				if err != nil {
					return err
				}
				list = append(list, s)
			}
			if gone {
				for _, s := range e.sessions(false, false) {
					if s.Standing(time.Now()) == session.Gone {
						list = append(list, s)
					}
				}
			}
			return e.endSessions(list, dry)
		},
	}
	c.Flags().BoolVar(&gone, "gone", false, "those of this repository whose processes are gone")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say which")
	return c
}

func (e *env) endSessions(list []*session.Session, dry bool) error {
	closed, refused := []sessionJSON{}, false
	for _, s := range list {
		now := time.Now().UTC()
		switch s.Standing(now) {
		case session.Over:
			fmt.Fprintf(e.err, "moai: %s has ended already: %s\n", term.Text(session.Short(s.ID)), term.Text(s.Why))
			continue
		case session.Running:
			if !dry && !e.confirm(fmt.Sprintf("moai: %s runs, and its next hook opens it again. Close it?", term.Text(session.Short(s.ID)))) {
				fmt.Fprintf(e.err, "moai: %s runs and was not closed: moai session end %s --yes\n", term.Text(session.Short(s.ID)), term.Text(s.ID))
				refused = true
				continue
			}
		}
		if !dry {
			err := session.Change(e.stateDir(), s.ID, now, func() *session.Session { return s }, func(kept *session.Session) bool {
				kept.Close(byHand, now)
				return true
			})
			if err != nil {
				return err
			}
			s.Close(byHand, now)
			e.recordOf(s, "session "+s.ID+" "+byHand, types.SessionEnd{Reason: byHand})
		}
		closed = append(closed, e.sessionOf(s, ""))
	}
	if e.json {
		if err := e.printJSON(closed); err != nil {
			return err
		}
	} else {
		word := "closed"
		if dry {
			word = "would close"
		}
		for _, s := range closed {
			fmt.Fprintln(e.out, word, term.Text(s.ID))
		}
	}
	if refused {
		return errNo
	}
	return nil
}
