package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// restoreJSON is a plan, or what became of it.
type restoreJSON struct {
	Checkpoint string            `json:"checkpoint"`
	DryRun     bool              `json:"dry_run"`
	Safety     string            `json:"safety,omitempty"` // checkpoint taken before anything was overwritten
	Undo       string            `json:"undo,omitempty"`   // the line that takes the restore back
	Written    []string          `json:"written"`
	Deleted    []string          `json:"deleted"`
	Modes      []string          `json:"permissions,omitempty"` // files that had their content and not their permissions
	Folders    []string          `json:"folders,omitempty"`     // made again, or with the mode they had
	Aside      []string          `json:"aside,omitempty"`       // files too large to save first, by their new names
	Kept       []string          `json:"kept"`
	Vault      []string          `json:"vault,omitempty"`
	Failed     []checkpoint.Skip `json:"failed"`
	Index      bool              `json:"index"`
	Patterns   bool              `json:"sparse_patterns,omitempty"`
	Refs       []string          `json:"refs,omitempty"`
	Settings   []string          `json:"settings,omitempty"`    // sections of the repository's settings
	TakenOn    string            `json:"taken_on,omitempty"`    // the branch or commit that the checkpoint is of, where another one
	CheckedOut string            `json:"checked_out,omitempty"` // is checked out and stays so

	Resumes *checkpoint.Underway `json:"resumes,omitempty"` // what is under way again
	Ends    *checkpoint.Underway `json:"ends,omitempty"`    // what was under way and is put aside, in the safety checkpoint

	Inside []checkpoint.Inner `json:"inside,omitempty"` // to be restored in their own repositories
}

// newCheckpointRestore plans, shows and only then writes: a plan is what --dry-run prints, and what was put aside is
// the way back from a restore that was not meant.
func newCheckpointRestore(e *env) *cobra.Command {
	var dry, index, deleteNew, refs, missing, vault bool
	c := &cobra.Command{
		Use:   "restore [ID] [PATH...]",
		Short: "Bring files back as they were",
		Long: `Brings the working tree, or the paths named, back to a checkpoint; without ID
to the newest that no restore has put aside. What is there now is saved as a
checkpoint first, so a restore can be undone by another. HEAD and branches stay
where they are unless --refs is given. Files that the checkpoint does not know
stay unless --delete-new is. With --missing no file is touched, and nothing
moves: only references that are gone since then come back. With --vault only
files that Git ignores come back, and all that Git has stays as it is.`,
		Example:           "  moai checkpoint restore --dry-run\n  moai checkpoint restore @2 src .env\n  moai checkpoint restore 'before 14:00' --index\n  moai checkpoint restore before-branch-delete --missing",
		ValidArgsFunction: e.completeCheckpoints,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := apart(missing, vault, refs || index || deleteNew); err != nil {
				return err
			}
			r, cp, paths, err := e.chosenPaths(args)
			if err != nil {
				return err
			}
			if missing && len(paths) > 0 {
				return hint(usagef("--missing is about references alone, and takes no paths"), checkpoint.Way{ID: cp.Short(), Paths: paths}.String())
			}
			if err := e.knownPaths(r, cp, paths); err != nil {
				return err
			}
			cfg, rules := e.cfg(r.WorkTree), e.risks(r.WorkTree)
			stateDir := e.stateDir()
			if dry {
				stateDir = ""
			}
			plan, err := checkpoint.MakePlan(cmd.Context(), r, cp, paths, checkpoint.RestoreOptions{
				Index: index, DeleteNew: deleteNew, Refs: refs, Missing: missing, Vault: vault, Settings: rules.Settings, VaultDir: e.vaultDir(), StateDir: stateDir,
				Branch: handle.Branches(cfg, rules, "restore"), Sensitive: handle.Sensitive(rules, r.WorkTree), Now: time.Now(),
			})
			if err != nil {
				return err
			}
			if unheld := plan.Unheld(r); len(unheld) > 0 {
				return hint(nof("%s holds nothing at %s, and what is there stays", cp.Name, unheldText(unheld)), "moai checkpoint show "+cp.Short())
			}
			if dry {
				err := e.showPlan(r, plan)
				e.makeRoom(r, plan.Blocked, again(cmd, args))
				return err
			}
			if err := e.anotherTree(cmd, r, plan, args); err != nil {
				return err
			}
			if err := e.fewer(cmd, r, plan, args); err != nil {
				return err
			}
			res, err := checkpoint.Restore(cmd.Context(), r, plan)
			if res != nil {
				e.showResult(r, plan, res)
				e.makeRoom(r, res.Failed, again(cmd, args))
				e.tellRestored(r, cp, res)
				if res.Safety != nil {
					e.record("restored "+cp.Name, types.CheckpointRestored{Branch: cp.Name, Paths: paths, Safety: res.Safety.Name})
				}
			}
			if err == nil {
				if !missing {
					e.vaultHint(r, res.Failed)
				}
				if len(res.Failed) > 0 {
					return errNo
				}
			}
			return err
		},
	}
	f := c.Flags()
	f.BoolVarP(&dry, "dry-run", "n", false, "show what would change and change nothing")
	f.BoolVar(&index, "index", false, "bring the staged content back, too")
	f.BoolVar(&deleteNew, "delete-new", false, "delete files that the checkpoint does not have")
	f.BoolVar(&refs, "refs", false, "bring back where HEAD stood, and branches, tags, stash entries and an operation under way, as far as the checkpoint kept them; with HEAD, the staged content")
	f.BoolVar(&vault, "vault", false, "bring back only files that Git ignores, which are in the vault")
	f.BoolVar(&missing, "missing", false, "bring back only branches, tags, notes, stash entries and settings of branches and remotes that are gone now, of those that the checkpoint kept")
	return c
}

