package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// newCheckpointPrune is what happens after each checkpoint anyway; the verb is for
// limits of the moment, and for seeing what would go.
func newCheckpointPrune(e *env) *cobra.Command {
	var keep int
	var older string
	var dry, gone bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Delete old checkpoints",
		Long: `Without options this thins out checkpoints as every new one does once an hour:
all of the last 24 hours stay, then one an hour and each session's first for a
week, then one a day until checkpoint.keep_days. checkpoint.keep of the newest
always stay; beyond checkpoint.keep_mb the oldest go, none younger than a day.

With --keep or --older it deletes those beyond what you name. The newest one
and today's newest of each session stay in any case. It wants a person at a
terminal. The disk space comes back with Git's next gc.

With --gone it deletes no checkpoint, but the copies of ignored files whose
repository is gone: its folder is no more (or was moved, or lies on a disk that is
not mounted), or another repository is in its place here.`,
		Example: "  moai checkpoint prune --keep 20 --dry-run\n  moai checkpoint prune --older 14d\n  moai checkpoint prune --gone",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if keep < 0 {
				return usagef("--keep is %d, want how many stay: a number from 0", keep)
			}
			if err := e.person("delete checkpoints", again(cmd, nil)); err != nil && !dry {
				return err
			}
			if gone && (cmd.Flags().Changed("keep") || older != "") {
				return usagef("--gone is about copies, --keep and --older are about checkpoints: say one of them")
			}
			if gone {
				return e.pruneGone(dry)
			}
			o := checkpoint.PruneOptions{Keep: keep, VaultDir: e.vaultDir(), DryRun: dry}
			if older != "" {
				from, err := sinceOption("older", older)
				if err != nil {
					return err
				}
				o.Older = max(time.Since(from), 1) // 0 would set no age
			}
			r, err := e.repository()
			if err != nil {
				return err
			}
			switch {
			case older != "":
			case !cmd.Flags().Changed("keep"):
				o.Limits = handle.Retention(e.cfg(r.WorkTree))
			case keep == 0:
				o.Keep = 1 // "none" means all that may go; the newest stays in any case, and 0 would set no number
			}
			// The policy takes nothing that is younger than a day; a number or an age may.
			if (o.Keep > 0 || o.Older > 0) && !dry {
				look := o
				look.DryRun = true
				plan, err := checkpoint.Prune(r, look)
				if err != nil {
					return err
				}
				if n := len(plan.Removed); n > 0 && !e.confirm(fmt.Sprintf("delete %s? Nothing brings them back", term.Count(n, "checkpoint"))) {
					return e.unasked("nothing was deleted", again(cmd, nil)+" --yes")
				}
			}
			res, err := checkpoint.Prune(r, o)
			if err != nil {
				return err
			}
			if res.Steps, err = checkpoint.ThinOut(r, o); err != nil {
				return err
			}
			if !dry {
				if _, err := checkpoint.Tidy(cmd.Context(), r, time.Now()); err != nil {
					return err
				}
			}
			return e.removed(res, dry)
		},
	}
	f := c.Flags()
	f.IntVar(&keep, "keep", 0, "how many of the newest stay, at least the newest itself (default: checkpoint.keep)")
	f.StringVar(&older, "older", "", "only those older than this, or taken before it: 14d, 12h, yesterday, 2026-01-31")
	f.BoolVar(&gone, "gone", false, "only the copies of ignored files whose repository is gone")
	f.BoolVarP(&dry, "dry-run", "n", false, "show what would go")
	return c
}

// pruneGone deletes the copies of repositories that are gone. Where no repository is, or none that can be read, those of other
// folders go all the same.
func (e *env) pruneGone(dry bool) error {
	r, err := repo.Open(e.dir)
	if err != nil || r.Bare() {
		r = nil
	}
	found, err := checkpoint.FindLeft(r, e.vaultDir())
	if err != nil {
		return err
	}
	list := append([]checkpoint.Left{}, found.Gone...)
	if r != nil && found.Here.Any() {
		list = append(list, found.Here)
	}
	all := total(list)
	if !e.json && dry {
		e.leftIn("would delete ", list)
	}
	if !dry && len(list) > 0 {
		if !e.json {
			e.leftIn("", list) // the question is about these
		}
		if !e.confirm("delete " + inFiles(&all) + " of " + term.Count(len(list), "repository that is gone", "repositories that are gone") + "? Nothing brings them back") {
			return e.unasked("nothing was deleted", "moai checkpoint prune --gone --yes")
		}
		for i := range list {
			if err := list[i].Remove(); err != nil {
				return err
			}
		}
		e.record("deleted the copies of "+term.Count(len(list), "repository that is gone", "repositories that are gone"), types.CheckpointPruned{Files: &all.Files})
	}
	switch {
	case e.json:
		return e.printJSON(struct {
			Bytes   int64             `json:"bytes"`
			Dry     bool              `json:"dry_run"`
			Files   int               `json:"files"`
			Removed []checkpoint.Left `json:"removed"`
		}{all.Bytes, dry, all.Files, list})
	case len(list) == 0:
		fmt.Fprintln(e.out, "nothing in the vault is of a repository that is gone")
	case !dry:
		fmt.Fprintf(e.out, "deleted %s from the vault\n", inFiles(&all))
	}
	return nil
}

