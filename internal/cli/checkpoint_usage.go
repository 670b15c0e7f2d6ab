package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/term"
)

// newCheckpointUsage says what the checkpoints cost and what bounds them.
func newCheckpointUsage(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "usage",
		Short: "Say how much the checkpoints of this repository hold",
		Long: `Counts the checkpoints of all work trees of this repository, what only they hold
(each content once, before compression), and the copies of ignored files in the
vault.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := e.repository()
			if err != nil {
				return err
			}
			u, err := checkpoint.Used(r, e.vaultDir())
			if err != nil {
				return err
			}
			if e.json {
				return e.printJSON(u)
			}
			if u.Checkpoints == 0 {
				fmt.Fprintln(e.err, "moai: no checkpoints here")
				return nil
			}
			fmt.Fprintf(e.out, "%s, from %s to %s\n", term.Count(u.Checkpoints, "checkpoint"), ago(time.Since(u.Oldest)), ago(time.Since(u.Newest)))
			fmt.Fprintf(e.out, "%s in %s that nothing else holds, before compression\n", checkpoint.Size(u.Bytes), term.Count(u.Files, "file"))
			if u.Vault > 0 {
				fmt.Fprintf(e.out, "%s in the vault, copies of ignored files\n", checkpoint.Size(u.Vault))
			}
			fmt.Fprintf(e.out, "%s, of which %s\n", term.Count(u.References, "reference"), branches(u.Branches))
			if u.Unread > 0 {
				fmt.Fprintf(e.out, "%s could not be read to the end and are not in these sums: git fsck\n", term.Count(u.Unread, "checkpoint"))
			}
			p := handle.Retention(e.cfg(r.WorkTree))
			fmt.Fprintf(e.err, "moai: all of the last 24 hours stay, then fewer and fewer for %s; %d always stay\n", keptFor(p.Age), p.Count)
			fmt.Fprintln(e.err, "moai: hint: moai checkpoint prune --dry-run, moai checkpoint drop ID")
			return nil
		},
	}
}

func branches(n int) string {
	if n == 1 {
		return "1 is a branch"
	}
	return fmt.Sprintf("%d are branches", n)
}

// keptFor is the end of the thinning in words.
func keptFor(age time.Duration) string {
	if age == 0 {
		return "ever"
	}
	return term.Count(int(age/(24*time.Hour)), "day")
}
