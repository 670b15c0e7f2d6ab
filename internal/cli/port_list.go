package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

func newPortList(e *env) *cobra.Command {
	var all bool
	var status string
	states := []port.Status{port.Pending, port.Running, port.Blocked, port.Complete, port.Dropped}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the ports of this project",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if status != "" && !slices.Contains(states, port.Status(status)) {
				return usagef("--status %q, want pending, running, blocked, complete or dropped", status)
			}
			_, board := e.board()
			return e.printPorts(slices.DeleteFunc(board, func(s port.Standing) bool {
				if status != "" {
					return string(s.Status) != status
				}
				return !all && s.Over()
			}), "no port here is open", "moai port create --title TITLE")
		},
	}
	c.Flags().BoolVar(&all, "all", false, "also those that are complete or dropped")
	c.Flags().StringVar(&status, "status", "", "only those: pending, running, blocked, complete, dropped")
	_ = c.RegisterFlagCompletionFunc("status", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, s := range states {
			names = append(names, string(s))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func newPortReady(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "ready",
		Short: "List the ports that somebody could begin now, the oldest first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, board := e.board()
			return e.printPorts(board.Ready(), "no port is ready", "moai port board")
		},
	}
}

// printPorts prints a list of ports, a line each.
func (e *env) printPorts(list []port.Standing, none, next string) error {
	if e.json {
		if list == nil {
			list = []port.Standing{}
		}
		return e.printJSON(list)
	}
	if len(list) == 0 {
		fmt.Fprintf(e.err, "moai: %s\nmoai: hint: %s\n", none, next)
	}
	for i := range list {
		e.portLine("  ", &list[i])
	}
	return nil
}

// portLine prints one port.
func (e *env) portLine(indent string, s *port.Standing) {
	word := portWord(s)
	painted := term.Pad(term.Text(word), 8)
	switch style := e.style(); word {
	case "running", "verified":
		painted = style.Green(painted)
	case "blocked":
		painted = style.Yellow(painted)
	}
	parts := []string{}
	if s.Title != s.ID && s.Title != "" {
		parts = append(parts, e.style().Bold(term.Text(s.Title)))
	}
	e.entry(indent+term.Pad(term.Cut(term.Text(s.ID), 24), 14)+" "+painted, strings.Join(append(parts, portFacts(s)...), ", "))
}

// portWord is how a port stands, in a word.
func portWord(s *port.Standing) string {
	switch {
	case s.Ready:
		return "ready"
	case s.Status == port.Pending:
		return "waits"
	case s.Status == port.Complete && s.Proof != nil && s.Proof.Verified:
		return "verified"
	}
	return string(s.Status)
}

// portFacts are the parts of a port's line behind what it is.
func portFacts(s *port.Standing) (parts []string) {
	if s.Session != "" {
		parts = append(parts, "session "+term.Text(session.Short(s.Session)))
	}
	if s.Last != nil && s.Last.Session != "" && !s.Over() {
		parts = append(parts, "left by session "+term.Text(session.Short(s.Last.Session)))
	}
	if s.Why != "" {
		parts = append(parts, term.Text(s.Why))
	}
	if len(s.Waits) > 0 && !s.Over() {
		parts = append(parts, "for "+term.Text(strings.Join(s.Waits, ", ")))
	}
	if s.Circle != nil {
		parts = append(parts, "for itself: "+term.Text(strings.Join(s.Circle, " → ")))
	}
	if s.Parent != "" {
		parts = append(parts, "part of "+term.Text(s.Parent))
	}
	if s.Proof != nil && !s.Proof.Verified && s.Over() {
		parts = append(parts, "not verified")
	}
	return parts
}

// shownOver is how many ports that are over a board shows.
const shownOver = 5

