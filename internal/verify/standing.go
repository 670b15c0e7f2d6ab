package verify

import (
	"iter"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// What a branch had when the session began is nobody's work here, by whatever command it comes: a merge, a patch, a file that is shown.

// maxHeld is how many commits of a branch are asked for what HEAD has.
const maxHeld = 200

// older are the folders of branches on which nothing was done since the session began, and of those that have what was there before.
func (l *lineage) older(began time.Time) (trees []repo.Hash) {
	for _, c := range standing(l.r, began) {
		trees = append(trees, c.Tree)
	}
	return trees
}

// standing are the commits on which branches stood when the session began.
func standing(r *repo.Repo, began time.Time) iter.Seq2[repo.Hash, *repo.Commit] {
	return func(yield func(repo.Hash, *repo.Commit) bool) {
		for _, prefix := range []string{"refs/heads/", remotes} {
			if began.IsZero() {
				return
			}
			refs, _ := r.Refs(prefix)
			for i := range refs[:min(len(refs), maxOlder)] {
				ref := &refs[i]
				if c, err := r.Commit(ref.Hash); err == nil && (stood(r, ref, began) || !storedSince(r, ref.Hash, c, began)) && !yield(ref.Hash, c) {
					return
				}
			}
		}
	}
}

// stood reports a reference that nobody has written since then: what it has was there.
func stood(r *repo.Repo, ref *repo.Ref, at time.Time) bool {
	path := filepath.Join(r.CommonDir, filepath.FromSlash(ref.Name))
	if !disk.There(path) {
		path = filepath.Join(r.CommonDir, "packed-refs")
	}
	return disk.There(path) && !since(path, at)
}

// Theirs reports a file, absolute, that holds what such a branch has at its place, and that goes on from what HEAD had there. Else old code, or that of one
// branch, comes in the place of new.
func (p *Picture) Theirs(r *repo.Repo, before *Picture, path string, began time.Time) bool {
	in, local := Shown([]string{p.Tree}, path)
	if !local || p.Tree != before.Tree {
		return false
	}
	data, err := disk.ReadItself(path, maxRead)
	if err != nil {
		return false
	}
	blob := repo.HashObject(r.HashSize(), repo.KindBlob, data)
	return r.HasObject(blob) && before.theirs(r, folders{}, in, blob, began) // a new content costs no more than the first
}

// theirs is the same of a content at a path.
func (p *Picture) theirs(r *repo.Repo, seen folders, path string, blob repo.Hash, began time.Time) bool {
	head, ok := repo.ParseHash(p.Head)
	was, had := seen.blob(r, p.Head, path)
	for h, c := range standing(r, began) {
		is, there := seen.at(r, c.Tree, path)
		if ok && there && is == blob && !ancestor(r, h, head) && (!had || held(r, seen, h, path, was)) {
			return true
		}
	}
	return false
}

// held reports that a commit, or one of the last ones before it, has a content at a path.
func held(r *repo.Repo, seen folders, from repo.Hash, path string, blob repo.Hash) bool {
	known, next := map[repo.Hash]bool{from: true}, []repo.Hash{from}
	for len(next) > 0 && len(known) < maxHeld {
		c, err := r.Commit(next[0])
		if next = next[1:]; err != nil {
			continue
		}
		if is, there := seen.at(r, c.Tree, path); there && is == blob {
			return true
		}
		for _, parent := range c.Parents {
			if !known[parent] {
				known[parent] = true
				next = append(next, parent)
			}
		}
	}
	return false
}
