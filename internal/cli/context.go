package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/jit"
	"github.com/modu-ai/moai/internal/term"
)

// newContext keeps the notes of sessions apart: two agents in one project plan different things. Without a session in the
// environment or --session the notes are those of the project.
func newContext(e *env) *cobra.Command {
	var session string
	c := &cobra.Command{
		Use:   "context",
		Short: "Keep what one phase of a workflow hands to the next",
		Long: `What planning found out need not be found out again: save keeps a JSON document
or a text for ten minutes, for this project and session. Secrets in it are not kept.`,
	}
	c.PersistentFlags().StringVar(&session, "session", "", "id of the client's session; default: the one of the environment")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	of := func() jit.Phases {
		id := session
		// moai's own variable wins: a workflow may want notes that outlive the client's session.
		for _, name := range []string{"MOAI_SESSION_ID", "CLAUDE_SESSION_ID"} {
			if id == "" {
				id = e.getenv(name)
			}
		}
		return jit.PhasesOf(e.stateDir(), e.projectRoot(), handle.Session(risks.Set(), id))
	}
	c.AddCommand(newContextSave(e, of), newContextLoad(e, of), newContextList(e, of), newContextClear(of))
	return c
}

// newContextSave takes anything: a text becomes a JSON string, so that load gives back what was put in. 64 MiB is
// more than any prompt holds, and bounds what a pipe without an end can take.
func newContextSave(e *env, of func() jit.Phases) *cobra.Command {
	var ttl lasting
	c := &cobra.Command{
		Use:     "save PHASE [DATA]",
		Short:   "Keep DATA, or standard input, under the name of a phase",
		Example: "  moai context save plan '{\"spec\": \"AUTH-001\"}'",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			// Zero would keep a note that never counts, and look as if it had been kept.
			if ttl.Duration <= 0 {
				return usagef("--ttl must be longer than nothing")
			}
			if risks.Set().Mask(args[0]) != args[0] {
				return usagef("the name of a phase holds what looks like a secret: %s", risks.Set().Mask(args[0]))
			}
			var data []byte
			if len(args) > 1 {
				data = []byte(args[1])
			} else {
				var err error
				// From a pipe, since what a phase found out is often longer than a command line may be.
				if data, err = io.ReadAll(io.LimitReader(e.in, 64<<20)); err != nil {
					return fmt.Errorf("read standard input: %w", err)
				}
			}
			if len(bytes.TrimSpace(data)) == 0 {
				return hint(usagef("there is nothing to keep"), "moai context save "+argv.Quote(args[0])+" '{\"spec\": \"AUTH-001\"}'")
			}
			if !json.Valid(data) { // a text is kept as one
				text, err := json.Marshal(string(data))
				if err != nil {
					return err
				}
				data = text
			}
			kept := risks.Set().MaskJSON(data)
			if err := of().Save(args[0], kept, ttl.Duration); err != nil {
				return err
			}
			fmt.Fprintf(e.err, "moai: kept %q for %s\n", args[0], ttl.Duration)
			if !bytes.Equal(kept, data) {
				fmt.Fprintln(e.err, "moai: hint: what looks like a secret is not kept, *** stands for it: hand on where it is found instead")
			}
			return nil
		},
	}
	lastingFlag(c, &ttl, "ttl", jit.PhaseTTL, "how long it counts")
	return c
}

// newContextLoad exits with 1 when nothing counts any more: a workflow then plans anew instead of going on with an
// empty plan.
func newContextLoad(e *env, of func() jit.Phases) *cobra.Command {
	var within lasting
	c := &cobra.Command{
		Use:   "load PHASE",
		Short: "Print what was kept for a phase; exits 1 when nothing counts any more",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p := of().Load(args[0], within.Duration)
			if p == nil {
				return hint(nof("nothing is kept for %q", args[0]), "moai context save "+argv.Quote(args[0])+" keeps what comes in on standard input")
			}
			// A text goes out as it came in; only --json shows that it is kept as JSON.
			var text string
			if !e.json && json.Unmarshal(p.Data, &text) == nil {
				fmt.Fprintln(e.out, strings.TrimSuffix(text, "\n"))
				return nil
			}
			return e.printJSON(p.Data)
		},
	}
	lastingFlag(c, &within, "ttl", 0, "only what is not older than this")
	return c
}

// newContextList says how long each note still counts, the one thing that its reader cannot see elsewhere.
func newContextList(e *env, of func() jit.Phases) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the phases for which something is kept",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			type line struct {
				Phase string    `json:"phase"`
				Saved time.Time `json:"saved"`
				Left  int       `json:"left_seconds"`
				Bytes int       `json:"bytes"`
			}
			lines := []line{}
			now := time.Now()
			for _, p := range of().List() {
				lines = append(lines, line{p.Name, p.Saved, int(p.Left(now).Seconds()), len(p.Data)})
			}
			if e.json {
				return e.printJSON(lines)
			}
			if len(lines) == 0 {
				fmt.Fprintln(e.err, "moai: nothing is kept for this project and session")
			}
			for _, l := range lines {
				e.row("%s %6d bytes, %s left", term.Pad(l.Phase, 16), l.Bytes, time.Duration(l.Left)*time.Second)
			}
			return nil
		},
	}
}

// newContextClear refuses an empty name: "clear $PHASE" with a variable that is not set would otherwise forget all.
func newContextClear(of func() jit.Phases) *cobra.Command {
	return &cobra.Command{
		Use:   "clear [PHASE]",
		Short: "Forget one phase, or all of this project and session",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				if name = args[0]; name == "" {
					return usagef("the name of the phase is empty")
				}
			}
			return of().Clear(name)
		},
	}
}