// removed tells what went, on the screen and in the journal.
func (e *env) removed(res *checkpoint.PruneResult, dry bool) error {
	type line struct {
		Name string `json:"name"`
		Why  string `json:"why"`
	}
	list := make([]line, 0, len(res.Removed))
	for _, c := range res.Removed {
		list = append(list, line{c.Name, c.Why})
	}
	// Who misses a checkpoint later finds in the journal that it was pruned, and when.
	if !dry && len(list) > 0 {
		e.record("pruned "+term.Count(len(list), "checkpoint"), types.CheckpointPruned{Count: new(len(list))})
	}
	if e.json {
		names := make([]string, 0, len(list))
		for _, l := range list {
			names = append(names, l.Name)
		}
		return e.printJSON(struct {
			Bytes   int64            `json:"bytes"`
			Dry     bool             `json:"dry_run"`
			Former  *checkpoint.Left `json:"former"`
			Reasons []line           `json:"reasons"`
			Refs    int              `json:"refs"`
			Removed []string         `json:"removed"`
			Steps   int              `json:"steps"`
			Temp    int              `json:"temporary_files"`
			Vault   int64            `json:"vault_bytes"`
		}{res.Bytes, dry, res.Former, list, res.Refs, names, res.Steps, res.Temp, res.Vault})
	}
	word := "deleted"
	if dry {
		word = "would delete"
	}
	for _, c := range res.Removed {
		e.entry(fmt.Sprintf("%s %s (%s) ", word, c.Name, when.Ago(time.Since(c.Time))), e.style().Dim(c.Why))
	}
	fmt.Fprintf(e.out, "%s %s and %s", word, term.Count(len(res.Removed), "checkpoint"), term.Count(res.Refs, "reference"))
	if res.Bytes > 0 {
		fmt.Fprintf(e.out, ", which held %s", checkpoint.Size(res.Bytes))
	}
	if res.Vault > 0 {
		fmt.Fprintf(e.out, ", %s of the vault", checkpoint.Size(res.Vault))
	}
	if res.Steps > 0 {
		fmt.Fprintf(e.out, ", %s of turns", term.Count(res.Steps, "step"))
	}
	if res.Temp > 0 {
		fmt.Fprintf(e.out, ", %s", term.Count(res.Temp, "left-over temporary file"))
	}
	fmt.Fprintln(e.out)
	if res.Former != nil {
		e.leftIn(word+" ", []checkpoint.Left{*res.Former})
	}
	return nil
}

// newCheckpointDrop removes one checkpoint: for a snapshot that holds what should not be kept.
func newCheckpointDrop(e *env) *cobra.Command {
	var dry, all bool
	c := &cobra.Command{
		Use:   "drop ID",
		Short: "Delete one checkpoint, with its branch and its copies in the vault",
		Long: `Deletes the checkpoint that ID names: its references, its branch where nobody
has put work on it, and its copies of ignored files. With --all every checkpoint
of this repository goes, and with them what the vault holds of a repository that
was in this folder before. It cannot be undone, so it wants a person at a terminal;
the disk space comes back with Git's next gc.`,
		Example:           "  moai checkpoint drop @3\n  moai checkpoint drop --all",
		Args:              cobra.MaximumNArgs(3), // a time may be three words
		ValidArgsFunction: e.completeCheckpoints,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return hint(usagef("name one checkpoint, or say --all"), "moai checkpoint list")
			}
			if err := e.person("delete checkpoints", again(cmd, joinTime(args))); err != nil && !dry {
				return err
			}
			o := checkpoint.PruneOptions{VaultDir: e.vaultDir(), DryRun: dry}
			var r *repo.Repo
			var err error
			question := "delete every checkpoint of this repository? Nothing brings them back"
			var former []checkpoint.Left
			if all {
				o.All = true
				if r, err = e.repository(); err == nil {
					former, err = e.former(r)
				}
				if len(former) > 0 {
					question = "delete every checkpoint of this repository, and " + inFiles(&former[0]) + " in the vault of one that was here before? Nothing brings them back"
				}
			} else {
				var c *checkpoint.Checkpoint
				r, c, err = e.chosen(joinTime(args))
				var unread *checkpoint.Unread
				if errors.As(err, &unread) && unread.Short() == strings.TrimPrefix(args[0], "checkpoint/") { // what cannot be read goes by its whole name alone
					if unread.Commit.IsZero() {
						return hint(err, "rm "+argv.Quote(filepath.Join(r.CommonDir, filepath.FromSlash(unread.Ref))))
					}
					o.Only, err = unread.Name, nil
					question = "delete " + unread.Name + ", which cannot be read? Nothing brings it back"
				} else if err == nil {
					o.Only = c.Name
					question = "delete " + c.Name + " (" + when.Ago(time.Since(c.Time)) + ", " + c.Amount() + ")? Nothing brings it back"
				}
			}
			if err != nil {
				return err
			}
			if !dry && !e.confirm(question) {
				return e.unasked("nothing was deleted", again(cmd, joinTime(args))+" --yes")
			}
			res, err := checkpoint.Prune(r, o)
			if err != nil {
				return err
			}
			for i := range former {
				res.Former = &former[i]
				if dry {
					continue
				}
				if err := former[i].Remove(); err != nil {
					return err
				}
			}
			return e.removed(res, dry)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "every checkpoint of this repository")
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "show what would go")
	return c
}

// former is what the vault holds of a repository that was here before, one entry or none.
func (e *env) former(r *repo.Repo) ([]checkpoint.Left, error) {
	found, err := checkpoint.FindLeft(r, e.vaultDir())
	if err != nil || !found.Here.Any() {
		return nil, err
	}
	return []checkpoint.Left{found.Here}, nil
}
