package moaid

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/term"
)

// shownTurns is how many are printed where nobody says how many.
const shownTurns = 30

func (e *env) newTimeline() *cobra.Command {
	var o scope
	last := shownTurns
	c := &cobra.Command{
		Use:   "timeline",
		Short: "List the turns of all sessions here",
		Long: `Lists turns, the oldest first: when each began, of which session, the first words
of its prompt, and what came of it. A turn during which another session changed
one of its files is marked.`,
		Example: "  moai timeline --since 2h\n  moai timeline --session 01a2b3c4-… --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := o.pick(e)
			if err != nil {
				return err
			}
			if last < 1 {
				return slip.Usagef("-n is %d, want how many turns", last)
			}
			p.Limit = last
			s, err := o.store(e, c, p)
			if err != nil {
				return err
			}
			defer s.Close()
			turns, err := s.Turns(c.Context(), p)
			if err != nil {
				return e.whole(c.Context(), s, err)
			}
			slices.Reverse(turns)
			if e.json {
				return e.printJSON(turns)
			}
			if len(turns) == 0 {
				fmt.Fprintln(e.err, "moai: no turn is known here")
			}
			for i := range turns {
				e.printTurn(&turns[i], o.everywhere)
			}
			return nil
		},
	}
	o.declare(c)
	c.Flags().IntVarP(&last, "last", "n", last, "the newest so many")
	return c
}

// readable is how many columns a prompt needs at least.
const readable = 32

func (e *env) printTurn(t *store.Turn, everywhere bool) {
	var facts []string
	count := func(n int, word string) {
		if n > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n, word))
		}
	}
	if t.Files == 1 {
		facts = append(facts, "1 file")
	} else {
		count(t.Files, "files")
	}
	count(t.Denied, "denied")
	count(t.Questions, "asked")
	if t.Snapshots > 0 {
		facts = append(facts, term.Count(t.Snapshots, "snapshot"))
	}
	count(t.Failures, "failed")
	if t.Undone {
		facts = append(facts, "undone")
	}
	if t.Beside != nil {
		facts = append(facts, "also "+term.Text(session.Short(*t.Beside)))
	}
	prompt := "–"
	if t.Prompt != nil {
		prompt = term.OneLine(term.Text(*t.Prompt), 200)
	}
	if everywhere {
		prompt = term.Text(t.Project[:max(0, strings.LastIndexByte(t.Project, '-'))]) + ": " + prompt
	}
	began, did := t.Began.At().Local().Format(time.DateTime), strings.Join(facts, ", ")
	who := term.Text(session.Short(t.Session)) + fmt.Sprintf(" %d", t.Number)
	head := fmt.Sprintf("%s %s %s", began, term.Pad(who, 18), term.Pad(did, 24))
	rows, n := []string{head + "  " + prompt}, term.Columns(e.out, e.getenv)
	if short := strings.TrimRight(head, " "); n > 0 && did != "" && term.Width(short) > n { // what came of a turn is never cut for its name
		rows = []string{began + " " + who, "    " + did, "    " + prompt}
	} else if left := n - term.Width(head) - 2; n > 0 && left < readable && left < term.Width(prompt) { // the prompt is what one knows a turn by
		rows = []string{head, "    " + prompt}
	}
	for _, row := range rows {
		if n > 0 {
			row = term.Fit(row, n)
		}
		fmt.Fprintln(e.out, strings.TrimRight(row, " "))
	}
}