func newPortBoard(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "board",
		Short: "Show all ports by how they stand",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, board := e.board()
			groups := map[string][]port.Standing{}
			for _, s := range board {
				word := portWord(&s)
				if word == "verified" {
					word = string(port.Complete)
				}
				groups[word] = append(groups[word], s)
			}
			if e.json {
				return e.printJSON(groups)
			}
			if len(board) == 0 {
				return e.printPorts(nil, "no port here", "moai port create --title TITLE")
			}
			for _, word := range []port.Status{port.Running, "ready", "waits", port.Blocked, port.Complete, port.Dropped} {
				list := groups[string(word)]
				if len(list) == 0 {
					continue
				}
				fmt.Fprintf(e.out, "%s %d\n", e.style().Bold(string(word)), len(list))
				more := 0
				if list[0].Over() {
					slices.SortStableFunc(list, func(a, b port.Standing) int { return b.Ended.Compare(a.Ended) })
					more = max(len(list)-shownOver, 0)
					list = list[:len(list)-more]
				}
				for i := range list {
					e.portLine("  ", &list[i])
				}
				if more > 0 {
					fmt.Fprintf(e.out, "  and %d more: moai port list --status %s\n", more, word)
				}
			}
			return nil
		},
	}
}

// shownPort is a port with all that is known of it.
type shownPort struct {
	*port.Standing
	Children []string    `json:"children"`
	Stints   []portStint `json:"runs"`
	Tasks    []port.Task `json:"tasks"`
}

type portStint struct {
	Session string    `json:"session"`
	From    time.Time `json:"from"`
	Until   time.Time `json:"until,omitzero"`
	Branch  string    `json:"branch,omitempty"`
}

func newPortShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:               "show ID",
		Short:             "Show what is known of a port",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: e.completePorts(anyPort),
		RunE: func(_ *cobra.Command, args []string) error {
			r, board := e.board()
			s, err := e.port(board, args[0])
			if err != nil {
				return err
			}
			w := r.Work(s.ID)
			if s.Proof == nil && len(w.Stints) > 0 {
				s.Proof = e.portProof(&r, s.Port)
			}
			d := shownPort{Standing: s, Children: []string{}, Stints: []portStint{}, Tasks: append([]port.Task{}, e.portHandlers(e.projectRoot()).PortTasks(&r, s.ID, e.clientDir())...)}
			for _, c := range board.Children(s.ID) {
				d.Children = append(d.Children, c.ID)
			}
			for i := range w.Stints {
				st := &w.Stints[i]
				d.Stints = append(d.Stints, portStint{st.Session, st.At, st.Until, st.Branch})
			}
			if e.json {
				return e.printJSON(d)
			}
			e.showPort(&d)
			return nil
		},
	}
}

func (e *env) showPort(d *shownPort) {
	line := func(label, text string) {
		if text != "" {
			e.say(11, "%s %s", term.Pad(label, 10), text)
		}
	}
	names := func(ids []string) string { return term.Text(strings.Join(ids, ", ")) }
	fmt.Fprintln(e.out, "port "+e.style().Bold(term.Text(d.ID))+"  "+term.Text(portWord(d.Standing)))
	line("title", term.Text(d.Title))
	line("why", term.Text(d.Why))
	line("session", term.Text(d.Session))
	if !d.Over() {
		line("waits for", names(d.Waits))
	}
	line("needs", names(d.Needs))
	line("part of", term.Text(d.Parent))
	line("parts", names(d.Children))
	line("found in", term.Text(d.Found))
	line("files", names(d.Files))
	if !d.Created.IsZero() {
		line("created", when.Ago(time.Since(d.Created)))
	}
	if !d.Ended.IsZero() {
		line("ended", when.Ago(time.Since(d.Ended)))
	}
	if f := d.Proof; f != nil {
		line("work", fmt.Sprintf("%s, %s, %s, %s, %s, %s", time.Duration(f.Seconds)*time.Second, term.Count(f.Turns, "turn"), term.Count(f.Tokens, "token"), term.Count(f.Changed, "file"), term.Count(f.Commits, "commit"), term.Count(f.Saved, "snapshot")))
		for _, m := range f.Missing {
			line("missing", term.Text(m))
		}
	}
	for _, s := range d.Stints {
		until := "goes on"
		if !s.Until.IsZero() {
			until = "ended " + when.Ago(time.Since(s.Until))
		}
		line("run by", term.Text(session.Short(s.Session))+", began "+when.Ago(time.Since(s.From))+", "+until)
	}
	for _, t := range d.Tasks {
		mark := "[ ] "
		if t.Done {
			mark = "[x] "
		}
		line("task", mark+term.Text(t.Subject))
	}
	line("file", e.fromHere(d.Path))
	if d.Text != "" {
		fmt.Fprintf(e.out, "\n  %s\n", strings.ReplaceAll(term.Lines(d.Text), "\n", "\n  "))
	}
}
