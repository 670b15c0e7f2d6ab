package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/text/unicode/norm"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/when"
)

// repository opens the repository around the working directory.
func (e *env) repository() (*repo.Repo, error) {
	r, err := e.openAny(e.dir)
	if errors.Is(err, repo.ErrNone) && e.pre {
		return nil, nof("moai has no snapshots of this folder from before git init")
	}
	if errors.Is(err, repo.ErrNone) {
		next := "moai init"
		if e.callsIn(e.projectRoot()) {
			next = "start a session of your agent here: what it changes is saved from its first prompt on, without Git, too"
		}
		return nil, hint(nof("this folder is in no Git repository, and moai has no snapshots of it"), next)
	}
	var declined *repo.Declined
	if errors.As(err, &declined) {
		err = nof("this repository cannot be read, so it has no checkpoints: %s", declined.Reason)
		if next := declined.Command(); next != "" {
			return nil, hint(err, next)
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if r.Bare() {
		return nil, nof("this repository is bare: it has no working tree to save")
	}
	return r, nil
}

// beforeGit is the flag for what was saved of a folder that has become a repository since.
func (e *env) beforeGit(f *pflag.FlagSet) {
	f.BoolVar(&e.pre, "before-git", false, "of the time before git init, when moai kept the snapshots of this folder itself")
}

// beforeGit follows a command that is about that time.
const beforeGit = " --before-git"

// ofTime is a command about the time that this one is about.
func (e *env) ofTime(line string) string {
	if e.pre {
		line += beforeGit
	}
	return line
}

// wasOutside leads to what was saved before git init, where the repository has nothing.
func (e *env) wasOutside(r *repo.Repo, verb string) string {
	if old, err := checkpoint.FindShadow(e.stateDir(), r.WorkTree); r.Shadow || err != nil || old.WorkTree != r.WorkTree {
		return ""
	}
	return verb + beforeGit
}

// openAny opens the repository of a folder, or the one that moai keeps for a folder in none.
func (e *env) openAny(dir string) (*repo.Repo, error) {
	if e.pre {
		return checkpoint.FindShadow(e.stateDir(), dir)
	}
	r, err := repo.Open(dir)
	if errors.Is(err, repo.ErrNone) {
		return checkpoint.FindShadow(e.stateDir(), dir)
	}
	return r, err
}

// checkpointOf finds a checkpoint and says in an error where the others are listed.
func checkpointOf(r *repo.Repo, id string) (*checkpoint.Checkpoint, error) {
	c, err := checkpoint.Find(r, id)
	if err != nil {
		return nil, notFound(r, id, err)
	}
	return c, nil
}

// notFound is why an id names no checkpoint: there is none, several fit, or its time
// cannot be read. Anything else is a repository that moai could not read.
func notFound(r *repo.Repo, id string, err error) error {
	if errors.Is(err, checkpoint.ErrNone) {
		if gone, ok := checkpoint.Pruned(r, id); ok {
			err = fmt.Errorf("%s of %s was deleted on %s: %s", gone.Branch, gone.Timestamp.Local().Format(time.DateTime), gone.Pruned.Local().Format(time.DateTime), gone.Why)
			return hint(nof("%w", err), "moai checkpoint list")
		}
	}
	var unread *checkpoint.Unread
	switch {
	case errors.As(err, &unread):
	case errors.Is(err, checkpoint.ErrNone), errors.Is(err, checkpoint.ErrSeveral):
		err = nof("%w", err)
	case strings.HasPrefix(id, "before "):
		return usagef("%v", err)
	}
	return hint(err, "moai checkpoint list")
}

// joinTime makes one word of "before 14:00", "before 5 minutes ago" and "before 2026-01-31 14:00" that came without quotes.
func joinTime(args []string) []string {
	if len(args) == 0 || args[0] != "before" {
		return args
	}
	const most = 6 // words of the longest time: 1 hour 30 minutes ago, with before
	for n := min(len(args), most); n > 1; n-- {
		if _, err := when.Past(strings.Join(args[1:n], " "), time.Now()); err == nil {
			return append([]string{strings.Join(args[:n], " ")}, args[n:]...)
		}
	}
	return args
}

// oneID takes one id, a time in several words included.
func oneID(cmd *cobra.Command, args []string) error {
	return cobra.MaximumNArgs(1)(cmd, joinTime(args))
}

// chosen is the checkpoint that the words of a command line name, by default the newest that no restore has put aside.
func (e *env) chosen(args []string) (*repo.Repo, *checkpoint.Checkpoint, error) {
	r, err := e.repository()
	if err != nil {
		return nil, nil, err
	}
	id := strings.Join(args, " ")
	if old := e.savedOutside(r, id); old != nil {
		r = old
	}
	if id == "" {
		c, err := checkpoint.Newest(r)
		if err != nil {
			err = notFound(r, "", err)
		}
		return r, c, err
	}
	c, err := checkpointOf(r, id)
	return r, c, err
}

// savedOutside is where an id is known that the repository does not have: it was printed before git init, maybe on the line that made
// the repository.
func (e *env) savedOutside(r *repo.Repo, id string) *repo.Repo {
	const time = len("150405.000Z") // the least that is printed of an id
	if _, err := checkpoint.Find(r, id); len(id) < time || !errors.Is(err, checkpoint.ErrNone) || e.wasOutside(r, "") == "" {
		return nil
	}
	old, err := checkpoint.FindShadow(e.stateDir(), r.WorkTree)
	if err != nil {
		return nil
	}
	if c, err := checkpoint.Find(old, id); err != nil || !strings.HasSuffix(c.Name, id) {
		return nil
	}
	e.pre = true
	return old
}

// chosenPaths is chosen for verbs that also take paths, and that have a default of their own.
func (e *env) chosenPaths(args []string) (*repo.Repo, *checkpoint.Checkpoint, []string, error) {
	r, err := e.repository()
	if err != nil {
		return nil, nil, nil, err
	}
	if args = joinTime(args); len(args) > 0 {
		if old := e.savedOutside(r, args[0]); old != nil {
			r = old
		}
	}
	c, paths, err := e.idAndPaths(r, args)
	return r, c, paths, err
}

// idAndPaths takes a command line apart. The first word is an id when it is a whole one; else all words are paths of the default
// checkpoint if the first one names a file that exists or existed there; else it may be a part of an id.
func (e *env) idAndPaths(r *repo.Repo, args []string) (*checkpoint.Checkpoint, []string, error) {
	if len(args) == 0 {
		c, err := checkpoint.Newest(r)
		if err != nil {
			err = notFound(r, "", err)
		}
		return c, nil, err
	}
	c, err := checkpoint.Find(r, args[0])
	rest := args[1:]
	if err != nil || !strings.HasPrefix(args[0], "@") && !strings.HasPrefix(args[0], "before ") && c.Short() != strings.TrimPrefix(args[0], "checkpoint/") {
		plain, e2 := checkpoint.Newest(r)
		var unread *checkpoint.Unread
		switch {
		case errors.Is(err, checkpoint.ErrNone) && errors.As(e2, &unread): // the word is no id, so it is a path of what cannot be read
			return nil, nil, notFound(r, "", e2)
		case e2 == nil && e.knownPath(r, plain, args[0]):
			c, rest = plain, args
		case err != nil:
			return nil, nil, notFound(r, args[0], err)
		}
	}
	var paths []string
	for _, a := range rest {
		p, err := checkpoint.Relative(r, e.dir, a)
		if err != nil {
			return nil, nil, usagef("%v", err)
		}
		known, _ := known(r, p, c)
		paths = append(paths, known)
	}
	return c, paths, nil
}

// knownPath says whether a word names something on disk or in the checkpoint.
func (e *env) knownPath(r *repo.Repo, c *checkpoint.Checkpoint, word string) bool {
	p, err := checkpoint.Relative(r, e.dir, word)
	if err != nil {
		return false
	}
	_, ok := known(r, p, c)
	return ok
}

// known is a path as it is written on disk or in one of the checkpoints. A file that came from macOS has its Hangul and accents in
// parts, which no keyboard types: both spellings of each folder and file on the way mean what is there, the typed one first.
func known(r *repo.Repo, p string, in ...*checkpoint.Checkpoint) (string, bool) {
	is := func(as string) bool {
		_, err := os.Lstat(r.Path(as))
		return err == nil || slices.ContainsFunc(in, func(c *checkpoint.Checkpoint) bool { return checkpoint.Has(r, c, as) })
	}
	if is(p) {
		return p, true
	}
	at := ""
	for part := range strings.SplitSeq(p, "/") {
		spelled := [...]string{path.Join(at, part), path.Join(at, norm.NFC.String(part)), path.Join(at, norm.NFD.String(part))}
		i := slices.IndexFunc(spelled[:], is)
		if i < 0 {
			return p, false
		}
		at = spelled[i]
	}
	return at, true
}

// completeCheckpoints offers names with what they are.
func (e *env) completeCheckpoints(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	r, err := e.openAny(e.dir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := checkpoint.Last(r, 20)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, c := range list {
		out = append(out, c.Short()+"\t"+when.Ago(time.Since(c.Time))+", "+c.Amount())
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
