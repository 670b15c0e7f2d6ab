package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// newCheckpoint takes git stash's words where they mean the same. None of its verbs checks anything out, and but for
// restore --index and --refs none moves HEAD, the index or a reference of the user's.
func newCheckpoint(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:     "checkpoint",
		Aliases: []string{"checkpoints"},
		Short:   "Save the working tree, and bring it back",
		Long: `A checkpoint holds the working tree as it is: changed, deleted and untracked
files. Taking one leaves the working tree, the index, HEAD and your branches as
they are. It adds a reference below refs/moai, a branch checkpoint/… where
checkpoint.branch says so, and a line to .moai/checkpoints.log, which Git
ignores. moai takes one before a risky command runs. An ID is a name, a part of one, @1
for the newest, or "before 14:00". Without one, show, diff, export and restore
mean the newest that no restore has put aside.`,
		Example: "  moai checkpoint list\n  moai checkpoint restore @1 --dry-run\n  moai checkpoint restore @1 src/main.go",
	}
	e.beforeGit(c.PersistentFlags())
	c.AddCommand(newCheckpointCreate(e), newCheckpointList(e), newCheckpointShow(e), newCheckpointDiff(e),
		newCheckpointRestore(e), newCheckpointPrune(e), newCheckpointDrop(e), newCheckpointUsage(e), newCheckpointPack(e), newCheckpointExport(e))
	return c
}

// vaultDir is where copies of ignored files are kept.
func (e *env) vaultDir() string {
	if d := e.stateDir(); d != "" {
		return filepath.Join(d, "vault")
	}
	return ""
}

// checkpointJSON adds what package checkpoint keeps as object names.
type checkpointJSON struct {
	checkpoint.Checkpoint
	Commit string `json:"commit"`
	Tree   string `json:"tree"`
	Head   string `json:"head,omitempty"`
	Other  string `json:"elsewhere,omitempty"` // the work tree that it is of, where that is not this one
}

// elsewhere names the work tree that a checkpoint is of, where that is not this one.
func elsewhere(c *checkpoint.Checkpoint, here string) string {
	switch c.Worktree {
	case here:
		return ""
	case "":
		return "main work tree"
	}
	return "work tree " + c.Worktree
}

// jsonCheckpoint writes object names as Git does, in hexadecimal; package checkpoint keeps them as bytes. A repository
// without a commit has no head to name.
func jsonCheckpoint(c *checkpoint.Checkpoint) checkpointJSON {
	j := checkpointJSON{Checkpoint: *c, Commit: c.Commit.String(), Tree: c.Tree.String()}
	if !c.Head.IsZero() {
		j.Head = c.Head.String()
	}
	return j
}

// newCheckpointCreate takes the same snapshot as the guard, with words of one's own.
func newCheckpointCreate(e *env) *cobra.Command {
	var message, operation string
	c := &cobra.Command{
		Use:     "create",
		Aliases: []string{"save"},
		Short:   "Save the working tree now",
		Example: "  moai checkpoint create -m 'before the big rename'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := e.repository()
			if err != nil {
				return err
			}
			handle.NoCollection() // the process ends with this verb
			cfg := e.cfg(r.WorkTree)
			rules := e.risks(r.WorkTree)
			var inside []checkpoint.Inner // saved before the one around them, which may fail
			cp, err := checkpoint.Create(cmd.Context(), r, checkpoint.CreateOptions{
				Operation: operation, Message: message, Branch: handle.Branches(cfg, rules, operation), Sensitive: handle.Sensitive(rules, r.WorkTree), Mask: rules.Mask, Now: time.Now(),
				Limits: handle.Limits(cfg, r), Keep: handle.Retention(cfg), VaultDir: e.vaultDir(), StateDir: e.stateDir(),
				Made: func(in checkpoint.Inner) { inside = append(inside, in) },
			})
			if err != nil {
				e.notes(&checkpoint.Checkpoint{Inside: inside})
				return err
			}
			e.notes(cp)
			// The journal tells what happened; that nothing had to be taken did not.
			if !cp.Reused {
				e.record("checkpoint "+cp.Name, handle.Created(cp))
			}
			if e.json {
				return e.printJSON(jsonCheckpoint(cp))
			}
			word := "saved"
			if cp.Reused {
				word = "nothing has changed since"
			}
			fmt.Fprintf(e.out, "%s %s (%s)\n", word, e.style().Bold(cp.Name), cp.Amount())
			return nil
		},
	}
	c.Flags().StringVarP(&message, "message", "m", "", "your own words, kept with the checkpoint")
	c.Flags().StringVar(&operation, "operation", "manual", "what is about to happen; part of the name")
	return c
}

