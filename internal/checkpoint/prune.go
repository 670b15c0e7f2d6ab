package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// PruneOptions say which checkpoints may go: those beyond Keep and older than Older, or what Limits says. The newest checkpoint
// of each work tree always stays, and so does the newest of each session that is younger than a day.
type PruneOptions struct {
	Keep     int           // number of newest checkpoints that stay; 0 sets no number
	Older    time.Duration // only those older than this go; 0 takes any
	Limits   Retention     // counts where neither Keep nor Older is set
	Only     string        // the name of the one checkpoint that goes, the newest too, whatever else is said; "" for none
	All      bool          // all of them go
	VaultDir string        // where their ignored files are; "" leaves them
	NoLog    bool          // leave .moai/checkpoints.log alone
	DryRun   bool
	Now      time.Time

	few bool // a command waits: the oldest ones, no more than aFew
}

// aFew is how many go at most while a command waits, which takes some milliseconds. It is more than an hour of work adds.
const aFew = 100

// PruneResult says what went, or would go in a dry run.
type PruneResult struct {
	Removed []Removed
	Refs    int   // references deleted
	Bytes   int64 // content that only git's next gc gives back, where nothing else holds it
	Vault   int64 // bytes of the vault freed
	Steps   int   // of the timeline that went, too; see ThinOut
	Temp    int   // left-over temporary files, and pins of checkpoints that are gone, removed
	// Former is what went, too, of a repository that was here before; Prune itself leaves it.
	Former *Left
}

// doomed lists what goes, of a list with the newest first.
func (o *PruneOptions) doomed(list []Checkpoint) []Removed {
	switch {
	case o.Only != "" || o.All:
		var out []Removed
		for _, c := range list {
			if o.All || c.Name == o.Only {
				out = append(out, Removed{c, "dropped by hand"})
			}
		}
		return out
	case o.Keep > 0 || o.Older > 0:
		return o.beyond(list)
	}
	return o.Limits.doomed(list, o.Now)
}

// beyond is what goes by the limits that a person named. Every work tree counts for itself: a busy one must not cost another
// its last checkpoint.
func (o *PruneOptions) beyond(list []Checkpoint) (out []Removed) {
	const why = "pruned by hand, beyond --keep or --older"
	count := map[string]int{}
	session := map[string]bool{}
	for _, c := range list {
		n, age := count[c.Worktree], age(&c, o.Now)
		count[c.Worktree]++
		// The list is the newest first, so the first of a session is its newest.
		recent := c.Session != "" && !session[c.Session] && age < day
		session[c.Session] = true
		if n > 0 && !recent && n >= o.Keep && age >= o.Older {
			out = append(out, Removed{c, why})
		}
	}
	return out
}

// Prune deletes checkpoints, the oldest first. Their objects stay until git's own gc finds that nothing else holds them. Branches
// go with their checkpoints, but only where moai wrote them.
func Prune(r *repo.Repo, o PruneOptions) (*PruneResult, error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	list, unread, err := ListAll(r)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	if o.Only != "" || o.All { // what is too old cannot be said of these
		for i := range unread {
			list = append(list, unread[i].Checkpoint)
		}
	}
	res, err := prune(r, &o, list, repo.PackedWait)
	// Also where a lock holds the references up: it may be of the same killed process that has left the rest.
	if res != nil && !o.DryRun {
		res.Temp = sweep(r, o.VaultDir, o.Now)
	}
	if err != nil {
		return res, fmt.Errorf("prune: %w", err)
	}
	return res, nil
}

// prune deletes what is too much of a list with the newest first. After a checkpoint, on the way of a command, this is all: what
// killed processes have left is swept up when somebody asks for it.
func prune(r *repo.Repo, o *PruneOptions, list []Checkpoint, wait time.Duration) (*PruneResult, error) {
	res, refs, err := choose(r, o, list)
	if err != nil {
		return nil, err
	}
	return res, remove(r, o, res, refs, wait)
}

