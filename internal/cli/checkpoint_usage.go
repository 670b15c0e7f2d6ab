package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// newCheckpointUsage says what the checkpoints cost and what bounds them.
func newCheckpointUsage(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "usage",
		Short: "Say how much the checkpoints of this repository hold",
		Long: `Counts the checkpoints of all work trees of this repository, what only they hold
(each content once, before compression), and the copies of ignored files in the
vault, also those of repositories that are gone.`,
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
			defer e.leftovers(u)
			if u.Checkpoints+u.Steps == 0 {
				fmt.Fprintln(e.err, "moai: no checkpoints here")
				return nil
			}
			if u.Steps > 0 {
				fmt.Fprintf(e.out, "%s of turns, for moai undo\n", term.Count(u.Steps, "step"))
			}
			if u.Checkpoints > 0 {
				fmt.Fprintf(e.out, "%s, from %s to %s\n", term.Count(u.Checkpoints, "checkpoint"), when.Ago(time.Since(u.Oldest)), when.Ago(time.Since(u.Newest)))
			}
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

// newCheckpointPack does at once what ends of turns do where they have time.
func newCheckpointPack(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "pack",
		Short: "Put the many small files of snapshots into one",
		Long: `Moves the objects of checkpoints and turns that lie in files of their own into one
pack, as git gc would. Nothing is deleted. The end of a turn does the same where
there are many and it has time. Of a folder outside Git, what no snapshot holds
any more goes as well.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := e.repository()
			if err != nil {
				return err
			}
			n, err := checkpoint.Pack(cmd.Context(), r, false)
			if err != nil {
				return err
			}
			freed, err := checkpoint.Tidy(cmd.Context(), r, time.Now())
			if err != nil {
				return err
			}
			if e.json {
				return e.printJSON(struct {
					Freed  int64 `json:"freed_bytes"`
					Packed int   `json:"packed"`
				}{freed, n})
			}
			fmt.Fprintf(e.out, "packed %s", term.Count(n, "object"))
			if freed > 0 {
				fmt.Fprintf(e.out, ", freed %s", checkpoint.Size(freed))
			}
			fmt.Fprintln(e.out)
			return nil
		},
	}
}

// leftovers says what lies in the vault for repositories that are gone.
func (e *env) leftovers(u *checkpoint.Usage) {
	list := u.Gone
	if u.Former.Any() {
		list = append([]checkpoint.Left{u.Former}, list...)
	}
	e.leftIn("", list)
	if n := len(u.Unplaced); n > 0 {
		fmt.Fprintf(e.out, "%s in the vault of an older moai, which did not note the repository: %s\n", term.Count(n, "folder"), term.Text(e.vaultDir()))
	}
	if len(list) > 0 {
		fmt.Fprintln(e.err, "moai: hint: moai checkpoint prune --gone --dry-run")
	}
}

// leftIn lists what was kept for repositories that are gone, the first twenty by name.
func (e *env) leftIn(word string, list []checkpoint.Left) {
	const named = 20
	for i := range list[:min(len(list), named)] {
		whose := "a repository that was here before"
		if !list[i].Here {
			whose = term.Text(list[i].Place) + ", which is gone"
		}
		fmt.Fprintf(e.out, "%s%s in the vault of %s\n", word, inFiles(&list[i]), whose)
	}
	if len(list) > named {
		more := total(list[named:])
		fmt.Fprintf(e.out, "%s%s in the vault of %d more that are gone\n", word, inFiles(&more), len(list)-named)
	}
}

func total(list []checkpoint.Left) (all checkpoint.Left) {
	for _, l := range list {
		all.Files += l.Files
		all.Bytes += l.Bytes
	}
	return all
}

func inFiles(l *checkpoint.Left) string {
	return checkpoint.Size(l.Bytes) + " in " + term.Count(l.Files, "file")
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