// notes tells what is not in a checkpoint, and what went wrong beside it.
func (e *env) notes(c *checkpoint.Checkpoint) {
	for _, in := range c.Inside {
		fmt.Fprintf(e.err, "moai: saved in its own repository: %s (%s)\n", term.Name(in.Path), term.Text(in.Name))
	}
	for i, s := range c.Skipped {
		if i == 10 { // a folder of sockets must not scroll the name of the checkpoint away
			fmt.Fprintf(e.err, "moai: not saved: %d more, see moai checkpoint show %s\n", len(c.Skipped)-i, c.Short())
			break
		}
		fmt.Fprintf(e.err, "moai: not saved: %s (%s)\n", term.Name(s.Path), term.Text(s.Why))
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(e.err, "moai: warning: %s\n", oneLine(w))
	}
	if c.Unbranched != "" {
		fmt.Fprintf(e.err, "moai: it comes back all the same, but is no Git branch, since that could be pushed: %s\n", term.Text(c.Unbranched))
	}
}

// newCheckpointList shows all work trees of a repository: what another agent did next door is where lost work is
// looked for, too. Numbers count in this work tree alone, so that @1 is what was taken here.
func newCheckpointList(e *env) *cobra.Command {
	var history bool
	var pick picks
	c := &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "List checkpoints, the newest first",
		Example: "  moai checkpoint list -n 10\n  moai checkpoint list --since 2h\n  moai checkpoint list --since yesterday",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := pick.read(cmd); err != nil {
				return err
			}
			r, err := e.repository()
			if err != nil {
				return err
			}
			if history {
				return e.history(r, &pick)
			}
			all, unread, err := checkpoint.ListAll(r)
			if err != nil {
				return err
			}
			e.warnUnread(r, unread)
			list := slices.DeleteFunc(slices.Clone(all), func(c checkpoint.Checkpoint) bool { return !pick.fits(c.Time, c.Session) })
			if pick.last > 0 {
				list = list[:min(pick.last, len(list))]
			}
			if e.json {
				out := make([]checkpointJSON, len(list))
				for i := range list {
					out[i] = jsonCheckpoint(&list[i])
					out[i].Other = elsewhere(&list[i], checkpoint.Worktree(r))
				}
				return e.printJSON(out)
			}
			if len(list) == 0 && len(all) > 0 {
				fmt.Fprintf(e.err, "moai: no checkpoint%s; the newest is %s\n", term.Text(pick.none()), all[0].Short())
				return nil
			}
			if len(list) == 0 && len(unread) > 0 {
				return nil
			}
			if len(list) == 0 {
				fmt.Fprintln(e.err, term.Wrap("moai: no checkpoints yet; moai takes one before a risky command, or you do: moai checkpoint create", e.columns(), 2))
				if there := e.wasOutside(r, "moai checkpoint list"); there != "" {
					fmt.Fprintln(e.err, "moai: hint:", there)
				}
				return nil
			}
			e.printCheckpoints(list, numbered(all, unread, checkpoint.Worktree(r)), checkpoint.Worktree(r))
			return nil
		},
	}
	c.Flags().BoolVar(&history, "history", false, "read .moai/checkpoints.log instead, which also names those that are gone, and each command that got one again")
	pick.flags(e, c, "newest so many")
	return c
}

