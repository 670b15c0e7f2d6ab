package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// Broken is a reference of moai's own that leads nowhere: its file holds none, or names a commit that is not here whole. Git's own gc and fsck fail for it.
type Broken struct {
	Ref  string
	Hash repo.Hash // zero where its file holds none
	Why  string
}

// maxBroken bounds how many references are looked at.
const maxBroken = 5000

// FindBroken lists them.
func FindBroken(r *repo.Repo) (list []Broken, err error) {
	looks := 0
	for _, prefix := range [...]string{Hidden, branchRefs} {
		refs, damaged, err := r.RefsOrDamaged(prefix)
		if err != nil {
			return list, fmt.Errorf("look for references that are broken: %w", err)
		}
		for _, name := range damaged {
			list = append(list, Broken{Ref: name, Why: "its file holds no reference"})
		}
		for _, ref := range refs {
			if looks++; looks > maxBroken {
				return list, nil
			}
			if r.Partial() || ref.Target != "" {
				continue // what is not here may come from the remote
			}
			if why := missing(r, &ref); why != "" {
				list = append(list, Broken{ref.Name, ref.Hash, why})
			}
		}
	}
	return list, nil
}

// missing says what of a reference's object is not here; "" for nothing. What a reference pins may be a tag, or anything, and the history of such a commit is
// no matter of moai's.
func missing(r *repo.Repo, ref *repo.Ref) string {
	if !r.HasObject(ref.Hash) {
		return "the object that it names is not here"
	}
	if strings.HasPrefix(ref.Name, pinRefs) {
		return ""
	}
	k, err := r.Commit(ref.Hash)
	switch {
	case err != nil:
		return "what it names is no commit that can be read"
	case !r.HasObject(k.Tree):
		return "the tree of its commit is not here"
	case slices.ContainsFunc(k.Parents, func(p repo.Hash) bool { return !r.HasObject(p) }):
		return "a commit to which it leads is not here"
	}
	return ""
}

// Mend deletes broken references that are as they were found; mended says how many. Nothing that is here goes with them.
func Mend(r *repo.Repo, list []Broken) (mended int, err error) {
	var values []repo.RefValue
	var failed []error
	for _, b := range list {
		if !strings.HasPrefix(b.Ref, Hidden) && !strings.HasPrefix(b.Ref, branchRefs) {
			continue
		}
		if !b.Hash.IsZero() {
			values = append(values, repo.RefValue{Name: b.Ref, Hash: b.Hash})
		} else if err := r.DropDamaged(b.Ref); err != nil {
			failed = append(failed, err)
		} else {
			mended++
		}
	}
	if len(values) > 0 {
		gone, err := r.DeleteRefs(values, repo.PackedWait)
		mended, failed = mended+len(gone), append(failed, err)
	}
	return mended, errors.Join(failed...)
}

// isDamaged reports a reference whose file holds none.
func isDamaged(err error) bool {
	var bad *repo.Damaged
	return errors.As(err, &bad)
}
