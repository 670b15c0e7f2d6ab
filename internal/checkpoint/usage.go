package checkpoint

import (
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// Usage is what the checkpoints of a repository cost, those of all its work trees together.
type Usage struct {
	Checkpoints int       `json:"checkpoints"`
	Steps       int       `json:"steps"`      // of the timelines of turns
	References  int       `json:"references"` // with pins and branches
	Branches    int       `json:"branches"`
	Newest      time.Time `json:"newest,omitzero"`
	Oldest      time.Time `json:"oldest,omitzero"`
	// Files and Bytes are the contents that only checkpoints hold and no commit they stand on, each once, before compression.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	// Vault is the size of the copies of ignored files of this work tree.
	Vault int64 `json:"vault_bytes"`
	// Unread counts checkpoints whose content could not be read to the end.
	Unread int `json:"unread,omitempty"`
	// Former is what lies in the vault for a repository that was here before, and Gone for work trees whose folders are no more.
	// Unplaced are folders of the vault that do not name their repository.
	Former   Left     `json:"former"`
	Gone     []Left   `json:"gone"`
	Unplaced []string `json:"unplaced,omitempty"`
}

// Used measures the checkpoints of a repository. It reads the trees of each, where they differ from the commit that it stands on.
func Used(r *repo.Repo, vaultDir string) (*Usage, error) {
	list, unread, err := ListAll(r)
	if err != nil {
		return nil, err
	}
	u := &Usage{Checkpoints: len(list), Unread: len(unread)}
	if len(list) > 0 {
		u.Newest, u.Oldest = list[0].Time, list[len(list)-1].Time
	}
	for _, prefix := range [...]string{hiddenRefs, pinRefs, branchRefs, stepRefs} {
		refs, err := r.Refs(prefix)
		if err != nil {
			return nil, err
		}
		u.References += len(refs)
		if prefix == branchRefs {
			u.Branches = len(refs)
		}
	}
	// Steps share most snapshots.
	steps, _ := Steps(r)
	u.Steps = len(steps)
	held := map[repo.Hash]bool{}
	for i := range steps {
		if h := steps[i].Snapshot; !h.IsZero() && !held[h] {
			held[h] = true
			if c, err := SnapshotAt(r, h); err == nil {
				list = append(list, *c)
			} else {
				u.Unread++
			}
		}
	}
	seen := map[repo.Hash]bool{}
	for i := range list {
		c := &list[i]
		var base repo.Hash
		if !c.Head.IsZero() {
			if k, err := r.Commit(c.Head); err == nil {
				base = k.Tree
			}
		}
		for _, tree := range [...]repo.Hash{c.Tree, c.Index, c.Unmerged} {
			if tree.IsZero() {
				continue
			}
			changes, err := diffTrees(r.Tree, base, tree)
			if err != nil {
				u.Unread++
				break
			}
			for _, ch := range changes {
				if ch.New.Mode == 0 || ch.New.Mode == repo.ModeGitlink || seen[ch.New.Hash] {
					continue
				}
				seen[ch.New.Hash] = true
				if n, err := r.BlobSize(ch.New.Hash); err == nil {
					u.Files++
					u.Bytes += n
				}
			}
		}
	}
	left, err := FindLeft(r, vaultDir)
	if err != nil {
		return nil, err
	}
	u.Former, u.Gone, u.Unplaced = left.Here, append([]Left{}, left.Gone...), left.Unplaced
	if vaultDir != "" {
		all := Left{}
		all.count(vaultHome(r, vaultDir))
		u.Vault = all.Bytes - u.Former.Bytes
	}
	return u, nil
}