// choose says what goes of a list with the newest first, and by which references it is held.
func choose(r *repo.Repo, o *PruneOptions, list []Checkpoint) (*PruneResult, []repo.RefValue, error) {
	res := &PruneResult{Removed: o.doomed(list)}
	if n := len(res.Removed); o.few && n > aFew {
		res.Removed = res.Removed[n-aFew:]
	}
	var refs []repo.RefValue
	for i := range res.Removed {
		own, err := ownRefs(r, &res.Removed[i].Checkpoint)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, own...)
	}
	// Sizes are taken while the folders are still there.
	for _, c := range res.Removed {
		res.Bytes += c.Stats.Bytes
		res.Vault += folderSize(vaultOf(r, o.VaultDir, &c.Checkpoint))
	}
	return res, refs, nil
}

// remove deletes what was chosen; a reference that has moved since stays.
func remove(r *repo.Repo, o *PruneOptions, res *PruneResult, refs []repo.RefValue, wait time.Duration) error {
	if o.DryRun {
		res.Refs = len(refs)
		return nil
	}
	if len(refs) == 0 {
		return nil // and no lock is taken
	}
	deleted, err := r.DeleteRefs(refs, wait)
	res.Refs = len(deleted)
	gone := make(map[string]bool, len(deleted))
	for _, ref := range deleted {
		gone[ref.Name] = true
	}
	res.Removed = slices.DeleteFunc(res.Removed, func(c Removed) bool { return !gone[c.Ref] })
	// After the references: a copy without its checkpoint is left over, a checkpoint without its copy has lost files.
	for _, c := range res.Removed {
		if dir := vaultOf(r, o.VaultDir, &c.Checkpoint); dir != "" {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	if !o.NoLog {
		err = errors.Join(err, logRemoved(r, res.Removed, o.Now))
	}
	return err
}

// ownRefs lists what a checkpoint holds in the repository, in the order in which it goes: its branch if that is still ours, its reference,
// its pins. So a checkpoint that is still listed has all that it promises wherever a process is killed, and what is left of one that is not
// can be told: pins without a checkpoint.
func ownRefs(r *repo.Repo, c *Checkpoint) ([]repo.RefValue, error) {
	var refs []repo.RefValue
	if c.Branch != "" {
		own, ok, err := ownBranch(r, c.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			refs = append(refs, own)
		}
	}
	refs = append(refs, repo.RefValue{Name: c.Ref, Hash: c.Commit})
	// Pins have no list of their own: their folder is named after the checkpoint.
	pins, err := r.Refs(pinRefs + c.Short() + "/")
	if err != nil {
		return nil, err
	}
	for _, p := range pins {
		refs = append(refs, repo.RefValue{Name: p.Name, Hash: p.Hash})
	}
	return refs, nil
}

// orphans are pins whose checkpoint is gone: the process that deleted the checkpoint was killed before it deleted them. A checkpoint that is
// being made writes its pins before its own reference, so pins younger than an hour stay.
func orphans(r *repo.Repo, now time.Time) (list []repo.RefValue) {
	pins, err := r.Refs(pinRefs)
	if err != nil {
		return nil
	}
	gone := map[string]bool{}
	for _, p := range pins {
		short, _, ok := strings.Cut(strings.TrimPrefix(p.Name, pinRefs), "/")
		if !ok {
			continue
		}
		is, known := gone[short]
		if !known {
			_, err := r.Resolve(hiddenRefs + short)
			_, at, _ := nameTime(short)
			is = errors.Is(err, repo.ErrNoRef) && !at.IsZero() && now.Sub(at) > time.Hour
			gone[short] = is
		}
		if is {
			list = append(list, repo.RefValue{Name: p.Name, Hash: p.Hash})
		}
	}
	return list
}

// Branch reports a branch that holds a checkpoint, as moai wrote it.
func Branch(r *repo.Repo, ref *repo.Ref) bool {
	short, is := strings.CutPrefix(ref.Name, branchRefs)
	if !is {
		return false
	}
	if _, err := r.Resolve(hiddenRefs + short); err != nil {
		return false
	}
	k, err := r.Commit(ref.Hash)
	return err == nil && k.Author == author && k.Committer == author
}

// ownBranch gives the branch of that name, if it is still as moai wrote it.
func ownBranch(r *repo.Repo, name string) (ref repo.RefValue, ok bool, err error) {
	ref.Name = "refs/heads/" + name
	if ref.Hash, err = r.Resolve(ref.Name); err != nil {
		return ref, false, nil
	}
	// Somebody who has put work of their own on the branch keeps it, an amended commit too, which has our name as its author; and
	// so does somebody who stands on it, or will again when a rebase ends.
	head, err := r.Head()
	if err != nil {
		return ref, false, err
	}
	k, err := r.Commit(ref.Hash)
	if err != nil || k.Author != author || k.Committer != author || head.Branch == name || head.Onto == name {
		return ref, false, nil
	}
	_, _, used := r.CheckedOutElsewhere(name)
	return ref, !used, nil
}

// vaultOf is the folder of the vault for one checkpoint. The folder need not exist. The result is "" where the vault or the work tree of the checkpoint is unknown.
func vaultOf(r *repo.Repo, dir string, c *Checkpoint) string {
	place := r.TreeOf(c.Worktree)
	if dir == "" || place == "" {
		return ""
	}
	return filepath.Join(dir, homeName(place), c.Commit.String())
}

// folderSize is the sum of a folder's files, in bytes; "" has none.
func folderSize(dir string) (n int64) {
	if dir == "" {
		return 0
	}
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if fi, err := d.Info(); err == nil {
				n += fi.Size()
			}
		}
		return nil
	})
	return n
}

