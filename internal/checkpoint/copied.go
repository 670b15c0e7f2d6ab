package checkpoint

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// copiedAge is how old a checkpoint may be whose copies stand for new ones: it stays for a day, and so for half a day from now.
const copiedAge = day / 2

// copiedLooked bounds how many checkpoints are asked.
const copiedLooked = 20

// Copied finds a checkpoint of this work tree whose vault has all of these files as they are, or has said of them that they are too much for
// it; nil where there is none.
func Copied(r *repo.Repo, vaultDir string, paths []string, now time.Time) *Checkpoint {
	list, err := Last(r, copiedLooked)
	if err != nil {
		return nil
	}
	files := filesNow(r, paths)
	for i := range list {
		c := &list[i]
		if age(c, now) > copiedAge || len(c.Vaulted) == 0 {
			continue
		}
		dir := filepath.Join(vaultHome(r, vaultDir), c.Commit.String())
		list, err := readVault(dir)
		copies := byPath(list)
		if err == nil && !slices.ContainsFunc(files, func(f vaultFile) bool { return !skipped(c.Skipped, f.Path) && !copied(r, dir, copies, f) }) {
			c.Reused = true
			return c
		}
	}
	return nil
}

// filesNow are the files of these paths that are there, without what is in them.
func filesNow(r *repo.Repo, paths []string) (out []vaultFile) {
	for _, p := range paths {
		if fi, err := lstat(r, p); err == nil && !fi.IsDir() {
			out = append(out, vaultFile{Path: p, Mode: fi.Mode().Perm(), Size: fi.Size()})
		}
	}
	return out
}

// copied reports whether one of the copies in a folder of the vault is what a file is now.
func copied(r *repo.Repo, dir string, copies map[string]*vaultFile, f vaultFile) bool {
	c := copies[f.Path]
	if c == nil || c.Mode.IsDir() {
		return false
	}
	if c.Size != f.Size || hasPermissions && c.Mode != f.Mode { // most differ in that, and nothing has to be read
		return false
	}
	if c.Link == "" && !c.whole(dir) {
		return false
	}
	fi, err := lstat(r, f.Path)
	return err == nil && fileSum(r.Path(f.Path), fi) == c.Sum+c.Link
}
