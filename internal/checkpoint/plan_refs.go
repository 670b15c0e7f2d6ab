package checkpoint

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/repo"
)

// refs finds the pinned references that have moved or are gone. HEAD comes last: its branch may have to come back first.
func (p *Plan) refs(r *repo.Repo, head *repo.Head) {
	state := p.stateMove(r)
	p.heads(r)
	at, have := p.pinned(r)
	// Every checkpoint knows where HEAD stood, and has its commit among its parents.
	if at == nil && (!p.Checkpoint.Head.IsZero() || p.Checkpoint.On != "") { // a branch without a commit is a place, too
		at = &Pin{"HEAD", p.Checkpoint.Head}
	}
	if at != nil {
		p.head(r, *at, head, state)
	}
	p.unbringRefs(r, head, have)
	p.begun(r, head, state)
}

// missing plans what brings back references, and settings, that are gone by now. Everything else may have moved on since they went, and is
// as somebody wants it: files, the index, HEAD, and references that stand elsewhere.
func (p *Plan) missing(_ context.Context, r *repo.Repo) error {
	head, err := r.Head()
	if err != nil {
		return err
	}
	_, have := p.pinned(r)
	p.unbringRefs(r, &head, have)
	p.Blocked = p.refBlocked
	return p.settings(r)
}

// pinned finds, of the references that the checkpoint keeps, those that come back, but for HEAD: at is where that stood, if it was pinned.
// have are the stash entries that are there.
func (p *Plan) pinned(r *repo.Repo) (at *Pin, have map[repo.Hash]bool) {
	have = map[repo.Hash]bool{}
	entries, unread := stash(r)
	// The log is written before the reference: what stands above the reference's own value is of a restore that was killed. Where
	// that value is no entry, somebody has taken it out of the log alone.
	top, err := r.Resolve("refs/stash")
	i := max(0, slices.IndexFunc(entries, func(p Pin) bool { return p.Hash == top }))
	if err != nil {
		i = len(entries)
	}
	for _, s := range entries[i:] {
		have[s.Hash] = true
	}
	for _, pin := range p.Checkpoint.Pins {
		// Checkpoints of older versions pin what is being merged or picked.
		if isState(pin) {
			continue
		}
		if pin.Ref == "HEAD" {
			at = &pin
			continue
		}
		if strings.HasPrefix(pin.Ref, "stash@{") {
			if unread != nil { // else an entry that is there would come a second time
				p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: why(unread)})
				continue
			}
			// By content: the numbers of entries change with every push and drop.
			if !have[pin.Hash] {
				p.Refs = append(p.Refs, RefMove{Ref: pin.Ref, To: pin.Hash})
			}
			continue
		}
		if strings.Contains(pin.Ref, "@{") {
			continue // of a reflog: it is reachable again, and nothing more is to be had
		}
		// Zero where it is gone, which is a value like others: the reference is made again.
		now, err := r.Resolve(pin.Ref)
		if p.Options.Missing && err == nil {
			continue
		}
		where := ""
		if now != pin.Hash {
			where = p.elsewhere(r, pin.Ref)
		}
		// A line that moved it there, past what Git refuses, is taken back as on any other branch.
		if where != "" && r.MovedBeneath(strings.TrimPrefix(pin.Ref, "refs/heads/"), pin.Hash) {
			where = ""
		}
		var free RefMove
		if where != "" {
			if free, where = p.frees(r, pin.Ref, where); where == "" && r.HasObject(pin.Hash) {
				p.Refs = append(p.Refs, free)
			}
		}
		switch {
		case err != nil && !errors.Is(err, repo.ErrNoRef):
			p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: err.Error()})
		case now == pin.Hash:
		case where != "":
			p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: "it is " + where})
		// Its pin may have been deleted by hand; a branch that leads nowhere would be worse than one that has moved.
		case !r.HasObject(pin.Hash):
			p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: "the repository no longer has " + pin.Hash.String()[:10] + ", on which it stood"})
		default:
			p.Refs = append(p.Refs, RefMove{Ref: pin.Ref, From: now, To: pin.Hash})
		}
	}
	return at, have
}

