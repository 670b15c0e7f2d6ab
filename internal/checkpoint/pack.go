package checkpoint

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// Snapshots are a few small objects each, in files of their own. Many of these make a repository slow, and have Git's own gc begin; so
// moai packs them before that, at the end of a turn. No gc of Git ever runs in the repository of a folder outside Git.

const (
	// fewLoose is how many objects in files of their own are not worth a pack while somebody may wait, fewPacks the same of packs, of which each
	// look for an object asks all; Git's own gc begins at 6,700 and 50.
	fewLoose = 1024
	fewPacks = 20
	// smallPack is the size up to which packs are put together: larger ones would be copied again and again.
	smallPack = 4 << 20
	// maxPacked bounds what one pack takes in, and fewPacked is less than what is worth one.
	maxPacked = 20_000
	fewPacked = 256
	// manyPacked is how many objects in a pack are enough: to copy them once more would cost an end of a turn half a second.
	manyPacked = 2000
)

// Pack moves the objects of moai's snapshots that lie in files of their own, or in many small packs, into one pack, and says how many. With a glance it
// looks no further where there are few of either.
func Pack(ctx context.Context, r *repo.Repo, glance bool) (n int, err error) {
	loose, packs := 0, 1
	if glance {
		loose, packs = fewLoose, fewPacks
	}
	single := r.Loose(loose)
	small, room := r.SmallPacks(packs, smallPack), maxPacked/2
	small = slices.DeleteFunc(small, func(p repo.SmallPack) bool {
		if len(p.Objects) > min(room, manyPacked) { // the user's own, mostly: all of a clone
			return true
		}
		room -= len(p.Objects)
		return false
	})
	if len(single)+len(small) == 0 || r.Collecting() {
		return 0, nil
	}
	if single == nil {
		single = r.Loose(0) // few: but what leads to the packs may be among them
	}
	within := maps.Clone(single)
	if within == nil {
		within = map[repo.Hash]bool{}
	}
	for _, p := range small {
		for _, h := range p.Objects {
			within[h] = true
		}
	}
	c := &collector{r: r, within: within, seen: map[repo.Hash]bool{}, most: maxPacked}
	if err := c.all(ctx); err != nil {
		return 0, fmt.Errorf("pack: %w", err)
	}
	// Packs in which something else is stay, and what is in them need not be twice.
	small = slices.DeleteFunc(small, func(p repo.SmallPack) bool {
		return slices.ContainsFunc(p.Objects, func(h repo.Hash) bool { return !c.seen[h] })
	})
	moves := map[repo.Hash]bool{}
	for _, p := range small {
		for _, h := range p.Objects {
			moves[h] = true
		}
	}
	list := slices.DeleteFunc(c.list, func(h repo.Hash) bool { return !single[h] && !moves[h] })
	if len(list) == 0 || len(small) < 2 && (len(list) == len(moves) || glance && len(list) < fewPacked) {
		return 0, nil
	}
	if n, err = r.Repack(ctx, list, small); err != nil {
		return n, fmt.Errorf("pack: %w", err)
	}
	return n, nil
}

// Tidy gives back the room of snapshots of a folder outside Git that are gone. In a repository it does nothing: that is Git's.
func Tidy(ctx context.Context, r *repo.Repo, now time.Time) (freed int64, err error) {
	if !r.Shadow {
		return 0, nil
	}
	c := &collector{r: r, seen: map[repo.Hash]bool{}, most: 1 << 22}
	if err := c.all(ctx); err != nil {
		return 0, fmt.Errorf("tidy up: %w", err)
	}
	ix, err := r.Index()
	if err != nil {
		return 0, fmt.Errorf("tidy up: %w", err)
	}
	for e := range ix.Entries() {
		c.add(e.Hash)
	}
	if freed, err = r.Collect(ctx, c.list, now.Add(-time.Hour)); err != nil {
		return freed, fmt.Errorf("tidy up: %w", err)
	}
	return freed, nil
}

// collector lists what moai's references lead to, what is referred to before what refers to it: a list that was cut short is whole as far as
// it goes. Commits of others are left out, with all behind them.
type collector struct {
	r      *repo.Repo
	within map[repo.Hash]bool // these alone, and nothing behind others; nil for all
	seen   map[repo.Hash]bool
	list   []repo.Hash
	most   int
}

func (c *collector) add(h repo.Hash) {
	if !c.seen[h] {
		c.seen[h] = true
		c.list = append(c.list, h)
	}
}

func (c *collector) all(ctx context.Context) error {
	for _, prefix := range [...]string{hiddenRefs, pinRefs, stepRefs} {
		refs, err := c.r.Refs(prefix)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if err := c.commits(ctx, ref.Hash); err != nil {
				return err
			}
		}
	}
	return nil
}

// commits takes in a commit with all that leads to it. A timeline is longer than a stack is deep, so it is a list.
func (c *collector) commits(ctx context.Context, tip repo.Hash) error {
	type visit struct {
		hash repo.Hash
		tree repo.Hash
		done bool // all behind it is taken in
	}
	stack := []visit{{hash: tip}}
	entered := map[repo.Hash]bool{}
	for len(stack) > 0 && len(c.list) < c.most {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.done {
			if err := c.tree(at.tree, 0); err != nil {
				return err
			}
			c.add(at.hash)
			continue
		}
		if c.seen[at.hash] || entered[at.hash] || c.within != nil && !c.within[at.hash] {
			continue
		}
		entered[at.hash] = true
		k, err := c.r.Commit(at.hash)
		if err != nil || k.Author != author {
			continue
		}
		stack = append(stack, visit{at.hash, k.Tree, true})
		for _, p := range k.Parents {
			stack = append(stack, visit{hash: p})
		}
	}
	return nil
}

func (c *collector) tree(h repo.Hash, depth int) error {
	if h.IsZero() || c.seen[h] || c.within != nil && !c.within[h] || depth > maxDepth {
		return nil
	}
	es, err := c.r.Tree(h)
	if err != nil {
		return err
	}
	for _, e := range es {
		switch {
		case e.Mode == repo.ModeDir:
			if err := c.tree(e.Hash, depth+1); err != nil {
				return err
			}
		case e.Mode != repo.ModeGitlink && (c.within == nil || c.within[e.Hash]):
			c.add(e.Hash)
		}
	}
	c.add(h)
	return nil
}
