package repo

import (
	"container/heap"
	"strings"
	"time"
)

// Upstream is the branch that the current one follows.
type Upstream struct {
	Name string // short, such as "origin/main"
	Ref  string // full, such as "refs/remotes/origin/main"
	Hash Hash   // zero when Gone
	Gone bool   // configured, but the reference does not exist

	// Ahead and Behind count the commits that only one side has. When More is set the
	// histories were too long to count to the end, and there are at least so many.
	Ahead, Behind int
	More          bool
}

// dateSlop is how many commits are visited after both sides have met, in case that clocks
// were wrong; git takes the same number.
const dateSlop = 5

// maxDistance bounds the commits that Upstream reads.
const maxDistance = 10_000

// Upstream finds what the current branch follows and how far the two are apart. It is nil
// when HEAD is detached or no upstream is configured.
func (r *Repo) Upstream() (*Upstream, error) {
	h, err := r.Head()
	if err != nil {
		return nil, err
	}
	ref := r.upstreamRef(h.Branch)
	if ref == "" {
		return nil, nil
	}
	u := &Upstream{Ref: ref, Name: shortRef(ref)}
	u.Hash, err = r.lookup(ref)
	if err != nil {
		u.Gone = true
		return u, nil
	}
	// The usual case, which reads no commit.
	if h.Unborn || u.Hash == h.Hash {
		return u, nil
	}
	u.Ahead, u.Behind, u.More, err = r.distance(h.Hash, u.Hash, maxDistance)
	return u, err
}

// CommitsSince counts the commits that HEAD has and base has not, up to a limit.
func (r *Repo) CommitsSince(base Hash, limit int) (n int, err error) {
	h, err := r.Head()
	if err != nil || h.Unborn || h.Hash == base {
		return 0, err
	}
	n, _, _, err = r.distance(h.Hash, base, limit)
	return n, err
}

// upstreamRef maps branch.<name>.merge through the remote's fetch specifications.
func (r *Repo) upstreamRef(branch string) string {
	if branch == "" {
		return ""
	}
	c := r.Config()
	remote, merge := c.String("branch."+branch+".remote"), c.String("branch."+branch+".merge")
	if remote == "" || merge == "" {
		return ""
	}
	// The branch follows one of the same repository.
	if remote == "." {
		return merge
	}
	// git fetch stores a remote's branch where these say; usually refs/heads/* at refs/remotes/origin/*.
	for _, spec := range c.Strings("remote." + remote + ".fetch") {
		src, dst, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		if !ok || dst == "" {
			continue
		}
		if src == merge {
			return dst
		}
		before, after, star := strings.Cut(src, "*")
		if star && len(merge) >= len(before)+len(after) && strings.HasPrefix(merge, before) && strings.HasSuffix(merge, after) {
			return strings.Replace(dst, "*", merge[len(before):len(merge)-len(after)], 1)
		}
	}
	return ""
}

// shortRef drops the part of a reference's name that goes without saying.
func shortRef(ref string) string {
	for _, p := range [...]string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
		if s, ok := strings.CutPrefix(ref, p); ok {
			return s
		}
	}
	return ref
}

// Sides of a history: whose descendants have been seen to reach a commit.
const (
	sideOurs = 1 << iota
	sideTheirs
	sideBoth = sideOurs | sideTheirs
)

// distance counts the commits reachable from one side only. It visits commits by date,
// newest first, and ends soon after all that wait are known to both sides.
func (r *Repo) distance(ours, theirs Hash, limit int) (ahead, behind int, more bool, err error) {
	w := distanceWalk{r: r, sides: map[Hash]uint8{}, shallow: r.shallow()}
	if err := w.reach(ours, sideOurs); err != nil {
		return 0, 0, false, err
	}
	if err := w.reach(theirs, sideTheirs); err != nil {
		return 0, 0, false, err
	}
	// The oldest commit that one side alone had reached. What waits and is not older may be
	// a child of it on the other side: commits of a second come in any order.
	var oldest time.Time
	for n, extra := 0, 0; w.queue.Len() > 0 && extra < dateSlop; n++ {
		switch {
		case !w.queue[0].time.Before(oldest):
			extra = 0
		case w.open == 0:
			extra++
		}
		if n >= limit {
			more = true
			break
		}
		c := heap.Pop(&w.queue).(*dated)
		side := w.sides[c.hash]
		if c.side != sideBoth {
			w.open--
			oldest = c.time
		}
		// Its parents are not here, and git counts up to here as well.
		if w.shallow[c.hash] {
			continue
		}
		for _, p := range c.parents {
			if err := w.reach(p, side); err != nil {
				return 0, 0, false, err
			}
		}
	}
	for _, s := range w.sides {
		switch s {
		case sideOurs:
			ahead++
		case sideTheirs:
			behind++
		}
	}
	return ahead, behind, more, nil
}

type dated struct {
	hash    Hash
	time    time.Time
	parents []Hash
	side    uint8 // when it was queued
}

type distanceWalk struct {
	r       *Repo
	sides   map[Hash]uint8
	queue   dateQueue
	open    int // queued entries that one side alone had reached
	ours    int // of these, those that our side had
	shallow map[Hash]bool
}

// reach marks a commit as reached by side, and queues it when that is news.
func (w *distanceWalk) reach(h Hash, side uint8) error {
	old := w.sides[h]
	// Whoever has come here by this side before has gone on from here, too.
	if old|side == old {
		return nil
	}
	c, err := w.r.Commit(h)
	if err != nil {
		return err
	}
	w.sides[h] = old | side
	heap.Push(&w.queue, &dated{h, c.Time, c.Parents, old | side})
	if old|side != sideBoth {
		w.open++
	}
	if old|side == sideOurs {
		w.ours++
	}
	return nil
}

// shallow lists the commits whose parents were not fetched.
func (r *Repo) shallow() map[Hash]bool {
	b := readBounded(r.CommonDir + "/shallow")
	if len(b) == 0 {
		return nil
	}
	m := map[Hash]bool{}
	for line := range strings.Lines(string(b)) {
		if h, ok := ParseHash(strings.TrimSpace(line)); ok {
			m[h] = true
		}
	}
	return m
}

// dateQueue is a heap, the newest commit first.
type dateQueue []*dated

func (q dateQueue) Len() int           { return len(q) }
func (q dateQueue) Less(i, j int) bool { return q[i].time.After(q[j].time) }
func (q dateQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *dateQueue) Push(x any)        { *q = append(*q, x.(*dated)) }
func (q *dateQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
