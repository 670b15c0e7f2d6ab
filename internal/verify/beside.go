package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// A command can work in another work tree than the session's: a linked one, or a clone from which the project gets it by a pull. Where its words
// name that place, it has a picture there, too. What lies in a clone counts once the project has it (Arrived).

// Bounds of what is looked at beside a work tree.
const (
	maxBeside = 3   // other work trees
	maxKept   = 200 // contents that Git was told to keep
)

// Beside opens the work trees around folders that are neither that of a repository nor inside it, each once: of the same repository, or of a clone.
func Beside(r *repo.Repo, folders []string) (list []*repo.Repo) {
	for _, dir := range folders {
		if _, inside := Shown([]string{r.WorkTree}, dir); inside || len(list) == maxBeside {
			continue
		}
		one, err := repo.Open(dir)
		if err != nil || one.WorkTree == r.WorkTree || !Related(r, one) || slices.ContainsFunc(list, func(o *repo.Repo) bool { return o.WorkTree == one.WorkTree }) {
			continue
		}
		list = append(list, one)
	}
	return list
}

// Related reports a work tree of the same repository, or of one that has the commit on which the other one stands: that can get from it what it holds.
func Related(r, other *repo.Repo) bool {
	if other.Bare() || r.CommonDir == other.CommonDir {
		return !other.Bare()
	}
	has := func(a, b *repo.Repo) bool {
		head, err := b.Head()
		return err == nil && !head.Unborn && a.HasObject(head.Hash)
	}
	return has(r, other) || has(other, r)
}

// Look adds pictures of the work trees beside it to a picture.
func (p *Picture) Look(ctx context.Context, beside []*repo.Repo, stateDir string, since time.Time) {
	for _, r := range beside {
		if one, _, err := Take(ctx, r, r.DirCacheIn(stateDir), false, since, nil); err == nil {
			p.Beside = append(p.Beside, one)
		}
	}
}

// Of is the picture of a work tree beside it. One that was not there then had nothing but the commits that are older.
func (p *Picture) Of(r *repo.Repo) *Picture {
	if i := slices.IndexFunc(p.Beside, func(one *Picture) bool { return one.Tree == r.WorkTree }); i >= 0 {
		return p.Beside[i]
	}
	anew := &Picture{Tree: r.WorkTree, At: p.At, Files: map[string]Stamp{}}
	head, err := r.Head()
	if err != nil || head.Unborn {
		return anew
	}
	at, since := head.Hash, p.At.Truncate(time.Second)
	for range maxCommits {
		c, err := r.Commit(at)
		if err != nil {
			break
		}
		if c.Time.Before(since) {
			anew.Head = at.String()
			break
		}
		if len(c.Parents) == 0 {
			break
		}
		at = c.Parents[0]
	}
	return anew
}

// Objects lists what Git was told to keep since a picture that no file of it held: contents, as Sum has them.
func (p *Picture) Objects(r *repo.Repo) (sums []string) {
	since := p.At.Add(-coarse).UnixNano()
	top := filepath.Join(r.CommonDir, "objects")
	folders, _ := os.ReadDir(top)
	for _, d := range folders {
		at, err := disk.At(filepath.Join(top, d.Name()))
		if err != nil || len(d.Name()) != 2 || at.ModifiedNano() < since {
			continue
		}
		names, _ := os.ReadDir(filepath.Join(top, d.Name()))
		for _, f := range names {
			at, err := disk.At(filepath.Join(top, d.Name(), f.Name()))
			h, ok := repo.ParseHash(d.Name() + f.Name())
			if err != nil || !ok || at.ModifiedNano() < since || len(sums) == maxKept {
				continue
			}
			if sum := blobSum(r, h); sum != "" && !p.held(sum) {
				sums = append(sums, sum)
			}
		}
	}
	return sums
}

// held reports that a changed file of a picture holds that.
func (p *Picture) held(sum string) bool {
	for _, s := range p.Files {
		if s.Sum == sum {
			return true
		}
	}
	return false
}

// Kept lists the files, absolute, that hold what the session had Git keep, since another commit was checked out.
func (p *Picture) Kept(r *repo.Repo, before *Picture, s *State) (files []string) {
	if len(s.Objects) == 0 || p.Tree != before.Tree || p.Head == before.Head {
		return nil
	}
	for path, one := range written(r, folders{}, commitTree(r, before.Head), commitTree(r, p.Head), "") {
		if sum := one.sum(r); s.Keeps(sum) && Sum(r.Path(path)) == sum && len(files) < maxChanges {
			files = append(files, r.Path(path))
		}
	}
	return files
}

// Keeps reports a content that the session had Git keep.
func (s *State) Keeps(sum string) bool { return sum != "" && slices.Contains(s.Objects, sum) }

// KeepObjects notes such contents, the last ones.
func (s *State) KeepObjects(sums []string) (changed bool) {
	for _, sum := range sums {
		if !s.Keeps(sum) {
			s.Objects, changed = add(s.Objects, sum, maxKept), true
		}
	}
	return changed
}

// blobSum is the Sum of a file with a content that Git has, "" for what is no content or too large.
func blobSum(r *repo.Repo, h repo.Hash) string {
	if size, err := r.BlobSize(h); err != nil || size > maxRead {
		return ""
	}
	kind, text, err := r.Object(h)
	if err != nil || kind != repo.KindBlob {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// since reports a file that was written since a moment, as far as clocks of files tell.
func since(path string, at time.Time) bool {
	now, err := disk.At(path)
	return err == nil && max(now.ModifiedNano(), now.ChangedNano()) >= at.Add(-coarse).UnixNano()
}
