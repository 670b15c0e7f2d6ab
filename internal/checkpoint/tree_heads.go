package checkpoint

import (
	"slices"

	"github.com/modu-ai/moai/internal/repo"
)

// A TreeHead is where the HEAD of another work tree stood.
type TreeHead struct {
	Tree string    // its name below .git/worktrees, "" of the main one
	On   string    // branch; "" when detached
	Head repo.Hash // zero without a commit
}

// treeHeads says where the HEADs of the other work trees stand.
func treeHeads(r *repo.Repo) (list []TreeHead) {
	for _, t := range r.Beside() {
		list = append(list, TreeHead{t.Name, t.Head.Branch, t.Head.Hash})
	}
	return list
}

// heads finds other work trees whose HEAD points elsewhere, though no checkout and no commit was made in them: their branch was renamed, or
// their HEAD was set from outside. After a checkout or a commit it stays: files come back in this work tree alone.
func (p *Plan) heads(r *repo.Repo) {
	if len(p.Paths) > 0 {
		return
	}
	for _, t := range r.Beside() {
		at := slices.IndexFunc(p.Checkpoint.Trees, func(was TreeHead) bool { return was.Tree == t.Name })
		if at < 0 {
			continue
		}
		was := p.Checkpoint.Trees[at]
		same := t.Head.Branch == was.On && (was.On != "" || t.Head.Hash == was.Head)
		if same || !p.stands(r, was) || !t.Stays(was.Head, p.Checkpoint.Time) {
			continue
		}
		to := repo.Head{Branch: was.On, Hash: was.Head, Detached: was.On == ""}
		p.Refs = append(p.Refs, RefMove{Ref: "HEAD of " + t.Dir, From: t.Head.Hash, To: to.Hash, from: t.Head, to: to, other: t.At})
		p.leave = append(p.leave, t.Name)
	}
}

// stands says whether a HEAD can go back to where it stood, on a branch that is there or comes back, and on the same commit.
func (p *Plan) stands(r *repo.Repo, was TreeHead) bool {
	if was.Head.IsZero() || !r.HasObject(was.Head) {
		return false
	}
	if was.On == "" {
		return true
	}
	ref := "refs/heads/" + was.On
	if i := slices.IndexFunc(p.Checkpoint.Pins, func(pin Pin) bool { return pin.Ref == ref }); i >= 0 {
		return p.Checkpoint.Pins[i].Hash == was.Head
	}
	now, err := r.Resolve(ref)
	return err == nil && now == was.Head
}
