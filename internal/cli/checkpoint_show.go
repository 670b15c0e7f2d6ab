package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// changeJSON is one changed path.
type changeJSON struct {
	Status  string `json:"status"` // A, D, M or T
	Path    string `json:"path"`
	Added   *int   `json:"added,omitempty"`
	Removed *int   `json:"removed,omitempty"`
}

// newCheckpointShow compares with the HEAD of that moment, not with the files of today: it answers what was in
// danger then. Today's difference is checkpoint diff.
func newCheckpointShow(e *env) *cobra.Command {
	var stat, patch bool
	c := &cobra.Command{
		Use:               "show [ID]",
		Short:             "Show what a checkpoint holds that HEAD did not",
		Args:              oneID,
		ValidArgsFunction: e.completeCheckpoints,
		RunE: func(_ *cobra.Command, args []string) error {
			r, cp, err := e.chosen(args)
			if err != nil {
				return err
			}
			changes, err := checkpoint.Show(r, cp)
			if err != nil {
				return err
			}
			// A patch stands alone, so that it can be piped into git apply; JSON is no patch.
			if patch && !e.json {
				return checkpoint.Patch(e.data(), checkpoint.Stored(r), changes)
			}
			if !e.json {
				e.describe(cp, r.Shadow)
				return e.changes(checkpoint.Stored(r), changes, stat)
			}
			list, err := jsonChanges(checkpoint.Stored(r), changes, stat)
			if err != nil {
				return err
			}
			return e.printJSON(struct {
				checkpointJSON
				Changes []changeJSON `json:"changes"`
			}{jsonCheckpoint(cp), list})
		},
	}
	c.Flags().BoolVar(&stat, "stat", false, "count lines")
	c.Flags().BoolVarP(&patch, "patch", "p", false, "print the changes as a patch")
	return c
}

// newCheckpointDiff prints a patch by default, since it mostly answers which lines were lost; --names and --stat are for
// the many files after a git clean.
func newCheckpointDiff(e *env) *cobra.Command {
	var stat, names bool
	c := &cobra.Command{
		Use:               "diff [ID] [PATH...]",
		Short:             "Compare a checkpoint with the working tree as it is now",
		ValidArgsFunction: e.completeCheckpoints,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, cp, paths, err := e.chosenPaths(args)
			if err != nil {
				return err
			}
			changes, read, err := checkpoint.Diff(cmd.Context(), r, cp, paths)
			if err != nil {
				return err
			}
			// Beside the patch, which can be piped.
			if cp.Underway != nil && len(paths) == 0 {
				fmt.Fprintf(e.err, "moai: under way then: %s\n", term.Text(cp.Underway.String()))
			}
			if len(changes) == 0 && !e.json {
				fmt.Fprintf(e.err, "moai: no differences: %s as in %s\n", about(&checkpoint.Plan{Paths: paths}), cp.Name)
			}
			switch {
			case e.json:
				list, err := jsonChanges(read, changes, stat)
				if err != nil {
					return err
				}
				return e.printJSON(list)
			case stat || names:
				return e.changes(read, changes, stat)
			}
			return checkpoint.Patch(e.data(), read, changes)
		},
	}
	c.Flags().BoolVar(&stat, "stat", false, "count lines")
	c.Flags().BoolVar(&names, "names", false, "name the files only")
	return c
}

// newCheckpointExport is the way out for people without moai or Git at hand.
func newCheckpointExport(e *env) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:               "export [ID]",
		Short:             "Write a checkpoint's files as a tar archive",
		Example:           "  moai checkpoint export @1 -o saved.tar",
		Args:              oneID,
		ValidArgsFunction: e.completeCheckpoints,
		RunE: func(_ *cobra.Command, args []string) error {
			r, cp, err := e.chosen(args)
			if err != nil {
				return err
			}
			if file == "" || file == "-" {
				if file == "" && term.IsTerminal(e.out) {
					return hint(usagef("an archive does not belong on a terminal"), "moai checkpoint export "+cp.Short()+" -o saved.tar")
				}
				return checkpoint.Export(e.data(), r, cp)
			}
			// Saved work goes beside other files, never over one, and is nobody else's.
			out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if errors.Is(err, fs.ErrExist) {
				return hint(nof("%s is there already, and nothing is written over", term.Name(file)), "moai checkpoint export "+cp.Short()+" -o ANOTHER.tar")
			}
			if err != nil {
				return err
			}
			err = checkpoint.Export(out, r, cp)
			if e := out.Close(); err == nil {
				err = e
			}
			if err != nil {
				os.Remove(file)
			}
			return err
		},
	}
	c.Flags().StringVarP(&file, "output", "o", "", "file to write; - is the standard output")
	return c
}

