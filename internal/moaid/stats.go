package moaid

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/term"
)

func (e *env) newStats() *cobra.Command {
	var o scope
	c := &cobra.Command{
		Use:   "stats",
		Short: "Count what happened in this project",
		Long: `Counts turns, edits, commands that changed something, what the guard decided,
snapshots, failures and runs of sub-agents, as far as the journals reach back.
Nothing of it leaves this machine.`,
		Example: "  moai stats --since yesterday\n  moai stats --everywhere --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := o.pick(e)
			if err != nil {
				return err
			}
			s, err := o.store(e, c, p)
			if err != nil {
				return err
			}
			defer s.Close()
			sum, err := s.Stats(c.Context(), p)
			if err != nil {
				return e.whole(c.Context(), s, err)
			}
			if e.json {
				return e.printJSON(sum)
			}
			for _, row := range []struct {
				word string
				n    int
			}{
				{"sessions", sum.Sessions},
				{"turns", sum.Turns},
				{"edits", sum.Edits},
				{"changing commands", sum.Commands},
				{"denied", sum.Denied},
				{"asked", sum.Questions},
				{"snapshots", sum.Snapshots},
				{"failures", sum.Failures},
				{"sub-agents", sum.Agents},
				{"events", sum.Events},
			} {
				fmt.Fprintf(e.out, "%s %8d\n", term.Pad(row.word, 17), row.n)
			}
			return nil
		},
	}
	o.declare(c)
	return c
}
