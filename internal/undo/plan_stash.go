package undo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// stashBack takes back what came into the stash, and what went, between two snapshots, but for what others did in between.
func (l *planner) stashBack(from, to *checkpoint.Checkpoint, theirs map[string]string, all bool) {
	had, have := entries(from.Pins), entries(to.Pins)
	for _, h := range slices.Backward(ordered(from.Pins)) {
		if _, still := have[h]; !still && theirs[h.String()] == "" {
			l.stashed[h] = had[h]
			l.insert(h, from)
		}
	}
	for h, ref := range have {
		if _, before := had[h]; before || theirs[h.String()] != "" {
			continue
		}
		if !all && !l.o.Force && l.stashed[h] != "" && !l.stashedHere(h, from, to) {
			l.keep(cmp.Or(l.stashed[h], ref), "it has files as this work tree did not have them", byForce)
			continue
		}
		delete(l.stashed, h)
	}
}

// insert puts an entry into the order of the stash: above the next older one of then that is there, below all where none is. What was put
// aside since is newer than it.
func (l *planner) insert(h repo.Hash, from *checkpoint.Checkpoint) {
	if slices.Contains(l.order, h) {
		return
	}
	then := ordered(from.Pins)
	at := len(l.order)
	for _, older := range then[slices.Index(then, h)+1:] {
		if i := slices.Index(l.order, older); i >= 0 {
			at = i
			break
		}
	}
	l.order = slices.Insert(l.order, at, h)
}

// ordered are the entries of the stash, the newest first.
func ordered(pins []checkpoint.Pin) []repo.Hash {
	var list []checkpoint.Pin
	for _, p := range pins {
		if entry(p.Ref) {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(x, y checkpoint.Pin) int { return cmp.Compare(place(x.Ref), place(y.Ref)) })
	out := make([]repo.Hash, len(list))
	for i, p := range list {
		out[i] = p.Hash
	}
	return out
}

// settleStash turns what was found of the stash into a blend.
func (l *planner) settleStash() {
	b := &l.p.Blend
	have := entries(l.now.Pins)
	for h, ref := range have {
		if _, stays := l.stashed[h]; stays {
			continue
		}
		if at := slices.IndexFunc(l.p.Kept, func(k Kept) bool { return !entry(k.Path) && !strings.HasPrefix(k.Path, "refs/") && k.Path != "HEAD" }); at >= 0 && !l.o.Force {
			l.keep(ref, "it may have what is not in "+l.p.Kept[at].Path+", which stays as it is", byForce)
			l.stashed[h] = ref
		} else {
			b.Gone = append(b.Gone, checkpoint.Pin{Ref: ref, Hash: h})
			l.p.Moves = append(l.p.Moves, Move{Ref: ref, From: h})
		}
	}
	for h, ref := range l.stashed {
		if _, there := have[h]; !there {
			l.p.Moves = append(l.p.Moves, Move{Ref: ref, To: h})
		}
	}
	for _, h := range l.order {
		if _, stays := l.stashed[h]; stays {
			b.Stash = append(b.Stash, h)
		}
	}
}

func entries(pins []checkpoint.Pin) map[repo.Hash]string {
	m := map[repo.Hash]string{}
	for _, p := range pins {
		if entry(p.Ref) {
			m[p.Hash] = p.Ref
		}
	}
	return m
}

// place is where an entry stands in the stash: the newest comes first, and so it does among those that come back.
func place(ref string) (n int) {
	_, _ = fmt.Sscanf(ref, "stash@{%d}", &n)
	return n
}