// makeRoom says how what stands in the way of files is moved, of which no checkpoint would have a copy, and what to do then.
func (e *env) makeRoom(r *repo.Repo, failed []checkpoint.Skip, then string) {
	var told []string
	for _, k := range failed {
		if k.InWay == "" || slices.Contains(told, k.InWay) {
			continue
		}
		if told = append(told, k.InWay); len(told) > shownUndone {
			break
		}
		name, err := filepath.Rel(ground.Follow(e.dir), r.Path(k.InWay))
		if err != nil || strings.HasPrefix(name, "-") {
			name = r.Path(k.InWay)
		}
		fmt.Fprintf(e.err, "moai: hint: %s, then %s\n", argv.Quote("mv", name, name+".away"), then)
	}
}

// apart refuses flags that say two things: what is about references or ignored files alone goes with nothing else.
func apart(missing, vault, more bool) error {
	switch {
	case vault && (missing || more):
		return usagef("--vault is about ignored files alone: it goes with none of --missing, --refs, --index and --delete-new")
	case missing && more:
		return usagef("--missing is about references alone: it goes with none of --refs, --index and --delete-new")
	}
	return nil
}

// fewer asks before files go. Overwriting, and what --refs moves, is undone by the checkpoint that is taken first; that files go is not what
// people expect of a restore.
func (e *env) fewer(cmd *cobra.Command, r *repo.Repo, p *checkpoint.Plan, args []string) error {
	if !p.Options.DeleteNew || len(p.Delete) == 0 || e.yes {
		return nil
	}
	if err := e.showPlan(r, p); err != nil {
		return err
	}
	if !e.confirm(fmt.Sprintf("Delete %s?", term.Count(len(p.Delete), "file"))) {
		return hint(nof("nothing was changed: files would be deleted"), again(cmd, args)+" --yes")
	}
	return nil
}

// anotherTree asks before what was saved of one work tree is written over another one: a line that was meant for a shell in that folder is
// easily run in this one, most easily where the folder is a work tree no more.
func (e *env) anotherTree(cmd *cobra.Command, r *repo.Repo, p *checkpoint.Plan, args []string) error {
	cp, here := p.Checkpoint, checkpoint.Worktree(r)
	if cp.Worktree == here || len(p.Paths) > 0 || p.Options.Missing {
		return nil
	}
	at := r.TreeOf(cp.Worktree)
	if at == "" && here != "" { // made again, it may have another name
		return nil
	}
	name := cmp.Or(cp.Worktree, "the main one")
	if e.confirm(fmt.Sprintf("%s is of another work tree, %s. Write its files here, over those of %s?", cp.Name, name, r.WorkTree)) {
		return nil
	}
	err := nof("%s is of another work tree, %s, and nothing was changed here", cp.Name, name)
	if at == "" {
		return hint(err, again(cmd, args)+" --yes")
	}
	return hint(err, "cd "+argv.Quote(at)+" && "+again(cmd, args))
}

