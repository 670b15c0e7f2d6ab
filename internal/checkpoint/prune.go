package checkpoint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// PruneOptions say which checkpoints may go. The newest checkpoint, and the newest of each session that is younger than a day,
// always stay.
type PruneOptions struct {
	Keep     int           // number of newest checkpoints that stay; 0 sets no number
	Older    time.Duration // only those older than this go; 0 takes any
	VaultDir string        // where their ignored files are; "" leaves them
	DryRun   bool
	Now      time.Time

	quick bool // after a checkpoint, on the way of a command: leave the left-overs to a prune that somebody asks for
}

// PruneResult says what went, or would go in a dry run.
type PruneResult struct {
	Removed []Checkpoint
	Refs    int   // references deleted
	Vault   int64 // bytes of the vault freed
	Temp    int   // left-over temporary files removed
}

// Prune deletes checkpoints beyond Keep, the oldest first, that are older than Older. Their objects stay until git's own gc finds
// that nothing else holds them. Branches go with their checkpoints, but only where moai wrote them.
func Prune(r *repo.Repo, o PruneOptions) (*PruneResult, error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	list, err := List(r)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	res := &PruneResult{}
	session := map[string]bool{}
	for i, c := range list {
		recent := c.Session != "" && !session[c.Session] && o.Now.Sub(c.Time) < 24*time.Hour
		session[c.Session] = true
		if i == 0 || recent || i < o.Keep || o.Older > 0 && o.Now.Sub(c.Time) < o.Older || o.Keep == 0 && o.Older == 0 {
			continue
		}
		res.Removed = append(res.Removed, c)
	}
	var refs []repo.RefValue
	for _, c := range res.Removed {
		own, err := ownRefs(r, &c)
		if err != nil {
			return nil, fmt.Errorf("prune: %w", err)
		}
		refs = append(refs, own...)
	}
	if o.DryRun {
		res.Refs = len(refs)
		return res, nil
	}
	if len(refs) > 0 {
		deleted, err := r.DeleteRefs(refs)
		if res.Refs = len(deleted); err != nil {
			return res, fmt.Errorf("prune: %w", err)
		}
	}
	for _, c := range res.Removed {
		if o.VaultDir != "" && len(c.Vaulted) > 0 {
			dir := filepath.Join(vaultHome(r, o.VaultDir), c.Commit.String())
			res.Vault += folderSize(dir)
			if err := os.RemoveAll(dir); err != nil {
				return res, fmt.Errorf("prune: %w", err)
			}
		}
	}
	if !o.quick {
		res.Temp = sweep(r, o.VaultDir, o.Now)
	}
	return res, nil
}

// ownRefs lists what a checkpoint holds in the repository: its reference, its pins, and its branch if that is still ours.
func ownRefs(r *repo.Repo, c *Checkpoint) ([]repo.RefValue, error) {
	refs := []repo.RefValue{{Name: c.Ref, Hash: c.Commit}}
	pins, err := r.Refs(pinRefs + c.Short() + "/")
	if err != nil {
		return nil, err
	}
	for _, p := range pins {
		refs = append(refs, repo.RefValue{Name: p.Name, Hash: p.Hash})
	}
	if c.Branch == "" {
		return refs, nil
	}
	h, err := r.Resolve(c.Branch)
	if err != nil {
		return refs, nil
	}
	// Somebody who has put work of their own on the branch keeps it, and so does somebody who has it checked out.
	head, err := r.Head()
	if err != nil {
		return nil, err
	}
	k, err := r.Commit(h)
	if err == nil && k.Author == author && "refs/heads/"+head.Branch != c.Branch {
		refs = append(refs, repo.RefValue{Name: c.Branch, Hash: h})
	}
	return refs, nil
}

func folderSize(dir string) (n int64) {
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

// sweep removes what a killed process has left and what is older than an hour: temporary object files, of moai or git, locks of
// moai's own references, and copies that have not become part of the vault. A repository has up to 256 folders of objects with
// thousands of files, which is why this is not done after every checkpoint.
func sweep(r *repo.Repo, vaultDir string, now time.Time) (n int) {
	for _, own := range [...]string{pinRefs, hiddenRefs, branchRefs} {
		_ = filepath.WalkDir(filepath.Join(r.CommonDir, filepath.FromSlash(own)), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".lock") && d.Type().IsRegular() && older(d, now) && os.Remove(p) == nil {
				n++
			}
			return nil
		})
	}
	if vaultDir != "" {
		copies, _ := os.ReadDir(vaultHome(r, vaultDir))
		for _, d := range copies {
			if strings.HasPrefix(d.Name(), vaultTemp) && older(d, now) && os.RemoveAll(filepath.Join(vaultHome(r, vaultDir), d.Name())) == nil {
				n++
			}
		}
	}
	objects := filepath.Join(r.CommonDir, "objects")
	dirs, err := os.ReadDir(objects)
	if err != nil {
		return 0
	}
	for _, d := range dirs {
		if !d.IsDir() || len(d.Name()) != 2 && d.Name() != "pack" {
			continue
		}
		files, _ := os.ReadDir(filepath.Join(objects, d.Name()))
		for _, f := range files {
			if !strings.HasPrefix(f.Name(), "tmp_obj_") && !strings.HasPrefix(f.Name(), "tmp_pack_") && !strings.HasPrefix(f.Name(), "tmp_idx_") {
				continue
			}
			if f.Type().IsRegular() && older(f, now) && os.Remove(filepath.Join(objects, d.Name(), f.Name())) == nil {
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
