package undo

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// stashBack takes back what came into the stash, and what went, between two snapshots, but for what others did in between.
func (l *planner) stashBack(from, to *checkpoint.Checkpoint, theirs map[string]string, all bool) error {
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
		if path, err := l.stashedAlone(h, from); path != "" && !l.o.Force {
			l.keep(cmp.Or(l.stashed[h], ref), path+" is in it alone, and in no snapshot", byForce)
			continue
		} else if err != nil {
			return err
		}
		if only, err := l.onlyIn(h, l.alone); err != nil {
			return err
		} else if only != "" && !l.o.Force {
			l.keep(cmp.Or(l.stashed[h], ref), only+" is in it alone", byForce)
			continue
		}
		delete(l.stashed, h)
	}
	return nil
}

// stashedAlone names a file that an entry took from the work tree with others that were not tracked, and that comes back with nothing else, since
// Git ignores it; "" for none.
func (l *planner) stashedAlone(h repo.Hash, from *checkpoint.Checkpoint) (string, error) {
	k, err := l.r.Commit(h)
	if err != nil || len(k.Parents) <= 2 {
		return "", nil // it holds no such files
	}
	more, err := l.commit(k.Parents[2])
	if err != nil {
		return "what cannot be read", nil
	}
	files, _, err := checkpoint.Differences(l.r, &checkpoint.Checkpoint{}, more)
	if err != nil {
		return "", err
	}
	for _, ch := range files {
		if side, err := l.trees.At(from, ch.Path); err == nil && side.Mode != 0 || strings.HasPrefix(ch.Path, path.Dir(checkpoint.LogName)+"/") {
			continue // the snapshot has it as it was, which may be another than the one in the entry
		}
		if l.files[ch.Path] == ch.New {
			continue
		}
		if is, there := checkpoint.OnDisk(l.r, ch.Path); !there && (l.o.Copied == nil || !l.o.Copied(ch.Path)) || there && is.Hash != ch.New.Hash {
			return ch.Path, nil
		}
	}
	return "", nil
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
	for _, h := range l.order {
		if _, stays := l.stashed[h]; !stays {
			continue
		}
		if _, there := have[h]; !there {
			l.p.Moves = append(l.p.Moves, Move{Ref: fmt.Sprintf("stash@{%d}", len(b.Stash)), To: h})
		}
		b.Stash = append(b.Stash, h)
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
