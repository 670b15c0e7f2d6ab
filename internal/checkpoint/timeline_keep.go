package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// ThinOut takes what the options no longer keep out of a timeline, and says how many steps went. Those that stay are linked anew:
// their snapshots keep their names, which is what anything refers to. What goes is left to Git's own gc, and to Tidy.
func ThinOut(r *repo.Repo, o PruneOptions) (gone int, err error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	steps, err := Steps(r)
	if err != nil || len(steps) == 0 {
		return 0, err
	}
	var list []Checkpoint
	at := map[repo.Hash]bool{}
	for i := range steps {
		if st := &steps[i]; !st.Snapshot.IsZero() && !at[st.Snapshot] {
			at[st.Snapshot] = true
			if c, err := SnapshotAt(r, st.Snapshot); err == nil {
				list = append(list, *c)
			}
		}
	}
	copies := map[repo.Hash]bool{}
	doomed := map[repo.Hash]bool{}
	for _, c := range o.doomed(list) {
		doomed[c.Commit] = true
	}
	stays := slices.DeleteFunc(slices.Clone(steps), func(st Step) bool {
		return doomed[st.Snapshot] || st.Snapshot.IsZero() && o.Now.Sub(st.Time) > day
	})
	if len(stays) == len(steps) || len(stays) == 0 {
		return 0, nil
	}
	if o.DryRun {
		return len(steps) - len(stays), nil
	}
	if err := relink(r, steps[0].Link, stays); err != nil {
		if errors.Is(err, repo.ErrRefMoved) || errors.Is(err, repo.ErrLocked) { // the next one does it
			return 0, nil
		}
		return 0, fmt.Errorf("thin out timeline: %w", err)
	}
	for i := range stays {
		copies[stays[i].Vault], copies[stays[i].Were] = true, true
	}
	for h := range doomed {
		if o.VaultDir != "" && !copies[h] {
			_ = os.RemoveAll(filepath.Join(vaultHome(r, o.VaultDir), h.String()))
		}
	}
	return len(steps) - len(stays), nil
}

// relink writes steps, the newest first, one behind the other, and moves the timeline there.
func relink(r *repo.Repo, tip repo.Hash, steps []Step) error {
	w := r.NewWriter(repo.WriteOptions{})
	defer w.Abort()
	s := &snapshot{r: r, w: w, opts: &CreateOptions{}}
	var last *Step
	for i := range slices.Backward(steps) {
		st := &steps[i]
		st.before = repo.Hash{}
		if last != nil {
			st.before = last.Link
		}
		var err error
		s.opts.Now = st.Time
		if st.Link, err = s.linkObject(st); err != nil {
			return err
		}
		last = st
	}
	return s.point(last.Link, tip)
}

// ignoredNow says which of the files that Git ignores have to be copied, and else whose copies they are: those of the last step, where
// they are the same files with the same content.
func ignoredNow(r *repo.Repo, o *CreateOptions, last *Step) (paths []string, vault repo.Hash) {
	if last == nil || last.Vault.IsZero() {
		return o.Ignored, vault
	}
	if o.Ignored == nil && !o.Recheck {
		return nil, last.Vault
	}
	of, err := SnapshotAt(r, last.Vault)
	if err != nil {
		return o.Ignored, vault
	}
	ignored := o.Ignored
	if o.Recheck {
		ignored = slices.Compact(slices.Sorted(slices.Values(slices.Concat(ignored, of.Vaulted))))
	}
	dir := filepath.Join(vaultHome(r, o.VaultDir), last.Vault.String())
	list, err := readVault(dir)
	copies := byPath(list)
	files := slices.DeleteFunc(filesNow(r, ignored), func(f vaultFile) bool { return skipped(of.Skipped, f.Path) })
	held := slices.DeleteFunc(slices.Clone(list), func(f vaultFile) bool { return f.Mode.IsDir() })
	if err != nil || len(files) != len(held) || slices.ContainsFunc(files, func(f vaultFile) bool { return !copied(r, dir, copies, f) }) {
		return ignored, vault
	}
	return nil, last.Vault
}