// head makes HEAD stand where it stood: on its branch, or detached on a commit. Files and index come back with it, so that this
// is no checkout.
func (p *Plan) head(r *repo.Repo, pin Pin, now *repo.Head, state *stateMove) {
	was := repo.Head{Branch: p.Checkpoint.On, Hash: pin.Hash, Detached: p.Checkpoint.On == ""}
	block := func(why string) { p.refBlocked = append(p.refBlocked, Skip{Path: "HEAD", Why: why}) }
	switch {
	case len(p.Paths) > 0, was.Detached == now.Detached && was.Branch == now.Branch && (!was.Detached || was.Hash == now.Hash):
		return
	case now.Operation != "" && now.Detached && state != nil && state.blocked != "":
		block(state.blocked + "; `" + abort(now.Operation) + "` ends what is under way, then restore again")
		return
	case !was.Detached && p.elsewhere(r, "refs/heads/"+was.Branch) != "":
		block("its branch " + was.Branch + " is " + p.elsewhere(r, "refs/heads/"+was.Branch))
		return
	case was.Detached && !r.HasObject(was.Hash):
		block("the repository no longer has " + was.Hash.String()[:10] + ", on which it stood")
		return
	case !was.Detached:
		// A branch that was deleted may be among those that come back.
		comes := slices.ContainsFunc(p.Refs, func(m RefMove) bool { return m.Ref == "refs/heads/"+was.Branch })
		if _, err := r.Resolve("refs/heads/" + was.Branch); err != nil && !comes && !was.Hash.IsZero() {
			block("it was on " + was.Branch + ", which is no longer there")
			return
		}
	}
	p.Refs = append(p.Refs, RefMove{Ref: "HEAD", From: now.Hash, To: was.Hash, from: *now, to: was})
}

// stood notes where HEAD stood and where it stands, if that is not the same and stays so: files of one branch come into another.
func (p *Plan) stood(head *repo.Head) {
	c := p.Checkpoint
	same := c.On == head.Branch && (c.On != "" || c.Head == head.Hash)
	if same || slices.ContainsFunc(p.Refs, func(m RefMove) bool { return m.Ref == "HEAD" }) {
		return
	}
	p.TakenOn, p.CheckedOut = place(c.On, c.Head), place(head.Branch, head.Hash)
}

// place is a branch, or the commit that a detached HEAD stands on.
func place(branch string, h repo.Hash) string {
	if branch == "" {
		return h.String()[:10]
	}
	return branch
}

// elsewhere says that another work tree has a branch checked out, and how that ends; "" when none has, or when it is no branch. Those whose
// HEAD goes back to where it stood do not count.
func (p *Plan) elsewhere(r *repo.Repo, ref string) string {
	branch, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return ""
	}
	tree, operation, found := r.CheckedOutElsewhere(branch, p.leave...)
	if !found {
		return ""
	}
	free := "git -C " + argv.Quote(tree) + " switch --detach"
	if _, err := os.Stat(tree); err != nil {
		free = "git worktree prune"
	} else if end, ok := strings.CutPrefix(abort(operation), "git "); ok {
		free = "git -C " + argv.Quote(tree) + " " + end
	}
	return "checked out in " + tree + "; `" + free + "` frees it, then restore again"
}

// frees is what takes a work tree off a branch that it was made for after the checkpoint was taken, as git worktree add -B makes one:
// its HEAD stays on the commit, as after git switch --detach, and every file of it as it is. Else where says why the branch stays.
func (p *Plan) frees(r *repo.Repo, ref, where string) (move RefMove, left string) {
	other, tree, ok := r.NewerTree(strings.TrimPrefix(ref, "refs/heads/"), p.Checkpoint.Time)
	if !ok {
		return RefMove{}, where
	}
	from, err := other.Head()
	if err != nil || from.Hash.IsZero() {
		return RefMove{}, where
	}
	to := repo.Head{Hash: from.Hash, Detached: true}
	return RefMove{Ref: "HEAD of " + tree, To: from.Hash, from: from, to: to, other: other}, ""
}

// abort is the command that gives up what is under way.
func abort(operation string) string {
	switch operation {
	case "":
		return ""
	case "bisect":
		return "git bisect reset"
	}
	return "git " + operation + " --abort"
}
