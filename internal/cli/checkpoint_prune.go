package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/term"
)

// newCheckpointPrune is what happens after each checkpoint anyway; the verb is for
// limits of the moment, and for seeing what would go.
func newCheckpointPrune(e *env) *cobra.Command {
	var keep int
	var older string
	var dry bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Delete old checkpoints",
		Long: `Deletes checkpoints beyond the number to keep, the oldest first. The newest one
and today's newest of each session stay. Without options the limits of the
configuration hold: checkpoint.keep, checkpoint.keep_days and checkpoint.keep_mb.
The disk space comes back with Git's next gc.`,
		Example: "  moai checkpoint prune --keep 20 --dry-run\n  moai checkpoint prune --older 14d",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if keep < 0 {
				return usagef("--keep is %d, want how many stay: a number from 0", keep)
			}
			o := checkpoint.PruneOptions{Keep: keep, VaultDir: e.vaultDir(), DryRun: dry}
			if older != "" {
				age, err := parseAge(older)
				if err != nil {
					return usagef("--older is %v", err)
				}
				o.Older = max(age, 1) // 0 would set no age
			}
			r, err := e.repository()
			if err != nil {
				return err
			}
			switch {
			case older != "":
			case !cmd.Flags().Changed("keep"):
				o.Limit(handle.Retention(e.cfg(r.WorkTree)))
			case keep == 0:
				o.Keep = 1 // "none" means all that may go; the newest stays in any case, and 0 would set no number
			}
			res, err := checkpoint.Prune(r, o)
			if err != nil {
				return err
			}
			// Who misses a checkpoint later finds in the journal that it was pruned, and when.
			if !dry && len(res.Removed) > 0 {
				e.record("checkpoint_pruned", "pruned "+term.Count(len(res.Removed), "checkpoint"), map[string]any{"count": len(res.Removed)})
			}
			if e.json {
				names := make([]string, 0, len(res.Removed))
				for _, c := range res.Removed {
					names = append(names, c.Name)
				}
				return e.printJSON(map[string]any{"dry_run": dry, "removed": names, "refs": res.Refs, "bytes": res.Bytes, "vault_bytes": res.Vault, "temporary_files": res.Temp})
			}
			word := "deleted"
			if dry {
				word = "would delete"
			}
			for _, c := range res.Removed {
				fmt.Fprintf(e.out, "%s %s (%s)\n", word, c.Name, ago(time.Since(c.Time)))
			}
			fmt.Fprintf(e.out, "%s %s and %s", word, term.Count(len(res.Removed), "checkpoint"), term.Count(res.Refs, "reference"))
			if res.Bytes > 0 {
				fmt.Fprintf(e.out, ", which held %s", checkpoint.Size(res.Bytes))
			}
			if res.Vault > 0 {
				fmt.Fprintf(e.out, ", %s of the vault", checkpoint.Size(res.Vault))
			}
			if res.Temp > 0 {
				fmt.Fprintf(e.out, ", %s", term.Count(res.Temp, "left-over temporary file"))
			}
			fmt.Fprintln(e.out)
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&keep, "keep", 0, "how many of the newest stay, at least the newest itself (default: checkpoint.keep)")
	f.StringVar(&older, "older", "", "only those older than this: 14d, 12h")
	f.BoolVarP(&dry, "dry-run", "n", false, "show what would go")
	return c
}

// parseAge reads a duration that may also be in days or weeks.
func parseAge(s string) (time.Duration, error) {
	// Go's own durations end with hours, and people count the age of work in days.
	for _, u := range [...]struct {
		suffix string
		unit   time.Duration
	}{{"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}} {
		if num, ok := strings.CutSuffix(s, u.suffix); ok {
			if n, err := strconv.Atoi(num); err == nil && n >= 0 {
				return time.Duration(n) * u.unit, nil
			}
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q, want a length of time such as 14d, 2w, 12h or 90m", s)
	}
	return d, nil
}
