package repo

import "container/heap"

// Unreached lists the commits that lead to one and to none of the others, newest first. At most limit commits are looked at; more
// says that there were others.
func (r *Repo) Unreached(from Hash, others []Hash, limit int) (list []Hash, more bool, err error) {
	w := distanceWalk{r: r, sides: map[Hash]uint8{}, shallow: r.shallow()}
	if err := w.reach(from, sideOurs); err != nil {
		return nil, false, err
	}
	for _, h := range others {
		_ = w.reach(h, sideTheirs) // what is not here, or is no commit, reaches nothing
	}
	// Where none waits that ours alone has reached, the rest is of no interest, however far the others go back; but for dates that are wrong: some are
	// looked at all the same.
	for n, extra := 0, 0; w.queue.Len() > 0 && extra < dateSlop; n++ {
		if n >= limit {
			more = true
			break
		}
		if w.ours == 0 {
			extra++
		}
		c := heap.Pop(&w.queue).(*dated)
		if c.side == sideOurs {
			w.ours--
		}
		if side := w.sides[c.hash]; side&sideOurs != 0 && c.side&sideOurs != 0 {
			list = append(list, c.hash)
		}
		if w.shallow[c.hash] {
			continue
		}
		for _, p := range c.parents {
			if err := w.reach(p, w.sides[c.hash]); err != nil {
				return nil, false, err
			}
		}
	}
	out := list[:0]
	seen := map[Hash]bool{}
	for _, h := range list {
		if w.sides[h] == sideOurs && !seen[h] {
			seen[h] = true
			out = append(out, h)
		}
	}
	return out, more, nil
}