// Sweep removes what killed processes have left, and says how many files that were.
func Sweep(r *repo.Repo, vaultDir string, now time.Time) int { return sweep(r, vaultDir, now) }

// sweep removes what a killed process has left and what is older than an hour: temporary object files, locks of moai's own
// references, and copies that have not become part of the vault. Temporary files of git's own wait for a day: a fetch writes its
// pack first and may take hours to complete it. A repository has up to 256 folders of objects with thousands of files, which is
// why this is not done after every checkpoint.
func sweep(r *repo.Repo, vaultDir string, now time.Time) (n int) {
	var names []string
	if refs, err := r.Refs("refs/heads/"); err == nil {
		for _, ref := range refs {
			names = append(names, ref.Name)
		}
	}
	r.GiveUpLocks(append(names, "refs/stash")...)
	for _, own := range [...]string{pinRefs, hiddenRefs, branchRefs, stepRefs} {
		_ = filepath.WalkDir(filepath.Join(r.CommonDir, filepath.FromSlash(own)), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(p, ".lock") || !d.Type().IsRegular() || !older(d, now) {
				return nil
			}
			if seen, err := d.Info(); err == nil && repo.RemoveLock(p, seen) {
				n++
			}
			return nil
		})
	}
	if list := orphans(r, now); len(list) > 0 {
		deleted, _ := r.DeleteRefs(list, repo.PackedWait) // what stays is found again
		n += len(deleted)
	}
	if vaultDir != "" {
		copies, _ := os.ReadDir(vaultHome(r, vaultDir))
		for _, d := range copies {
			if strings.HasPrefix(d.Name(), vaultTemp) && older(d, now) && os.RemoveAll(filepath.Join(vaultHome(r, vaultDir), d.Name())) == nil {
				n++
			}
		}
	}
	locks, _ := filepath.Glob(filepath.Join(r.CommonDir, repo.LockTemp+"*"))
	if r.GitDir != r.CommonDir { // a linked work tree has a HEAD and an index of its own
		own, _ := filepath.Glob(filepath.Join(r.GitDir, repo.LockTemp+"*"))
		locks = append(locks, own...)
	}
	for _, p := range locks {
		if fi, err := os.Lstat(p); err == nil && older(fs.FileInfoToDirEntry(fi), now) && os.RemoveAll(p) == nil {
			n++
		}
	}
	objects := filepath.Join(r.CommonDir, "objects")
	dirs, err := os.ReadDir(objects)
	if err != nil {
		return n
	}
	for _, d := range dirs {
		if !d.IsDir() || len(d.Name()) != 2 && d.Name() != "pack" {
			continue
		}
		files, _ := os.ReadDir(filepath.Join(objects, d.Name()))
		for _, f := range files {
			own, temporary := repo.Temporary(f.Name())
			switch {
			case repo.KeptByMoai(filepath.Join(objects, d.Name(), f.Name())):
				temporary = true
			case !own:
				temporary = temporary && older(f, now.Add(-24*time.Hour))
			}
			if temporary && f.Type().IsRegular() && older(f, now) && os.Remove(filepath.Join(objects, d.Name(), f.Name())) == nil {
				n++
			}
		}
	}
	return n
}

func older(d fs.DirEntry, now time.Time) bool {
	fi, err := d.Info()
	return err == nil && now.Sub(fi.ModTime()) > time.Hour
}