// describe prints what a checkpoint says about itself.
func (e *env) describe(c *checkpoint.Checkpoint, outside bool) {
	s := e.style()
	line := func(name, text string) {
		if text != "" {
			e.say(12, "  %s %s", s.Dim(term.Pad(name, 9)), term.Text(text)) // a repository can come with checkpoints of strangers
		}
	}
	fmt.Fprintln(e.out, s.Bold(c.Name))
	line("taken", c.Time.Local().Format("2006-01-02 15:04:05")+" ("+when.Ago(time.Since(c.Time))+")")
	line("before", c.Command)
	for i, l := range strings.Split(c.Message, "\n") {
		line([]string{"message", ""}[min(i, 1)], l)
	}
	// A detached HEAD has no branch, and a new repository no commit: both are said, never left blank.
	on := c.On
	if on == "" && !c.Head.IsZero() {
		on = "detached HEAD"
	}
	if !c.Head.IsZero() {
		on = strings.TrimSpace(on + " at " + c.Head.String()[:10])
	}
	if !outside { // a folder in no repository has no branches
		line("branch", on)
	}
	if c.Underway != nil {
		line("under way", c.Underway.String())
	}
	line("no branch", c.Unbranched)
	line("work tree", c.Worktree)
	line("session", c.Session)
	line("holds", c.Amount()+" of the work in progress")
	line("commit", c.Commit.String())
	for _, l := range []struct {
		name string
		list []string
		why  string
	}{
		{"nested", c.Nested, "a repository of its own, by its commit"},
		{"torn", c.Torn, "it was written to meanwhile"},
		{"hidden", c.Sensitive, "not in the branch, since it may hold a secret; a restore has it"},
		{"vault", c.Vaulted, "Git ignores it; a copy is in the vault"},
	} {
		for _, p := range l.list {
			line(l.name, term.Name(p)+" ("+l.why+")")
		}
	}
	for _, in := range c.Inside {
		line("inside", term.Name(in.Path)+" has its own: "+in.Name)
	}
	for _, k := range c.Skipped {
		line("left out", term.Name(k.Path)+" ("+k.Why+")")
	}
	for _, p := range c.Pins {
		line("keeps", p.Ref+" at "+p.Hash.String()[:10])
	}
}

// changes lists paths with their letters, or with counted lines.
func (e *env) changes(read checkpoint.Content, changes []checkpoint.Change, stat bool) error {
	s := e.style()
	if !stat {
		for _, c := range changes {
			fmt.Fprintf(e.out, "%s %s\n", letter(s, c.Status()), term.Name(c.Path))
		}
		return nil
	}
	// Only now are contents read: names alone come from trees.
	list, err := checkpoint.Stat(read, changes)
	if err != nil {
		return err
	}
	added, removed := 0, 0
	for _, c := range list {
		added, removed = added+c.Added, removed+c.Removed
		if c.Binary {
			fmt.Fprintf(e.out, "%s %14s %s\n", letter(s, c.Status()), "binary", term.Name(c.Path))
			continue
		}
		fmt.Fprintf(e.out, "%s %s %s %s\n", letter(s, c.Status()), s.Green(fmt.Sprintf("%7s", fmt.Sprintf("+%d", c.Added))), s.Red(fmt.Sprintf("%6s", fmt.Sprintf("-%d", c.Removed))), term.Name(c.Path))
	}
	fmt.Fprintf(e.out, "%s, +%d -%d lines\n", term.Count(len(list), "file"), added, removed)
	return nil
}

// letter colours the letters of git status --short; T, a file that became a link or the reverse, is yellow as M is.
func letter(s term.Style, c byte) string {
	switch c {
	case 'A':
		return s.Green("A")
	case 'D':
		return s.Red("D")
	}
	return s.Yellow(string(c))
}

// jsonChanges reads file contents only for --stat: counting lines of a thousand files costs what reading them does.
// A binary file has no lines, and so no counts.
func jsonChanges(read checkpoint.Content, changes []checkpoint.Change, stat bool) ([]changeJSON, error) {
	out := make([]changeJSON, len(changes))
	for i, c := range changes {
		out[i] = changeJSON{Status: string(c.Status()), Path: c.Path}
	}
	if !stat {
		return out, nil
	}
	list, err := checkpoint.Stat(read, changes)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if !list[i].Binary {
			out[i].Added, out[i].Removed = &list[i].Added, &list[i].Removed
		}
	}
	return out, nil
}
