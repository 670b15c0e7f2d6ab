package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// publish stores the objects and makes the checkpoint visible under the first free name. Objects are complete on disk before a
// reference gets its name; all of them wait for the disk together, which is half of what a small checkpoint costs.
func (s *snapshot) publish(c *Checkpoint) error {
	if !s.w.Apart() && s.r.Collecting() {
		return errPruned // it would be; the next try goes into a pack
	}
	pending, err := s.references(c)
	if err != nil {
		return err
	}
	var locks []func()
	for _, p := range pending {
		locks = append(locks, p.Sync)
	}
	// Objects first: from the first rename on, everything that a reference names is there.
	err = s.w.Flush(locks...)
	for i, p := range pending {
		if err != nil {
			p.Rollback()
			continue
		}
		// The first is the checkpoint itself; without it the others are of no use.
		if e := p.Commit(); e != nil && i == 0 {
			err = e
		} else if e != nil {
			c.Warnings = append(c.Warnings, e.Error())
			if i == len(pending)-1 {
				c.Branch = ""
			}
		}
	}
	return err
}

// errPruned says that a gc took objects of a checkpoint away before a reference could keep them.
var errPruned = errors.New("git gc took away what was just written")

// settled says whether the checkpoint is whole, and stays so. A gc that looked for what is in use before the reference was there deletes
// what is new, if it was told to prune it at once; a gc that begins later sees the reference. A gc never deletes a pack with a .keep file:
// where one began while the checkpoint was written, all is done again and goes into such a pack.
func (s *snapshot) settled() bool { return (s.w.Apart() || !s.r.Collecting()) && s.w.Complete() }

// withdraw deletes the references of a checkpoint that is not whole. Its commits may be gone, so nothing is read of them: what was
// written a moment ago is known.
func (s *snapshot) withdraw(c *Checkpoint) error {
	branch := c.Branch
	c.Branch = ""
	refs, err := ownRefs(s.r, c)
	if err == nil {
		if branch != "" {
			refs = append(refs, repo.RefValue{Name: branch, Hash: c.public})
		}
		_, err = s.r.DeleteRefs(refs, repo.PackedWait)
	}
	return errors.Join(errPruned, err)
}

// references prepares what names the checkpoint: the hidden reference, its pins, and last the branch. Trouble with one of the
// latter is a warning.
func (s *snapshot) references(c *Checkpoint) ([]*repo.PendingRef, error) {
	base := "before-" + c.Operation + "-" + c.Time.UTC().Format(stampFormat)
	short := base
	first, err := s.r.PrepareRef(hiddenRefs+short, c.Commit)
	// Two of one millisecond are two, and whoever holds the lock of a name is about to take it.
	for seq := 2; (errors.Is(err, repo.ErrRefExists) || errors.Is(err, repo.ErrLocked)) && seq <= 1000; seq++ {
		short = fmt.Sprintf("%s-%02d", base, seq)
		first, err = s.r.PrepareRef(hiddenRefs+short, c.Commit)
	}
	if err != nil {
		return nil, err
	}
	c.Name, c.Ref = "checkpoint/"+short, hiddenRefs+short
	list := []*repo.PendingRef{first}
	for _, k := range s.keep {
		if p, err := s.r.PrepareRef(pinRefs+short+"/"+k.Ref, k.Hash); err != nil {
			c.Warnings = append(c.Warnings, err.Error())
		} else {
			list = append(list, p)
		}
	}
	if c.public.IsZero() {
		return list, nil
	}
	// A branch of the user's named "checkpoint" stands in the way of ours, and that is no failure.
	p, err := s.r.PrepareRef(branchRefs+short, c.public)
	if err != nil {
		c.Warnings = append(c.Warnings, "no branch was written: "+err.Error())
	} else {
		list = append(list, p)
		c.Branch = branchRefs + short
	}
	return list, nil
}

// surplus is what a new checkpoint makes too much.
type surplus struct {
	opts PruneOptions
	res  *PruneResult
	refs []repo.RefValue
	err  error
}

// older chooses what goes while the new checkpoint waits for the disk. Checkpoints that cannot be read are left out, and stay. The
// new one counts as the newest, whatever the clock says: one that went back must not let a checkpoint fall that was taken this
// moment.
func (s *snapshot) older(c Checkpoint) <-chan surplus {
	out := make(chan surplus, 1)
	// Nothing gets too old within the hour in which somebody has looked.
	looked := s.last != nil && s.last.Time.Truncate(time.Hour).Equal(c.Time.Truncate(time.Hour))
	if s.opts.Keep == (Retention{}) || looked {
		close(out)
		return out
	}
	go func() {
		more := surplus{opts: PruneOptions{Limits: s.opts.Keep, VaultDir: s.opts.VaultDir, NoLog: s.opts.NoLog, Now: s.opts.Now, few: true}}
		// Other people's commits are read here; should that panic, nothing is pruned this time.
		if repo.Parallel(1, func(int) {
			past, _ := loadAll(s.r, s.past)
			more.res, more.refs, more.err = choose(s.r, &more.opts, append([]Checkpoint{c}, past...))
		}) != nil {
			more = surplus{}
		}
		out <- more
	}()
	return out
}

// pruneWait is how long a command is held up for what the next checkpoint can do as well.
const pruneWait = 20 * time.Millisecond

// maxBranches bounds how many checkpoints are branches at once: people see them in every list of branches, and push them.
const maxBranches = 3

// fewBranches deletes the branches of older checkpoints, as far as nobody has used them; the hidden references stay. A lock that is
// held is no trouble: the next checkpoint does it.
func (s *snapshot) fewBranches(c *Checkpoint) {
	if c.Branch == "" {
		return
	}
	refs, err := s.r.Refs(branchRefs)
	if err != nil {
		return
	}
	type branch struct {
		name string
		at   time.Time
	}
	var list []branch
	for _, ref := range refs {
		if at, is := ours(ref.Name); is && ref.Name != c.Branch {
			list = append(list, branch{ref.Name, at})
		}
	}
	slices.SortFunc(list, func(a, b branch) int { return b.at.Compare(a.at) })
	var gone []repo.RefValue
	for i, b := range list {
		if i < cmp.Or(s.opts.branches, maxBranches)-1 {
			continue
		}
		if own, ok, err := ownBranch(s.r, strings.TrimPrefix(b.name, "refs/heads/")); err == nil && ok {
			gone = append(gone, own)
		}
	}
	if len(gone) > 0 {
		_, _ = s.r.DeleteRefs(gone, pruneWait)
	}
}

// retain prunes. The checkpoint is taken, so trouble here is a warning.
func (s *snapshot) retain(c *Checkpoint, older <-chan surplus) {
	s.fewBranches(c)
	more := <-older
	err := more.err
	if err == nil && len(more.refs) > 0 {
		err = remove(s.r, &more.opts, more.res, more.refs, pruneWait)
		// Who finds the lock held mostly finds another checkpoint that prunes; only where many have gathered it is something else.
		if errors.Is(err, repo.ErrLocked) && len(more.res.Removed) < aFew {
			return
		}
	}
	if err != nil && !errors.Is(err, repo.ErrRefMoved) {
		c.Warnings = append(c.Warnings, "older checkpoints were not pruned: "+err.Error())
	}
}

// ours reports a branch that a checkpoint has made, and when: people may have branches of their own below checkpoint/.
func ours(ref string) (at time.Time, is bool) {
	short, below := strings.CutPrefix(ref, branchRefs)
	_, at, _ = nameTime(short)
	return at, below && !at.IsZero()
}
