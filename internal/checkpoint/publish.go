package checkpoint

import (
	"errors"
	"fmt"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// publish stores the objects and makes the checkpoint visible under the first free name. Objects are complete on disk before a
// reference gets its name; all of them wait for the disk together, which is half of what a small checkpoint costs.
func (s *snapshot) publish(c *Checkpoint) error {
	pending, err := s.references(c)
	if err != nil {
		return err
	}
	var locks []func()
	for _, p := range pending {
		locks = append(locks, p.Sync)
	}
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

// references prepares what names the checkpoint: the hidden reference, its pins, and last the branch. Trouble with one of the
// latter is a warning.
func (s *snapshot) references(c *Checkpoint) ([]*repo.PendingRef, error) {
	base := "before-" + c.Operation + "-" + c.Time.UTC().Format(stampFormat)
	short := base
	first, err := s.r.PrepareRef(hiddenRefs+short, c.Commit)
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
	var p *repo.PendingRef
	if c.public == c.Commit {
		p, err = first.PrepareAlso(branchRefs + short)
	} else {
		p, err = s.r.PrepareRef(branchRefs+short, c.public)
	}
	if err != nil {
		c.Warnings = append(c.Warnings, "no branch was written: "+err.Error())
	} else {
		list = append(list, p)
		c.Branch = branchRefs + short
	}
	return list, nil
}

// older reads earlier checkpoints while the new one waits for the disk. Those that cannot be read are left out, and stay.
func (s *snapshot) older() <-chan []Checkpoint {
	out := make(chan []Checkpoint, 1)
	if s.opts.Keep == (Retention{}) {
		close(out)
		return out
	}
	go func() {
		var list []Checkpoint
		// Other people's commits are read here; should that panic, nothing is pruned this time.
		if repo.Parallel(1, func(int) { list = loadAll(s.r, s.past) }) != nil {
			list = nil
		}
		out <- list
	}()
	return out
}

// pruneWait is how long a command is held up for what the next checkpoint can do as well.
const pruneWait = 20 * time.Millisecond

// retain prunes. The checkpoint is taken, so trouble here is a warning. It counts as the newest, whatever the clock says: one that
// went back must not let a checkpoint fall that was taken this moment.
func (s *snapshot) retain(c *Checkpoint, older <-chan []Checkpoint) {
	list := <-older
	if len(list) == 0 {
		return
	}
	o := PruneOptions{VaultDir: s.opts.VaultDir, Now: s.opts.Now, few: true}
	o.Limit(s.opts.Keep)
	res, err := prune(s.r, &o, append([]Checkpoint{*c}, list...), pruneWait)
	// Who finds the lock held mostly finds another checkpoint that prunes; only where many have gathered it is something else.
	busy := errors.Is(err, repo.ErrLocked) && res != nil && len(res.Removed) < aFew
	if err != nil && !busy && !errors.Is(err, repo.ErrRefMoved) {
		c.Warnings = append(c.Warnings, "older checkpoints were not pruned: "+err.Error())
	}
}
