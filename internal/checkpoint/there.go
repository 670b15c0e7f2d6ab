package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/repo"
)

// Unseen tells of paths that a snapshot does not hold which of them it could not see: they may have been there all the same, and what
// may have been there is not new.
type Unseen struct {
	r      *repo.Repo
	c      *Checkpoint
	ignore *ignore.Matcher
}

// NewUnseen reads nothing yet.
func NewUnseen(r *repo.Repo, c *Checkpoint) *Unseen { return &Unseen{r: r, c: c} }

// Why says why a snapshot could not see a path, "" where it would have.
func (u *Unseen) Why(path string) string { return u.why(path, false) }

// WhyFolder is Why for a folder.
func (u *Unseen) WhyFolder(path string) string { return u.why(path, true) }

func (u *Unseen) why(path string, folder bool) string {
	for _, above := range parents(path) {
		side, err := lookup(u.r.Tree, u.c.Tree, above)
		skip := func(k Skip) bool { return strings.TrimSuffix(k.Path, "/") == above }
		if err != nil || side.Mode == repo.ModeGitlink || slices.Contains(u.c.Nested, above) || slices.ContainsFunc(u.c.Skipped, skip) {
			return "it lay in a repository of its own"
		}
	}
	if u.ignore == nil {
		u.ignore = u.r.IgnoreOf(u.ruleFile)
	}
	// What Git tracks is seen whatever its rules say.
	if staged, err := u.c.StagedAt(u.r, path); err == nil && staged.Mode == 0 && u.ignore.Match(path, folder) {
		return "Git ignores it there"
	}
	return ""
}

// ruleFile is a .gitignore of the snapshot; nil where it has none.
func (u *Unseen) ruleFile(rel string) []byte {
	side, err := lookup(u.r.Tree, u.c.Tree, rel)
	if err != nil || side.Mode != repo.ModeFile && side.Mode != repo.ModeExec {
		return nil
	}
	if n, err := u.r.BlobSize(side.Hash); err != nil || n > ignore.MaxFile {
		return nil
	}
	_, text, err := u.r.Object(side.Hash)
	if err != nil {
		return nil
	}
	return append([]byte{}, text...)
}

// lstat is what is at a path of the work tree. Nothing is behind a link: what that leads to has another path, or is not in the work tree.
func lstat(r *repo.Repo, path string) (os.FileInfo, error) {
	if inTheWay(r, path) != "" {
		return nil, fs.ErrNotExist
	}
	return os.Lstat(r.Path(path))
}

// OnDisk is the file at a path as a snapshot would hold it, for one that snapshots do not see; false where there is none, or a folder.
func OnDisk(r *repo.Repo, path string) (Side, bool) {
	fi, err := lstat(r, path)
	if err != nil || fi.IsDir() {
		return Side{}, false
	}
	side, err := onDisk(r, path, fi)
	return side, err == nil || !disk.Absent(err)
}

// Here gives an error where a snapshot is of another folder than the work tree.
func (c *Checkpoint) Here(r *repo.Repo) error {
	if c.elsewhere != "" {
		return errors.New("core.worktree led to " + c.elsewhere + " then, and that is another work tree than " + r.WorkTree)
	}
	return nil
}
