package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
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

// Beside opens the work trees around folders that are not that of a repository, inside it or not, each once: of the same repository, or of a clone.
func Beside(r *repo.Repo, folders []string) (list []*repo.Repo) {
	for _, dir := range folders {
		if in, inside := Shown([]string{r.WorkTree}, dir); inside && !another(r, in) || len(list) == maxBeside {
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

// another reports a folder of a work tree that is another one, or in another one.
func another(r *repo.Repo, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if exists(r.Path(dir + "/.git")) {
			return true
		}
	}
	return false
}

// Places opens the work trees in which a call worked: those around the folders that its words name, and linked ones that it made since.
func (c *Call) Places(r *repo.Repo, since time.Time) []*repo.Repo {
	if c == nil {
		return nil
	}
	list := Beside(r, slices.Concat(c.Folders, c.Below))
	if !c.Trees {
		return list
	}
	for _, t := range r.Beside() {
		if one, err := repo.Open(t.Dir); err == nil && one.GitDir == t.At.GitDir && start(one, since) != "" && len(list) < 2*maxBeside &&
			!slices.ContainsFunc(list, func(o *repo.Repo) bool { return o.GitDir == one.GitDir }) {
			list = append(list, one)
		}
	}
	return list
}

// start is the commit from which a work tree began that was made since then, as its log tells, "" for an older one.
func start(r *repo.Repo, since time.Time) (head string) {
	first := true
	(&lineage{since: since}).log(logs(r)[0], func(from, to repo.Hash, _ string, now bool) {
		if first && now && from.IsZero() {
			head = to.String()
		}
		first = false
	})
	return head
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
	if anew.Head = start(r, p.At); anew.Head != "" {
		return anew
	}
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

// TakesAway notes a content that was in a file before a call of the session brought another one there: changes of the user's, which a later call may bring back.
func (s *State) TakesAway(path, sum string) (changed bool) {
	if s.Restores(path, sum) {
		return false
	}
	s.Away = add(s.Away, path+"\x00"+sum, maxKept)
	return true
}

// Restores reports such a content.
func (s *State) Restores(path, sum string) bool { return slices.Contains(s.Away, path+"\x00"+sum) }

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