// warnUnread names the checkpoints that cannot be read, and how they go.
func (e *env) warnUnread(r *repo.Repo, list []checkpoint.Unread) {
	for i := range list {
		fmt.Fprintf(e.err, "moai: warning: %s\n", oneLine(list[i].Error()))
		if list[i].Commit.IsZero() {
			fmt.Fprintf(e.err, "moai: hint: rm %s\n", term.Text(argv.Quote(filepath.Join(r.CommonDir, filepath.FromSlash(list[i].Ref)))))
		} else {
			fmt.Fprintf(e.err, "moai: hint: moai checkpoint drop %s\n", term.Text(argv.Quote(list[i].Short())))
		}
	}
}

// numbered are the numbers of this work tree's checkpoints, by name: what a list leaves out moves none of them. Behind one that cannot be
// read they are blank: no number leads past it.
func numbered(all []checkpoint.Checkpoint, unread []checkpoint.Unread, here string) map[string]string {
	list := map[string]string{}
	for i := range all {
		if all[i].Worktree == here {
			list[all[i].Name] = fmt.Sprintf("@%d", len(list)+1)
			if len(unread) > 0 && !all[i].Time.After(unread[0].Time) {
				list[all[i].Name] = " "
			}
		}
	}
	return list
}

// printCheckpoints prints a line for each; those of this work tree are numbered.
func (e *env) printCheckpoints(list []checkpoint.Checkpoint, numbers map[string]string, here string) {
	s := e.style()
	names, stats := 0, 0 // the widest
	for i := range list {
		names, stats = max(names, term.Width(list[i].Short())), max(stats, term.Width(list[i].Amount()))
	}
	for _, c := range list {
		text := c.Command
		if c.Message != "" {
			text, _, _ = strings.Cut(c.Message, "\n")
		}
		id := numbers[c.Name]
		if other := elsewhere(&c, here); other != "" {
			text = "(" + other + ") " + text
		}
		if c.Unbranched != "" {
			text += " (no branch: " + c.Unbranched + ")"
		}
		head := s.Cyan(term.Pad(id, 4)) + " " + s.Dim(term.Pad(when.Ago(time.Since(c.Time)), len("59 minutes ago"))) + " " + term.Pad(c.Short(), names)
		e.entry(head+" ", term.Pad(c.Amount(), stats)+"  "+s.Dim(term.Text(text)))
	}
}

// history prints the log of a repository, which remembers what was pruned: what was picked, or all.
func (e *env) history(r *repo.Repo, pick *picks) error {
	list, err := checkpoint.History(r)
	if err != nil {
		return err
	}
	session := map[string]string{} // that took it: the line of its end does not say so
	list = slices.DeleteFunc(list, func(l checkpoint.Record) bool {
		if l.Pruned != nil {
			return !pick.fits(*l.Pruned, session[l.Branch])
		}
		if !l.Reused {
			session[l.Branch] = l.Session
		}
		return !pick.fits(l.Timestamp, l.Session)
	})
	if pick.last > 0 {
		list = list[max(0, len(list)-pick.last):]
	}
	if e.json {
		if list == nil {
			list = []checkpoint.Record{}
		}
		return e.printJSON(list)
	}
	for i := len(list) - 1; i >= 0; i-- {
		l := list[i]
		when := "-"
		if !l.Timestamp.IsZero() {
			when = l.Timestamp.Local().Format("2006-01-02 15:04:05")
		}
		what := l.Command
		if l.Reused {
			what = "unchanged since, before: " + what
		}
		if l.Pruned != nil {
			when, what = l.Pruned.Local().Format("2006-01-02 15:04:05"), "deleted: "+l.Why
		}
		e.entry(e.style().Dim(term.Pad(when, 19))+" "+term.Pad(term.Text(l.Branch), 57), term.Pad(term.Text(l.Operation), 14)+" "+term.Text(what))
	}
	return nil
}