// knownPaths refuses a slip in a name, which would restore nothing and look like success.
func (e *env) knownPaths(r *repo.Repo, cp *checkpoint.Checkpoint, paths []string) error {
	for _, p := range paths {
		if inGitFolder(p) || !e.knownPath(r, cp, r.Path(p)) {
			return hint(nof("%s holds nothing at %s, and neither does the working tree", cp.Name, term.Name(p)), "moai checkpoint show "+cp.Short())
		}
	}
	return nil
}

// unheldText names paths that a checkpoint does not hold, with the reason where it tells one.
func unheldText(list []checkpoint.Skip) string {
	var out []string
	for _, k := range list {
		name := term.Name(k.Path)
		if k.Why != "" {
			name += " (" + term.Text(k.Why) + ")"
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// inGitFolder says whether a path is Git's own, which no checkpoint holds though it is there.
func inGitFolder(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return strings.EqualFold(first, ".git")
}

// again is the command as it was called, with the flags that were given.
func again(cmd *cobra.Command, args []string) string {
	words := append(strings.Fields(cmd.CommandPath()), args...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if many, is := f.Value.(pflag.SliceValue); is {
			for _, v := range many.GetSlice() {
				words = append(words, "--"+f.Name+"="+v)
			}
		} else if f.NoOptDefVal != "" && f.NoOptDefVal == f.Value.String() { // a switch
			words = append(words, "--"+f.Name)
		} else {
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	return argv.Quote(words...)
}

// showResult ends with the line that takes the restore back.
func (e *env) showResult(r *repo.Repo, p *checkpoint.Plan, res *checkpoint.RestoreResult) {
	if e.json {
		j := restoreJSON{Checkpoint: p.Checkpoint.Name, Written: append([]string{}, res.Written...), Deleted: append([]string{}, res.Deleted...), Kept: append([]string{}, res.Kept...), Vault: res.Vault, Failed: append([]checkpoint.Skip{}, res.Failed...), Index: res.Index, Patterns: res.Patterns, Settings: res.Settings, Aside: res.Aside, Inside: p.Inside(), TakenOn: p.TakenOn, CheckedOut: p.CheckedOut}
		if res.Safety != nil {
			j.Safety, j.Undo = res.Safety.Name, e.undoLine(p, res)
		}
		if res.State {
			j.Resumes, j.Ends = p.Resumes, p.Ends
		}
		j.beside(res.Permissions, res.Folders, res.Refs)
		_ = e.printJSON(j)
		return
	}
	s := e.style()
	if res.Safety == nil {
		fmt.Fprintln(e.out, nothing(p))
		if p.Checkpoint.Operation == "restore" { // the newest is what an earlier restore put aside, mostly not what is meant
			fmt.Fprintln(e.err, "moai: hint: moai checkpoint list names those before it: moai checkpoint restore @2")
		}
	} else {
		var parts []string
		if !p.Options.Missing && !p.Options.Vault {
			parts = append(parts, term.Count(len(res.Written), "file")+" written")
		}
		add := func(n int, text string) {
			if n > 0 {
				parts = append(parts, text)
			}
		}
		add(len(res.Deleted), fmt.Sprint(len(res.Deleted), " deleted"))
		add(len(res.Permissions), "permissions of "+term.Count(len(res.Permissions), "file"))
		add(len(res.Folders), term.Count(len(res.Folders), "folder"))
		add(len(res.Vault), fmt.Sprint(len(res.Vault), " from the vault"))
		add(len(res.Refs), term.Count(len(res.Refs), "reference"))
		add(len(res.Settings), "settings of "+strings.Join(res.Settings[:min(len(res.Settings), 3)], ", "))
		if res.Index {
			parts = append(parts, "staged content")
		}
		if res.Patterns {
			parts = append(parts, "what the sparse checkout leaves out")
		}
		fmt.Fprintf(e.out, "restored %s: %s\n", s.Bold(p.Checkpoint.Name), term.Text(strings.Join(parts, ", ")))
		if shown := slices.Concat(res.Written, res.Vault); len(shown) > 0 {
			fmt.Fprintf(e.out, "  %s\n", someNames(shown))
		}
		e.underWay(p, res)
		fmt.Fprintf(e.out, "undo: %s\n", e.undoLine(p, res))
	}
	if len(res.Aside) > 0 {
		fmt.Fprintf(e.err, "moai: too large to save first, moved aside: %s\n", names(res.Aside))
	}
	e.left(res.Kept, res.Failed)
	e.otherBranch(p)
	e.inside(r, p)
	e.since(r, p)
}

// underWay says what is under way again, and what is not any more.
func (e *env) underWay(p *checkpoint.Plan, res *checkpoint.RestoreResult) {
	switch {
	case !res.State:
	case p.Resumes != nil && p.Ends != nil:
		fmt.Fprintf(e.out, "under way again: %s; put aside: %s\n", term.Text(p.Resumes.String()), term.Text(p.Ends.String()))
	case p.Resumes != nil:
		fmt.Fprintf(e.out, "under way again: %s\n", term.Text(p.Resumes.String()))
	case p.Ends != nil:
		fmt.Fprintf(e.out, "no longer under way, put aside: %s\n", term.Text(p.Ends.String()))
	}
}

// otherBranch says that a checkpoint is of another branch than the one that is checked out: a commit there would take its files along.
func (e *env) otherBranch(p *checkpoint.Plan) {
	if p.TakenOn == "" || p.Options.Vault {
		return
	}
	fmt.Fprintf(e.err, "moai: %s was taken on %s, and %s is checked out: what comes back is of %s\n", p.Checkpoint.Name, term.Text(p.TakenOn), term.Text(p.CheckedOut), term.Text(p.TakenOn))
	if !p.Options.Refs && len(p.Paths) == 0 {
		back := checkpoint.Way{ID: p.Checkpoint.Short(), Refs: true, Index: p.Options.Index}
		fmt.Fprintf(e.err, "moai: hint: %s goes back to %s as well\n", back, term.Text(p.TakenOn))
	}
}

// undoLine is the way back from a restore, for a shell in any folder where it was made in a repository inside another one: the line that led
// there may have been one for a shell outside.
func (e *env) undoLine(p *checkpoint.Plan, res *checkpoint.RestoreResult) string {
	back := checkpoint.Way{ID: res.Safety.Short(), Missing: p.Options.Missing, Vault: p.Options.Vault, Index: res.Index || res.Patterns, BeforeGit: e.pre}
	back.Refs = !back.Missing && !back.Vault && (len(res.Refs) > 0 || res.State || len(res.Settings) > 0)
	if _, err := repo.Open(filepath.Dir(p.Root)); err == nil {
		return back.In(p.Root)
	}
	return back.String()
}

// inside says how repositories inside get back what was in them: a restore writes in its own repository only.
func (e *env) inside(r *repo.Repo, p *checkpoint.Plan) {
	for _, in := range p.Inside() {
		dir := in.Path // as it is named from where the user stands
		if rel, err := filepath.Rel(ground.Follow(e.dir), filepath.Join(p.Root, filepath.FromSlash(in.Path))); err == nil {
			dir = rel
		}
		_, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(in.Path), ".git"))
		fill, before := checkpoint.Filled, ""
		if err != nil {
			fill = checkpoint.Empty
		}
		if linked, err := checkpoint.Find(r, in.Name); fill == checkpoint.Empty && err == nil && linked.Worktree != "" { // its history is here
			fill, before = checkpoint.Filled, handle.LinkAnew("git", dir, linked.On, linked.Head)
		}
		if fill == checkpoint.Empty && !isSubmodule(p.Root, in.Path) {
			if !wasSubmodule(p, in.Path) { // its history was in it
				fmt.Fprintf(e.err, "moai: %s was a repository of its own and is gone, with its history and the checkpoint in it\n", term.Name(in.Path))
				continue
			}
			again := e.wayOf(p)
			again.Index = true
			before = again.String() + "; " // so that Git knows of it again
		}
		fmt.Fprintf(e.err, "moai: %s is a repository of its own, with a checkpoint of its own\nmoai: hint: %s%s\n", term.Name(in.Path), before, term.Text(in.Back(dir, fill, false)))
	}
}

// wayOf is the command of a plan.
func (e *env) wayOf(p *checkpoint.Plan) checkpoint.Way {
	return checkpoint.Way{ID: p.Checkpoint.Short(), Refs: p.Options.Refs, BeforeGit: e.pre}
}

// wasSubmodule says whether a checkpoint's index names a path as one whose history the repository still has.
func wasSubmodule(p *checkpoint.Plan, path string) bool {
	r, err := repo.Open(p.Root)
	return err == nil && !p.Options.Index && p.Checkpoint.Submodule(r, path)
}

// isSubmodule says whether the index names a path as one, which `git submodule update` can make again.
func isSubmodule(root, path string) bool {
	r, err := repo.Open(root)
	if err != nil {
		return false
	}
	ix, err := r.Index()
	if err != nil {
		return false
	}
	i, found := ix.Find(path)
	return found && ix.At(i).Mode == repo.ModeGitlink
}

// vaultHint names the ignored files that are missing and that the vault of a recent checkpoint has, the newest that has each of them: the
// checkpoint just restored need not be the one that was taken before they were deleted.
func (e *env) vaultHint(r *repo.Repo, failed []checkpoint.Skip) {
	list, err := checkpoint.Last(r, 10)
	if err != nil {
		return
	}
	named := map[string]bool{}
	for _, k := range failed {
		named[k.Path] = true
	}
	for _, c := range list {
		var missing, from []string // by their names in the work tree, and from where the user stands
		for _, p := range c.Vaulted {
			if _, err := os.Lstat(r.Path(p)); errors.Is(err, os.ErrNotExist) && !named[p] {
				named[p], missing = true, append(missing, p)
				if rel, err := filepath.Rel(ground.Follow(e.dir), r.Path(p)); err == nil {
					p = rel
				}
				from = append(from, p)
			}
		}
		if n := len(missing); n > 0 {
			shown, verb := missing[:min(n, 5)], "is"
			if n > 1 {
				verb = "are"
			}
			more := ""
			if n > len(shown) {
				more = fmt.Sprintf(" and %d more", n-len(shown))
			}
			fmt.Fprintf(e.err, "moai: %s%s %s missing, and in the vault of %s\nmoai: hint: %s\n", names(shown), more, verb, c.Name, term.Text(checkpoint.Way{ID: c.Short(), Vault: true, Paths: from}.String()))
		}
	}
}

// names joins file names for a line.
// shownWritten is how many files a restore names that it has written.
const shownWritten = 10

// someNames are the first of some paths.
func someNames(paths []string) string {
	text := names(paths[:min(len(paths), shownWritten)])
	if more := len(paths) - shownWritten; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func names(paths []string) string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = term.Name(p)
	}
	return strings.Join(list, ", ")
}

// left tells what a restore does not touch.
func (e *env) left(kept []string, failed []checkpoint.Skip) {
	for _, f := range failed {
		fmt.Fprintf(e.err, "moai: not restored: %s (%s)\n", term.Name(f.Path), term.Text(f.Why))
	}
	if n := len(kept); n > 0 {
		verb := "stay"
		if n == 1 {
			verb = "stays"
		}
		fmt.Fprintf(e.err, "moai: %s that the checkpoint does not know %s: %s\n", term.Count(n, "file"), verb, names(kept[:min(n, 5)]))
	}
}

// nothing says that there is nothing to do, and no more than that where something is not as it was.
func nothing(p *checkpoint.Plan) string {
	switch {
	case len(p.Blocked) > 0:
		return "nothing was restored from " + p.Checkpoint.Name
	case p.Options.Vault:
		return "nothing to restore from the vault of " + p.Checkpoint.Name
	case p.Options.Missing:
		return "nothing is missing of what " + p.Checkpoint.Name + " keeps"
	case len(p.Keep) > 0:
		return "nothing to restore: all that " + p.Checkpoint.Name + " holds is as it was"
	}
	return "nothing to restore: " + about(p) + " as in " + p.Checkpoint.Name
}

// about names what a plan is about: all of the working tree, or the paths that were named.
func about(p *checkpoint.Plan) string {
	switch len(p.Paths) {
	case 0:
		return "the working tree is"
	case 1:
		return term.Name(p.Paths[0]) + " is"
	}
	return "the paths named are"
}
