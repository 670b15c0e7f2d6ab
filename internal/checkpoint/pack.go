package checkpoint

import (
	"context"
	"fmt"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// Snapshots are a few small objects each, in files of their own. Many of these make a repository slow, and have Git's own gc begin; so
// they are put into packs before that, where nobody waits. In the repository of a folder outside Git nothing else ever tidies up.

const (
	// FewLoose is how many objects in files of their own are not worth a pack while somebody may wait.
	FewLoose = 1024
	// maxPacked bounds what one pack takes in, and fewPacked is less than what is worth one.
	maxPacked = 20_000
	fewPacked = 256
)

// Pack moves the objects of moai's snapshots that lie in files of their own into one pack, and says how many. Less than few of them, by a glance, are
// left alone.
func Pack(ctx context.Context, r *repo.Repo, few int) (n int, err error) {
	loose := r.Loose(few)
	if len(loose) == 0 {
		return 0, nil
	}
	c := &collector{r: r, within: loose, seen: map[repo.Hash]bool{}, most: maxPacked}
	if err := c.all(ctx); err != nil {
		return 0, fmt.Errorf("pack: %w", err)
	}
	if len(c.list) == 0 || few > 0 && len(c.list) < fewPacked {
		return 0, nil
	}
	if n, err = r.PackLoose(ctx, c.list); err != nil {
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
